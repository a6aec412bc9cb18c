"""Questions: read, written, copied, deleted, and brought back to what they were."""

from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ... import kinds
from ...editing import questions as editing
from ...models import Question, QuizQuestion, Revision
from ...models.question import tag_key
from ..lists import Query
from .base import StaffList, StaffView, etag_in, first, with_etag
from .fields import Body
from .searching import SearchQuery, contains
from .serializers import QuestionDetailSerializer, QuestionSerializer, RevisionSerializer


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
    body_class = QuestionDetailSerializer
    query_class = StaffQuestionQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = editing.read(_filtered(self.questions(), asked, self.quizzes()))
        return self.listed(found, asked.get("ordering", "id"))

    def post(self, request: Request) -> Response:
        """A new question, in no quiz yet. What keeps it from being asked is refused at its place."""
        sent = self.body()
        sent.pop("revision", None)
        question = editing.create(sent, by=request.user)
        return with_etag(self.answer(question, 201, by=QuestionDetailSerializer))


def _filtered(questions: QuerySet[Question], asked: dict[str, Any], quizzes: Any) -> QuerySet[Question]:
    """Those that were asked for; ``quizzes`` are the editor's."""
    if text := asked.get("search"):
        questions = questions.filter(contains(["title", "prompt"], text) | Q(key__icontains=text))
    if "kind" in asked:
        questions = questions.filter(kind=asked["kind"])
    if "guide" in asked:
        questions = questions.filter(guides__slug=asked["guide"])
    if "tag" in asked:
        questions = questions.filter(tags__key=tag_key(asked["tag"]))
    if "quiz" in asked:
        standing = quizzes.filter(slug=asked["quiz"]).order_by().values("pk")
        questions = questions.filter(pk__in=QuizQuestion.objects.filter(quiz__in=standing).values("question"))
    return questions


class StaffQuestionView(StaffView):
    """A question as it is written, with what is odd about it."""

    needs = {"GET": ("view_question",), "PATCH": ("change_question",), "DELETE": ("delete_question",)}
    serializer_class = QuestionDetailSerializer
    body_class = QuestionDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        return with_etag(self.answer(first(editing.read(self.questions().filter(pk=pk)))))

    def patch(self, request: Request, pk: int) -> Response:
        """Change what is sent; ``choices`` are the whole list. Attempts keep what they were asked."""
        question = self.question(pk, "change")
        sent, seen = self.edited()
        return with_etag(self.answer(editing.edit(question, sent, by=request.user, seen=seen)))

    def delete(self, request: Request, pk: int) -> Response:
        """Delete it: quizzes ask it no longer, attempts that asked it stay whole."""
        editing.delete(self.question(pk, "change"), by=request.user, seen=etag_in(request))
        return Response(status=204)


class StaffQuestionCopy(StaffView):
    """A copy of a question."""

    needs = {"POST": ("view_question", "add_question")}
    serializer_class = QuestionDetailSerializer
    body_class = Body

    def post(self, request: Request, pk: int) -> Response:
        """The same question under a key of its own, in no quiz."""
        question = self.question(pk)
        self.body()
        return with_etag(self.answer(editing.copy(question, by=request.user), 201))


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
        revision = first(Revision.objects.of(question).filter(pk=state))
        return with_etag(self.answer(editing.restore(revision, by=request.user, seen=seen)))
