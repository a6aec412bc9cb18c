"""What learners say is wrong with questions: for whoever may change questions."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ... import words
from ...editing.reports import settle
from ...models import Report
from ...models.editors import reports_of
from ...models.reporting import QUEUE
from .base import StaffList, StaffView, first, may
from .fields import Body
from .report_serializers import ReportSerializer
from .searching import SearchQuery


def _theirs(user: Any) -> QuerySet[Report]:
    """The reports that somebody may see, with what is told of each."""
    reports = reports_of(user, Report.objects.all(), named=may(user, "view_attempt"))
    return reports.select_related("version", "quiz", "user", "settled_by", "answer__attempt")


class ReportQuery(SearchQuery):
    """``question`` is an id, ``search`` looks in the notes. Without ``ordering`` the open ones come first."""

    orderings = {"created": "created_at"}

    state = serializers.ChoiceField(choices=["open", "settled"], required=False)
    quiz = serializers.SlugField(max_length=80, required=False)
    language = serializers.ChoiceField(choices=[], required=False)
    question = serializers.IntegerField(min_value=1, max_value=10**17, required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["language"].choices = words.languages()
        return fields

    @classmethod
    def order(cls, ordering: str) -> list[Any]:
        return super().order(ordering) if ordering else QUEUE


class StaffReportList(StaffList):
    """What learners say is wrong with questions."""

    needs = {"GET": ("change_question",)}
    serializer_class = ReportSerializer
    query_class = ReportQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found: Any = _theirs(request.user)
        if "state" in asked:
            found = found.open() if asked["state"] == "open" else found.exclude(settled_at=None)
        columns = {"quiz": "quiz__slug", "language": "language", "question": "question", "search": "note__icontains"}
        found = found.filter(**{column: asked[name] for name, column in columns.items() if name in asked})
        return self.listed(found, asked.get("ordering", ""))


class StaffReportView(StaffView):
    """One of the reports."""

    needs = {"GET": ("change_question",)}
    serializer_class = ReportSerializer

    def get(self, request: Request, pk: int) -> Response:
        return self.answer(first(_theirs(request.user).filter(pk=pk)))


class StaffReportSettle(StaffView):
    """A report that was looked at."""

    needs = {"POST": ("change_question",)}
    serializer_class = ReportSerializer
    body_class = Body

    def post(self, request: Request, pk: int) -> Response:
        """Settle it; again changes nothing."""
        report = first(_theirs(request.user).filter(pk=pk))
        self.body()
        settle([report], by=request.user)
        return self.answer(first(_theirs(request.user).filter(pk=pk)))
