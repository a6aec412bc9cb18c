"""Tags of the selected questions: one more, or one less."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .. import history
from ..models import Question, Tag, sharing
from .choosing import Choosing


class _WhichTag(forms.Form):
    tag = forms.ModelChoiceField(Tag.objects.none(), label=gettext_lazy("Tag"))

    def __init__(self, *args: Any, tags: models.QuerySet[Tag], giver: Any = None) -> None:
        super().__init__(*args)
        self.giver = giver
        field: Any = self.fields["tag"]
        field.queryset = tags

    def clean_tag(self) -> Tag:
        """One that the editor may give, where it is given."""
        tag: Tag = self.cleaned_data["tag"]
        for name in sharing.not_for_questions(self.giver, [tag.name]):
            raise forms.ValidationError(sharing.no_question_of(name))
        return tag


class Tagging(Choosing):
    """The part of the questions' admin that gives tags to many, and takes them away."""

    @admin.action(description=gettext_lazy("Add a tag to the selected questions"), permissions=["change"])
    def add_tag(self, request: HttpRequest, rows: models.QuerySet[Question]) -> HttpResponse | None:
        form = _WhichTag(self._answer(request), tags=Tag.objects.all(), giver=request.user)
        if not form.is_valid():
            return self.ask(request, rows, form, title=_("Add a tag to the selected questions"))
        tag = form.cleaned_data["tag"]
        changed = list(rows.exclude(pk__in=tag.questions.values("pk")))
        self._tag(request, changed, lambda: tag.questions.add(*changed))
        said = ngettext("%(count)d question got the tag.", "%(count)d questions got the tag.", len(changed))
        self.message_user(request, said % {"count": len(changed)}, messages.SUCCESS)
        return None

    @admin.action(description=gettext_lazy("Remove a tag from the selected questions"), permissions=["change"])
    def remove_tag(self, request: HttpRequest, rows: models.QuerySet[Question]) -> HttpResponse | None:
        tags = Tag.objects.filter(pk__in=Question.tags.through.objects.filter(question__in=_ids(rows)).values("tag"))
        form = _WhichTag(self._answer(request), tags=tags)
        if not form.is_valid():
            return self.ask(request, rows, form, title=_("Remove a tag from the selected questions"))
        tag = form.cleaned_data["tag"]
        changed = list(rows.filter(pk__in=tag.questions.values("pk")))
        self._tag(request, changed, lambda: tag.questions.remove(*changed))
        said = ngettext(
            "The tag was taken from %(count)d question.", "The tag was taken from %(count)d questions.", len(changed)
        )
        self.message_user(request, said % {"count": len(changed)}, messages.SUCCESS)
        return None

    def _answer(self, request: HttpRequest) -> Any:
        return request.POST if self.is_answered(request) else None

    @transaction.atomic
    def _tag(self, request: HttpRequest, changed: list[Question], do: Any) -> None:
        history.keep_found(*changed)
        do()
        history.record(*changed, by=request.user)
        said = [{"changed": {"fields": [str(_("tags"))]}}]
        user: Any = request.user
        LogEntry.objects.log_actions(user.pk, changed, CHANGE, said)


def _ids(rows: models.QuerySet[Question]) -> models.QuerySet[Any]:
    return rows.order_by().values("pk")
