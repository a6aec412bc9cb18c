"""The pages of quizzes: the list, the page of one, its start, and what a learner did so far."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from .. import finding, learners, lessons, logs, pages, quiz_pages, starts, words
from ..exceptions import Refusal
from ..kinds import Submitted
from ..learners import Learner
from ..models import AllAnswers, Attempt, FirstAnswer, Quiz
from .answering import HttpResponseSeeOther, go, in_place, leave, number_in, refused, rendered, stay
from .attempts import question_page
from .exams import given_in

_PAGE_SIZE = 50  # rows of "my quizzes"
_MOST_CARDS = 100  # on a page of the list: more than most courses have quizzes


@never_cache
@require_safe
def quiz_list(request: HttpRequest) -> HttpResponse:
    learner = Learner.of(request)
    page = Paginator(Quiz.objects.published().listed(), _MOST_CARDS).get_page(request.GET.get("page"))
    cards = quiz_pages.cards_of(page, learner)
    context = {"cards": cards, "page": page, "finding": finding.of_list(request.build_absolute_uri, page.number)}
    return rendered(request, "mpquiz/quiz_list.html", context)


@never_cache
@require_safe
def quiz(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Quiz.objects.for_learner(Learner.of(request)), slug=slug)
    learner = Learner.of(request)
    if shown.hidden_from(learner):
        return _elsewhere(request, shown)
    page = quiz_pages.quiz_page(shown, learner, learners.new_nonce())
    context = _context(page) | {"finding": finding.of_quiz(page, request.build_absolute_uri)}
    return rendered(request, "mpquiz/quiz.html", context)


def _context(page: quiz_pages.QuizPage, lesson: str = "") -> dict[str, Any]:
    sign_in_url = redirect_to_login(lesson or page.quiz.get_absolute_url()).url
    return {"page": page, "stage": page.stage, "sign_in_url": sign_in_url, "ids": page.ids, "within": page.within}


@never_cache
@require_safe
def embedded(request: HttpRequest, slug: str) -> HttpResponse:
    """The quiz as a lesson shows it, for one that is the same for everybody and asks for it once it is there."""
    learner = Learner.of(request)
    shown = get_object_or_404(Quiz.objects.for_learner(learner), slug=slug)
    if not lessons.within(request, shown):
        return HttpResponseRedirect(shown.get_absolute_url())
    if not shown.offered or shown.archived:
        raise Http404
    lesson = lessons.address_of(request)
    page = quiz_pages.quiz_page(shown, learner, learners.new_nonce(), lesson=lesson, embedded=True)
    return stay(request, rendered(request, "mpquiz/_embedded_stage.html", _context(page, lesson)), request.path)


def _elsewhere(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Where a quiz can be taken if not in this language. Raises Http404 where nowhere."""
    languages = [] if quiz.archived else quiz.published_languages
    if not languages:
        raise Http404
    here = request.get_full_path()
    context = {"quiz": quiz, "languages": [pages.Elsewhere.of(here, language) for language in languages]}
    return rendered(request, "mpquiz/elsewhere.html", context, 404)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, slug: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseRedirect(reverse("mpquiz:quiz", kwargs={"slug": slug}))
    visitor = Learner.of(request)
    taken = get_object_or_404(Quiz.objects.for_learner(visitor), slug=slug)
    try:
        attempt = _started(request, taken)
    except Refusal as refusal:
        logs.refused(refusal, visitor, quiz=taken)
        return _not_started(request, taken, visitor, refusal)
    lessons.remember(request, attempt)
    notice = attempt.turned_down if attempt.turned_down in pages.NOTICES else ""
    if "all" in request.POST and not notice:
        return HttpResponseSeeOther(pages.summary_url(attempt) if attempt.is_open else pages.result_url(attempt))
    # The feedback of the answer that started it; a plain start may have landed in the middle of an open attempt.
    first = attempt.is_new or request.POST.get("seen") or attempt.on_one_page
    position = 1 if first else pages.entry_position(attempt.answers.all(), attempt) or 1
    if in_place(request) and request.POST.get("seen"):
        return question_page(request, attempt, position, notice=pages.NOTICES.get(notice, ""))
    address = pages.question_url(attempt, position)
    return go(request, f"{address}?notice={notice}" if notice else address)


def _started(request: HttpRequest, quiz: Quiz) -> Attempt:
    return starts.begin(
        request,
        quiz,
        nonce=request.POST.get("guest", ""),
        number=number_in(request),
        first=_first(request),
        language=words.current_language(),
        trial=request.POST.get("trial") == "yes",
        password=request.POST.get("password", ""),
    )


def _first(request: HttpRequest) -> FirstAnswer | AllAnswers | None:
    """The answer to question 1, or to all questions, that comes along with a start."""
    if seen := request.POST.get("all"):
        return AllAnswers(given_in(request), seen)
    seen = request.POST.get("seen")
    return FirstAnswer(Submitted(request.POST), seen) if seen else None


def _not_started(request: HttpRequest, quiz: Quiz, learner: Learner, refusal: Refusal) -> HttpResponse:
    address = quiz.get_absolute_url()
    if quiz.hidden_from(learner):
        template = "mpquiz/_refused.html" if in_place(request) else "mpquiz/refused.html"
        response = rendered(request, template, {"refusal": refusal}, 404)  # as the page of such a quiz
        return stay(request, response, address)
    if refusal.code == "sign_in":
        return leave(request, redirect_to_login(lessons.sent(request) or address).url)
    nonce = request.POST.get("guest") or learners.new_nonce()
    submitted = Submitted(request.POST) if refusal.code != "changed" else None
    lesson, within = lessons.sent(request), lessons.within(request, quiz)
    page = quiz_pages.quiz_page(quiz, learner, nonce, refusal, submitted, lesson=lesson, embedded=bool(within))
    part = "mpquiz/_embedded_stage.html" if within else "mpquiz/fragment.html"
    template = part if within or (in_place(request) and page.stage) else "mpquiz/quiz.html"
    response = refused(request, template, refusal, _context(page, lesson))
    return stay(request, response, address)


@never_cache
@require_safe
def my_quizzes(request: HttpRequest) -> HttpResponse:
    learner = Learner.of(request)
    mine = Attempt.objects.of(learner).fetched()
    rows = mine.order_by(F("open").desc(nulls_last=True), "-started_at", "-pk")
    page = Paginator(rows, _PAGE_SIZE).get_page(request.GET.get("page"))
    for attempt in page:
        attempt.tell_quiz()
    here = mine.counted().filter(quiz__in={row.quiz_id for row in page})
    results = here.with_score_shown().percents()
    context = {"page": page, "results": results, "guest": learner.user is None}
    return rendered(request, "mpquiz/my_quizzes.html", context)
