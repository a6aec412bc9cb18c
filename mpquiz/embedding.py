"""What of mpquiz a host shows on pages of its own: what the template tags of these names hand to their templates.

A slug that leads to nothing that learners are offered shows nothing; staff, and everybody with DEBUG, read why.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.template import Context
from django.utils.translation import gettext as _

from . import learners, quiz_pages
from .learners import Learner
from .models import Guide, Quiz
from .models.quiz import QuizQuerySet
from .progress import Progress

Shown = dict[str, Any]


def quiz_card(context: Context, slug: str, heading: str = "h3") -> Shown:
    """The card of one quiz, as the list of quizzes has it, with how the learner stands. At most four queries."""
    cards = _cards(context, Quiz.objects.published().filter(slug=slug))
    note = "" if cards else _why_not(context, slug)
    return {**_around(context), "cards": cards, "heading": heading, "note": note}


def quizzes_of_guide(context: Context, slug: str) -> Shown:
    """The cards of the quizzes that name a guide and are published in the active language. At most four queries."""
    cards = _cards(context, Quiz.objects.published().of_guide(slug))
    missing = not cards and _reads_notes(context) and not Guide.objects.filter(slug=slug).exists()
    note = _("There is no guide “%(slug)s”: only staff read this.") % {"slug": slug} if missing else ""
    return {**_around(context), "cards": cards, "note": note}


def quizzes_of_page(context: Context) -> Shown:
    """The cards of the quizzes of the guide whose address is this page's. At most five queries; needs the request."""
    request = _request(context, "quizzes_of_page")
    slugs = [guide.slug for guide in guides_at(request)]
    cards = _cards(context, Quiz.objects.published().of_guide(*slugs)) if slugs else []
    return {**_around(context), "cards": cards}


def guides_at(request: HttpRequest) -> list[Guide]:
    """The guides whose address is the page of a request. One query."""
    match = request.resolver_match
    site = f"{request.scheme}://{request.get_host()}"
    name = match.view_name if match else ""
    slug = str(match.kwargs.get("slug", "")) if match else ""
    return Guide.objects.at(request.path, site=site, name=name, slug=slug)


def take_quiz(context: Context, slug: str, *, lazy: bool = False) -> Shown:
    """A whole quiz, taken within this page. Needs the request, unless ``lazy``.

    Nothing of a learner stands in a lazy one, which takes a single query: our script asks for the rest.
    """
    request = context.get("request") if lazy else _request(context, "take_quiz")
    learner = Learner() if lazy or request is None else _learner(request)
    found = Quiz.objects.with_languages() if lazy else Quiz.objects.for_learner(learner)
    quiz = found.filter(slug=slug, archived=False).first()
    if quiz is None or not quiz.offered:
        return {"note": _why_not(context, slug)}
    shown: Shown = {**_around(context), "quiz": quiz, "lazy": lazy, "ids": f"{slug}-", "within": slug}
    if request is not None and not _is_first(request, slug):
        return {**shown, "again": True}
    return shown if lazy or request is None else {**shown, **_page(request, quiz, learner)}


def _page(request: HttpRequest, quiz: Quiz, learner: Learner) -> Shown:
    here = request.get_full_path()
    page = quiz_pages.quiz_page(quiz, learner, learners.new_nonce(), lesson=here, embedded=True)
    return {"page": page, "stage": page.stage, "sign_in_url": redirect_to_login(here).url}


def _is_first(request: HttpRequest, slug: str) -> bool:
    """Whether the quiz is not on this page yet: a second time it would have the same ids."""
    there: set[str] = request.__dict__.setdefault("_mpquiz_on_page", set())
    is_first = slug not in there
    there.add(slug)
    return is_first


def quiz_progress(context: Context, *, guide: str = "") -> Shown:
    """How many quizzes the learner has done of all that are published, or of a guide's. At most three queries."""
    learner = _learner(_request(context, "quiz_progress"))
    quizzes = Quiz.objects.published()
    return {"progress": Progress.of(quizzes.of_guide(guide) if guide else quizzes, learner)}


# What they share --------------------------------------------------------------------------------------------


def _around(context: Context) -> Mapping[str, Any]:
    """What our templates may ask of the page around them."""
    return {"request": context.get("request")}


def _request(context: Context, tag: str) -> HttpRequest:
    """Raises ImproperlyConfigured where the template was rendered without one."""
    request: HttpRequest | None = context.get("request")
    if request is None:
        raise ImproperlyConfigured(
            f"{{% {tag} %}} needs the request in its template: render with it, and have "
            "'django.template.context_processors.request' among the context_processors of TEMPLATES."
        )
    return request


def _learner(request: HttpRequest | None) -> Learner:
    """Whoever reads the page; a visitor where the host's page knows nobody."""
    return Learner.of(request) if request is not None and hasattr(request, "user") else Learner()


def _cards(context: Context, quizzes: QuizQuerySet) -> list[quiz_pages.Card]:
    return quiz_pages.cards_of(quizzes.listed(), _learner(context.get("request")))


def _reads_notes(context: Context) -> bool:
    user = getattr(context.get("request"), "user", None)
    return settings.DEBUG or bool(getattr(user, "is_staff", False))


def _why_not(context: Context, slug: str) -> str:
    """For staff, why a quiz is not shown; "" for everybody else. One query."""
    if not _reads_notes(context):
        return ""
    if Quiz.objects.filter(slug=slug).exists():
        return _("The quiz “%(slug)s” is not published in this language: only staff read this.") % {"slug": slug}
    return _("There is no quiz “%(slug)s”: only staff read this.") % {"slug": slug}
