"""The pages of an attempt whose answers can be changed until it is finished, and what is saved meanwhile."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import drafts, exam_pages, logs, pages, throttling, words
from ..exceptions import ManyRefused, Refusal, status_of
from ..kinds import OneOfMany, Submitted
from ..learners import Learner
from ..models import Answer, Attempt
from ..models.answer import is_empty
from .answering import HttpResponseSeeOther, of_learner, refused, rendered

_OVER = ("finished", "time_up")


def saves(request: HttpRequest) -> bool:
    """Whether our script saves what is being written: it reads JSON, and stays on its page."""
    return "save" in request.POST


# One question at a time -------------------------------------------------------------------------------------


def question_page(
    request: HttpRequest, attempt: Attempt, position: int, *, skips: bool = False, **more: object
) -> HttpResponse:
    """The question at a position with the map of all. Past the last question stands the summary.

    One that is not at its turn leads to the one that is. Raises Http404 where there is none.
    """
    answers = list(attempt.answers.with_content_at(position))
    if position > len(answers):
        return HttpResponseSeeOther(pages.summary_url(attempt))
    try:
        stage = pages.stage_of(attempt, answers, position, **more)
    except LookupError as error:
        raise Http404 from error
    except Refusal as refusal:
        return _to_its_turn(attempt, refusal)
    marks = exam_pages.marks_of(answers, position)
    context = {"attempt": attempt, "stage": stage, "marks": marks, "skips": skips, "last": position == len(answers)}
    if stage.error is not None:
        return refused(request, "mpquiz/exam.html", stage.error, context)
    return rendered(request, "mpquiz/exam.html", context)


def write(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    """Store what was sent to the question at a position, and go where the learner wants to go."""
    submitted = Submitted(request.POST)
    to = request.POST.get("to", "next")
    leaves = attempt.in_order and attempt.is_open and to in ("next", "finish") and not saves(request)
    if leaves and submitted.is_empty and "read" not in request.POST and request.POST.get("skip") != "yes":
        return question_page(request, attempt, position, skips=True, submitted=submitted)
    try:
        throttling.check(request, throttling.AnswerThrottle)
        if "read" in request.POST:  # a page, which takes no answer
            answer = None
            attempt.move_on(position)
        else:
            answer = attempt.answer(
                position,
                submitted,
                language=words.current_language(),
                revision=_number(request.POST.get("revision")),
                flagged={"1": True, "0": False}.get(request.POST.get("flag", "")),
                move_on=leaves,
            )
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt, position=position)
        return _not_written(request, attempt, position, refusal, submitted)
    drafts.forget(request, attempt.public_id, position)
    if saves(request) and answer is not None:
        return _saved({"revision": answer.revision})
    return HttpResponseSeeOther(_target(attempt, position, "" if "flag" in request.POST else to))


def _target(attempt: Attempt, position: int, to: str) -> str:
    """Where a press leads: to a position, to the next one, to the summary, or nowhere else; once it is over, away."""
    if not attempt.is_open:
        return pages.result_url(attempt)
    if to == "finish":
        return pages.summary_url(attempt)
    if to == "next":
        return pages.question_url(attempt, position + 1)
    wanted = None if attempt.in_order else _number(to)
    return pages.question_url(attempt, wanted or position)


def _not_written(
    request: HttpRequest, attempt: Attempt, position: int, refusal: Refusal, submitted: Submitted
) -> HttpResponse:
    if saves(request):
        return not_saved(refusal)
    if refusal.code in _OVER:
        return HttpResponseSeeOther(f"{pages.result_url(attempt)}?notice={refusal.code}")
    if refusal.code == "not_in_order":
        attempt.refresh_from_db(fields=["reached"])
        return _to_its_turn(attempt, refusal)
    return question_page(request, attempt, position, refusal=refusal, submitted=submitted)


def _to_its_turn(attempt: Attempt, refusal: Refusal) -> HttpResponse:
    return HttpResponseSeeOther(f"{pages.question_url(attempt, attempt.reached)}?notice={refusal.code}")


# All questions on one page ----------------------------------------------------------------------------------


def whole_page(
    request: HttpRequest,
    attempt: Attempt,
    *,
    refusal: Refusal | None = None,
    submitted: Submitted | None = None,
    notice: object = "",
) -> HttpResponse:
    """All questions of an attempt in one form."""
    whole = exam_pages.page_of_all(attempt, refusal=refusal, submitted=submitted)
    context = {"attempt": attempt, "whole": whole, "notice": notice}
    if whole.refusal is not None:
        return refused(request, "mpquiz/whole.html", whole.refusal, context)
    return rendered(request, "mpquiz/whole.html", context)


def write_all(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Store what was sent to all questions. Handed in is what is whole; else the summary asks first."""
    submitted = Submitted(request.POST)
    given = given_in(request)
    whole = not any(map(is_empty, given.values()))
    hands_in = request.POST.get("to") == "finish" and not saves(request)
    try:
        throttling.check(request, throttling.AnswerThrottle)
        refusals = attempt.hand_in(
            given, language=words.current_language(), revisions=_revisions(request), finish=hands_in and whole
        )
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt)
        return _none_written(request, attempt, refusal, submitted)
    for position, one in refusals.items():
        logs.refused(one, Learner.of(request), attempt=attempt, position=position)
    drafts.forget(request, attempt.public_id, 1)
    if saves(request):
        return _all_saved(attempt, refusals)
    if refusals:
        return whole_page(request, attempt, refusal=ManyRefused(refusals), submitted=submitted)
    if hands_in:
        return HttpResponseSeeOther(pages.result_url(attempt) if whole else pages.summary_url(attempt))
    return HttpResponseSeeOther(f"{pages.question_url(attempt, 1)}?notice=saved")


