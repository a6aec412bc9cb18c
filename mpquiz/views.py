"""The learner pages: each view fetches, calls one verb and answers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from . import drafts, learners, pages, results, throttling, words
from .conf import conf
from .exceptions import Refusal
from .kinds import Submitted
from .learners import Learner
from .models import Attempt, FirstAnswer, Quiz

_PAGE_SIZE = 50  # rows of "my quizzes"
_STATUS = {"bad_answer": 400, "not_in_attempt": 404, "closed": 403, "sign_in": 403, "throttled": 429}

View = Callable[..., HttpResponse]


class HttpResponseSeeOther(HttpResponseRedirect):
    """What a browser does after a POST: get the page."""

    status_code = 303


# How a page is answered -------------------------------------------------------------------------------------


def _render(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of ours within the host's base template."""
    context = {"base_template": conf.BASE_TEMPLATE, "htmx": conf.HTMX, **context}
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _refused(request: HttpRequest, template: str, refusal: Refusal, context: dict[str, Any]) -> HttpResponse:
    """A page with the reason on it."""
    response = _render(request, template, {**context, "refusal": refusal}, _STATUS.get(refusal.code, 409))
    if isinstance(refusal, throttling.Throttled):
        response["Retry-After"] = str(refusal.wait)
    return response


def _in_place(request: HttpRequest) -> bool:
    """Whether our own script asked, and gets the part of the page that changes."""
    headers = request.headers
    whole = headers.get("HX-Boosted") or headers.get("HX-History-Restore-Request")
    return headers.get("HX-Request") == "true" and not whole


def _stay(request: HttpRequest, response: HttpResponse, address: str) -> HttpResponse:
    """The part of a page that changed; the address bar follows where it is another page's."""
    here = request.headers.get("HX-Current-URL", "").split("?")[0]
    response["HX-Push-Url"] = "false" if here.endswith(address) else address
    return response


