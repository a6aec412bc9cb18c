"""What the learners' side of the API shows of quizzes and guides. What may be seen is asked of the models."""

from typing import Any, TypedDict

from django.urls import reverse
from rest_framework import serializers

from ..models import Guide, Quiz
from ..models.quiz import Level
from ..progress import InQuiz
from ..quiz_pages import Entrance, Previewed
from ..rules import Access, Counting, Feedback, Layout
from .shown import as_json
from .texts import LineSerializer, TextSerializer

NAMESPACE = "mpquiz-api"


def address_of(name: str, **kwargs: object) -> str:
    """The path of an endpoint of ours."""
    return reverse(f"{NAMESPACE}:{name}", kwargs=kwargs)


class Reference(TypedDict):
    """The slug of a quiz or a guide, and where the API tells more of it."""

    slug: str
    url: str


def quiz_reference(quiz: Quiz) -> Reference:
    return {"slug": quiz.slug, "url": address_of("quiz", slug=quiz.slug)}


class RefusalSerializer(serializers.Serializer[Any]):
    """Why something is refused: ``code`` is for scripts, ``detail`` for people."""

    code = serializers.CharField(read_only=True)
    detail = serializers.CharField(source="message", read_only=True)


# Guides -----------------------------------------------------------------------------------------------------


class GuideSerializer(serializers.Serializer[Guide]):
    """A guide: a reading in the host's site. ``address`` is where it is read; "" where it has none."""

    slug = serializers.SlugField(read_only=True)
    url = serializers.SerializerMethodField()
    title = LineSerializer(source="title_text", read_only=True, allow_null=True)
    address = serializers.CharField(source="get_absolute_url", read_only=True)

    def get_url(self, guide: Guide) -> str:
        return address_of("guide", slug=guide.slug)


# Quizzes ----------------------------------------------------------------------------------------------------


class QuizSerializer(serializers.Serializer[Quiz]):
    """A quiz and its rules, the same for everybody."""

    slug = serializers.SlugField(read_only=True)
    url = serializers.SerializerMethodField()
    title = LineSerializer(source="title_text", read_only=True, allow_null=True)
    description = TextSerializer(source="description_text", read_only=True, allow_null=True)
    level = serializers.ChoiceField(choices=[("", ""), *Level.choices], read_only=True)
    languages = serializers.ListField(
        child=serializers.CharField(),
        source="published_languages",
        read_only=True,
        help_text="The languages in which it is published.",
    )
    guides = GuideSerializer(many=True, read_only=True, source="guides.all")
    question_count = serializers.IntegerField(source="asked_count", read_only=True)
    pass_mark = serializers.DecimalField(5, 2, read_only=True, allow_null=True, help_text="In percent.")
    feedback = serializers.ChoiceField(choices=Feedback.choices, read_only=True)
    layout = serializers.ChoiceField(choices=Layout.choices, read_only=True)
    one_way = serializers.BooleanField(read_only=True)
    time_limit = serializers.IntegerField(read_only=True, allow_null=True, help_text="In minutes.")
    opens_at = serializers.DateTimeField(read_only=True, allow_null=True)
    closes_at = serializers.DateTimeField(read_only=True, allow_null=True)
    attempts_allowed = serializers.IntegerField(read_only=True, allow_null=True)
    wait = serializers.IntegerField(read_only=True, allow_null=True, help_text="Minutes between two attempts.")
    counting = serializers.ChoiceField(choices=Counting.choices, read_only=True)
    access = serializers.ChoiceField(choices=Access.choices, read_only=True)
    asks_password = serializers.SerializerMethodField()

    def get_url(self, quiz: Quiz) -> str:
        return address_of("quiz", slug=quiz.slug)

    def get_asks_password(self, quiz: Quiz) -> bool:
        return bool(quiz.password)


class PreviewedSerializer(serializers.Serializer[Previewed]):
    """A question, or a page to read (``asks`` is false), as it may be read before the start."""

    kind = serializers.CharField(source="content.kind", read_only=True)
    asks = serializers.BooleanField(read_only=True)
    prompt = TextSerializer(read_only=True, allow_null=True)
    shown = serializers.SerializerMethodField()

    def get_shown(self, question: Previewed) -> dict[str, Any]:
        return as_json(question.shown, known=False)


