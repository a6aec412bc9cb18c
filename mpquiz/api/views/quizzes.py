"""Quizzes: the list, one, its start, and how far a learner is in each."""

from django.http import Http404
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ... import learners, progress, quiz_pages, starts
from ...models import Guide, Quiz
from ...models.quiz import Level
from ..authentication import is_vouched_for
from ..base import ApiView, Keeping
from ..languages import LanguageField
from ..lists import ListView, Query
from ..serializers import (
    EntranceSerializer,
    ProgressSerializer,
    QuizDetailSerializer,
    QuizSerializer,
    StartSerializer,
)
from .attempts import begun


class QuizQuery(Query):
    """Which quizzes: of a level, of a guide, published in a language (the reader's by default), with such words."""

    orderings = {"place": "place", "slug": "slug", "created": "created_at"}

    level = serializers.ChoiceField(choices=Level.choices, required=False)
    guide = serializers.SlugField(max_length=80, required=False)
    language = LanguageField(required=False)
    search = serializers.CharField(max_length=200, required=False, allow_blank=True)

    def validate_guide(self, slug: str) -> str:
        if not Guide.objects.filter(slug=slug).exists():
            raise ValidationError(_("There is no such guide."))
        return slug


class QuizList(ListView):
    """The quizzes that are published in the reader's language, or in the one that ``language`` names."""

    serializer_class = QuizSerializer
    query_class = QuizQuery
    keeping = Keeping.ANYBODY

    def get(self, request: Request) -> Response:
        asked = self.query()
        quizzes = Quiz.objects.published(asked.get("language")).listed().with_languages()
        if "level" in asked:
            quizzes = quizzes.filter(level=asked["level"])
        if "guide" in asked:
            quizzes = quizzes.of_guide(asked["guide"])
        if asked.get("search"):
            quizzes = quizzes.worded(asked["search"])
        return self.listed(quizzes, asked.get("ordering", "place"))


class _QuizView(ApiView):
    def fetched(self, slug: str) -> Quiz:
        """The quiz that whoever asks is offered. Raises Http404."""
        quiz = get_object_or_404(Quiz.objects.for_learner(self.learner).with_languages(), slug=slug)
        if quiz.hidden_from(self.learner):
            raise Http404
        self.about = {"quiz": quiz}
        return quiz


class QuizView(_QuizView):
    """A quiz with its rules, and with its questions where they may be read before the start; never their answers."""

    serializer_class = QuizDetailSerializer
    keeping = Keeping.OWN  # who may read the questions depends on who asks

    def get(self, request: Request, slug: str) -> Response:
        quiz = self.fetched(slug)
        door = quiz_pages.entrance(quiz, self.learner)
        vars(quiz)["readable"] = quiz_pages.readable(door.placed()) if door.shows_questions else None
        return self.answer(quiz)


class StartView(_QuizView):
    """GET: whether it can be started, with which number. POST: start it, or go on with the attempt that is open."""

    serializer_class = EntranceSerializer
    body_class = StartSerializer

    def get(self, request: Request, slug: str) -> Response:
        door = quiz_pages.entrance(self.fetched(slug), self.learner)
        guest = "" if self.learner else learners.new_nonce()
        csrf = "" if is_vouched_for(request) else get_token(request._request)
        return self.answer(door, guest=guest, csrf=csrf)

    def post(self, request: Request, slug: str) -> Response:
        body = self.body()
        nonce = body.pop("guest", "")
        attempt = starts.begin(request, self.fetched(slug), nonce=nonce, **body)
        return begun(self, attempt)


class ProgressQuery(Query):
    orderings = {"place": "place", "slug": "slug"}


class ProgressList(ListView):
    """How far whoever asks is in each quiz that they are offered or have begun; nothing for a visitor."""

    serializer_class = ProgressSerializer
    query_class = ProgressQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        quizzes = Quiz.objects.all().known_to(self.learner)
        return self.listed(
            quizzes, asked.get("ordering", "place"), shown=lambda page: progress.in_each(page, self.learner)
        )
