"""A quiz with its questions on one page, and in which languages it is published."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from .. import exchange, kinds, words
from ..content import QuizContent
from ..models import Attempt, Question, Quiz, QuizLanguage, QuizQuestion
from .exporting import Exporting
from .importing import Importing
from .languages import InLanguages, NamedForm, columns, own_name, shown
from .parts import PartForm, PartFormSet, PartInline, WholeForm, count_of


class QuizForm(NamedForm, WholeForm):
    published = forms.MultipleChoiceField(
        label=_("Published in"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Learners are offered the quiz in these languages; in none, it is a draft."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "published" not in self.fields:
            return
        published: Any = self.fields["published"]
        published.choices = [(language, own_name(language)) for language in words.languages()]
        if self.instance.pk:
            self.initial.setdefault("published", self.instance.published_languages)

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]
        if "published" in self.cleaned_data:
            self.instance.publish(self.cleaned_data["published"])


class QuestionPicker(AutocompleteSelect):
    """Reads the questions that are chosen already from what the page fetched, where Django asks once a row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known: dict[str, str] = {}  # shared by the copies that Django makes for each row

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        chosen = [str(one) for one in value]
        if len(chosen) != 1 or chosen[0] not in self.known:
            return super().optgroups(name, value, attrs)
        return [(None, [self.create_option(name, chosen[0], self.known[chosen[0]], True, 0)], 0)]


class QuestionsFormSet(PartFormSet):
    """Sees the whole quiz: what is published has something to ask."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if "question" in form.fields and form.instance.question_id:
            picker = getattr(form.fields["question"].widget, "widget", None)
            if isinstance(picker, QuestionPicker):
                picker.known[str(form.instance.question_id)] = str(form.instance.question)

    def clean(self) -> None:
        super().clean()
        published = self.whole.is_valid() and self.whole.cleaned_data.get("published")
        if not published or any(self.errors):
            return
        ids = [form.instance.question_id for form in self.in_order()]
        questions = Question.objects.filter(pk__in=ids).prefetch_related("choices")
        if not any(_is_sound(question) for question in questions):
            self.whole.add_error("published", _("Publish it once it has a question that can be asked."))


def _is_sound(question: Question) -> bool:
    kind = kinds.kept(question.kind)
    return not kind.blocking(question.written(guides=False, tags=False))


class QuestionsInline(PartInline, admin.TabularInline):
    model = QuizQuestion
    form = PartForm
    formset = QuestionsFormSet
    fields = ["place", "question", "points"]
    autocomplete_fields = ["question"]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[QuizQuestion]:
        return super().get_queryset(request).select_related("question")

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "question":
            kwargs["widget"] = QuestionPicker(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        """A table's cell has no label of its own."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs["aria-label"] = field.label
        return field


class PublishedFilter(admin.SimpleListFilter):
    title = _("published in")
    parameter_name = "published"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*((language, own_name(language)) for language in words.languages()), ("none", _("No language"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Quiz]) -> models.QuerySet[Quiz]:
        if self.value() is None:
            return queryset
        if self.value() == "none":
            return queryset.exclude(pk__in=_published_in(words.languages()))
        return queryset.filter(pk__in=_published_in([self.value()]))


def _published_in(languages: Any) -> models.QuerySet:
    return QuizLanguage.objects.filter(language__in=languages).values("quiz")


