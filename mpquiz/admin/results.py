"""The results of a quiz: the list of attempts, narrowed to it, with what a teacher filters and sorts by.

It is the list of all attempts too. Of a million of them nothing is counted twice or sorted without an index.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.dateparse import parse_date
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .. import words
from ..learners import name_columns
from ..models import Answer, Attempt, Quiz
from ..models.attempts import DURATION, AttemptQuerySet
from ..models.record import Ended
from ..paging import NarrowPaginator
from ..templatetags import mpquiz as tags
from . import reading
from .languages import own_name

OF_QUIZ = "quiz__id__exact"
"""What narrows a list to a quiz: the name of Django's own filter, to which pages of hosts may link."""
_MOST_QUIZZES = 20
_YES_OR_NO = [("yes", _("Yes")), ("no", _("No"))]


def id_in(text: str | None) -> int:
    """The id in an address; 0, which no row has, where there is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 18 else 0


class QuizFilter(admin.SimpleListFilter):
    """The quiz that was chosen, else the first ones: nobody reads 1,000 links, and each quiz's page leads here."""

    title = _("quiz")
    parameter_name = OF_QUIZ
    template = "admin/mpquiz/results/quizzes.html"
    doing = "results"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        quizzes = Quiz.objects.of_editor(request.user, doing=self.doing)
        chosen = self.value()
        found = list(quizzes[: _MOST_QUIZZES + 1] if chosen is None else quizzes.filter(pk=id_in(chosen)))
        self.has_more = len(found) > _MOST_QUIZZES
        return [(str(quiz.pk), quiz) for quiz in found[:_MOST_QUIZZES]]

    def has_output(self) -> bool:
        """A quiz that is not there, or another's, narrows to nothing."""
        return self.value() is not None or super().has_output()

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(quiz=id_in(self.value()))


class _Filter(admin.SimpleListFilter):
    """Narrows by a value that is among those offered; any other narrows nothing."""

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        offered = {str(value) for value, _name in self.lookup_choices}
        return self.narrowed(queryset, str(self.value())) if self.value() in offered else queryset

    def narrowed(self, attempts: Any, value: str) -> Any:
        raise NotImplementedError


class StateFilter(_Filter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", pgettext_lazy("attempt", "Open")), *Ended.choices]

    def narrowed(self, attempts: AttemptQuerySet, value: str) -> AttemptQuerySet:
        return attempts.in_state(value)


class PassedFilter(_Filter):
    title = _("passed")
    parameter_name = "passed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(_YES_OR_NO)

    def narrowed(self, attempts: AttemptQuerySet, value: str) -> AttemptQuerySet:
        return attempts.reaching_pass_mark(value == "yes")


class LanguageFilter(_Filter):
    title = _("language")
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(language, own_name(language)) for language in words.languages()]

    def narrowed(self, attempts: AttemptQuerySet, value: str) -> AttemptQuerySet:
        return attempts.read_in(value)


