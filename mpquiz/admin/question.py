"""A question and its choices on one page. What cannot be asked is refused at its field, as the kind says."""

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.fields import InvalidJSONInput
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from .. import copying, exchange, kinds, words
from ..content import ChoiceContent, QuestionContent, QuizContent, is_storable
from ..editing.questions import check_key, problems_of, spelt
from ..models import Answer, Choice, Question, QuizQuestion, Remarking, Report, sharing
from ..models.question import is_plain_object
from .checking import Checking
from .completeness import TranslatedQuestions, TranslationFilter
from .copying import Copying
from .deleting import DeletingQuestions
from .exporting import Exporting
from .finding import FindingQuestions
from .history import History
from .languages import InLanguages, columns, in_its_own_direction, shown
from .live import LivePreview
from .parts import PartForm, PartFormSet, PartInline, WholeForm, count_of
from .putting import PuttingIntoQuizzes
from .rights import QuestionsOfEditor, QuizzesOfEditorFilter
from .stale import ChecksTranslations, ask, marks_of
from .tagging import Tagging
from .together import Together

_OF_A_KIND = ("right", "keeps_place", "weight", "part", "value", "text", "match", "feedback")
"""The fields of a choice that some kinds want and others do not."""


def _hints(only: str) -> SafeString:
    """What to know of each kind and which fields it wants; all but ``only`` are hidden where that is a kind."""
    return format_html_join("", "{}", ((_hint(name, label, only in ("", name)),) for name, label in kinds.choices()))


def _hint(name: str, label: Any, is_open: bool) -> SafeString:
    kind = kinds.get(name)
    html = '<span class="mpquiz-kind" data-kind="{}" data-fields="{}"><b>{}</b> {}</span>'
    if not is_open:
        html = html.replace("<span", "<span hidden", 1)
    return format_html(html, name, " ".join(kind.choice_fields), label, kind.hint)


class SettingsField(forms.JSONField):
    """Settings as JSON. What cannot be read, stored or shown again is told at the field, and stays as typed.

    Django's own field lets what Python's reader cannot take (numbers of thousands of digits, levels without end) and
    what no page can show (half of a pair of surrogates) pass through as exceptions.
    """

    def to_python(self, value: Any) -> Any:
        try:
            settings = super().to_python(value)
        except (ValueError, RecursionError) as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
        if settings is not None:
            is_plain_object(settings)
        return settings

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            self.to_python(data)
        except ValidationError:
            return InvalidJSONInput(data)
        return super().bound_data(data, initial)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, InvalidJSONInput):
            return value
        return json.dumps(value, ensure_ascii=not is_storable(value))


