"""The history of a question in admin: its states, what differs between two, and bringing one back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import history, kinds, words
from ..content import QuestionContent
from ..exceptions import Refusal
from ..models import Choice, Question, Revision
from .languages import in_its_own_direction, own_name

_PAGE = 20

_BOOLEANS: dict[str, str | Promise] = {"true": gettext_lazy("yes"), "false": gettext_lazy("no")}
_NAMES: dict[str, str | Promise] = {
    "order": gettext_lazy("order of the choices"),
    "settings.feedback.right": gettext_lazy("feedback to a right answer"),
    "settings.feedback.partly": gettext_lazy("feedback to a partly right answer"),
    "settings.feedback.wrong": gettext_lazy("feedback to a wrong answer"),
    "settings.notes": gettext_lazy("notes for whoever marks"),
}
_TOLD_OF: dict[str, str | Promise] = {
    "added": gettext_lazy("added"),
    "removed": gettext_lazy("removed"),
    "same": gettext_lazy("changed"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A change as the page lays it out."""

    change: history.Change

    @property
    def where(self) -> list[str]:
        parts = [] if self.change.choice is None else [_("choice %(number)d") % {"number": self.change.choice}]
        parts += self._field
        return parts + ([own_name(self.change.language)] if self.change.language else [])

    @property
    def _field(self) -> list[str]:
        name = self.change.field
        if name in _NAMES:
            return [str(_NAMES[name])]
        model = Question if self.change.choice is None else Choice
        whole, *part = name.split(".", 1)
        field: Any = model._meta.get_field(whole)
        return [str(field.verbose_name), *part]

    @property
    def told(self) -> str | Promise:
        return _TOLD_OF[self.change.what]

    @property
    def dir(self) -> str:
        return words.direction(self.change.language) if self.change.language else "auto"

    @property
    def pieces(self) -> list[tuple[str, str]]:
        return [(piece.what, self._worded(piece.short)) for piece in self.change.pieces]

    def _worded(self, text: str) -> str:
        if self.change.field == "kind":
            return str(kinds.kept(text).label)
        return str(_BOOLEANS.get(text, text)) if self.change.field in ("right", "keeps_place") else text


@dataclass(frozen=True, slots=True)
class State:
    """A state as the page lists it. ``changes`` is None for the first of all."""

    revision: Revision
    changes: list[Shown] | None
    is_now: bool = False


def _shown(before: QuestionContent, after: QuestionContent) -> list[Shown]:
    return [Shown(change) for change in history.differences(before, after)]


class History(admin.ModelAdmin):
    """The part of the questions' admin that records what they were, and shows it in place of Django's own page."""

    object_history_template = "admin/mpquiz/history/states.html"

    # Recording --------------------------------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change:
            history.keep_found(obj)
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        history.record(form.instance, by=request.user)

    # Pages ------------------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.restore_view)
        ours = path("<int:question>/history/<int:pk>/", view, name="mpquiz_question_restore")
        return [ours, *super().get_urls()]

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        question = self.get_object(request, unquote(object_id))
        if question is not None and self.has_view_or_change_permission(request, question):
            extra_context = {**self._states(request, question), **(extra_context or {})}
        return super().history_view(request, object_id, extra_context)

    def _states(self, request: HttpRequest, question: Question) -> dict[str, Any]:
        now = history.current(question)
        rows = Revision.objects.of(question).select_related("by")
        page = Paginator(rows, _PAGE).get_page(request.GET.get("page"))
        states = _states_on(page, now.digest)
        return {
            "media": self.media,
            "states": states,
            "page": page,
            "is_recorded": page.number > 1 or not states or states[0].is_now,
            "compared": self._compared(request, question),
            "may_restore": self.has_change_permission(request, question),
        }

    def _compared(self, request: HttpRequest, question: Question) -> dict[str, Any] | None:
        """The two states that were chosen, the older one first, whichever was chosen as which."""
        chosen = {name for name in (request.GET.get("one", ""), request.GET.get("other", "")) if _is_id(name)}
        rows = list(Revision.objects.of(question).filter(pk__in=chosen).order_by("pk")) if len(chosen) == 2 else []
        if len(rows) != 2:
            return None
        before, after = rows
        return {"before": before, "after": after, "changes": _shown(before.written, after.written)}

    def restore_view(self, request: HttpRequest, question: int, pk: int) -> HttpResponse:
        """Show what bringing a state back would change; its POST does it."""
        row = get_object_or_404(self.get_queryset(request), pk=question)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        revision = get_object_or_404(Revision.objects.of(row).select_related("by"), pk=pk)
        if request.method != "POST":
            return self._restore_page(request, row, revision)
        try:
            restored = history.restore(revision, by=request.user, expected=request.POST.get("seen", ""))
        except Refusal as refusal:
            messages.error(request, str(refusal.message))
            return self._restore_page(request, row, revision, status=409)
        self.log_change(request, row, _("Brought back an earlier state."))
        messages.success(request, _("The question is again what it was."))
        for lost in _lost(restored):
            messages.warning(request, lost)
        return HttpResponseRedirect(reverse(f"{self.admin_site.name}:mpquiz_question_change", args=[row.pk]))

    def _restore_page(
        self, request: HttpRequest, question: Question, revision: Revision, status: int = 200
    ) -> HttpResponse:
        now, back = history.current(question), history.lost_by(revision, by=request.user)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Bring back this state"),
            "opts": self.opts,
            "media": self.media,
            "question": question,
            "question_name": in_its_own_direction(str(question)),
            "revision": revision,
            "changes": _shown(now, back.content),
            "lost": _lost(back),
            "seen": now.digest,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/mpquiz/history/restore.html", context, status=status)


def _states_on(page: Page, now: str) -> list[State]:
    """The states of a page, newest first, each with what it changed of the one before it."""
    rows: Sequence[Revision] = list(page)
    older: Iterable[Revision | None] = [*rows[1:], _one_before(page, rows)]
    return [
        State(
            revision,
            _shown(before.written, revision.written) if before else None,
            is_now=page.number == 1 and place == 0 and revision.digest == now,
        )
        for place, (revision, before) in enumerate(zip(rows, older, strict=False))
    ]


def _one_before(page: Page, rows: Sequence[Revision]) -> Revision | None:
    if not rows or not page.has_next():
        return None
    return page.paginator.object_list[page.end_index()]


def _is_id(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) < 19


def _lost(restored: history.Restored) -> list[str]:
    told = [
        (_("These guides are gone, and do not come back: %(names)s."), restored.guides),
        (_("These tags are gone, and do not come back: %(names)s."), restored.tags),
        (_("This site has no texts in these languages any more: %(names)s."), restored.languages),
    ]
    return [message % {"names": " · ".join(names)} for message, names in told if names]
