"""Guides, tags and questions: read, written, copied and deleted."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ... import copying, history, kinds, words
from ...editing import questions as editing
from ...editing import rows
from ...models import Guide, Question, Revision, Tag
from ..lists import Query
from .base import StaffList, StaffView
from .fields import Body
from .serializers import (
    GuideSerializer,
    QuestionDetailSerializer,
    QuestionSerializer,
    RevisionSerializer,
    TagSerializer,
)


def contains(names: list[str], text: str) -> Q:
    """The rows of which a translated field, in any language, holds a text."""
    found = Q(pk__in=())
    for name in names:
        for language in words.languages():
            found |= Q(**{f"{words.attribute(name, language)}__icontains": text})
    return found


class SearchQuery(Query):
    q = serializers.CharField(max_length=200, required=False, trim_whitespace=True)


# Guides -----------------------------------------------------------------------------------------------------


class StaffGuideQuery(SearchQuery):
    orderings = {"place": "place", "slug": "slug"}


class StaffGuideList(StaffList):
    """The guides, with all languages of their titles."""

    needs = {"GET": ("view_guide",), "POST": ("add_guide",)}
    serializer_class = GuideSerializer
    body_class = GuideSerializer
    query_class = StaffGuideQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = Guide.objects.all()
        if text := asked.get("q"):
            found = found.filter(contains(["title"], text) | Q(slug__icontains=text))
        return self.listed(found, asked.get("ordering", "place"))

    def post(self, request: Request) -> Response:
        """A new guide."""
        sent = self.body()
        sent.pop("revision", None)
        return self.answer(rows.create(Guide(), sent, by=request.user), 201)


class StaffGuideView(StaffView):
    """A guide."""

    needs = {"GET": ("view_guide",), "PATCH": ("change_guide",), "DELETE": ("delete_guide",)}
    serializer_class = GuideSerializer
    body_class = GuideSerializer

    def get(self, request: Request, slug: str) -> Response:
        return with_etag(self.answer(_guide(slug)))

    def patch(self, request: Request, slug: str) -> Response:
        """Change what is sent. A language that is not sent stays as it is."""
        sent, seen = self.edited()
        return with_etag(self.answer(rows.edit(_guide(slug), sent, by=request.user, seen=seen)))

    def delete(self, request: Request, slug: str) -> Response:
        """Delete it; quizzes and questions stay without it."""
        rows.delete(_guide(slug), by=request.user)
        return Response(status=204)


def _guide(slug: str) -> Guide:
    return _first(Guide.objects.filter(slug=slug))


def _first(found: QuerySet[Any]) -> Any:
    row = found.first()
    if row is None:
        raise Http404
    return row


def with_etag(response: Response) -> Response:
    response["ETag"] = f'"{response.data["revision"]}"'
    return response


# Tags -------------------------------------------------------------------------------------------------------


class StaffTagQuery(SearchQuery):
    orderings = {"name": "name", "id": "pk"}


class StaffTagList(StaffList):
    """The tags: what questions are about, and what pools draw from."""

    needs = {"GET": ("view_tag",), "POST": ("add_tag",)}
    serializer_class = TagSerializer
    body_class = TagSerializer
    query_class = StaffTagQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = Tag.objects.filter(Q(name__icontains=asked["q"]) if "q" in asked else Q())
        return self.listed(found, asked.get("ordering", "name"))

    def post(self, request: Request) -> Response:
        """A new tag."""
        sent = self.body()
        sent.pop("revision", None)
        return self.answer(rows.create(Tag(), sent, by=request.user), 201)


class StaffTagView(StaffView):
    """A tag."""

    needs = {"GET": ("view_tag",), "PATCH": ("change_tag",), "DELETE": ("delete_tag",)}
    serializer_class = TagSerializer
    body_class = TagSerializer

    def get(self, request: Request, pk: int) -> Response:
        return with_etag(self.answer(_first(Tag.objects.filter(pk=pk))))

    def patch(self, request: Request, pk: int) -> Response:
        """Change what is sent."""
        sent, seen = self.edited()
        tag = _first(Tag.objects.filter(pk=pk))
        return with_etag(self.answer(rows.edit(tag, sent, by=request.user, seen=seen)))

    def delete(self, request: Request, pk: int) -> Response:
        """Delete it; one from which a quiz draws stays (409 ``in_use``)."""
        rows.delete(_first(Tag.objects.filter(pk=pk)), by=request.user)
        return Response(status=204)


# Questions --------------------------------------------------------------------------------------------------


class StaffQuestionQuery(SearchQuery):
    orderings = {"id": "pk", "updated_at": "updated_at"}

    kind = serializers.CharField(max_length=40, required=False)
    guide = serializers.SlugField(max_length=80, required=False)
    tag = serializers.CharField(max_length=200, required=False)
    quiz = serializers.SlugField(max_length=80, required=False)

    def validate_kind(self, name: str) -> str:
        if name not in kinds.names():
            raise serializers.ValidationError(", ".join(kinds.names()))
        return name


class StaffQuestionList(StaffList):
    """The questions that the editor may see, each as it is written, with its key."""

    needs = {"GET": ("view_question",), "POST": ("add_question",)}
    serializer_class = QuestionSerializer
    body_class = QuestionSerializer
    query_class = StaffQuestionQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = _filtered(self.questions(), asked, self.quizzes()).prefetch_related("choices", "guides", "tags")
        return self.listed(found, asked.get("ordering", "id"))

    def post(self, request: Request) -> Response:
        """A new question, in no quiz yet. What keeps it from being asked is refused at its place."""
        sent = self.body()
        sent.pop("revision", None)
        question = editing.create(sent, by=request.user)
        return with_etag(self.answer(question, 201, by=QuestionDetailSerializer))


def _filtered(questions: QuerySet[Question], asked: dict[str, Any], quizzes: Any) -> QuerySet[Question]:
    """Those that were asked for; ``quizzes`` are the editor's."""
    if text := asked.get("q"):
        questions = questions.filter(contains(["title", "prompt"], text) | Q(key__icontains=text))
    if "kind" in asked:
        questions = questions.filter(kind=asked["kind"])
    for name, column in (("guide", "guides__slug"), ("tag", "tags__name")):
        if name in asked:
            questions = questions.filter(pk__in=Question.objects.filter(**{column: asked[name]}).values("pk"))
    if "quiz" in asked:
        standing = quizzes.filter(slug=asked["quiz"]).order_by().values("pk")
        questions = questions.filter(pk__in=Question.objects.filter(places__quiz__in=standing).values("pk"))
    return questions