class QuestionForm(WholeForm):
    class Meta:
        field_classes = {"settings": SettingsField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "kind" in self.fields:
            self.fields["kind"].help_text = _hints(self.known_kind)

    def clean_key(self) -> str:
        """Files hold no longer names than these."""
        key = self.cleaned_data["key"]
        check_key(key)
        return key

    editor: Any = None

    def clean_tags(self) -> Any:
        """New ones are the editor's to give."""
        tags = self.cleaned_data["tags"]
        there = set(self.instance.tags.all()) if self.instance.pk else set()
        new = [tag.name for tag in tags if tag not in there]
        if barred := sharing.not_for_questions(self.editor, new):
            raise ValidationError([sharing.no_question_of(name) for name in barred])
        return tags

    @property
    def known_kind(self) -> str:
        """The kind of a question that is stored, was submitted or is named by the address; "" on an empty page."""
        told = self.data.get(self.add_prefix("kind")) if self.is_bound else self.initial.get("kind")
        name = told or (self.instance.kind if self.instance.pk else "")
        return name if name in dict(kinds.choices()) else ""


class ChoiceForm(PartForm):
    def put_away(self, wanted: Container[str] | None) -> None:
        """Mark each widget by its field, and those that are not wanted and hold nothing as away (None: all are).

        Away is a matter of looks: without a stylesheet all are there, and ``kinds.js`` brings back what another
        kind wants.
        """
        for name in _OF_A_KIND:
            for column in _columns_in(self, name):
                attrs = self.fields[column].widget.attrs
                attrs["data-field"] = name
                if wanted is not None and name not in wanted and not self[column].value():
                    attrs["data-away"] = ""

    def clean_value(self) -> str:
        """The number in the one spelling that is stored; what is no number, its kind refuses."""
        return spelt(self.cleaned_data["value"])

    @property
    def has_text(self) -> bool:
        """Whether a text was typed in any language, as the browser sent it."""
        return any((self[name].value() or "").strip() for name in columns("text"))


class ChoiceFormSet(PartFormSet):
    """Sees the whole question: asks its kind what must be mended, and says so at the fields of both forms."""

    takes_more = False  # they are judged together
    named_by = "text value"

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        kind = getattr(self.whole, "known_kind", "")
        form.put_away(kinds.get(kind).choice_fields if kind else None)
        ask(form.fields, form.instance, marks_of(self.instance), form.data, form.prefix)

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
        if kind is None or any(self.errors) or "settings" in self.whole.errors:
            return  # the kind would judge by settings that are not those
        rows = self.in_order()
        self._say(problems_of(self.content(rows)), rows)

    def content(self, rows: Iterable[ChoiceForm]) -> QuestionContent:
        """The question as it would be stored; the forms have put what was typed into their instances."""
        question = self.instance
        return QuestionContent(
            key=question.key,
            kind=question.kind,
            prompt=words.of(question, "prompt"),
            choices=tuple(_choice(form, number) for number, form in enumerate(rows)),
            explanation=words.of(question, "explanation"),
            guides=tuple(guide.slug for guide in self.whole.cleaned_data.get("guides", ())),
            settings=question.settings or {},
        )

    def _say(self, problems: Iterable[kinds.Problem], rows: list[ChoiceForm]) -> None:
        general = []
        for problem in problems:
            if not problem.blocks:  # odd: told after saving
                continue
            form = self.whole if problem.choice is None else rows[problem.choice]
            field = next(iter(_columns_in(form, problem.field)), None)
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


def _columns_in(form: forms.BaseForm, name: str) -> list[str]:
    """The form's fields for what a kind calls ``name``: itself, or one per language."""
    return [field for field in dict.fromkeys((name, *columns(name))) if field in form.fields]


class ChoiceInline(InLanguages, PartInline, admin.StackedInline):  # type: ignore[misc]  # media of both are sent
    model = Choice
    form = ChoiceForm
    formset = ChoiceFormSet
    rows_of_text = 2
    fieldsets = [
        (
            None,
            {
                "fields": [
                    columns("text"),
                    ("right", "keeps_place", "weight", "part", "value", "place"),
                    columns("match"),
                    columns("feedback"),
                ]
            },
        )
    ]


@admin.register(Question)
class QuestionAdmin(
    Checking,
    History,
    TranslatedQuestions,
    ChecksTranslations,
    Together,
    InLanguages,
    QuestionsOfEditor,
    PuttingIntoQuizzes,
    LivePreview,
    Tagging,
    Copying,
    FindingQuestions,
    Exporting,
    DeletingQuestions,
):
    copied = copying.copy_of_question
    for_editors = ("title",)
    form = QuestionForm
    inlines = [ChoiceInline]
    filter_horizontal = ["guides", "tags"]
    list_display = ["asked", "kind", "translated", "tagged", "quiz_count", "asked_count"]
    list_filter = ["kind", TranslationFilter, "tags", "guides", ("quizzes", QuizzesOfEditorFilter)]
    search_fields = [*columns("title"), *columns("prompt"), "tags__name", "key"]
    actions = ["put_into_quiz", "add_tag", "remove_tag", "copy_selected", "export", "look_over"]

    class Media:
        js = ["mpquiz/admin/kinds.js", "mpquiz/admin/preview.js"]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.editor = request.user
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        settings = {"fields": ["settings"], "classes": [] if obj and obj.settings else ["collapse"]}
        return [
            (None, {"fields": ["kind", columns("prompt")]}),
            (None, {"fields": [columns("explanation")]}),
            (_("Settings of this kind"), settings),
            (
                _("Title, tags and guides"),
                {"fields": [columns("title"), "tags", "guides", "key"], "classes": ["collapse"]},
            ),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Files name a question by its key, for good."""
        return ["key"] if obj else []

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Question]:
        rows = super().get_queryset(request).prefetch_related("tags")
        return rows.annotate(
            quiz_count=count_of(QuizQuestion.objects.all(), "question"),
            asked_count=count_of(Answer.objects.all(), "question"),
        )

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        remarking: Any = self.admin_site.get_model_admin(Remarking)
        reports: Any = self.admin_site.get_model_admin(Report)
        ident = unquote(object_id)
        links = remarking.links_from(request, ident) | reports.links_from(request, ident)
        context = {"may_copy": self.has_copy_permission(request), **links, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def written_in(self, form: Any, formsets: Any) -> QuestionContent:
        choices = next(one for one in formsets if isinstance(one, ChoiceFormSet))
        choices.full_clean()
        return choices.content(choices.in_order())

    def contents(self, rows: Sequence[Question], *, whole: bool) -> list[QuizContent]:
        return [exchange.dump_questions(rows)] if rows else []

    @admin.display(description=_("question"))
    def asked(self, question: Question) -> SafeString | str:
        text = words.read(question, "title") or words.read(question, "prompt")
        return shown(text) if text else question.key

    @admin.display(description=_("tags"))
    def tagged(self, question: Question) -> SafeString:
        return format_html_join(" · ", "{}", ((in_its_own_direction(tag.name),) for tag in question.tags.all()))

    @admin.display(description=_("quizzes"), ordering="quiz_count")
    def quiz_count(self, question: Any) -> SafeString | int:
        """In how many quizzes it stands, as a link to them."""
        if not question.quiz_count:
            return 0
        address = reverse(f"{self.admin_site.name}:mpquiz_quiz_changelist")
        return format_html(
            '<a href="{}?questions__id__exact={}">{}</a>', address, str(question.pk), question.quiz_count
        )

    @admin.display(description=_("asked"))
    def asked_count(self, question: Any) -> int:
        """How often learners were asked it."""
        return question.asked_count
