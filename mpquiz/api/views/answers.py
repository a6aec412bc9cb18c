"""The questions of an attempt: read, answered, flagged, left behind, reported."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from ... import pages, throttling, words
from ...exceptions import ManyRefused, Refusal
from ...models import Answer, Report
from ...models.answering import answer_at, not_in_attempt
from ..attempt_serializers import (
    AnsweredSerializer,
    DraftSerializer,
    FlagSerializer,
    GivenSerializer,
    HandInSerializer,
    QuestionSerializer,
    ReportedSerializer,
    ReportSerializer,
    StepSerializer,
)
from ..serializers import NothingSerializer
from .attempts import OwnAttempt


class QuestionView(OwnAttempt):
    """A question of an attempt, with what was given and, as far as it may be known, how it went."""

    serializer_class = QuestionSerializer

    def get(self, request: Request, attempt: str, position: int) -> Response:
        found = self.fetched(attempt, position=position)
        try:
            answer = pages.opened(found, list(found.answers.with_content_at(position)), position)
        except LookupError as error:
            raise not_in_attempt() from error
        return self.answer(answer)


class AnswerView(OwnAttempt):
    """Answer a question. The same again changes nothing; where answers can be changed, null takes one back."""

    serializer_class = AnsweredSerializer
    body_class = GivenSerializer

    def post(self, request: Request, attempt: str, position: int) -> Response:
        body = self.body()
        given = body.pop("given")
        found = self.fetched(attempt, position=position)
        throttling.check(request, throttling.AnswerThrottle)
        try:
            answer = found.answer(position, given, **body)
        except Refusal as refusal:
            if refusal.code == "stale":
                refusal.more["sent"] = given
            raise
        return self.answer(answer)


class _OneStep(OwnAttempt):
    """A verb that changes nothing but how a question stands in its attempt."""

    serializer_class = StepSerializer

    def step(self, attempt: Any, position: int) -> Response:
        return self.answer(answer_at(position, attempt.answers.filter(position=position)))


class DraftView(_OneStep):
    """Keep a long text while it is written: it becomes the answer if the attempt ends before it is handed in."""

    body_class = DraftSerializer

    def post(self, request: Request, attempt: str, position: int) -> Response:
        given = self.body()["given"]
        found = self.fetched(attempt, position=position)
        throttling.check(request, throttling.AnswerThrottle)
        answer: Answer = found.keep(position, given, language=words.current_language())
        return self.answer(answer)


class FlagView(_OneStep):
    """Mark a question to come back to it, or no longer."""

    body_class = FlagSerializer

    def post(self, request: Request, attempt: str, position: int) -> Response:
        flagged = self.body()["flagged"]
        found = self.fetched(attempt, position=position)
        throttling.check(request, throttling.AnswerThrottle)
        found.flag(position, flagged=flagged)
        return self.step(found, position)


class LeaveView(OwnAttempt):
    """Leave a question, or a page to read, for good where they come one after the other. Again changes nothing."""

    body_class = NothingSerializer

    def post(self, request: Request, attempt: str, position: int) -> Response:
        self.fetched(attempt, position=position).move_on(position)
        return self.detail(self.fetched(attempt))


class HandInView(OwnAttempt):
    """Answer several questions at once. What is refused is named by position; the others are stored all the same."""

    body_class = HandInSerializer

    def post(self, request: Request, attempt: str) -> Response:
        body = self.body()
        answers = body.get("answers", [])
        given = {one["position"]: one["given"] for one in answers}
        revisions = {one["position"]: one["revision"] for one in answers if one.get("revision") is not None}
        found = self.fetched(attempt)
        throttling.check(request, throttling.AnswerThrottle)
        refused = found.hand_in(given, language=words.current_language(), revisions=revisions, finish=body["finish"])
        if refused:
            raise ManyRefused(refused)
        return self.detail(found)


class ReportView(OwnAttempt):
    """Say that something is wrong with a question whose feedback or review is shown."""

    serializer_class = ReportedSerializer
    body_class = ReportSerializer

    def post(self, request: Request, attempt: str, position: int) -> Response:
        note = self.body()["note"]
        found = self.fetched(attempt, position=position)
        throttling.check(request, throttling.ReportThrottle)
        return self.answer(Report.objects.file(found, position, note, language=words.current_language()))
