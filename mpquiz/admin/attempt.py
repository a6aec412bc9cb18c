"""Attempts in admin, to read: what learners did is theirs, and nobody edits it."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from .. import words
from ..models import Answer, Attempt
from ..pages import STATES
from ..templatetags.mpquiz import score
from .languages import shown


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


def learner_of(attempt: Attempt) -> SafeString | str:
    """Who took it, as a list names them."""
    if attempt.user is not None:
        return format_html("<bdi>{}</bdi>", attempt.user)
    return gettext("Guest") if attempt.guest else gettext("Erased")


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
        told = answer.kind.in_words(answer.content, answer.given)
        return format_html_join(" · ", "{}", ((shown(text),) for text in told))

    @admin.display(description=_("state"))
    def outcome(self, answer: Answer) -> str:
        return capfirst(str(STATES[answer.state]))

    @admin.display(description=_("points"))
    def earned(self, answer: Answer) -> SafeString | str:
        return self.get_empty_value_display() if not answer.asks else score(answer.mark, answer.points)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, admin.ModelAdmin):
    inlines = [AnswerInline]
    list_display = ["titled", "learner", "number", "started_at", "state", "result", "waiting", "trial"]
    list_filter = ["quiz", "ended", WaitingFilter, "trial"]
    list_select_related = ["user"]
    readonly_fields = [
        "titled",
        "learner",
        "number",
        "started_at",
        "finished_at",
        "deadline",
        "state",
        "result",
        "passed",
        "waiting",
        "trial",
        "retry_of",
    ]
    fields: ClassVar[Any] = readonly_fields

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return [f"user__{get_user_model().USERNAME_FIELD}"]

    @admin.display(description=_("quiz"))
    def titled(self, attempt: Attempt) -> SafeString:
        return shown(attempt.title_text)

    @admin.display(description=_("learner"))
    def learner(self, attempt: Attempt) -> SafeString | str:
        return learner_of(attempt)

    @admin.display(description=_("state"))
    def state(self, attempt: Attempt) -> str:
        if attempt.is_open:
            return pgettext("attempt", "Open")
        return attempt.get_ended_display() or gettext("Time was up")

    @admin.display(description=_("score"))
    def result(self, attempt: Attempt) -> SafeString:
        return score(attempt.score, attempt.maximum)

    @admin.display(description=_("passed"), boolean=True)
    def passed(self, attempt: Attempt) -> bool | None:
        return None if attempt.is_open else attempt.passed
