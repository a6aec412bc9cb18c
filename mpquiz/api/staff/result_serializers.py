"""What staff read of attempts: names, scores and right answers, whatever the learner may see."""

from typing import Any

from django.utils import translation
from rest_framework import serializers

from ...models import Answer, Attempt
from ...results import Seen
from .. import attempt_serializers as learners
from ..attempt_serializers import CorrectionSerializer, GivenField, SightSerializer, points
from ..serializers import Reference, address_of
from ..texts import TextSerializer


class AttemptSerializer(learners.AttemptSerializer):
    """An attempt with its learner and its score. ``counts``: as a result, once it is closed."""

    sight = None  # type: ignore[assignment]  # staff see all of it
    learner = serializers.CharField(source="learner_name", read_only=True)
    duration = serializers.SerializerMethodField()
    languages = serializers.ListField(
        child=serializers.CharField(),
        source="languages_read",
        read_only=True,
        help_text="Those in which its answers were read.",
    )
    counts = serializers.BooleanField(read_only=True)

    def get_url(self, attempt: Attempt) -> str:
        return address_of("staff_attempt", attempt=attempt.public_id)

    def get_quiz(self, attempt: Attempt) -> Reference:
        slug = attempt.quiz.slug
        return {"slug": slug, "url": address_of("staff_quiz", slug=slug)}

    def get_duration(self, attempt: Attempt) -> int | None:
        """From start to finish, in seconds."""
        return None if attempt.duration is None else int(attempt.duration.total_seconds())


class AnswerSerializer(learners.QuestionSerializer):
    """A question as it was asked, with what was given (``told`` is that in words), the right answer and the mark."""

    url = None  # type: ignore[assignment]  # it is the learner's
    reportable = None  # type: ignore[assignment]
    given = GivenField(source="sent", read_only=True, allow_null=True, help_text="What was given, as it is sent.")
    told = TextSerializer(many=True, read_only=True)
    mark = serializers.SerializerMethodField()
    left_out = serializers.BooleanField(read_only=True, help_text="Out of the score, by whoever marked anew.")

    def get_mark(self, answer: Answer) -> str | None:
        """The points that it earned; null while nobody knows."""
        return None if answer.mark_shown is None else points(answer.mark_shown)


class SeenSerializer(serializers.Serializer[Seen]):
    """An answer, its texts in the language in which it was read; ``number`` is null for a page to read."""

    number = serializers.IntegerField(read_only=True, allow_null=True)
    language = serializers.CharField(read_only=True)
    answer = AnswerSerializer(read_only=True)

    def to_representation(self, seen: Seen) -> dict[str, Any]:
        with translation.override(seen.language):
            return super().to_representation(seen)


class ReadSerializer(serializers.Serializer[Any]):
    """An attempt as its learner saw it, and what of it they may see now (of an open one: of what was answered)."""

    attempt = AttemptSerializer(read_only=True)
    seen_by_learner = SightSerializer(source="sight", read_only=True)
    history = CorrectionSerializer(many=True, read_only=True)
    answers = SeenSerializer(many=True, read_only=True)
