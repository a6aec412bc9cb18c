"""What learners say is wrong with questions: the queue, for whoever may change questions.

Names of learners stand only before whoever may see their attempts.
"""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from .. import words
from ..editing.reports import settle
from ..learners import name_of
from ..models import Attempt, Question, Report
from ..models.editors import questions_of, reports_of
from ..models.reporting import QUEUE, ReportQuerySet
from .attempt import ReadOnly
from .languages import in_its_own_direction, own_name, shown
from .narrowing import Narrowing
from .results import QuizFilter, id_in

_BEGINNING = 160  # characters of a note in the list
_SHOWN = 20  # on the page of a question
_OF_QUESTION = "question__id__exact"


class SettledFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("To be looked at")), ("settled", _("Settled"))]

    def queryset(self, request: HttpRequest, queryset: ReportQuerySet) -> ReportQuerySet:  # type: ignore[override]
        if self.value() == "open":
            return queryset.open()
        return queryset.exclude(settled_at=None) if self.value() == "settled" else queryset


class ReportedQuizFilter(QuizFilter):
    doing = "change"


class LanguageFilter(admin.SimpleListFilter):
    title = _("language")
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(language, own_name(language)) for language in words.languages()]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        return queryset.filter(language=self.value()) if self.value() in words.languages() else queryset


class QuestionFilter(admin.SimpleListFilter):
    """One question, to which its own page leads. Offers none to choose."""

    title = _("question")
    parameter_name = _OF_QUESTION

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        chosen = questions_of(request.user, Question.objects.filter(pk=id_in(self.value())))
        return [(str(question.pk), question) for question in chosen] if self.value() else []

    def has_output(self) -> bool:
        return self.value() is not None

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(question=id_in(self.value()))


@admin.register(Report)
class ReportAdmin(ReadOnly, Narrowing):
    list_display = ["beginning", "asked", "titled", "told_in", "created_at", "is_open"]
    list_filter = [SettledFilter, ReportedQuizFilter, LanguageFilter, QuestionFilter]
    list_select_related = ["version", "quiz", "user"]
    list_per_page = 50
    ordering = QUEUE
    sortable_by = ["created_at"]
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    search_fields = ["note"]
    actions = ["settle"]
    fields = ["whole_note", "asked", "titled", "told_in", "created_at", "settled_at", "settled_by"]
    change_form_template = "admin/mpquiz/reports/change_form.html"

    class Media:
        css = {"all": ["mpquiz/admin/words.css", "mpquiz/admin/marking.css"]}

    # Rights -----------------------------------------------------------------------------------------------

    def _may(self, request: HttpRequest) -> bool:
        return self.admin_site.get_model_admin(Question).has_change_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may(request)

    def has_settle_permission(self, request: HttpRequest) -> bool:
        return self._may(request)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Report]:
        """Of an editor to whom a host leaves some quizzes: the reports from those, and of their questions."""
        return reports_of(request.user, super().get_queryset(request), named=self._names(request))

    def _names(self, request: HttpRequest) -> bool:
        """Whether somebody may see who did what in attempts, of the quizzes that are theirs."""
        return self.admin_site.get_model_admin(Attempt).has_view_permission(request)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [*self.list_display, "learner"] if self._names(request) else self.list_display

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.fields, "learner", "attempt"] if self._names(request) else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)

    # The list ---------------------------------------------------------------------------------------------

    @admin.display(description=_("note"))
    def beginning(self, report: Report) -> SafeString:
        text = " ".join(report.note.split())
        return in_its_own_direction(text if len(text) <= _BEGINNING else f"{text[:_BEGINNING]}…")

    @admin.display(description=_("note"))
    def whole_note(self, report: Report) -> SafeString:
        return format_html('<div class="mpquiz-written" dir="auto">{}</div>', report.note)

    @admin.display(description=_("question"))
    def asked(self, report: Report) -> SafeString:
        """The question as it was asked, with a link to what it is now; in the language in which it was read."""
        text = shown(report.prompt)
        if report.question_id is None:
            return format_html("{} ({})", text, _("deleted since"))
        address = reverse(f"{self.admin_site.name}:mpquiz_question_change", args=[report.question_id])
        return format_html('<a href="{}">{}</a>', address, text)

    @admin.display(description=_("quiz"))
    def titled(self, report: Report) -> SafeString | str:
        return self.get_empty_value_display() if report.quiz is None else in_its_own_direction(str(report.quiz))

    @admin.display(description=_("language"))
    def told_in(self, report: Report) -> SafeString:
        return format_html('<bdi lang="{}">{}</bdi>', report.language, own_name(report.language))

    @admin.display(description=_("to be looked at"), boolean=True)
    def is_open(self, report: Report) -> bool:
        return report.settled_at is None

    @admin.display(description=_("learner"))
    def learner(self, report: Any) -> SafeString | str:
        return in_its_own_direction(name_of(report.user)) if report.names and report.user else ""

    @admin.display(description=_("attempt"))
    def attempt(self, report: Any) -> SafeString | str:
        if not report.names or report.answer is None:
            return self.get_empty_value_display()
        address = reverse(f"{self.admin_site.name}:mpquiz_attempt_read", args=[report.answer.attempt_id])
        return format_html('<a href="{}">{}</a>', address, _("Read it as the learner saw it"))

    @admin.action(description=_("Settle the selected reports"), permissions=["settle"])
    def settle(self, request: HttpRequest, reports: ReportQuerySet) -> None:
        count = settle(list(reports.open()), by=request.user)
        said = ngettext("%(count)d report is settled.", "%(count)d reports are settled.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)

    # The page of a question -------------------------------------------------------------------------------

    def links_from(self, request: HttpRequest, question: str) -> dict[str, Any]:
        """What the page of a question (its id as an address has it) shows of its open reports. One query."""
        if not self._may(request):
            return {}
        of_question = self.get_queryset(request).filter(question=id_in(question), settled_at=None)
        reports = list(of_question.order_by("created_at", "pk")[: _SHOWN + 1])
        address = reverse(f"{self.admin_site.name}:mpquiz_report_changelist")
        return {
            "reports": list(self._linked(reports[:_SHOWN])),
            "more_reports": len(reports) > _SHOWN,
            "reports_url": f"{address}?{_OF_QUESTION}={question}&state=open",
        }

    def _linked(self, reports: list[Report]) -> Iterator[tuple[str, Report]]:
        name = f"{self.admin_site.name}:mpquiz_report_change"
        return ((reverse(name, args=[report.pk]), report) for report in reports)