class DatesFilter(admin.ListFilter):
    """Attempts that were started from a day on, and up to a day: both in the editor's time zone."""

    title = _("day of the start")
    template = "admin/mpquiz/results/dates.html"
    names = ("from", "to")

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.used_parameters.update({name: params.pop(name)[-1] for name in self.names if name in params})

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return list(self.names)

    def _day(self, name: str) -> date | None:
        try:
            return parse_date(str(self.used_parameters.get(name, "")))
        except ValueError:  # no day of the calendar
            return None

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        attempts: Any = queryset
        return attempts.started_between(*map(self._day, self.names))

    def choices(self, changelist: Any) -> Iterator[Any]:
        """What the template lays out: both days, and the other parameters of the address."""
        others = {name: value for name, value in changelist.params.items() if name not in (*self.names, "p")}
        first, last = (day and day.isoformat() for day in map(self._day, self.names))
        yield {
            "from": first or "",
            "to": last or "",
            "others": [(name, one) for name, value in others.items() for one in _values(value)],
            "anew": changelist.get_query_string(remove=list(self.names)) if first or last else "",
        }


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class ResultList(ChangeList):
    """A page of attempts that know in which languages they were read."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if "languages_read" in self.list_display:
            read = Answer.objects.get_queryset().languages_of(self.result_list)
            for attempt in self.result_list:
                attempt.languages_read = read.get(attempt.pk, [])


class Results(admin.ModelAdmin):
    """The part of the admin of attempts that lists them, and shows each as its learner saw it."""

    list_display = ["titled", "learner", "result", "state", "started_at", "number", "waiting", "trial"]
    in_a_quiz = ["learner", "result", "passed", "state", "started_at", "took", "languages_read", "number", "trial"]
    list_select_related = ["user"]
    ordering = ["-pk"]
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = NarrowPaginator
    change_list_template = "admin/mpquiz/results/change_list.html"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ResultList

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        first, *others = self.in_a_quiz if id_in(request.GET.get(OF_QUIZ)) else self.list_display
        return [first, "to_read", *others]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Of all attempts not by their answers, of which there are too many to look through."""
        chosen = id_in(request.GET.get(OF_QUIZ))
        return [one for one in self.list_filter if chosen or one is not LanguageFilter]

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return name_columns("user")

    def get_sortable_by(self, request: HttpRequest) -> list[Any]:
        """All of one quiz; of all attempts nothing that has no index."""
        return self.get_list_display(request) if id_in(request.GET.get(OF_QUIZ)) else []

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        context = {**self._narrowing(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def _narrowing(self, request: HttpRequest) -> dict[str, Any]:
        """The title of a list that shows one quiz, and the way back to that."""
        quiz = self.quiz_in(request)
        if quiz is None:
            return {}
        return {"title": gettext("Results: %(quiz)s") % {"quiz": quiz}, "quiz": quiz}

    def quiz_in(self, request: HttpRequest) -> Quiz | None:
        """The quiz to which a list is narrowed, where its results are the editor's to see."""
        chosen = id_in(request.GET.get(OF_QUIZ))
        if not (chosen and self.has_view_permission(request)):
            return None
        return Quiz.objects.of_editor(request.user, doing="results").filter(pk=chosen).first()

    def link_to(self, request: HttpRequest, quiz: str) -> dict[str, Any]:
        """What the page of a quiz (its id as an address has it) shows of them; nothing to a stranger."""
        if not self.has_view_permission(request):
            return {}
        if not Quiz.objects.of_editor(request.user, doing="results").filter(pk=id_in(quiz)).exists():
            return {}
        address = reverse(f"{self.admin_site.name}:mpquiz_attempt_changelist")
        return {"results_url": f"{address}?{OF_QUIZ}={quiz}"}

    # Columns ----------------------------------------------------------------------------------------------

    @admin.display(
        description=_("duration"),
        ordering=DURATION,
    )
    def took(self, attempt: Attempt) -> str:
        return self.get_empty_value_display() if attempt.duration is None else tags.duration(attempt.duration)

    @admin.display(description=_("read in"))
    def languages_read(self, attempt: Any) -> SafeString:
        named = ((language, words.direction(language), own_name(language)) for language in attempt.languages_read)
        return format_html_join(" · ", '<bdi lang="{}" dir="{}">{}</bdi>', named)

    @admin.display(description=_("answers"))
    def to_read(self, attempt: Attempt) -> SafeString:
        return format_html('<a href="{}">{}</a>', self.reading_url(attempt), gettext("Read"))

    def reading_url(self, attempt: Attempt) -> str:
        return reverse(f"{self.admin_site.name}:mpquiz_attempt_read", args=[attempt.pk])

    # One attempt ------------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        read = path("<path:object_id>/read/", self.admin_site.admin_view(self.read_view), name="mpquiz_attempt_read")
        return [read, *super().get_urls()]

    def read_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """An attempt as its learner saw it, each answer in the language in which it was read. Fixed queries."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        attempts: Any = self.get_queryset(request)
        attempt = attempts.fetched().select_related("user").filter(pk=id_in(unquote(object_id))).first()
        if attempt is None:
            raise Http404
        attempt.tell_quiz()
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Answers as the learner saw them"),
            "opts": self.opts,
            "media": self.media,
            "has_view_permission": True,
            "attempt": attempt,
            "learner": self.learner(attempt),  # type: ignore[attr-defined]
            "state": self.state(attempt),  # type: ignore[attr-defined]
            "read": reading.read(attempt),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/mpquiz/results/read.html", context)
