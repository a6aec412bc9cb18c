"""The results of a quiz, as a list and as a file, and each attempt as its learner saw it."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ... import results, words
from ...models import Answer, Attempt
from ...models.attempts import DURATION
from ...models.record import Ended
from ...paging import NarrowPaginator
from ...remarking import history
from ...result_tables import TOO_LARGE, TYPES, ResultTable
from ..lists import Pages
from .base import StaffList, StaffView
from .result_serializers import AttemptSerializer, ReadSerializer
from .searching import SearchQuery, named_like


class ResultQuery(SearchQuery):
    """``from`` and ``to`` are days of the start; ``as`` brings a file of all that is found."""

    orderings = {
        "id": "pk",
        "learner": f"user__{get_user_model().USERNAME_FIELD}",
        "number": "number",
        "started": "started_at",
        "duration": "took",
        "score": "score",
        "state": "ended",
    }

    state = serializers.ChoiceField(choices=["open", *Ended.values], required=False)
    passed = serializers.BooleanField(required=False)
    language = serializers.ChoiceField(choices=[], required=False)
    waiting = serializers.BooleanField(required=False)
    trial = serializers.BooleanField(required=False)
    practice = serializers.BooleanField(required=False)
    by_question = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["language"].choices = words.languages()
        days = {name: serializers.DateField(required=False) for name in ("from", "to")}
        return fields | days | {"as": serializers.ChoiceField(choices=list(TYPES), required=False)}


class NarrowPages(Pages):
    django_paginator_class = NarrowPaginator


class StaffQuizResults(StaffList):
    """The attempts at a quiz, each with its learner and its score."""

    needs = {"GET": ("view_attempt",)}
    serializer_class = AttemptSerializer
    query_class = ResultQuery
    pagination_class = NarrowPages

    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """A page of those that are asked for, the newest first; with ``as`` (csv, xlsx) a file of all of them."""
        quiz, asked = self.quiz(slug, "results"), self.query()
        found = _narrowed(Attempt.objects.filter(quiz=quiz), asked).select_related("user", "quiz")
        if "as" in asked:
            return _file(ResultTable(quiz, found, by_question=asked.get("by_question", False)), asked["as"])
        return self.listed(found.annotate(took=DURATION), asked.get("ordering", "-id"), shown=_read_along)


def _narrowed(attempts: Any, asked: dict[str, Any]) -> Any:
    if "state" in asked:
        attempts = attempts.in_state(asked["state"])
    if "passed" in asked:
        attempts = attempts.reaching_pass_mark(asked["passed"])
    if "language" in asked:
        attempts = attempts.read_in(asked["language"])
    if "waiting" in asked:
        attempts = attempts.filter(waiting__gt=0) if asked["waiting"] else attempts.filter(waiting=0)
    if "practice" in asked:
        attempts = attempts.filter(retry_of__isnull=not asked["practice"])
    if "trial" in asked:
        attempts = attempts.filter(trial=asked["trial"])
    attempts = attempts.started_between(asked.get("from"), asked.get("to"))
    return attempts.filter(named_like("user", asked["search"])) if asked.get("search") else attempts


def _file(table: ResultTable, format: str) -> StreamingHttpResponse:
    if format == "xlsx" and not table.fits(format, table.attempts.count()):
        raise ValidationError({"as": [TOO_LARGE]})
    return StreamingHttpResponse(table.written(format), headers=table.headers(format))


def _read_along(attempts: list[Attempt]) -> list[Attempt]:
    """The attempts with the languages in which they were read, for whoever may read them. One query."""
    languages = Answer.objects.get_queryset().languages_of(attempts)
    for attempt in attempts:
        attempt.for_editor = True
        attempt.languages_read = languages.get(attempt.pk, [])  # type: ignore[attr-defined]
    return attempts


class StaffAttemptView(StaffView):
    """An attempt, all of it: as its learner saw it, with right answers and marks, and what they may see now."""

    needs = {"GET": ("view_attempt",)}
    serializer_class = ReadSerializer

    def get(self, request: Request, attempt: str) -> Response:
        found = _with_id(Attempt.objects.all().of_editor(request.user).fetched().select_related("user"), attempt)
        read = results.read(found)
        _read_along([found])
        shown = {"attempt": found, "sight": read.sight, "history": history(found), "answers": read.answers}
        return self.answer(shown)


def _with_id(attempts: QuerySet[Any], public_id: str) -> Attempt:
    rows: Any = attempts
    try:
        found: Attempt = rows.with_id(public_id)
    except Attempt.DoesNotExist as error:
        raise Http404 from error
    return found
