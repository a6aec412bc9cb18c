"""Statistics in admin: of a quiz, and of what is missed of the questions that are linked to a guide.

Only counts, nobody's name. Whoever may view quizzes and attempts may see them, of the quizzes whose results the
host's rule gives to them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import statistics, words
from ..models import Attempt, Question, Quiz
from ..statistics import GuideMisses, MissedQuestion, Which
from . import figures
from .languages import own_name
from .results import id_in

_GUIDES_A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Link:
    """A way to choose what is counted."""

    name: Any
    url: str
    is_current: bool
    language: str = ""

    @property
    def dir(self) -> str:
        return words.direction(self.language)


class _Pages(admin.ModelAdmin):
    """What pages of statistics share."""

    def may_see_statistics(self, request: HttpRequest) -> bool:
        """Whether somebody may view this, quizzes and attempts."""
        seen = (self, self.admin_site.get_model_admin(Quiz), self.admin_site.get_model_admin(Attempt))
        return all(one.has_view_permission(request) for one in seen)

    def _refuse_strangers(self, request: HttpRequest) -> None:
        if not self.may_see_statistics(request):
            raise PermissionDenied

    def _page(self, request: HttpRequest, template: str, title: str, **context: Any) -> HttpResponse:
        common = {**self.admin_site.each_context(request), "title": title, "opts": self.opts, "media": self.media}
        request.current_app = self.admin_site.name
        return TemplateResponse(request, f"admin/mpquiz/statistics/{template}.html", {**common, **context})

    def _question_urls(self, request: HttpRequest) -> Any:
        """Where an editor mends a question, by its id; nowhere for whoever may not see questions."""
        may_see = self.admin_site.get_model_admin(Question).has_view_permission(request)
        name = f"{self.admin_site.name}:mpquiz_question_change"
        return lambda question: reverse(name, args=[question]) if may_see and question else ""


class QuizStatisticsPages(_Pages):
    """The statistics of each quiz."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.statistics_view)
        return [path("<int:pk>/statistics/", view, name="mpquiz_quiz_statistics"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        link = {"statistics_url": self._statistics_url(request, unquote(object_id))}
        return super().change_view(request, object_id, form_url, {**link, **(extra_context or {})})

    def _statistics_url(self, request: HttpRequest, quiz: str) -> str:
        """Where the statistics of a quiz are (its id as an address has it); nowhere for a stranger."""
        pk = id_in(quiz)
        if pk is None or not self.may_see_statistics(request) or not Quiz(pk=pk).is_of(request.user, doing="results"):
            return ""
        return reverse(f"{self.admin_site.name}:mpquiz_quiz_statistics", args=[pk])

    def statistics_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        self._refuse_strangers(request)
        theirs = Quiz.objects.of_editor(request.user, doing="results")
        quiz = get_object_or_404(theirs, pk__in=self.get_queryset(request).order_by().values("pk"), pk=pk)
        which, language = _asked_for(request.GET)
        numbers = statistics.of(quiz, which=which, language=language)
        over, address = statistics.over_time(quiz), self._question_urls(request)
        questions = [
            figures.ShownQuestion(n, one, address(one.question)) for n, one in enumerate(numbers.questions, 1)
        ]
        return self._page(
            request,
            "quiz",
            _("Statistics: %(quiz)s") % {"quiz": quiz},
            quiz=quiz,
            numbers=numbers,
            facts=figures.facts_of(numbers),
            left_out=list(figures.left_out_of(numbers.left_out, language=language)),
            histogram=figures.histogram_of(numbers),
            over_heading=figures.heading_of(over),
            over=figures.rows_of(over),
            questions=questions,
            minimum=statistics.MINIMUM,
            which_links=list(_which_links(which, language)),
            language_links=list(_language_links(which, language)),
        )


def _asked_for(sent: Mapping[str, str]) -> tuple[str, str | None]:
    """Which attempts, in which language: what is no choice of ours is as if it had not been sent."""
    which, language = sent.get("which", ""), sent.get("language", "")
    return which if which in Which.values else Which.FIRST, language if language in words.languages() else None


def _which_links(which: str, language: str | None) -> Iterator[Link]:
    for value, label in Which.choices:
        yield Link(label, _query(value, language), value == which)


def _language_links(which: str, language: str | None) -> Iterator[Link]:
    if len(words.languages()) < 2:
        return
    yield Link(gettext_lazy("All languages"), _query(which, None), language is None)
    for one in words.languages():
        yield Link(own_name(one), _query(which, one), one == language, one)


def _query(which: str, language: str | None) -> str:
    return f"?which={which}&language={language}" if language else f"?which={which}"


# The guide's side -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MissedRow:
    """A question of a guide, or a guide, as a table shows how often it is missed."""

    of: MissedQuestion | GuideMisses
    url: str

    @property
    def n(self) -> SafeString | str:
        return figures.number(self.of.n)

    @property
    def missed(self) -> SafeString | str:
        return figures.number(self.of.missed)

    @property
    def share(self) -> SafeString | str:
        return figures.share(self.of.share)

    @property
    def width(self) -> str:
        return figures.length(self.of.share or 0)


class GuideStatisticsPages(_Pages):
    """What is missed of the questions that are linked to each guide."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        own = [
            path("statistics/", wrap(self.guides_view), name="mpquiz_guide_statistics"),
            path("<int:pk>/statistics/", wrap(self.guide_view), name="mpquiz_guide_missed"),
        ]
        return own + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        link = {"may_see_statistics": self.may_see_statistics(request)}
        return super().changelist_view(request, {**link, **(extra_context or {})})

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        link = {"may_see_statistics": self.may_see_statistics(request)}
        return super().change_view(request, object_id, form_url, {**link, **(extra_context or {})})

    def guides_view(self, request: HttpRequest) -> HttpResponse:
        """All guides in their order, some on a page: of no more are the answers looked through."""
        self._refuse_strangers(request)
        page = Paginator(self.get_queryset(request).order_by("place", "slug"), _GUIDES_A_PAGE)
        shown = page.get_page(request.GET.get("page"))
        found = statistics.of_guides(shown.object_list, **statistics.shown_to(request.user))
        name = f"{self.admin_site.name}:mpquiz_guide_missed"
        rows = [MissedRow(one, reverse(name, args=[one.guide.pk])) for one in found]
        return self._page(request, "guides", _("What is missed, by guide"), rows=rows, page=shown)

    def guide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        self._refuse_strangers(request)
        guide = get_object_or_404(self.get_queryset(request), pk=pk)
        found, address = (
            statistics.missed_of(guide, **statistics.shown_to(request.user)),
            self._question_urls(request),
        )
        rows = [MissedRow(one, address(one.question.pk)) for one in found.questions]
        title = _("What is missed of “%(guide)s”") % {"guide": guide}
        return self._page(request, "guide", title, guide=guide, whole=MissedRow(found, ""), rows=rows)