class QuizDetailSerializer(QuizSerializer):
    """A quiz with the questions that whoever asks may read before the start; null where they may not."""

    questions = PreviewedSerializer(source="readable", many=True, read_only=True, allow_null=True)


class GuideDetailSerializer(GuideSerializer):
    """A guide with the quizzes that name it, themselves or in one of their questions."""

    quizzes = QuizSerializer(source="offered", many=True, read_only=True)


# The start --------------------------------------------------------------------------------------------------


class EntranceSerializer(serializers.Serializer[Entrance]):
    """How a quiz stands for whoever asks, and what their start should carry.

    ``number`` makes a repeated start land in the same attempt; ``guest`` makes a visitor who presses twice one guest;
    ``csrf`` is the value of the header X-CSRFToken, for whoever is known by a session.
    """

    number = serializers.IntegerField(read_only=True)
    attempt = serializers.SerializerMethodField()
    refusal = RefusalSerializer(source="barred", read_only=True, allow_null=True)
    asks_password = serializers.BooleanField(read_only=True)
    staff = serializers.BooleanField(read_only=True, help_text="Whether a trial can be started.")
    minutes = serializers.IntegerField(
        source="terms.minutes", read_only=True, allow_null=True, help_text="The time limit with what was granted."
    )
    opens_at = serializers.DateTimeField(source="terms.opens_at", read_only=True, allow_null=True)
    closes_at = serializers.DateTimeField(source="terms.closes_at", read_only=True, allow_null=True)
    attempts_left = serializers.IntegerField(source="terms.left", read_only=True, allow_null=True)
    guest = serializers.SerializerMethodField()
    csrf = serializers.SerializerMethodField()

    def get_attempt(self, door: Entrance) -> str | None:
        """The address of the attempt that can be gone on with."""
        return None if door.attempt is None else address_of("attempt", attempt=door.attempt.public_id)

    def get_guest(self, door: Entrance) -> str:
        return str(self.context["guest"])

    def get_csrf(self, door: Entrance) -> str:
        return str(self.context["csrf"])


class StartSerializer(serializers.Serializer[Any]):
    """What a start carries; nothing must."""

    number = serializers.IntegerField(min_value=1, max_value=10**9, required=False)
    guest = serializers.CharField(max_length=200, required=False, allow_blank=True)
    password = serializers.CharField(max_length=100, required=False, allow_blank=True, trim_whitespace=False)
    trial = serializers.BooleanField(required=False)


class NumberSerializer(serializers.Serializer[Any]):
    """The number that the new attempt is to get, so that a repeat lands in it; the next one by default."""

    number = serializers.IntegerField(min_value=1, max_value=10**9, required=False)


class NothingSerializer(serializers.Serializer[Any]):
    """A body that says nothing."""


# Progress ---------------------------------------------------------------------------------------------------


class ProgressSerializer(serializers.Serializer[InQuiz]):
    """How far a learner is in a quiz, as far as they may know it. ``percent`` is as the quiz counts its attempts."""

    quiz = serializers.SerializerMethodField()
    title = LineSerializer(source="quiz.title_text", read_only=True, allow_null=True)
    state = serializers.ChoiceField(choices=["new", "open", "finished"], read_only=True)
    attempt = serializers.SerializerMethodField()
    percent = serializers.SerializerMethodField()
    passed = serializers.SerializerMethodField()
    waiting = serializers.SerializerMethodField()
    counting = serializers.ChoiceField(source="quiz.counting", choices=Counting.choices, read_only=True)
    completed = serializers.BooleanField(read_only=True)

    def get_quiz(self, one: InQuiz) -> Reference:
        return quiz_reference(one.quiz)

    def get_attempt(self, one: InQuiz) -> str | None:
        """The address of the attempt that can be gone on with."""
        return None if one.attempt is None else address_of("attempt", attempt=one.attempt.public_id)

    def get_percent(self, one: InQuiz) -> int | None:
        return None if one.standing is None else one.standing.percent

    def get_passed(self, one: InQuiz) -> bool | None:
        return None if one.standing is None else one.standing.passed

    def get_waiting(self, one: InQuiz) -> int:
        """How many answers wait to be marked by a person."""
        return 0 if one.standing is None else one.standing.waiting
