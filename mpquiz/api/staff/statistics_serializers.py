"""The numbers of quizzes, of their questions and of guides; the formulas stand in ``mpquiz.statistics``."""

from typing import Any

from rest_framework import serializers

from ... import words
from ...statistics import ChoiceCount, GuideMisses, MissedQuestion, QuestionStatistics, Which
from ...words import Text
from ..serializers import address_of
from ..texts import LineSerializer


def _number(source: str | None = None, help_text: str | None = None) -> serializers.FloatField:
    """A number; null where its formula has nothing to say."""
    named = {} if source is None else {"source": source}
    return serializers.FloatField(read_only=True, allow_null=True, help_text=help_text, **named)  # type: ignore[arg-type]


# A question ---------------------------------------------------------------------------------------------------


class ChoiceCountSerializer(serializers.Serializer[ChoiceCount]):
    """How many took a choice, and how many of those who read each language; ``there`` is false where it is gone."""

    key = serializers.CharField(read_only=True)
    text = serializers.SerializerMethodField()
    right = serializers.BooleanField(source="choice.right", read_only=True)
    there = serializers.BooleanField(read_only=True)
    n = serializers.IntegerField(read_only=True)
    share = serializers.FloatField(read_only=True)
    languages = serializers.DictField(child=serializers.IntegerField(), read_only=True)

    def get_text(self, one: ChoiceCount) -> str:
        """As plain text, in the reader's language."""
        return (words.pick(one.choice.text) or Text(one.choice.value or one.key)).plain


class TypedCountSerializer(serializers.Serializer[Any]):
    """How many typed the same, those among them whose attempts still wait to be marked; ``share`` is of all typed."""

    text = serializers.CharField(read_only=True)
    n = serializers.IntegerField(read_only=True)
    share = serializers.FloatField(read_only=True)


class LanguageNumbersSerializer(serializers.Serializer[Any]):
    """How a question went in a language in which it was read."""

    language = serializers.CharField(read_only=True)
    n = serializers.IntegerField(read_only=True)
    facility = serializers.FloatField(read_only=True)


class GapSerializer(serializers.Serializer[Any]):
    """How much worse a question goes in one language, among learners with equal scores; ``p``: by chance alone."""

    harder = serializers.CharField(read_only=True)
    easier = serializers.CharField(read_only=True)
    size = serializers.FloatField(read_only=True)
    p = serializers.FloatField(read_only=True)


class FlagSerializer(serializers.Serializer[Any]):
    """What to look at: ``code`` for scripts, ``text`` for people; ``choices`` are the keys of those it is about."""

    code = serializers.CharField(read_only=True)
    text = serializers.CharField(read_only=True)
    choices = serializers.ListField(child=serializers.CharField(), read_only=True)


class QuestionStatisticsSerializer(serializers.Serializer[QuestionStatistics]):
    """The numbers of a question; ``question`` is null where it was deleted since."""

    question = serializers.IntegerField(read_only=True, allow_null=True)
    url = serializers.SerializerMethodField()
    key = serializers.CharField(source="content.key", read_only=True)
    kind = serializers.CharField(source="content.kind", read_only=True)
    prompt = serializers.SerializerMethodField()
    n = serializers.IntegerField(read_only=True)
    skipped = serializers.IntegerField(read_only=True, help_text="Of n: they count as 0 points.")
    points = serializers.FloatField(read_only=True)
    facility = serializers.FloatField(read_only=True, help_text="The mean share of the points, 0 to 1.")
    deviation = _number(help_text="In points.")
    guess = _number(help_text="The share that blind guessing earns.")
    discrimination = _number(help_text="-100 to 100.")
    efficiency = _number(help_text="At most 100.")
    weight = _number(help_text="In percent of the quiz.")
    choices = ChoiceCountSerializer(many=True, read_only=True)
    typed = TypedCountSerializer(many=True, read_only=True)
    languages = LanguageNumbersSerializer(many=True, read_only=True)
    gaps = GapSerializer(many=True, read_only=True)
    flags = FlagSerializer(many=True, read_only=True)

    def get_url(self, one: QuestionStatistics) -> str | None:
        return None if one.question is None else address_of("staff_question", pk=one.question)

    def get_prompt(self, one: QuestionStatistics) -> str:
        """What editors call it, else what it asks, as plain text in the reader's language."""
        return (words.pick(one.content.title) or words.pick(one.content.prompt)).plain


