"""Marking anew in admin: which question, what each rule would change, doing it, and the log from which it is undone.

Whoever may change quizzes may do it. Names of learners stand only before whoever may see attempts.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .. import remarking
from ..editing.remarking import LONGEST_REASON, log_of, mark_anew, undo
from ..exceptions import Refusal
from ..models import Answer, Attempt, Question, Quiz, Remarking
from .attempt import ReadOnly, learner_of
from .languages import in_its_own_direction, shown
from .narrowing import Narrowing

_SHOWN = 50  # attempts named before a question is marked anew
_MOST_QUIZZES = 5  # to which the page of a question leads


@dataclass(frozen=True, slots=True)
class Row:
    """An attempt that would change, as the page names it."""

    who: SafeString | str
    number: int
    change: remarking.Change


@admin.register(Remarking)
class RemarkingAdmin(ReadOnly, Narrowing):
    list_display = ["asked", "titled", "policy", "at", "by", "changed", "undone_at"]
    list_filter = [("quiz", admin.RelatedOnlyFieldListFilter), "policy"]
    list_select_related = ["quiz", "version", "by"]
    fields = ["asked", "titled", "policy", "reason", "at", "by", "changed", "undone_at", "undone_by"]

    # Rights -----------------------------------------------------------------------------------------------

    @property
    def _quizzes(self) -> admin.ModelAdmin:
        return self.admin_site.get_model_admin(Quiz)

    @property
    def _questions(self) -> admin.ModelAdmin:
        return self.admin_site.get_model_admin(Question)

    def _may(self, request: HttpRequest, quiz: Quiz | None = None) -> bool:
        return self._quizzes.has_change_permission(request, quiz)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj and obj.quiz)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may(request)

    # The log ----------------------------------------------------------------------------------------------

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [str(name) for name in self.fields]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Remarking]:
        seen = self._quizzes.get_queryset(request)  # a host may show but some of them
        return log_of(seen, super().get_queryset(request))

    @admin.display(description=_("question"))
    def asked(self, row: Remarking) -> SafeString:
        return shown(row.text)

    @admin.display(description=_("quiz"))
    def titled(self, row: Remarking) -> SafeString | str:
        return _titled(row.quiz)

    @admin.display(description=_("answers changed"))
    def changed(self, row: Any) -> int:
        return row.changed_count or 0

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        row = self.get_object(request, unquote(object_id))
        undoable = row is not None and remarking.refuses_undo(row) is None
        return super().change_view(request, object_id, form_url, {"undoable": undoable, **(extra_context or {})})

    # Its pages --------------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        own = [
            path("quiz/<int:quiz>/", wrap(self.anew_view), name="mpquiz_remarking_anew"),
            path("<int:pk>/undo/", wrap(self.undo_view), name="mpquiz_remarking_undo"),
        ]
        return own + super().get_urls()

    def link_for(self, request: HttpRequest, quiz: str) -> dict[str, Any]:
        """What the page of a quiz (its id as an address has it) shows of it; nothing to a stranger."""
        if not (quiz.isdecimal() and len(quiz) < 18 and self._may(request)):
            return {}
        return {"anew_url": self._anew_url(int(quiz))}

    def links_from(self, request: HttpRequest, question: str) -> dict[str, Any]:
        """What the page of a question (its id as an address has it) shows: the quizzes that have asked it."""
        if not (question.isdecimal() and len(question) < 18 and self._may(request)):
            return {}
        asked = Answer.objects.filter(question=int(question), counted_in=models.OuterRef("pk"))  # in the index alone
        quizzes = self._quizzes.get_queryset(request).filter(models.Exists(asked)).order_by("-pk")
        return {
            "anew_urls": [
                (f"{self._anew_url(quiz.pk)}?question=q{int(question)}", _titled(quiz))
                for quiz in quizzes[:_MOST_QUIZZES]
            ]
        }

    def _anew_url(self, quiz: int) -> str:
        return reverse(f"{self.admin_site.name}:mpquiz_remarking_anew", args=[quiz])

    def anew_view(self, request: HttpRequest, quiz: int) -> HttpResponse:
        """Choose a question, see what each rule would do, see who would change, do it."""
        self._refuse_strangers(request)
        marked = get_object_or_404(self._quizzes.get_queryset(request), pk=quiz)
        self._refuse_strangers(request, marked)
        try:
            return self._anew(request, marked)
        except Refusal as refusal:  # the question was deleted at this very moment
            messages.error(request, str(refusal.message))
            return HttpResponseRedirect(request.path)

    def _anew(self, request: HttpRequest, marked: Quiz) -> HttpResponse:
        sent = request.POST if request.method == "POST" else request.GET
        subject, policy = remarking.named(marked, sent.get("question", "")), sent.get("policy", "")
        if subject is None:
            return self._page(request, marked, {"questions": remarking.asked_in(marked)})
        context = {"subject": sent["question"], "text": remarking.AskedQuestion(subject, 0).text}
        context["is_deleted"] = not isinstance(subject, Question)
        if isinstance(subject, Question) and self._questions.has_change_permission(request, subject):
            context["question_url"] = reverse(f"{self.admin_site.name}:mpquiz_question_change", args=[subject.pk])
        if policy not in remarking.policies_for(subject):
            return self._page(request, marked, {**context, "previews": remarking.previews(marked, subject)})
        if request.method == "POST":
            return self._mark_anew(request, marked, subject, policy, context)
        return self._preview(request, marked, subject, policy, context)

    def _preview(
        self,
        request: HttpRequest,
        quiz: Quiz,
        subject: remarking.Subject,
        policy: str,
        context: dict[str, Any],
        status: int = 200,
    ) -> HttpResponse:
        preview = remarking.preview(quiz, subject, policy)
        changes = preview.changes[:_SHOWN]
        names = self._names(request, [change.attempt for change in changes])
        rows = [Row(names[change.attempt.pk], change.attempt.number, change) for change in changes]
        more = len(preview.changes) - len(rows)
        shown_now = {"preview": preview, "rows": rows, "more": more, "longest": LONGEST_REASON}
        return self._page(request, quiz, {**context, **shown_now}, status)

    def _names(self, request: HttpRequest, attempts: list[Attempt]) -> dict[int, SafeString | str]:
        """{attempt id: who took it}, for whoever may see attempts; else nobody is named."""
        if not self.admin_site.get_model_admin(Attempt).has_view_permission(request):
            return {attempt.pk: gettext("A learner") for attempt in attempts}
        ids = [attempt.pk for attempt in attempts]
        seen: Any = self.admin_site.get_model_admin(Attempt).get_queryset(request)
        named = {one.pk: learner_of(one) for one in seen.filter(pk__in=ids).select_related("user")}
        return {pk: named.get(pk, gettext("A learner")) for pk in ids}

    def _mark_anew(
        self, request: HttpRequest, quiz: Quiz, subject: remarking.Subject, policy: str, context: dict[str, Any]
    ) -> HttpResponse:
        reason = request.POST.get("reason", "").replace("\0", "").strip()[:LONGEST_REASON]
        expected = request.POST.get("fingerprint", "")
        try:
            done = mark_anew(quiz, subject, policy, by=request.user, reason=reason, expected=expected)
        except Refusal as refusal:
            messages.error(request, str(refusal.message))
            again = {**context, "reason": reason}
            return self._preview(request, quiz, subject, policy, again, status=409)
        count = done.remarks.count()
        said = ngettext("%(count)d answer was marked anew.", "%(count)d answers were marked anew.", count)
        messages.success(request, said % {"count": count})
        return HttpResponseRedirect(reverse(f"{self.admin_site.name}:mpquiz_remarking_change", args=[done.pk]))

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask, and put back what held before."""
        self._refuse_strangers(request)
        row = get_object_or_404(self.get_queryset(request).select_related("quiz", "version"), pk=pk)
        self._refuse_strangers(request, row.quiz)
        back = reverse(f"{self.admin_site.name}:mpquiz_remarking_change", args=[pk])
        if request.method != "POST" and (refused := remarking.refuses_undo(row)) is not None:
            messages.error(request, str(refused.message))
            return HttpResponseRedirect(back)
        if request.method != "POST":
            return self._page(request, row.quiz, {"row": row, "asked": self.asked(row), "back": back}, name="undo")
        try:
            undone = undo(row, by=request.user)
        except Refusal as refusal:
            messages.error(request, str(refusal.message))
            return HttpResponseRedirect(back)
        said = ngettext("%(count)d answer is as it was.", "%(count)d answers are as they were.", undone.put_back)
        messages.success(request, said % {"count": undone.put_back})
        if undone.kept:
            kept = ngettext(
                "%(count)d answer was marked since, and stays as it is.",
                "%(count)d answers were marked since, and stay as they are.",
                len(undone.kept),
            )
            messages.warning(request, kept % {"count": len(undone.kept)})
        return HttpResponseRedirect(back)

    def _refuse_strangers(self, request: HttpRequest, quiz: Quiz | None = None) -> None:
        if not self._may(request, quiz):
            raise PermissionDenied

    def _page(
        self, request: HttpRequest, quiz: Quiz, context: dict[str, Any], status: int = 200, name: str = "anew"
    ) -> HttpResponse:
        titles = {"anew": _("Mark anew"), "undo": _("Undo the re-marking")}
        context = {
            **self.admin_site.each_context(request),
            "title": titles[name],
            "opts": self.opts,
            "media": self.media,
            "quiz": quiz,
            "quiz_name": in_its_own_direction(str(quiz)),
            **context,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, f"admin/mpquiz/remarking/{name}.html", context, status=status)


def _titled(quiz: Quiz) -> SafeString | str:
    return shown(quiz.title_text) if quiz.title_text else quiz.slug
