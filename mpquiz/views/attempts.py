"""The pages of an attempt: a question, its feedback, the end, the result."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods, require_safe

from .. import drafts, lessons, logs, pages, results, throttling, words
from ..exceptions import Refusal
from ..kinds import Submitted
from ..learners import Learner
from ..models import Attempt
from . import exams
from .answering import (
    HttpResponseSeeOther,
    go,
    in_place,
    leads_back,
    leave,
    number_in,
    of_learner,
    of_learner_with_rights,
    refused,
    rendered,
    stay,
)


@of_learner
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    if request.method == "POST":
        return _posted(request, attempt, position)
    code = request.GET.get("notice", "")
    if code == "answered" and attempt.answers.filter(position=position, answered_at=None).exists():
        code = ""  # a link may say anything
    submitted = drafts.of(request, attempt.public_id, position) or Submitted(request.GET)
    return question_page(request, attempt, position, submitted=submitted, notice=pages.NOTICES.get(code, ""))


def _posted(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    if attempt.on_one_page and attempt.changeable:
        return exams.write_all(request, attempt)
    if attempt.changeable:
        return exams.write(request, attempt, position)
    return exams.keep(request, attempt, position) if exams.saves(request) else _answer(request, attempt, position)


def question_page(request: HttpRequest, attempt: Attempt, position: int, **more: Any) -> HttpResponse:
    """The page of the question at a position, as its attempt is taken."""
    try:
        if attempt.changeable and attempt.is_open:
            return _changeable_page(request, attempt, position, **more)
        stage = pages.stage_at(attempt, position, within=lessons.within(request, attempt.quiz), **more)
    except LookupError as error:
        raise Http404 from error
    except Refusal as refusal:
        entry = pages.entry_position(attempt.answers.all(), attempt) or 1
        return go(request, f"{pages.question_url(attempt, entry)}?notice={refusal.code}")
    if not stage.asks and request.method == "POST":  # nothing to answer: go on
        return go(request, stage.next_url)
    if stage.asks and not attempt.is_open and (stage.answer is None or attempt.changeable):
        return go(request, pages.result_url(attempt))
    template = "mpquiz/fragment.html" if in_place(request) else "mpquiz/question.html"
    context = {"attempt": attempt, "stage": stage, "lesson": lessons.way_back(request, attempt)}
    if stage.error is not None:
        response = refused(request, template, stage.error, context)
    else:
        response = rendered(request, template, context)
    return stay(request, response, stage.action)


def _changeable_page(request: HttpRequest, attempt: Attempt, position: int, **more: Any) -> HttpResponse:
    if in_place(request):
        return leave(request, pages.question_url(attempt, position))
    if not attempt.on_one_page:
        return exams.question_page(request, attempt, position, **more)
    if position != 1:
        return HttpResponseRedirect(f"{pages.question_url(attempt, 1)}#question-{position}")
    return exams.whole_page(request, attempt, **more)


def _answer(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    address = pages.question_url(attempt, position)
    lessons.remember(request, attempt)
    try:
        throttling.check(request, throttling.AnswerThrottle)
        attempt.answer(position, Submitted(request.POST), language=words.current_language())
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt, position=position)
        return _not_answered(request, attempt, position, refusal)
    drafts.forget(request, attempt.public_id, position)
    return question_page(request, attempt, position) if in_place(request) else HttpResponseSeeOther(address)


def _not_answered(request: HttpRequest, attempt: Attempt, position: int, refusal: Refusal) -> HttpResponse:
    if refusal.code in ("finished", "time_up"):
        return go(request, f"{pages.result_url(attempt)}?notice={refusal.code}")
    if refusal.code == "not_in_order":
        entry = pages.entry_position(attempt.answers.all(), attempt) or 1
        return go(request, f"{pages.question_url(attempt, entry)}?notice={refusal.code}")
    notice = pages.NOTICES["answered"]
    if refusal.code == "answered":
        if in_place(request):
            return question_page(request, attempt, position, notice=notice)
        return HttpResponseSeeOther(f"{pages.question_url(attempt, position)}?notice=answered")
    submitted = Submitted(request.POST)
    return question_page(request, attempt, position, refusal=refusal, submitted=submitted, notice=notice)


@of_learner
@leads_back
def finish(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    if attempt.changeable and attempt.is_open and not _confirmed(request):
        return HttpResponseSeeOther(pages.summary_url(attempt))
    left = attempt.answers.filter(asks=True, answered_at=None).count()
    if attempt.is_open and left and not _confirmed(request):
        return rendered(request, "mpquiz/confirm_finish.html", {"attempt": attempt, "left": left})
    attempt.finish()
    return HttpResponseSeeOther(pages.result_url(attempt))


@of_learner
@leads_back
def discard(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    try:
        attempt.discard()
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt)
        return refused(request, "mpquiz/refused.html", refusal, {})
    return HttpResponseSeeOther(attempt.quiz.get_absolute_url())


@of_learner_with_rights
@leads_back
def start_over(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    number = number_in(request) or attempt.number + 1
    if attempt.is_open and attempt.number != number and not _confirmed(request):
        return _sure(request, attempt, "mpquiz/confirm_start_over.html", number)
    return _begin(request, attempt, lambda: attempt.start_over(Learner.of(request), number=number))


@of_learner_with_rights
@leads_back
def retry(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    number = number_in(request) or attempt.number + 1
    others = Attempt.objects.of(Learner.of(request)).filter(quiz=attempt.quiz).exclude(number=number)
    if others.unfinished().exists() and not _confirmed(request):
        return _sure(request, attempt, "mpquiz/confirm_retry.html", number)
    return _begin(request, attempt, lambda: attempt.retry(Learner.of(request), number=number))


def _sure(request: HttpRequest, attempt: Attempt, template: str, number: int) -> HttpResponse:
    """Ask whether an open attempt is to be left; a lesson has no room for that."""
    if in_place(request):
        return leave(request, pages.result_url(attempt))
    return rendered(request, template, {"attempt": attempt, "number": number})


def _confirmed(request: HttpRequest) -> bool:
    return request.POST.get("confirm") == "yes"


def _begin(request: HttpRequest, before: Attempt, begin: Callable[[], Attempt]) -> HttpResponse:
    """Begin what follows an attempt."""
    try:
        attempt = begin()
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), quiz=before.quiz)
        if in_place(request):
            return stay(request, refused(request, "mpquiz/_refused.html", refusal, {}), request.path)
        return refused(request, "mpquiz/refused.html", refusal, {})
    lessons.pass_on(request, before, attempt)
    return HttpResponseSeeOther(pages.question_url(attempt, 1))


@of_learner_with_rights
@require_safe
def result(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    if attempt.is_open:
        position = 1 if attempt.on_one_page else pages.entry_position(attempt.answers.all(), attempt) or 1
        return HttpResponseRedirect(pages.question_url(attempt, position))
    notice = pages.NOTICES.get(request.GET.get("notice", ""), "")
    context = {"attempt": attempt, "result": results.result_of(attempt, Learner.of(request)), "notice": notice}
    if within := lessons.within(request, attempt.quiz):
        part = rendered(request, "mpquiz/_embedded_result.html", {**context, "within": within, "ids": f"{within}-"})
        return stay(request, part, request.path)
    return rendered(request, "mpquiz/result.html", {**context, "lesson": lessons.way_back(request, attempt)})
