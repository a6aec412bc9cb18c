"""Where one begins to read: the addresses of what there is."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import Serializer

from .. import schema
from ..base import ApiView

LEARNERS = {"quizzes": "quiz_list", "guides": "guide_list", "attempts": "attempt_list", "progress": "progress"}
STAFF = {
    "quizzes": "staff_quiz_list",
    "questions": "staff_question_list",
    "guides": "staff_guide_list",
    "tags": "staff_tag_list",
    "missed": "staff_missed_list",
    "answers": "staff_waitinganswer_list",
    "reports": "staff_report_list",
    "remarkings": "staff_remarking_list",
}
"""{what a list is of: the name of its address}."""


class RootSerializer(Serializer[Any]):
    learners = serializers.DictField(child=serializers.URLField(), help_text="The lists that learners read.")
    staff = serializers.DictField(
        child=serializers.URLField(), allow_null=True, help_text="The lists that staff edit; null for others."
    )
    schema = serializers.URLField(allow_null=True, help_text="This API as OpenAPI, where that is installed.")


class RootView(ApiView):
    """The addresses of all lists."""

    serializer_class = RootSerializer

    def get(self, request: Request) -> Response:
        staff = request.user.is_active and getattr(request.user, "is_staff", False)
        return self.answer(
            {
                "learners": self._addresses(LEARNERS),
                "staff": self._addresses(STAFF) if staff else None,
                "schema": self._address("schema") if schema.is_installed() else None,
            }
        )

    def _addresses(self, names: dict[str, str]) -> dict[str, str]:
        return {what: self._address(name) for what, name in names.items()}

    def _address(self, name: str) -> str:
        return reverse(f"mpquiz-api:{name}", request=self.request)