def _go(request: HttpRequest, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if _in_place(request) else HttpResponseSeeOther(address)


def _of_learner(view: View) -> View:
    """Hand the view the learner's own attempt.

    A signed-in stranger gets 404; a visitor may be a user whose session ended, and gets the sign-in page with any id.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, attempt: str, **kwargs: Any) -> HttpResponse:
        learner = Learner.of(request)
        try:
            own = Attempt.objects.of(learner).select_related("quiz").with_id(attempt)
        except Attempt.DoesNotExist as error:
            if learner.user is None:
                return _sign_in(request, attempt, **kwargs)
            raise Http404 from error
        return view(request, own, **kwargs)

    return never_cache(wrapped)


def _leads_back(view: View) -> View:
    """The address of a form leads back to the attempt when it is only opened: by a language switch, by a reload."""

    @wraps(view)
    def wrapped(request: HttpRequest, attempt: Attempt, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseRedirect(pages.result_url(attempt))
        return view(request, attempt, **kwargs)

    return require_http_methods(["GET", "HEAD", "POST"])(wrapped)


def _sign_in(request: HttpRequest, attempt: str, position: int | None = None) -> HttpResponse:
    """The sign-in page, which leads back to where the visitor was, with what was chosen."""
    if position is None:
        return _go(request, redirect_to_login(reverse("mpquiz:result", kwargs={"attempt": attempt})).url)
    try:
        address = drafts.address(request, attempt, position)
    except Refusal as refusal:
        return _refused(request, "mpquiz/_refused.html" if _in_place(request) else "mpquiz/refused.html", refusal, {})
    return _go(request, redirect_to_login(address).url)


def _number(request: HttpRequest) -> int | None:
    """The number that a form expects the new attempt to get; None where it names none."""
    text = request.POST.get("number", "")
    return int(text) if text.isdecimal() and len(text) < 9 else None


# Quizzes ----------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def quiz_list(request: HttpRequest) -> HttpResponse:
    cards = pages.cards_of(Quiz.objects.published().listed(), Learner.of(request))
    return _render(request, "mpquiz/quiz_list.html", {"cards": cards})


@never_cache
@require_safe
def quiz(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Quiz.objects.with_offered(), slug=slug)
    learner = Learner.of(request)
    if shown.refusal(learner) is not None:
        return _elsewhere(request, shown)
    page = pages.quiz_page(shown, learner, learners.new_nonce())
    return _render(request, "mpquiz/quiz.html", {"page": page, "stage": page.stage})


def _elsewhere(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Where a quiz can be taken if not in this language. Raises Http404 where nowhere."""
    languages = [] if quiz.archived else quiz.published_languages
    if not languages:
        raise Http404
    here = request.get_full_path()
    context = {"quiz": quiz, "languages": [pages.Elsewhere.of(here, language) for language in languages]}
    return _render(request, "mpquiz/elsewhere.html", context, 404)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, slug: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseRedirect(reverse("mpquiz:quiz", kwargs={"slug": slug}))
    taken = get_object_or_404(Quiz.objects.with_offered(), slug=slug)
    visitor = Learner.of(request)
    try:
        attempt = _started(request, taken)
    except Refusal as refusal:
        if not visitor:
            learners.forget_guest(request)
        return _not_started(request, taken, visitor, refusal)
    notice = attempt.turned_down if attempt.turned_down in pages.NOTICES else ""
    if _in_place(request):
        return _question_page(request, attempt, 1, notice=pages.NOTICES.get(notice, ""))
    # The feedback of the answer that started it; a plain start may have landed in the middle of an open attempt.
    position = 1 if request.POST.get("seen") else pages.entry_position(attempt.answers.all()) or 1
    address = pages.question_url(attempt, position)
    return HttpResponseSeeOther(f"{address}?notice={notice}" if notice else address)


def _started(request: HttpRequest, quiz: Quiz) -> Attempt:
    throttling.check(request, throttling.StartThrottle)
    learner = Learner.starting(request, request.POST.get("guest", ""))
    seen = request.POST.get("seen")
    first = FirstAnswer(Submitted(request.POST), seen) if seen else None
    language = words.current_language()
    return Attempt.objects.start(quiz, learner, number=_number(request), first=first, language=language)


def _not_started(request: HttpRequest, quiz: Quiz, learner: Learner, refusal: Refusal) -> HttpResponse:
    address = quiz.get_absolute_url()
    if quiz.refusal(learner) is not None:
        template = "mpquiz/_refused.html" if _in_place(request) else "mpquiz/refused.html"
        response = _render(request, template, {"refusal": refusal}, 404)  # as the page of such a quiz
        return _stay(request, response, address)
    nonce = request.POST.get("guest") or learners.new_nonce()
    submitted = Submitted(request.POST) if refusal.code != "changed" else None
    page = pages.quiz_page(quiz, learner, nonce, refusal, submitted)
    template = "mpquiz/fragment.html" if _in_place(request) and page.stage else "mpquiz/quiz.html"
    response = _refused(request, template, refusal, {"page": page, "stage": page.stage})
    return _stay(request, response, address)


# Attempts ---------------------------------------------------------------------------------------------------


@_of_learner
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    if request.method == "POST":
        return _answer(request, attempt, position)
    code = request.GET.get("notice", "")
    if code == "answered" and attempt.answers.filter(position=position, answered_at=None).exists():
        code = ""  # a link may say anything
    submitted = drafts.of(request, attempt.public_id, position) or Submitted(request.GET)
    return _question_page(request, attempt, position, submitted=submitted, notice=pages.NOTICES.get(code, ""))


def _question_page(request: HttpRequest, attempt: Attempt, position: int, **more: Any) -> HttpResponse:
    try:
        stage = pages.stage_at(attempt, position, **more)
    except LookupError as error:
        raise Http404 from error
    if not stage.asks and request.method == "POST":  # nothing to answer: go on
        return _go(request, stage.next_url)
    if stage.asks and stage.answer is None and not attempt.is_open:
        return _go(request, pages.result_url(attempt))
    template = "mpquiz/fragment.html" if _in_place(request) else "mpquiz/question.html"
    context = {"attempt": attempt, "stage": stage}
    if stage.error is not None:
        response = _refused(request, template, stage.error, context)
    else:
        response = _render(request, template, context)
    return _stay(request, response, stage.action)


def _answer(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    address = pages.question_url(attempt, position)
    try:
        throttling.check(request, throttling.AnswerThrottle)
        attempt.answer(position, Submitted(request.POST), language=words.current_language())
    except Refusal as refusal:
        return _not_answered(request, attempt, position, refusal)
    drafts.forget(request, attempt.public_id, position)
    return _question_page(request, attempt, position) if _in_place(request) else HttpResponseSeeOther(address)


def _not_answered(request: HttpRequest, attempt: Attempt, position: int, refusal: Refusal) -> HttpResponse:
    if refusal.code in ("finished", "time_up"):
        return _go(request, f"{pages.result_url(attempt)}?notice={refusal.code}")
    notice = pages.NOTICES["answered"]
    if refusal.code == "answered":
        if _in_place(request):
            return _question_page(request, attempt, position, notice=notice)
        return HttpResponseSeeOther(f"{pages.question_url(attempt, position)}?notice=answered")
    submitted = Submitted(request.POST)
    return _question_page(request, attempt, position, refusal=refusal, submitted=submitted, notice=notice)


@_of_learner
@_leads_back
def finish(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    left = attempt.answers.filter(asks=True, answered_at=None).count()
    if attempt.is_open and left and not _confirmed(request):
        return _render(request, "mpquiz/confirm_finish.html", {"attempt": attempt, "left": left})
    attempt.finish()
    return HttpResponseSeeOther(pages.result_url(attempt))


@_of_learner
@_leads_back
def start_over(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    number = _number(request) or attempt.number + 1
    if attempt.is_open and attempt.number != number and not _confirmed(request):
        return _render(request, "mpquiz/confirm_start_over.html", {"attempt": attempt, "number": number})
    return _begin(request, lambda: attempt.start_over(Learner.of(request), number=number))


@_of_learner
@_leads_back
def retry(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    number = _number(request) or attempt.number + 1
    others = Attempt.objects.of(Learner.of(request)).filter(quiz=attempt.quiz).exclude(number=number)
    if others.unfinished().exists() and not _confirmed(request):
        return _render(request, "mpquiz/confirm_retry.html", {"attempt": attempt, "number": number})
    return _begin(request, lambda: attempt.retry(Learner.of(request), number=number))


def _confirmed(request: HttpRequest) -> bool:
    return request.POST.get("confirm") == "yes"


def _begin(request: HttpRequest, begin: Callable[[], Attempt]) -> HttpResponse:
    try:
        attempt = begin()
    except Refusal as refusal:
        return _refused(request, "mpquiz/refused.html", refusal, {})
    return HttpResponseSeeOther(pages.question_url(attempt, 1))


@_of_learner
@require_safe
def result(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    if attempt.is_open:
        position = pages.entry_position(attempt.answers.all()) or 1
        return HttpResponseRedirect(pages.question_url(attempt, position))
    notice = pages.NOTICES.get(request.GET.get("notice", ""), "")
    context = {"attempt": attempt, "result": results.result_of(attempt, Learner.of(request)), "notice": notice}
    return _render(request, "mpquiz/result.html", context)


@never_cache
@require_safe
def my_quizzes(request: HttpRequest) -> HttpResponse:
    learner = Learner.of(request)
    mine = Attempt.objects.of(learner).select_related("quiz")
    rows = mine.order_by(F("open").desc(nulls_last=True), "-started_at", "-pk")
    page = Paginator(rows, _PAGE_SIZE).get_page(request.GET.get("page"))
    best = mine.counted().filter(quiz__in={row.quiz_id for row in page}).best_percents()
    return _render(request, "mpquiz/my_quizzes.html", {"page": page, "best": best, "guest": learner.user is None})
