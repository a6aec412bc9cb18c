"""A question and its choices on one page. What cannot be asked is refused at its field, as the kind says."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..conf import conf
from ..content import ChoiceContent, QuestionContent
from ..models import Choice, Question
from .languages import InLanguages, columns, shown
from .parts import PartForm, PartFormSet, PartInline, WholeForm


class ChoiceForm(PartForm):
    @property
    def has_text(self) -> bool:
        """Whether a text was typed in any language, as the browser sent it."""
        return any((self[name].value() or "").strip() for name in columns("text"))


class ChoiceFormSet(PartFormSet):
    """Sees the whole question: asks its kind what must be mended, and says so at the fields of both forms."""

    def full_clean(self) -> None:
        if self.is_bound and self.whole.is_bound and self._kind_supplies_words():
            for form in self.rows[:2]:
                form.kept = True
        super().full_clean()

    def _kind_supplies_words(self) -> bool:
        kind = self._kind()
        return bool(kind and kind.supplies_words) and not any(form.has_text for form in self.rows)

    def _kind(self) -> kinds.Kind | None:
        """The kind that was chosen, None where that is refused itself."""
        name = None if "kind" in self.whole.errors else self.whole.cleaned_data.get("kind")
        return kinds.get(name) if name else None

    def clean(self) -> None:
        super().clean()
        kind = self._kind()
        if kind is None or any(self.errors):
            return
        rows = self.in_order()
        if rows and not kind.uses_choices:
            raise ValidationError(_("This kind of question has no choices. Delete them."))
        self._say(kind.problems(kind.complete(self._content(rows))), rows)

    def _content(self, rows: Iterable[ChoiceForm]) -> QuestionContent:
        """The question as it would be stored; the forms have put what was typed into their instances."""
        question = self.instance
        return QuestionContent(
            key=question.key,
            kind=question.kind,
            prompt=words.of(question, "prompt"),
            choices=tuple(_choice(form, number) for number, form in enumerate(rows)),
            explanation=words.of(question, "explanation"),
            guides=tuple(guide.slug for guide in self.whole.cleaned_data.get("guides", ())),
            settings=question.settings,
        )

    def _say(self, problems: Iterable[kinds.Problem], rows: list[ChoiceForm]) -> None:
        general = []
        for problem in problems:
            form = self.whole if problem.choice is None else rows[problem.choice]
            field = _field(form, problem.field)
            if field is None and form is self.whole:
                general.append(ValidationError(str(problem.message)))
            else:
                form.add_error(field, str(problem.message))
        if general:
            raise ValidationError(general)


def _choice(form: ChoiceForm, number: int) -> ChoiceContent:
    """The row's content; a new one has no key yet, and kinds tell choices apart by their keys."""
    content = form.instance.content()
    return content if content.key else replace(content, key=f"new-{number}")


def _field(form: forms.BaseForm, name: str) -> str | None:
    """The form's field that shows what a kind calls ``name``; of several languages the first."""
    return next((field for field in (name, *columns(name)) if field in form.fields), None)


class ChoiceInline(InLanguages, PartInline, admin.StackedInline):
    model = Choice
    form = ChoiceForm
    formset = ChoiceFormSet
    rows_of_text = 2
    fieldsets = [(None, {"fields": [("place", "right", "weight"), columns("text"), columns("feedback")]})]


@admin.register(Question)
class QuestionAdmin(InLanguages, admin.ModelAdmin):
    form = WholeForm
    inlines = [ChoiceInline]
    filter_horizontal = ["guides"]
    list_display = ["asked", "kind", "in_quizzes"]
    list_filter = ["kind", "guides", "quizzes"]
    search_fields = [*columns("prompt"), "key"]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = [columns("prompt"), "kind", columns("explanation"), "guides", "key"]
        if conf.KINDS or (obj and obj.settings):  # none of our own kinds has settings
            fields.append("settings")
        return [(None, {"fields": fields})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Files name a question by its key, for good."""
        return ["key"] if obj else []

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Question]:
        return super().get_queryset(request).prefetch_related("quizzes")

    @admin.display(description=_("prompt"))
    def asked(self, question: Question) -> SafeString | str:
        prompt = words.read(question, "prompt")
        return shown(prompt) if prompt else question.key

    @admin.display(description=_("quizzes"))
    def in_quizzes(self, question: Question) -> SafeString:
        return format_html_join(" · ", "{}", ((shown(quiz.title_text),) for quiz in question.quizzes.all()))