@admin.register(Quiz)
class QuizAdmin(InLanguages, Importing, Exporting):
    form = QuizForm
    inlines = [QuestionsInline]
    filter_horizontal = ["guides"]
    radio_fields = {"level": admin.HORIZONTAL}
    list_display = ["titled", "published_in", "question_count", "level", "archived", "attempt_count"]
    list_filter = [PublishedFilter, "level", "archived"]
    search_fields = [*columns("title"), "slug"]
    actions = ["archive", "take_out_of_archive", "export"]
    fieldsets = [
        (None, {"fields": [columns("title"), "slug", columns("description"), "published"]}),
        (_("Rules"), {"fields": ["pass_mark", "shuffle_choices", "preview"]}),
        (_("Where it stands"), {"fields": ["level", "guides", "place", "archived"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Quiz]:
        counts = {
            "question_count": count_of(QuizQuestion.objects.all(), "quiz"),
            "attempt_count": count_of(Attempt.objects.all(), "quiz"),
        }
        return super().get_queryset(request).annotate(**counts).prefetch_related("languages")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """A file names the quiz it brought by its slug."""
        return ["slug"] if obj and obj.imported else []

    def view_on_site(self, quiz: Quiz) -> str:
        return quiz.get_absolute_url()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().changelist_view(request, {"may_import": self.may_import(request), **(extra_context or {})})

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        links = {
            "may_import_into": self.may_import_into(request),
            "may_export": self.has_export_permission(request),
        }
        return super().change_view(request, object_id, form_url, {**links, **(extra_context or {})})

    # The list ---------------------------------------------------------------------------------------------

    @admin.display(description=_("title"))
    def titled(self, quiz: Quiz) -> SafeString | str:
        return shown(quiz.title_text) if quiz.title_text else quiz.slug

    @admin.display(description=_("published in"))
    def published_in(self, quiz: Quiz) -> SafeString:
        names = ((language, words.direction(language), own_name(language)) for language in quiz.published_languages)
        return format_html_join(" · ", '<bdi lang="{}" dir="{}">{}</bdi>', names)

    @admin.display(description=_("questions"))
    def question_count(self, quiz: Any) -> int:
        return quiz.question_count

    @admin.display(description=_("attempts"))
    def attempt_count(self, quiz: Any) -> int:
        return quiz.attempt_count

    # Export -----------------------------------------------------------------------------------------------

    def has_export_permission(self, request: HttpRequest) -> bool:
        """A quiz's file holds its questions."""
        questions = self.admin_site.get_model_admin(Question)
        return self.has_view_permission(request) and questions.has_view_permission(request)

    def contents(self, rows: Sequence[Quiz], *, whole: bool) -> list[QuizContent]:
        return [exchange.dump(quiz, whole=whole) for quiz in rows]

    # Archive and deletion ---------------------------------------------------------------------------------

    @admin.action(description=_("Archive the selected quizzes"), permissions=["change"])
    def archive(self, request: HttpRequest, quizzes: models.QuerySet[Quiz]) -> None:
        count = self._set_archived(request, quizzes, archived=True)
        said = ngettext("%(count)d quiz is archived.", "%(count)d quizzes are archived.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)

    @admin.action(description=_("Take the selected quizzes out of the archive"), permissions=["change"])
    def take_out_of_archive(self, request: HttpRequest, quizzes: models.QuerySet[Quiz]) -> None:
        count = self._set_archived(request, quizzes, archived=False)
        said = ngettext("%(count)d quiz is out of the archive.", "%(count)d quizzes are out of the archive.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)

    def _set_archived(self, request: HttpRequest, quizzes: models.QuerySet[Quiz], *, archived: bool) -> int:
        changed = list(quizzes.exclude(archived=archived))
        for quiz in changed:
            quiz.archived = archived
            quiz.save(update_fields=["archived", "updated_at"])
            self.log_change(request, quiz, [{"changed": {"fields": [str(_("archived"))]}}])
        return len(changed)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What was taken is not deleted: how many attempts stand against it, not each of them."""
        quizzes: Any = self.get_queryset(request).filter(pk__in=[quiz.pk for quiz in objs])
        protected = [_standing_against(quiz) for quiz in quizzes if quiz.attempt_count]
        if protected:
            return [], {}, set(), protected
        return super().get_deleted_objects(objs, request)


def _standing_against(quiz: Any) -> str:
    said = ngettext("%(quiz)s: %(count)d attempt", "%(quiz)s: %(count)d attempts", quiz.attempt_count)
    return said % {"quiz": quiz, "count": quiz.attempt_count}
