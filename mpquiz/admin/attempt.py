"""Attempts in admin, to read: what learners did is theirs, and nobody edits it.

Whoever may change quizzes may finish attempts that run, and throw trials away.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.contrib.auth import get_user_model
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .. import words
from ..models import Answer, Attempt, Quiz, Remark
from ..models.attempts import AttemptQuerySet
from ..pages import STATES
from ..result_tables import state_of
from ..templatetags.mpquiz import score
from .downloading import Downloading
from .exams import listed, rules_in_words, seen_in_words
from .languages import shown
from .packing import packed, unpacked
from .results import DatesFilter, LanguageFilter, PassedFilter, QuizFilter, Results, StateFilter
from .rights import OfQuizOfEditor


class ReadOnly(admin.options.BaseModelAdmin):
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class WaitingFilter(admin.SimpleListFilter):
    title = _("waiting to be marked")
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Attempt]) -> models.QuerySet[Attempt]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(waiting__gt=0) if self.value() == "yes" else queryset.filter(waiting=0)


class RetryFilter(admin.SimpleListFilter):
    title = _("practice of missed questions")
    parameter_name = "retry"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Attempt]) -> models.QuerySet[Attempt]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(retry_of__isnull=self.value() == "no")


def learner_of(attempt: Attempt) -> SafeString | str:
    """Who took it, as a list names them."""
    return format_html("<bdi>{}</bdi>", attempt.learner_name) if attempt.user is not None else attempt.learner_name


class AnswerInline(ReadOnly, admin.TabularInline):
    model = Answer
    template = "admin/mpquiz/answers.html"
    readonly_fields = ["position", "asked", "given_in_words", "outcome", "earned"]
    fields: ClassVar[Any] = readonly_fields
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Answer]:
        return super().get_queryset(request).select_related("version")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.get_model_admin(Attempt).has_view_permission(request, obj)

    @admin.display(description=_("question"))
    def asked(self, answer: Answer) -> SafeString:
        return shown(words.pick(answer.content.prompt))

    @admin.display(description=_("answer"))
    def given_in_words(self, answer: Answer) -> SafeString:
        if answer.given is None:
            return format_html("{}", self.get_empty_value_display())
        if answer.is_erased:
            return format_html("{}", gettext("Erased"))
        return format_html_join(" · ", "{}", ((shown(text),) for text in answer.told))

    @admin.display(description=_("state"))
    def outcome(self, answer: Answer) -> str:
        return " · ".join([capfirst(str(STATES[answer.state])), *_marks_of(answer)])

    @admin.display(description=_("points"))
    def earned(self, answer: Answer) -> SafeString | str:
        return self.get_empty_value_display() if not answer.asks else score(answer.mark, answer.points)


def _marks_of(answer: Answer) -> Iterator[str]:
    """What else there is to say of an answer."""
    if answer.flagged:
        yield gettext("flagged")
    if answer.draft is not None and answer.answered_at is None:
        yield gettext("a draft is waiting")
    if answer.left_out:
        yield gettext("left out of the score")


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, Downloading, Results, OfQuizOfEditor):
    inlines = [AnswerInline]
    list_filter = [
        QuizFilter,
        StateFilter,
        PassedFilter,
        LanguageFilter,
        DatesFilter,
        WaitingFilter,
        "trial",
        RetryFilter,
    ]
    linked_lookups = ["user__id__exact", "ended__exact"]  # of hosts and of old bookmarks
    actions = ["finish", "discard"]
    fieldsets = [
        (None, {"fields": ["titled", "learner", "number", "trial", "retry_of"]}),
        (None, {"fields": ["state", "started_at", "deadline", "finished_at", "result", "passed", "waiting"]}),
        (_("Rules of its start"), {"fields": ["taken_by", "seen"]}),
    ]
    readonly_fields = ["titled", "learner", "state", "result", "passed", "taken_by", "seen"]

    class Media:
        css = {"all": ["mpquiz/admin/words.css", "mpquiz/admin/exams.css", "mpquiz/admin/results.css"]}

    @admin.display(description=_("quiz"))
    def titled(self, attempt: Attempt) -> SafeString:
        return shown(attempt.title_text)

    @admin.display(description=_("learner"), ordering=f"user__{get_user_model().USERNAME_FIELD}")
    def learner(self, attempt: Attempt) -> SafeString | str:
        return learner_of(attempt)

    @admin.display(description=_("state"), ordering="ended")
    def state(self, attempt: Attempt) -> str:
        return state_of(attempt)

    @admin.display(description=_("score"), ordering="score")
    def result(self, attempt: Attempt) -> SafeString:
        return score(attempt.score, attempt.maximum)

    @admin.display(description=_("passed"), boolean=True)
    def passed(self, attempt: Attempt) -> bool | None:
        return None if attempt.is_open else attempt.passed

    @admin.display(description=_("how it is taken"))
    def taken_by(self, attempt: Attempt) -> SafeString:
        return listed(rules_in_words(attempt.runs_by))

    @admin.display(description=_("what is seen while it runs"))
    def seen(self, attempt: Attempt) -> SafeString:
        return listed(seen_in_words(attempt.runs_by))

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        corrections = {"corrections": _corrections(unquote(object_id))}
        return super().change_view(request, object_id, form_url, {**corrections, **(extra_context or {})})

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        request.POST = unpacked(request.POST)  # type: ignore[assignment]
        return super().changelist_view(request, extra_context)

    # What may be done -------------------------------------------------------------------------------------

    def has_editor_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may end attempts: whoever may change quizzes."""
        return self.admin_site.get_model_admin(Quiz).has_change_permission(request)

    @admin.action(description=_("Finish the selected attempts"), permissions=["editor"])
    def finish(self, request: HttpRequest, attempts: AttemptQuerySet) -> HttpResponse | None:
        """Close what is open, with what was answered by now."""
        running = attempts.filter(open=True).order_by("pk")
        if "post" not in request.POST:
            return self._ask(request, running, "finish", gettext("Finish attempts"), left=attempts.filter(open=None))
        for attempt in running:
            attempt.finish()
            self.log_change(request, attempt, gettext("Finished by staff."))
        count = len(running)
        said = ngettext("%(count)d attempt is finished.", "%(count)d attempts are finished.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)
        return None

    @admin.action(description=_("Throw away the selected trials"), permissions=["editor"])
    def discard(self, request: HttpRequest, attempts: AttemptQuerySet) -> HttpResponse | None:
        """Delete trials; an attempt of a learner stays."""
        trials = attempts.filter(trial=True).order_by("pk")
        if "post" not in request.POST:
            return self._ask(
                request, trials, "discard", gettext("Throw trials away"), left=attempts.filter(trial=False)
            )
        rows: Any = list(trials)
        if rows:
            self.log_deletions(request, rows)
        for attempt in rows:
            attempt.discard()
        said = ngettext("%(count)d trial was thrown away.", "%(count)d trials were thrown away.", len(rows))
        self.message_user(request, said % {"count": len(rows)}, messages.SUCCESS)
        return None

    def _ask(
        self, request: HttpRequest, rows: AttemptQuerySet, action: str, title: str, *, left: AttemptQuerySet
    ) -> HttpResponse:
        """The page that asks whether to go on, and says how many are meant and how many are left alone."""
        ids = list(rows.values_list("pk", flat=True))
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media,
            "action": action,
            "count": len(ids),
            "packed": packed((ACTION_CHECKBOX_NAME, str(pk)) for pk in ids),
            "left": left.count(),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/mpquiz/attempt/sure.html", context)


def _corrections(attempt: str) -> models.QuerySet[Remark]:
    """What was marked anew in an attempt (its id as an address has it), the oldest first."""
    known = attempt if attempt.isdecimal() and len(attempt) < 18 else None
    rows: Any = Remark.objects.filter(answer__attempt=known) if known else Remark.objects.none()
    return rows.select_related("remarking__by", "remarking__undone_by", "answer").order_by("pk")