class StaffQuestionView(StaffView):
    """A question as it is written, with what is odd about it."""

    needs = {"GET": ("view_question",), "PATCH": ("change_question",), "DELETE": ("delete_question",)}
    serializer_class = QuestionDetailSerializer
    body_class = QuestionSerializer

    def get(self, request: Request, pk: int) -> Response:
        return with_etag(self.answer(self.question(pk)))

    def patch(self, request: Request, pk: int) -> Response:
        """Change what is sent; ``choices`` are the whole list. Attempts keep what they were asked."""
        question = self.question(pk, "change")
        sent, seen = self.edited()
        return with_etag(self.answer(editing.edit(question, sent, by=request.user, seen=seen)))

    def delete(self, request: Request, pk: int) -> Response:
        """Delete it: quizzes ask it no longer, attempts that asked it stay whole."""
        rows.delete(self.question(pk, "change"), by=request.user)
        return Response(status=204)


class StaffQuestionCopy(StaffView):
    """A copy of a question."""

    needs = {"POST": ("view_question", "add_question")}
    serializer_class = QuestionDetailSerializer

    def post(self, request: Request, pk: int) -> Response:
        """The same question under a key of its own, in no quiz."""
        made = copying.copy_of_question(self.question(pk))
        rows.log(request.user, made, is_new=True)
        return with_etag(self.answer(made, 201))


class StaffQuestionHistory(StaffList):
    """What a question was after each change, the newest first."""

    needs = {"GET": ("view_question",)}
    serializer_class = RevisionSerializer

    class query_class(Query):
        orderings = {"id": "pk"}

    def get(self, request: Request, pk: int) -> Response:
        found = Revision.objects.of(self.question(pk)).select_related("by")
        return self.listed(found, self.query().get("ordering", "-id"))


class RestoreSerializer(Body):
    revision = serializers.CharField(max_length=64, required=False)


class StaffQuestionRestore(StaffView):
    """An earlier state of a question."""

    needs = {"POST": ("change_question",)}
    serializer_class = QuestionDetailSerializer
    body_class = RestoreSerializer

    def post(self, request: Request, pk: int, state: int) -> Response:
        """Bring a state back, as an edit of its own; what of it is gone since stays away."""
        question = self.question(pk, "change")
        seen = self.edited()[1]
        history.restore(_first(Revision.objects.of(question).filter(pk=state)), by=request.user, expected=seen)
        rows.log(request.user, question)
        return with_etag(self.answer(Question.objects.get(pk=pk)))