# A quiz -------------------------------------------------------------------------------------------------------


class LeftOutSerializer(serializers.Serializer[Any]):
    """How many attempts are not counted, each under the first reason that holds."""

    trials = serializers.IntegerField(read_only=True)
    practice = serializers.IntegerField(read_only=True)
    running = serializers.IntegerField(read_only=True)
    abandoned = serializers.IntegerField(read_only=True)
    others = serializers.IntegerField(read_only=True, help_text="Other attempts of these learners, or languages.")
    waiting = serializers.IntegerField(read_only=True)
    worthless = serializers.IntegerField(read_only=True, help_text="There was no point to earn.")


class PeriodSerializer(serializers.Serializer[Any]):
    start = serializers.DateField(read_only=True)
    n = serializers.IntegerField(read_only=True)
    mean = _number(help_text="In percent.")


class OverTimeSerializer(serializers.Serializer[Any]):
    """All attempts that count, by the day, week or month in which they ended."""

    step = serializers.ChoiceField(choices=["day", "week", "month"], read_only=True)
    periods = PeriodSerializer(many=True, read_only=True)


class QuizStatisticsSerializer(serializers.Serializer[Any]):
    """The numbers of a quiz, in percent where nothing else is said; null where a formula has nothing to say.

    ``histogram`` counts attempts by score, in steps of 10 %. ``varied``: attempts ask different questions. Nothing is
    flagged below ``minimum`` answers.
    """

    which = serializers.ChoiceField(source="numbers.which", choices=Which.values, read_only=True)
    language = serializers.CharField(source="numbers.language", read_only=True, allow_null=True)
    n = serializers.IntegerField(source="numbers.n", read_only=True)
    mean = _number("numbers.mean")
    median = _number("numbers.median")
    deviation = _number("numbers.deviation")
    skewness = _number("numbers.skewness", "No percent.")
    kurtosis = _number("numbers.kurtosis", "No percent.")
    consistency = _number("numbers.consistency", "Cronbach's alpha.")
    error_ratio = _number("numbers.error_ratio")
    standard_error = _number("numbers.standard_error")
    histogram = serializers.ListField(child=serializers.IntegerField(), source="numbers.histogram", read_only=True)
    varied = serializers.BooleanField(source="numbers.varied", read_only=True)
    languages = serializers.ListField(child=serializers.CharField(), source="numbers.languages", read_only=True)
    minimum = serializers.IntegerField(read_only=True)
    left_out = LeftOutSerializer(source="numbers.left_out", read_only=True)
    over_time = OverTimeSerializer(read_only=True)
    questions = QuestionStatisticsSerializer(source="numbers.questions", many=True, read_only=True)


# A guide ------------------------------------------------------------------------------------------------------


class MissedQuestionSerializer(serializers.Serializer[MissedQuestion]):
    """A question of a guide: how many were asked it in a first attempt, and how many of them missed points of it."""

    question = serializers.IntegerField(source="question.pk", read_only=True)
    url = serializers.SerializerMethodField()
    prompt = serializers.SerializerMethodField()
    n = serializers.IntegerField(read_only=True)
    missed = serializers.IntegerField(read_only=True)
    share = _number(help_text="Of those who were asked, 0 to 1.")

    def get_url(self, one: MissedQuestion) -> str:
        return address_of("staff_question", pk=one.question.pk)

    def get_prompt(self, one: MissedQuestion) -> str:
        """What editors call it, else what it asks, as plain text in the reader's language."""
        return (words.read(one.question, "title") or words.read(one.question, "prompt")).plain


class GuideMissesSerializer(serializers.Serializer[GuideMisses]):
    """How often the questions that are linked to a guide are missed."""

    guide = serializers.SlugField(source="guide.slug", read_only=True)
    url = serializers.SerializerMethodField()
    title = LineSerializer(source="guide.title_text", read_only=True, allow_null=True)
    n = serializers.IntegerField(read_only=True)
    missed = serializers.IntegerField(read_only=True)
    share = _number(help_text="Of those who were asked, 0 to 1.")

    def get_url(self, one: GuideMisses) -> str:
        return address_of("staff_guide_missed", slug=one.guide.slug)


class GuideMissesDetailSerializer(GuideMissesSerializer):
    """With its questions, the most often missed first."""

    questions = MissedQuestionSerializer(many=True, read_only=True)
