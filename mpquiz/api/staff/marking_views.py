"""Answers that a person marks: the queue, the oldest first, one of it, and its mark."""

from typing import Any, ClassVar

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ...editing import marking
from ...models import WaitingAnswer
from .base import StaffList, StaffView, first, may
from .marking_serializers import MarkSerializer, WaitingDetailSerializer, WaitingSerializer
from .searching import SearchQuery, named_like

_FETCHED = ("version", "attempt__user", "attempt__quiz", "marked_by")


class WaitingQuery(SearchQuery):
    """``state`` is "waiting" unless it says "marked"; ``question`` is an id.

    ``search`` looks for learners, and finds nothing for whoever may not see attempts.
    """

    orderings = {"answered": "answered_at"}

    state = serializers.ChoiceField(choices=["waiting", "marked"], required=False)
    quiz = serializers.SlugField(max_length=80, required=False)
    question = serializers.IntegerField(min_value=1, max_value=10**17, required=False)


class StaffWaitingList(StaffList):
    """The answers that wait for a person to mark them, or that one has marked."""

    needs = {"GET": ("view_waitinganswer",)}
    serializer_class = WaitingSerializer
    query_class = WaitingQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = marking.queue_of(request.user).select_related(*_FETCHED)
        found = found.marked_by_hand() if asked.get("state") == "marked" else found.waiting()
        if "quiz" in asked:
            found = found.filter(attempt__quiz__slug=asked["quiz"])
        if "question" in asked:
            found = found.filter(question=asked["question"])
        if asked.get("search"):
            named = may(request.user, "view_attempt")
            found = found.filter(named_like("attempt__user", asked["search"])) if named else found.none()
        return self.listed(found, asked.get("ordering", "answered"))


class _OneOfQueue(StaffView):
    serializer_class: ClassVar[type[BaseSerializer[Any]]] = WaitingDetailSerializer

    def found(self, pk: int) -> WaitingAnswer:
        """The answer of an id. Raises Http404, also where no person marks it."""
        answer: WaitingAnswer = first(marking.queue_of(self.request.user).filter(pk=pk).select_related(*_FETCHED))
        if not answer.by_hand:
            raise Http404
        return answer

    def told(self, answer: WaitingAnswer) -> Response:
        answer.waiting = marking.queue_of(self.request.user).waiting().count()  # type: ignore[attr-defined]
        return self.answer(answer)


class StaffWaitingView(_OneOfQueue):
    """An answer that a person marks, with the notes for whoever does."""

    needs = {"GET": ("view_waitinganswer",)}

    def get(self, request: Request, pk: int) -> Response:
        return self.told(self.found(pk))


class StaffWaitingMark(_OneOfQueue):
    """The mark of an answer."""

    needs = {"POST": ("change_waitinganswer",)}
    body_class = MarkSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return super().get_serializer_context() | {"answer": getattr(self, "marked", None)}

    def post(self, request: Request, pk: int) -> Response:
        """Give it points and words; the same again changes nothing, others replace the mark of the ``revision``."""
        self.marked = self.found(pk)
        sent = self.body()
        marking.mark(self.marked, by=request.user, **sent)
        return self.told(self.found(pk))
