"""What staff read of answers that a person marks, and what a mark is."""

from typing import Any

from rest_framework import serializers

from ...learners import name_of
from ...models import WaitingAnswer
from ..attempt_serializers import points
from ..serializers import Reference, address_of
from ..texts import LineSerializer, TextSerializer
from .base import may
from .fields import Body

MOST_POINTS = 6
"""Digits of a number of points."""


class WaitingSerializer(serializers.Serializer[WaitingAnswer]):
    """An answer that a person marks or has marked: ``told`` is what was given; ``points`` the most it earns.

    ``trial`` and ``practice`` count for nothing. ``revision`` is sent along with a mark.
    """

    id = serializers.IntegerField(source="pk", read_only=True)
    url = serializers.SerializerMethodField()
    quiz = serializers.SerializerMethodField()
    title = LineSerializer(source="attempt.title_text", read_only=True, allow_null=True)
    prompt = TextSerializer(read_only=True, allow_null=True)
    question = serializers.IntegerField(
        source="question_id", read_only=True, allow_null=True, help_text="Null: it was deleted since."
    )
    learner = serializers.SerializerMethodField()
    trial = serializers.BooleanField(source="attempt.trial", read_only=True)
    practice = serializers.SerializerMethodField()
    answered_at = serializers.DateTimeField(read_only=True)
    language = serializers.CharField(read_only=True, help_text="The one in which it was read.")
    told = TextSerializer(many=True, read_only=True)
    points = serializers.SerializerMethodField()
    awarded = serializers.SerializerMethodField()
    comment = serializers.CharField(read_only=True)
    marked_by = serializers.SerializerMethodField()
    marked_at = serializers.DateTimeField(read_only=True, allow_null=True)
    revision = serializers.IntegerField(read_only=True)

    def get_url(self, answer: WaitingAnswer) -> str:
        return address_of("staff_waitinganswer", pk=answer.pk)

    def get_quiz(self, answer: WaitingAnswer) -> Reference:
        slug = answer.attempt.quiz.slug
        return {"slug": slug, "url": address_of("staff_quiz", slug=slug)}

    def get_learner(self, answer: WaitingAnswer) -> str | None:
        """Null for whoever may not see attempts."""
        named = may(self.context["request"].user, "view_attempt")
        return answer.attempt.learner_name if named else None

    def get_practice(self, answer: WaitingAnswer) -> bool:
        return answer.attempt.retry_of_id is not None

    def get_points(self, answer: WaitingAnswer) -> str:
        return points(answer.points)

    def get_awarded(self, answer: WaitingAnswer) -> str | None:
        """The points that it was given; null while it waits."""
        return None if answer.awarded is None else points(answer.awarded)

    def get_marked_by(self, answer: WaitingAnswer) -> str | None:
        return None if answer.marked_by is None else name_of(answer.marked_by)


class WaitingDetailSerializer(WaitingSerializer):
    """With the notes for whoever marks, and how many answers wait still."""

    notes = TextSerializer(read_only=True, allow_null=True)
    waiting = serializers.IntegerField(read_only=True)


class MarkSerializer(Body):
    """The points (none where the question is worth none), words for the learner, and the state that was read.

    ``revision`` is the answer's: another's mark since then is not overwritten.
    """

    points = serializers.DecimalField(MOST_POINTS, 2, min_value=0, required=False)
    comment = serializers.CharField(max_length=10_000, required=False, allow_blank=True, trim_whitespace=False)
    revision = serializers.IntegerField(min_value=0, max_value=10**9)

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        answer: WaitingAnswer = self.context["answer"]
        if answer.points and "points" not in sent:
            raise serializers.ValidationError({"points": self.fields["points"].error_messages["required"]})
        return {"points": answer.points, "comment": "", **sent}
