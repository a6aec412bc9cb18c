"""What staff read of what learners say is wrong with questions."""

from typing import Any

from rest_framework import serializers

from ...learners import name_of
from ...models import Report
from ..serializers import Reference, address_of
from ..texts import LineSerializer, TextSerializer


class ReportSerializer(serializers.Serializer[Report]):
    """A learner's word that something is wrong with a question, which is told in the language that they read.

    ``learner`` and ``attempt`` (its address) are null for whoever may not see attempts, and where nobody is known.
    """

    id = serializers.IntegerField(source="pk", read_only=True)
    url = serializers.SerializerMethodField()
    note = serializers.CharField(read_only=True)
    language = serializers.CharField(read_only=True)
    question = serializers.IntegerField(
        source="question_id", read_only=True, allow_null=True, help_text="Null: it was deleted since."
    )
    prompt = TextSerializer(read_only=True, allow_null=True)
    quiz = serializers.SerializerMethodField()
    title = LineSerializer(source="quiz.title_text", read_only=True, allow_null=True, default=None)
    created_at = serializers.DateTimeField(read_only=True)
    settled_at = serializers.DateTimeField(read_only=True, allow_null=True)
    settled_by = serializers.SerializerMethodField()
    learner = serializers.SerializerMethodField()
    attempt = serializers.SerializerMethodField()

    def get_url(self, report: Report) -> str:
        return address_of("staff_report", pk=report.pk)

    def get_quiz(self, report: Report) -> Reference | None:
        if report.quiz is None:
            return None
        return {"slug": report.quiz.slug, "url": address_of("staff_quiz", slug=report.quiz.slug)}

    def get_settled_by(self, report: Report) -> str | None:
        return None if report.settled_by is None else name_of(report.settled_by)

    def get_learner(self, report: Any) -> str | None:
        return name_of(report.user) if _names(report) and report.user else None

    def get_attempt(self, report: Any) -> str | None:
        if not _names(report) or report.answer is None:
            return None
        return address_of("staff_attempt", attempt=report.answer.attempt.public_id)


def _names(report: Any) -> bool:
    return getattr(report, "names", False)
