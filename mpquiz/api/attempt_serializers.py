"""What the learners' side of the API shows and takes of attempts. What may be seen is asked of the models."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from .. import pages
from ..models import Answer, Attempt
from ..models.record import Ended
from ..results import Result
from ..rules import Counting
from .languages import LanguageField
from .serializers import GuideSerializer, Reference, address_of, quiz_reference
from .shown import as_json
from .texts import LineSerializer, TextSerializer

STATES = ["page", "open", "given", "waiting", "marked", "right", "partly", "wrong"]
MOST_ANSWERS = 1000


def points(value: Decimal) -> str:
    """Points as they are, without noughts at their end."""
    return f"{value.normalize():f}"


# Attempts ---------------------------------------------------------------------------------------------------


class RulesSerializer(serializers.Serializer[Attempt]):
    """How the attempt runs: whether answers can be changed, stand on one page, come one after the other."""

    changeable = serializers.BooleanField(read_only=True)
    on_one_page = serializers.BooleanField(read_only=True)
    in_order = serializers.BooleanField(read_only=True)
    pass_mark = serializers.DecimalField(5, 2, read_only=True, allow_null=True, help_text="In percent.")


class SightSerializer(serializers.Serializer[Any]):
    """What of the attempt may be seen now; the rest is null."""

    right_or_wrong = serializers.BooleanField(read_only=True)
    score = serializers.BooleanField(read_only=True)
    right_answer = serializers.BooleanField(read_only=True)
    explanation = serializers.BooleanField(read_only=True)


class AttemptSerializer(serializers.Serializer[Attempt]):
    """An attempt, with its score where that may be seen."""

    id = serializers.UUIDField(source="public_id", read_only=True)
    url = serializers.SerializerMethodField()
    quiz = serializers.SerializerMethodField()
    title = LineSerializer(source="title_text", read_only=True, allow_null=True)
    number = serializers.IntegerField(read_only=True)
    state = serializers.SerializerMethodField()
    trial = serializers.BooleanField(read_only=True)
    practice = serializers.SerializerMethodField()
    started_at = serializers.DateTimeField(read_only=True)
    ended_at = serializers.DateTimeField(read_only=True, allow_null=True)
    deadline = serializers.DateTimeField(read_only=True, allow_null=True)
    seconds_left = serializers.IntegerField(read_only=True, allow_null=True)
    rules = RulesSerializer(source="*", read_only=True)
    sight = SightSerializer(read_only=True)
    maximum = serializers.SerializerMethodField()
    score = serializers.SerializerMethodField()
    percent = serializers.SerializerMethodField()
    passed = serializers.SerializerMethodField()
    waiting = serializers.IntegerField(read_only=True, help_text="How many answers wait to be marked by a person.")

    def get_url(self, attempt: Attempt) -> str:
        return address_of("attempt", attempt=attempt.public_id)

    def get_quiz(self, attempt: Attempt) -> Reference:
        return quiz_reference(attempt.quiz)

    def get_state(self, attempt: Attempt) -> str:
        """ "open", "finished", "time_up" or "abandoned"."""
        return "open" if attempt.is_open else str(attempt.ended or Ended.TIME_UP.value)

    def get_practice(self, attempt: Attempt) -> bool:
        """Whether it asks again what was missed: it never counts."""
        return attempt.retry_of_id is not None

    def get_maximum(self, attempt: Attempt) -> str:
        return points(attempt.maximum)

    def get_score(self, attempt: Attempt) -> str | None:
        return points(attempt.score) if attempt.sight.score else None

    def get_percent(self, attempt: Attempt) -> int | None:
        return attempt.percent if attempt.sight.score and attempt.maximum else None

    def get_passed(self, attempt: Attempt) -> bool | None:
        return attempt.passed if attempt.sight.score else None


class StepSerializer(serializers.Serializer[Answer]):
    """A question of an attempt, or a page to read (``asks`` is false), in the order in which they are asked."""

    position = serializers.IntegerField(read_only=True)
    url = serializers.SerializerMethodField()
    asks = serializers.BooleanField(read_only=True)
    state = serializers.ChoiceField(source="seen_state", choices=STATES, read_only=True)
    flagged = serializers.BooleanField(read_only=True)
    revision = serializers.IntegerField(read_only=True)

    def get_url(self, answer: Answer) -> str:
        return address_of("question", attempt=answer.attempt.public_id, position=answer.position)


class AttemptDetailSerializer(AttemptSerializer):
    """An attempt with the way through it; ``next`` is the position at which it goes on, null where nowhere."""

    next = serializers.SerializerMethodField()
    questions = StepSerializer(source="answers_read", many=True, read_only=True)

    def get_next(self, attempt: Attempt) -> int | None:
        return pages.entry_position(attempt.answers_read, attempt) if attempt.is_open else None


# Questions and answers --------------------------------------------------------------------------------------


class GivenField(serializers.JSONField):
    """What is given: the place of a choice, from 1; a list of places; a text; a number; an object by part."""


class FeedbackSerializer(serializers.Serializer[Answer]):
    """How an answer went, as far as it may be known; what may not is null or empty."""

    verdict = serializers.SerializerMethodField()
    mark = serializers.SerializerMethodField()
    said = TextSerializer(many=True, read_only=True)
    explanation = TextSerializer(read_only=True, allow_null=True)
    comment = serializers.CharField(source="comment_shown", read_only=True)
    guides = serializers.SerializerMethodField()

    def get_verdict(self, answer: Answer) -> str:
        return str(pages.verdict_of(answer, answer.attempt))

    def get_mark(self, answer: Answer) -> str | None:
        """The points that it earned."""
        return None if answer.mark_shown is None else points(answer.mark_shown)

    def get_guides(self, answer: Answer) -> list[Reference]:
        """The guides in which more is said."""
        return [{"slug": slug, "url": address_of("guide", slug=slug)} for slug in pages.guide_slugs(answer)]


class QuestionSerializer(StepSerializer):
    """A question of an attempt: what is asked, what was given, and once that stands, how it went.

    ``shown`` is what the kind lays out: choices with their places, gaps, pairs. Once the right answer may be seen
    (``right_answer_shown``) it is there too.
    """

    kind = serializers.CharField(source="content.kind", read_only=True)
    points = serializers.SerializerMethodField()
    prompt = TextSerializer(read_only=True, allow_null=True)
    shown = serializers.SerializerMethodField()
    right_answer_shown = serializers.SerializerMethodField()
    given = GivenField(
        source="sendable",
        read_only=True,
        allow_null=True,
        help_text="What was given, or is being written, as it is sent.",
    )
    answered_at = serializers.DateTimeField(read_only=True, allow_null=True)
    feedback = FeedbackSerializer(source="settled", read_only=True, allow_null=True)
    reportable = serializers.BooleanField(source="may_be_reported", read_only=True)

    def get_points(self, answer: Answer) -> str:
        return points(answer.points)

    def get_shown(self, answer: Answer) -> dict[str, Any]:
        return as_json(answer.shown, known=answer.asks and answer.reveals)

    def get_right_answer_shown(self, answer: Answer) -> bool:
        return answer.asks and answer.reveals


class AnsweredSerializer(serializers.Serializer[Answer]):
    """An answer that was taken, with its feedback, and how its attempt stands now."""

    question = QuestionSerializer(source="*", read_only=True)
    attempt = AttemptSerializer(read_only=True)
    next = serializers.SerializerMethodField()

    def get_next(self, answer: Answer) -> int | None:
        """The position of what comes next; null: nothing more is asked."""
        attempt = answer.attempt
        return pages.next_position(list(attempt.answers_read), answer.position, finished=not attempt.is_open)


class GivenSerializer(serializers.Serializer[Any]):
    """An answer: the place of a choice, from 1; a list of places; a text; a number; an object by part.

    ``revision`` is that of the answer as it was shown, where it can be changed; null as ``given`` takes it back.
    """

    given = GivenField(required=False, allow_null=True, default=None)
    revision = serializers.IntegerField(min_value=0, max_value=10**9, required=False, allow_null=True)
    flagged = serializers.BooleanField(required=False, allow_null=True)
    move_on = serializers.BooleanField(required=False)
    language = LanguageField(required=False)


class DraftSerializer(serializers.Serializer[Any]):
    """A text that is being written."""

    given = GivenField(allow_null=True)


class FlagSerializer(serializers.Serializer[Any]):
    flagged = serializers.BooleanField()


class OneOfManySerializer(serializers.Serializer[Any]):
    """An answer among several that are handed in at once."""

    position = serializers.IntegerField(min_value=1, max_value=10**6)
    given = GivenField(allow_null=True)
    revision = serializers.IntegerField(min_value=0, max_value=10**9, required=False, allow_null=True)


class HandInSerializer(serializers.Serializer[Any]):
    """Several answers at once; ``finish`` hands the attempt in with them, unless one of them is refused."""

    answers = OneOfManySerializer(many=True, required=False)
    finish = serializers.BooleanField(default=False)

    def validate_answers(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        positions = {one["position"] for one in answers}
        if len(positions) < len(answers) or len(answers) > MOST_ANSWERS:
            raise ValidationError(_("Name each position once."))
        return answers


class ReportSerializer(serializers.Serializer[Any]):
    """What is wrong with a question, in the learner's words."""

    note = serializers.CharField(max_length=10_000, allow_blank=True)


class ReportedSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(read_only=True)
    language = serializers.CharField(read_only=True)


# The result -------------------------------------------------------------------------------------------------


class ReadingSerializer(serializers.Serializer[Any]):
    """A guide of the questions, and how many of them were missed; 0 of 0 where that must not be seen."""

    guide = GuideSerializer(read_only=True)
    asked = serializers.IntegerField(read_only=True)
    missed = serializers.IntegerField(read_only=True)


class CorrectionSerializer(serializers.Serializer[Any]):
    """What a score was before a key was corrected, and since then."""

    at = serializers.DateTimeField(read_only=True)
    put_back_at = serializers.DateTimeField(read_only=True, allow_null=True)
    reason = serializers.CharField(read_only=True)
    old_score = serializers.DecimalField(None, None, read_only=True, normalize_output=True)
    old_maximum = serializers.DecimalField(None, None, read_only=True, normalize_output=True)
    new_score = serializers.DecimalField(None, None, read_only=True, normalize_output=True)
    new_maximum = serializers.DecimalField(None, None, read_only=True, normalize_output=True)


class ResultSerializer(serializers.Serializer[Result]):
    """How a closed attempt went, with its review, as far as its learner may know."""

    attempt = AttemptSerializer(read_only=True)
    standing = serializers.SerializerMethodField()
    counting = serializers.ChoiceField(choices=Counting.choices, read_only=True)
    more_once_closed = serializers.SerializerMethodField()
    number = serializers.IntegerField(read_only=True, help_text="The number that the next attempt gets.")
    again = serializers.BooleanField(read_only=True, help_text="Whether another attempt may be started.")
    missed = serializers.IntegerField(read_only=True, help_text="How many questions can be practised again.")
    readings = ReadingSerializer(many=True, read_only=True)
    history = CorrectionSerializer(many=True, read_only=True)
    questions = QuestionSerializer(source="answers", many=True, read_only=True)

    def get_standing(self, result: Result) -> int | None:
        """The learner's result in the quiz, in percent."""
        return None if result.standing is None else result.standing.percent

    def get_more_once_closed(self, result: Result) -> bool:
        """Whether more is shown once the quiz has closed."""
        return bool(result.later)
