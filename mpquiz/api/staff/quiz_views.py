"""Quizzes: read, written, copied, published, archived and deleted."""

from typing import Any, ClassVar

from django.db.models import Q
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ... import words
from ...editing import quizzes as editing
from ...editing.deleting import delete_quiz
from ...models import Quiz, completeness
from ...models.quiz import Level
from .base import StaffList, StaffView, etag_in, may, with_etag
from .fields import Body, LanguagesField
from .quiz_serializers import QuizListSerializer, QuizSerializer
from .searching import SearchQuery, contains


class StaffQuizQuery(SearchQuery):
    orderings = {"place": "place", "slug": "slug", "updated_at": "updated_at"}

    level = serializers.ChoiceField(choices=Level.choices, required=False)
    archived = serializers.BooleanField(required=False)
    published = serializers.ChoiceField(choices=[], required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["published"].choices = [*words.languages(), "none"]
        return fields


class QuizView(StaffView):
    """A view that answers with a quiz as a whole."""

    serializer_class: ClassVar[type[BaseSerializer[Any]]] = QuizSerializer
    body_class: ClassVar[type[serializers.Serializer[Any]] | None] = QuizSerializer

    def may_change(self, quiz: Quiz) -> bool:
        user = self.request.user
        return may(user, "change_quiz") and quiz.is_of(user, doing="change")

    def told(self, quiz: Quiz, status: int = 200) -> Response:
        """The quiz as it is stored now. Eight queries."""
        return with_etag(self.answer(editing.read(Quiz.objects.all()).get(pk=quiz.pk), status, by=QuizSerializer))


class StaffQuizList(StaffList, QuizView):
    """The editor's quizzes, drafts and archived ones too."""

    needs = {"GET": ("view_quiz",), "POST": ("add_quiz",)}
    serializer_class = QuizListSerializer
    query_class = StaffQuizQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = _filtered(self.quizzes(), asked).prefetch_related("languages")
        return self.listed(found, asked.get("ordering", "place"))

    def post(self, request: Request) -> Response:
        """A new quiz: a draft, unless it says in which languages it is published."""
        sent = self.body()
        sent.pop("revision", None)
        return self.told(editing.create(sent, by=request.user), 201)


def _filtered(quizzes: Any, asked: dict[str, Any]) -> Any:
    if text := asked.get("search"):
        quizzes = quizzes.filter(contains(["title"], text) | Q(slug__icontains=text))
    quizzes = quizzes.filter(**{name: asked[name] for name in ("level", "archived") if name in asked})
    if (language := asked.get("published")) == "none":
        return quizzes.exclude(languages__language__in=words.languages())
    return quizzes.filter(languages__language=language) if language else quizzes


class StaffQuizView(QuizView):
    """A quiz with its rules, the list of its questions and its pools."""

    needs = {"GET": ("view_quiz",), "PATCH": ("change_quiz",), "DELETE": ("delete_quiz",)}

    def get(self, request: Request, slug: str) -> Response:
        return self.told(self.quiz(slug))

    def patch(self, request: Request, slug: str) -> Response:
        """Change what is sent; ``questions`` and ``pools`` are whole lists. Attempts that run keep their rules."""
        quiz = self.quiz(slug, "change")
        sent, seen = self.edited()
        return self.told(editing.edit(quiz, sent, by=request.user, seen=seen))

    def delete(self, request: Request, slug: str) -> Response:
        """Delete a quiz that nobody took; one that was taken is archived instead (409 ``taken``)."""
        delete_quiz(self.quiz(slug, "change"), by=request.user, seen=etag_in(request))
        return Response(status=204)


class StaffQuizCopy(QuizView):
    """A copy of a quiz."""

    needs = {"POST": ("view_quiz", "add_quiz")}
    body_class = Body

    def post(self, request: Request, slug: str) -> Response:
        """A draft with the same questions, pools and rules."""
        quiz = self.quiz(slug)
        self.body()
        return self.told(editing.copy(quiz, by=request.user), 201)


class PublishSerializer(Body):
    languages = LanguagesField()
    although_incomplete = LanguagesField(required=False)


class StaffQuizPublish(QuizView):
    """The languages in which a quiz is published."""

    needs = {"POST": ("change_quiz",)}
    body_class = PublishSerializer

    def post(self, request: Request, slug: str) -> Response:
        """Publish it in these languages too; where half a translation is missing, only ``although_incomplete``."""
        quiz = self.quiz(slug, "change")
        sent = self.body()
        although, seen = sent.get("although_incomplete", []), etag_in(request)
        return self.told(editing.publish(quiz, sent["languages"], although, by=request.user, seen=seen))


class UnpublishSerializer(Body):
    languages = LanguagesField(required=False)


class StaffQuizUnpublish(QuizView):
    """The languages in which a quiz is no longer published."""

    needs = {"POST": ("change_quiz",)}
    body_class = UnpublishSerializer

    def post(self, request: Request, slug: str) -> Response:
        """Publish it no longer in these languages; where ``languages`` is not sent, in none at all."""
        quiz = self.quiz(slug, "change")
        languages = self.body().get("languages")
        return self.told(editing.unpublish(quiz, languages, by=request.user, seen=etag_in(request)))


class StaffQuizArchive(QuizView):
    """The archive."""

    needs = {"POST": ("change_quiz",)}
    body_class = Body
    archived = True

    def post(self, request: Request, slug: str) -> Response:
        """Offer it no longer (or again); attempts and results stay."""
        quiz = self.quiz(slug, "change")
        self.body()
        return self.told(editing.archive(quiz, archived=self.archived, by=request.user, seen=etag_in(request)))


class LackingSerializer(serializers.Serializer[Any]):
    """How much is translated, by language, and where texts lack; ``question`` is null for the quiz's own words."""

    wanted = serializers.IntegerField(read_only=True)
    there = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    half = serializers.DictField(child=serializers.BooleanField(), read_only=True)
    lacking = serializers.ListField(child=serializers.DictField(), read_only=True)


class StaffQuizCompleteness(StaffView):
    """What of a quiz is translated into each language, and what lacks."""

    needs = {"GET": ("view_quiz",)}
    serializer_class = LackingSerializer

    def get(self, request: Request, slug: str) -> Response:
        quiz = self.quiz(slug)
        found, known = completeness.of_quizzes([quiz])[quiz.pk], words.languages()
        lacking = completeness.lacking(found.questions, among=self.questions())
        return self.answer(
            {
                "wanted": found.whole.wanted,
                "there": {language: found.whole.there.get(language, 0) for language in known},
                "half": {language: found.is_half(language) for language in known},
                "lacking": [*_of_quiz(quiz), *map(_of_question, lacking)],
            }
        )


def _of_quiz(quiz: Quiz) -> list[dict[str, Any]]:
    lacking = {language: completeness.own_lacking(quiz, language) for language in words.languages()}
    return [{"question": None, "key": None, "where": lacking}] if any(lacking.values()) else []


def _of_question(one: completeness.Lacking) -> dict[str, Any]:
    where = {language: [".".join(map(str, place)) for place in places] for language, places in one.where.items()}
    return {"question": one.question.pk, "key": one.question.key, "where": where}