def _none_written(request: HttpRequest, attempt: Attempt, refusal: Refusal, submitted: Submitted) -> HttpResponse:
    if saves(request):
        return not_saved(refusal)
    if refusal.code in _OVER:
        return HttpResponseSeeOther(f"{pages.result_url(attempt)}?notice={refusal.code}")
    return whole_page(request, attempt, refusal=refusal, submitted=submitted)


def given_in(request: HttpRequest) -> dict[int, Submitted]:
    """{position: what was sent to it}; the page names the positions that it asks."""
    return {position: Submitted(OneOfMany(request.POST, position)) for position in _revisions(request)}


def _revisions(request: HttpRequest) -> dict[int, int]:
    """{position: the revision that the page showed} of a form that holds several questions."""
    found = {}
    for name in request.POST:
        scope, dash, field = name.partition("-")
        position = _number(scope.removeprefix("q"))
        if field == "revision" and dash and position is not None:
            found[position] = _number(request.POST.get(name)) or 0
    return found


def _all_saved(attempt: Attempt, refusals: dict[int, Refusal]) -> HttpResponse:
    revisions = dict(attempt.answers.values_list("position", "revision"))
    not_taken = {position: str(refusal.message) for position, refusal in refusals.items()}
    return _saved({"revisions": revisions, "refused": not_taken})


# Both -------------------------------------------------------------------------------------------------------


def keep(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    """Save a long text of an attempt whose answers stand once they are given."""
    try:
        throttling.check(request, throttling.AnswerThrottle)
        answer: Answer = attempt.keep(position, Submitted(request.POST), language=words.current_language())
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt, position=position)
        return not_saved(refusal)
    return _saved({"revision": answer.revision})


def not_saved(refusal: Refusal) -> JsonResponse:
    """Why nothing was saved, for our script."""
    return JsonResponse({"code": refusal.code, "detail": str(refusal.message)}, status=status_of(refusal))


def _saved(more: dict[str, object]) -> JsonResponse:
    return JsonResponse({"saved": True, "at": timezone.now().isoformat(), **more})


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 9 else None


@of_learner
@require_safe
def summary(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """What is answered and what is not, before the attempt is handed in."""
    if not (attempt.is_open and attempt.changeable):
        return HttpResponseRedirect(pages.result_url(attempt))
    marks = [mark for mark in exam_pages.marks_of(list(attempt.answers.all())) if mark.number is not None]
    left = sum(not mark.answered for mark in marks)
    return rendered(request, "mpquiz/summary.html", {"attempt": attempt, "marks": marks, "left": left})


@of_learner
@require_safe
def seconds(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """How many seconds are left, for a timer that was asleep; null where there is no limit."""
    return JsonResponse({"seconds": attempt.seconds_left, "open": attempt.is_open})
