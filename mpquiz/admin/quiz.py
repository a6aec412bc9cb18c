"""A quiz with its questions on one page, and in which languages it is published."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from .. import copying, exchange, kinds, words
from ..content import QuizContent
from ..editing.asking import is_sound
from ..models import Accommodation, Attempt, Question, Quiz, QuizLanguage, QuizQuestion, Remarking
from ..models.editors import questions_of
from . import exams, publishing
from .completeness import PublishingForm, TranslatedQuizzes, publishing_fields
from .copying import Copying
from .deleting import DeletingQuizzes
from .exams import RulesForm
from .exporting import Exporting
from .finding import QuestionPicker, QuestionsField, QuestionsPicker
from .importing import Importing
from .languages import InLanguages, NamedForm, columns, own_name, shown
from .oddities import oddities
from .parts import PartForm, PartFormSet, TableInline, WholeForm, count_of, tell_picker
from .pools import PoolsInline
from .putting import tell_of_put
from .rights import QuizzesOfEditor
from .stale import ChecksTranslations
from .statistics import QuizStatisticsPages
from .together import Together


class QuizForm(PublishingForm, NamedForm, RulesForm, WholeForm):
    published = forms.MultipleChoiceField(
        label=_("Published in"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Learners are offered the quiz in these languages; in none, it is a draft."),
    )
    add_questions = QuestionsField(
        Question.objects.none(),
        label=_("Add questions"),
        required=False,
        help_text=_("Search in any language, by text, title, tag or key. They come to the end, with one point each."),
    )

    own_rows = 0
    """How many questions stand in the quiz itself, once they were read."""
    asks_itself: bool | None = None
    """Whether one of them can be asked; None where that was not found out."""

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
            self.instance.publish(self.cleaned_data["published"], although=self.cleaned_data["although"])


class QuestionsFormSet(PartFormSet):
    """Sees the whole quiz: tells the pools, which are judged after it, what it asks itself."""

    named_by = "question"

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        tell_picker(form, "question")

    def clean(self) -> None:
        super().clean()
        ids = [row.question_id for row in (*(form.instance for form in self.there()), *self.more())]
        ids += [one.pk for one in self.whole.cleaned_data.get("add_questions", ()) if one.pk not in ids]
        self.whole.own_rows, self.whole.own_questions = len(ids), ids
        if any(self.errors) or not (self.whole.is_valid() and self.whole.cleaned_data.get("published")):
            return
        questions = Question.objects.filter(pk__in=ids).prefetch_related("choices")
        self.whole.asks_itself = any(map(is_sound, questions))


class QuestionsInline(TableInline):
    model = QuizQuestion
    form = PartForm
    formset = QuestionsFormSet
    fields = ["place", "question", "kind", "points"]
    readonly_fields = ["kind"]
    picked = "question"
    picker = QuestionPicker

    @admin.display(description=_("kind"), empty_value="")
    def kind(self, place: QuizQuestion) -> Any:
        return kinds.kept(place.question.kind).label if place.question_id else ""


class PublishedFilter(admin.SimpleListFilter):
    title = _("published in")
    parameter_name = "published"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*((language, own_name(language)) for language in words.languages()), ("none", _("No language"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Quiz]) -> models.QuerySet[Quiz]:
        if self.value() not in {value for value, _name in self.lookup_choices}:  # no language of this site
            return queryset
        if self.value() == "none":
            return queryset.exclude(pk__in=_published_in(words.languages()))
        return queryset.filter(pk__in=_published_in([self.value()]))


def _published_in(languages: Any) -> models.QuerySet:
    return QuizLanguage.objects.filter(language__in=languages).values("quiz")


@admin.register(Quiz)
class QuizAdmin(
    QuizStatisticsPages,
    TranslatedQuizzes,
    ChecksTranslations,
    Together,
    InLanguages,
    exams.NamedDates,
    QuizzesOfEditor,
    Copying,
    Importing,
    Exporting,
    DeletingQuizzes,
):
    copied = copying.copy_of_quiz
    form = QuizForm
    inlines = [QuestionsInline, PoolsInline]
    filter_horizontal = ["guides", "groups"]
    radio_fields = {
        "level": admin.HORIZONTAL,
        "feedback": admin.VERTICAL,
        "layout": admin.VERTICAL,
        "access": admin.VERTICAL,
        **dict.fromkeys(exams.MOMENTS, admin.HORIZONTAL),
    }
    list_display = [
        *("titled", "published_in", "translated", "question_count"),
        *("exam", "level", "archived", "attempt_count"),
    ]
    list_filter = [PublishedFilter, "level", "archived"]
    linked_lookups = ["questions__id__exact"]
    search_fields = [*columns("title"), "slug"]
    actions = [*publishing.actions(), "copy_selected", "archive", "take_out_of_archive", "export"]

    class Media:
        css = {"all": ["mpquiz/admin/exams.css"]}

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        if "add_questions" in form.base_fields:
            form.base_fields["add_questions"] = self._adding(request, form.base_fields["add_questions"])
        return form

    def _adding(self, request: HttpRequest, field: Any) -> Any:
        """The field as this site and this editor have it: it finds what the list of questions shows them."""
        field = deepcopy(field)
        field.widget = QuestionsPicker(self.admin_site)
        field.queryset = questions_of(request.user, Question.objects.all())
        return field

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        may_change = obj is None or self.has_change_permission(request, obj)
        adding = {"fields": ["add_questions"], "classes": ["mpquiz-adding"]}
        return [
            (None, {"fields": [columns("title"), "slug", columns("description"), *publishing_fields()]}),
            *exams.fieldsets(request, obj, may_change=may_change),
            (_("Where it stands"), {"fields": ["level", "guides", "place", "archived"]}),
            *([(_("Add questions"), adding)] if may_change else []),
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
            "may_copy": self.has_copy_permission(request),
            "writing_urls": list(self._writing(request, unquote(object_id))),
            **self._rooms(request, object_id),
        }
        return super().change_view(request, object_id, form_url, {**links, **(extra_context or {})})

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self._put(request, form.instance, form.cleaned_data.get("add_questions", ()))
        self._tell_of_running(request, form.instance)
        for oddity in oddities(form.instance, self._address_of(request)):
            self.message_user(request, oddity, messages.WARNING)
        self.warn_of_half(request, form.instance, newly=form.newly_published)

    def _put(self, request: HttpRequest, quiz: Quiz, chosen: Sequence[Question]) -> None:
        put = quiz.append(chosen)
        tell_of_put(self, request, len(put), len(chosen) - len(put))

    def _writing(self, request: HttpRequest, quiz: str) -> Iterator[tuple[str, Any]]:
        """Where a question of each kind is written for this quiz, for whoever may add one: (address, kind)."""
        if not self.admin_site.get_model_admin(Question).has_add_permission(request):
            return
        address = reverse(f"{self.admin_site.name}:mpquiz_question_add")
        for name, label in kinds.choices():
            yield f"{address}?{urlencode({'quiz': quiz, 'kind': name})}", label

    def _tell_of_running(self, request: HttpRequest, quiz: Quiz) -> None:
        running = Attempt.objects.filter(quiz=quiz).unfinished().count()
        said = ngettext(
            "%(count)d attempt is running. It keeps the rules and the questions with which it was started.",
            "%(count)d attempts are running. They keep the rules and the questions with which they were started.",
            running,
        )
        if running:
            self.message_user(request, said % {"count": running}, messages.INFO)

    def _address_of(self, request: HttpRequest) -> Callable[[Question], str]:
        """Where an editor mends a question; nowhere for whoever may not see questions."""
        may_see = self.admin_site.get_model_admin(Question).has_view_permission(request)
        name = f"{self.admin_site.name}:mpquiz_question_change"
        return lambda question: reverse(name, args=[question.pk]) if may_see else ""

    def _rooms(self, request: HttpRequest, object_id: str) -> dict[str, Any]:
        """Where results, accommodations and re-markings of this quiz are, for whoever may see them."""
        accommodations: Any = self.admin_site.get_model_admin(Accommodation)
        anew: Any = self.admin_site.get_model_admin(Remarking)
        ident = unquote(object_id)
        attempts: Any = self.admin_site.get_model_admin(Attempt)
        found = attempts.link_to(request, ident) | accommodations.link_to(request, ident)
        return found | anew.link_for(request, ident)

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

    @admin.display(description=_("time and dates"), empty_value="")
    def exam(self, quiz: Quiz) -> SafeString | str:
        return exams.in_short(quiz)

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

    # Archive ---------------------------------------------------------------------------------------------

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
