"""What is odd about questions, told after one is saved and on a page for many."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from .. import lint, words
from ..editing.questions import warnings_of
from ..models import Question
from .languages import in_its_own_direction, shown

_MOST_QUESTIONS = 500
_MOST_TOLD = 8


@dataclass(frozen=True, slots=True)
class Checked:
    """A question with what is odd about it; ``address`` is its page."""

    name: SafeString
    address: str
    warnings: list[lint.Warning]


class Checking(admin.ModelAdmin):
    """The part of the questions' admin that warns."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        found = warnings_of(Question.objects.get(pk=form.instance.pk))
        if found:
            context = {"warnings": found[:_MOST_TOLD], "more": len(found[_MOST_TOLD:])}
            told = render_to_string("admin/mpquiz/question/warnings.html", context)
            self.message_user(request, told, messages.WARNING)

    @admin.action(description=_("Check the selected %(verbose_name_plural)s"), permissions=["view"])
    def look_over(self, request: HttpRequest, rows: models.QuerySet[Question]) -> HttpResponse:
        """A page of what is odd about them. The same number of queries, however many there are."""
        count = rows.count()
        fetched = rows.order_by("pk").prefetch_related("choices", "guides")[:_MOST_QUESTIONS]
        checked = list(self._checked(fetched))
        context = {
            **self.admin_site.each_context(request),
            "title": _("What is odd about questions"),
            "opts": self.opts,
            "media": self.media,
            "checked": [one for one in checked if one.warnings],
            "looked_at": len(checked),
            "chosen": count,
        }
        return TemplateResponse(request, "admin/mpquiz/question/check.html", context)

    def _checked(self, questions: Iterable[Question]) -> Iterable[Checked]:
        name = f"{self.admin_site.name}:mpquiz_question_change"
        for question in questions:
            yield Checked(_name(question), reverse(name, args=[question.pk]), warnings_of(question))


def _name(question: Question) -> SafeString:
    text = words.read(question, "title") or words.read(question, "prompt")
    return shown(text) if text else in_its_own_direction(question.key)
