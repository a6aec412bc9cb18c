"""A learner's own attempts: read, finished, begun anew, reviewed."""

from typing import Any, ClassVar

from django.http import Http404
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ... import results
from ...models import Attempt
from ...models.record import Ended
from ..attempt_serializers import AttemptDetailSerializer, AttemptSerializer, ResultSerializer
from ..base import ApiView
from ..lists import ListView, Query
from ..serializers import NothingSerializer, NumberSerializer, address_of


class AttemptQuery(Query):
    """Which attempts: at a quiz, in a state."""

    orderings = {"started": "started_at", "number": "number"}

    quiz = serializers.SlugField(max_length=80, required=False)
    state = serializers.ChoiceField(choices=["open", *Ended.values], required=False)


class AttemptList(ListView):
    """The attempts of whoever asks, the newest first."""

    serializer_class = AttemptSerializer
    query_class = AttemptQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        attempts = Attempt.objects.of(self.learner).fetched()
        if "quiz" in asked:
            attempts = attempts.filter(quiz__slug=asked["quiz"])
        if "state" in asked:
            attempts = attempts.in_state(asked["state"])
        return self.listed(attempts, asked.get("ordering", "-started"), shown=_with_quizzes)


def _with_quizzes(page: list[Attempt]) -> list[Attempt]:
    for attempt in page:
        attempt.tell_quiz()
    return page


class OwnAttempt(ApiView):
    """An attempt of whoever asks: a signed-in stranger gets 404, a visitor is told to sign in, with any id."""

    serializer_class: ClassVar[type[BaseSerializer[Any]]] = AttemptDetailSerializer

    def fetched(self, attempt: str, *, with_rights: bool = False, **about: Any) -> Attempt:
        """The attempt of an id; ``with_rights``: with what decides whether its quiz can be started again."""
        mine = Attempt.objects.of(self.learner)
        try:
            found = (mine.fetched_with_rights(self.learner) if with_rights else mine.fetched()).with_id(attempt)
        except Attempt.DoesNotExist as error:
            raise (NotAuthenticated() if self.learner.user is None else Http404()) from error
        self.about = {"attempt": found, **about}
        return found

    def detail(self, attempt: Attempt) -> Response:
        return with_way(self, attempt)


def with_way(view: ApiView, attempt: Attempt, status: int = 200, **headers: str) -> Response:
    """An attempt with the way through it. One query."""
    attempt.answers_read = list(attempt.answers.all())
    return view.answer(attempt, status, by=AttemptDetailSerializer, headers=headers)


def begun(view: ApiView, attempt: Attempt) -> Response:
    """An attempt that was started just now, or was there already."""
    status = 201 if attempt.is_new else 200
    return with_way(view, attempt, status, Location=address_of("attempt", attempt=attempt.public_id))


class AttemptView(OwnAttempt):
    """An attempt: its rules, its time, the way through it, and its score where that may be seen."""

    def get(self, request: Request, attempt: str) -> Response:
        return self.detail(self.fetched(attempt))


class FinishView(OwnAttempt):
    """Hand an attempt in with what was answered. Again changes nothing."""

    body_class = NothingSerializer

    def post(self, request: Request, attempt: str) -> Response:
        found = self.fetched(attempt)
        found.finish()
        return self.detail(found)


class StartOverView(OwnAttempt):
    """Leave an attempt, abandoned where it is open, and start the next. Again, with that number, changes nothing."""

    body_class = NumberSerializer

    def post(self, request: Request, attempt: str) -> Response:
        before = self.fetched(attempt, with_rights=True)
        number = self.body().get("number", before.number + 1)
        return begun(self, before.start_over(self.learner, number=number))


class RetryView(OwnAttempt):
    """Practise what was missed in an attempt; another that is open is abandoned. Practice never counts."""

    body_class = NumberSerializer

    def post(self, request: Request, attempt: str) -> Response:
        before = self.fetched(attempt, with_rights=True)
        number = self.body().get("number", before.number + 1)
        return begun(self, before.retry(self.learner, number=number))


class DiscardView(OwnAttempt):
    """Throw a trial away."""

    body_class = NothingSerializer

    def post(self, request: Request, attempt: str) -> Response:
        self.fetched(attempt).discard()
        return Response(status=204)


class ResultView(OwnAttempt):
    """How a finished attempt went: score and review, as far as its learner may know."""

    serializer_class = ResultSerializer

    def get(self, request: Request, attempt: str) -> Response:
        found = self.fetched(attempt, with_rights=True)
        return self.answer(results.result_of(found, self.learner))
