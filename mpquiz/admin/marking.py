"""The queue of answers that a person marks, oldest first, and the page on which one is marked.

Whoever has the right to change "answers to be marked" marks; whoever has the right to view them reads along. No right
to attempts is needed; whoever has none is not told whose an answer is. Answers of abandoned attempts wait for nobody;
trials are here, and say so.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect

from .. import words
from ..editing.marking import mark, queue
from ..exceptions import Refusal
from ..kinds import numerals
from ..learners import name_columns
from ..models import Attempt, Question, Quiz, WaitingAnswer
from ..models.answer import AnswerQuerySet
from ..templatetags import mpquiz as tags
from .attempt import ReadOnly, learner_of
from .languages import shown
from .rights import OfQuizOfEditor

_BEGINNING = 80  # characters of an answer in the list
_MOST_QUESTIONS = 100  # in the filter


class MarkForm(forms.Form):
    """The points that an answer is worth, words for the learner, and which state of the answer the marker saw.

    Where the question is worth no points there are only words.
    """

    comment = forms.CharField(
        label=_("Comment for the learner"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 5, "cols": 60, "dir": "auto"}),
        help_text=_("Plain text; line breaks are kept."),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput)  # the page shows what is stored now, and sends its number

    def __init__(self, answer: WaitingAnswer, data: Any = None) -> None:
        initial: dict[str, Any] = {"comment": answer.comment}
        if answer.awarded is not None:
            initial["points"] = answer.awarded.normalize() + 0
        super().__init__(data, initial=initial)
        if answer.points:
            self.fields = {"points": _points_up_to(answer.points), **self.fields}


class PointsField(forms.DecimalField):
    """Points in the digits of any script, with any of their decimal marks: what ``type="number"`` takes in none."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "dir": "ltr", "autocomplete": "off", "size": 10})

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and value.strip():
            try:
                value = numerals.read(value)
            except Refusal as refusal:
                raise ValidationError(str(refusal.message), code="invalid") from refusal
        return super().to_python(value)


def _points_up_to(most: Decimal) -> PointsField:
    return PointsField(
        label=_("Points"),
        min_value=0,
        max_value=most.normalize() + 0,
        decimal_places=2,
        help_text=_("From 0 to %(most)s.") % {"most": tags.points(most)},
    )


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("marked", _("Marked"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        first, *others = super().choices(changelist)
        yield {**first, "display": _("Waiting")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: AnswerQuerySet) -> AnswerQuerySet:  # type: ignore[override]
        return _in_state(queryset, self.value())


def _in_state(answers: AnswerQuerySet, state: str | None) -> AnswerQuerySet:
    return answers.marked_by_hand() if state == "marked" else answers.waiting()


class CountingFilter(admin.SimpleListFilter):
    """Choose by something that the answers of the list have, each with how many there are."""

    column: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        listed = _in_state(model_admin.get_queryset(request), request.GET.get("state"))
        rows = self.narrowed(request, listed).order_by().values_list(self.column)
        counts = dict(rows.annotate(count=models.Count("*")))
        counts.pop(None, None)
        return [(str(row.pk), f"{row} ({number_format(counts[row.pk])})") for row in self.rows(list(counts))]

    def rows(self, ids: list[int]) -> Iterable[models.Model]:
        raise NotImplementedError

    def narrowed(self, request: HttpRequest, answers: AnswerQuerySet) -> AnswerQuerySet:
        return answers

    def queryset(self, request: HttpRequest, queryset: AnswerQuerySet) -> AnswerQuerySet:  # type: ignore[override]
        return _of(queryset, self.column, self.value())


def _of(answers: AnswerQuerySet, column: str, value: str | None) -> AnswerQuerySet:
    if value is None:
        return answers
    return answers.filter(**{column: value}) if value.isdecimal() and len(value) < 18 else answers.none()


class QuizFilter(CountingFilter):
    title = _("quiz")
    parameter_name = "quiz"
    column = "attempt__quiz"

    def rows(self, ids: list[int]) -> Iterable[Quiz]:
        return Quiz.objects.filter(pk__in=ids)


class QuestionFilter(CountingFilter):
    title = _("question")
    parameter_name = "question"
    column = "question"

    def rows(self, ids: list[int]) -> Iterable[Question]:
        return Question.objects.filter(pk__in=ids[:_MOST_QUESTIONS])

    def narrowed(self, request: HttpRequest, answers: AnswerQuerySet) -> AnswerQuerySet:
        return _of(answers, QuizFilter.column, request.GET.get(QuizFilter.parameter_name))


@admin.register(WaitingAnswer)
class MarkingAdmin(ReadOnly, OfQuizOfEditor):
    quiz_lookup = "attempt__quiz"
    list_display = ["asked", "titled", "learner", "answered_at", "beginning", "earned"]
    list_filter = [StateFilter, QuizFilter, QuestionFilter]
    list_per_page = 50
    show_full_result_count = False  # it would count all answers of the site
    sortable_by = ["answered_at"]
    actions = None

    class Media:
        css = {"all": ["mpquiz/admin/words.css", "mpquiz/admin/marking.css"]}

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_queryset(self, request: HttpRequest) -> AnswerQuerySet:
        answers: AnswerQuerySet = queue(super().get_queryset(request))
        return answers.select_related("version", "attempt__user", "marked_by")

    def _names(self, request: HttpRequest) -> bool:
        return self.admin_site.get_model_admin(Attempt).has_view_permission(request)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        learner = "learner" if self._names(request) else "somebody"
        return [learner if name == "learner" else name for name in self.list_display]

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """By names of learners, for whoever may read them."""
        return name_columns("attempt__user") if self._names(request) else []

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": gettext("Answers to be marked"), **(extra_context or {})})

    # The list ---------------------------------------------------------------------------------------------

    @admin.display(description=_("question"))
    def asked(self, answer: WaitingAnswer) -> SafeString:
        return shown(words.pick(answer.content.prompt))

    @admin.display(description=_("quiz"))
    def titled(self, answer: WaitingAnswer) -> SafeString:
        return shown(answer.attempt.title_text)

    @admin.display(description=_("learner"))
    def learner(self, answer: WaitingAnswer) -> SafeString | str:
        return _with_what_it_is(learner_of(answer.attempt), answer.attempt)

    @admin.display(description=_("learner"))
    def somebody(self, answer: WaitingAnswer) -> SafeString | str:
        """Whose it is, for whoever may not read the name."""
        return _with_what_it_is(gettext("A learner"), answer.attempt)

    @admin.display(description=_("answer"))
    def beginning(self, answer: WaitingAnswer) -> SafeString:
        text = " ".join(text.plain for text in answer.told)
        cut = text if len(text) <= _BEGINNING else f"{text[:_BEGINNING]}…"
        return format_html('<bdi dir="auto">{}</bdi>', " ".join(cut.split()))

    @admin.display(description=_("points"))
    def earned(self, answer: WaitingAnswer) -> SafeString | str:
        return self.get_empty_value_display() if answer.awarded is None else tags.score(answer.awarded, answer.points)

    # The page of one --------------------------------------------------------------------------------------

    @method_decorator(csrf_protect)
    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Not Django's own: that reads within the transaction before the attempt is locked."""
        may_mark = self.has_change_permission(request)
        if object_id is None or not (may_mark or self.has_view_permission(request)):
            raise PermissionDenied
        answer = self._answer(request, object_id)
        if request.method != "POST":
            return self._page(request, answer, MarkForm(answer) if may_mark else None)
        if not may_mark:
            raise PermissionDenied
        form = MarkForm(answer, request.POST)
        if form.is_valid() and self._mark(request, answer, form):
            return HttpResponseRedirect(self._after(request, answer))
        return self._page(request, self._answer(request, object_id), form)

    def _answer(self, request: HttpRequest, object_id: str) -> WaitingAnswer:
        answer = self.get_object(request, unquote(object_id))
        if answer is None or not answer.by_hand:
            raise Http404
        return answer

    def _mark(self, request: HttpRequest, answer: WaitingAnswer, form: MarkForm) -> bool:
        """Whether the mark was taken; else the form says why not."""
        given = form.cleaned_data
        points, comment = given.get("points", answer.points), given["comment"]
        try:
            said = mark(answer, points, comment, by=request.user, revision=given["revision"])
        except Refusal as refusal:
            form.add_error(None, str(refusal.message))
            return False
        self.message_user(request, said, messages.SUCCESS)
        return True

    def _after(self, request: HttpRequest, answer: WaitingAnswer) -> str:
        """The next one that waits where that was asked for, else the list; both as it was filtered."""
        filters = request.GET.get("_changelist_filters", "")
        following = self._next(request, answer, QueryDict(filters)) if "_next" in request.POST else None
        if following is None:
            address = reverse("admin:mpquiz_waitinganswer_changelist", current_app=self.admin_site.name)
            return f"{address}?{filters}" if filters else address
        address = reverse("admin:mpquiz_waitinganswer_change", args=[following.pk], current_app=self.admin_site.name)
        kept = self.get_preserved_filters(request)
        return f"{address}?{kept}" if kept else address

    def _next(self, request: HttpRequest, answer: WaitingAnswer, filters: QueryDict) -> WaitingAnswer | None:
        waiting = self.get_queryset(request).waiting()
        for one in (QuizFilter, QuestionFilter):
            waiting = _of(waiting, one.column, filters.get(one.parameter_name))
        later = models.Q(answered_at__gt=answer.answered_at)
        later |= models.Q(answered_at=answer.answered_at, pk__gt=answer.pk)
        found: Any = waiting.filter(later).first() or waiting.first()
        return found

    def _page(self, request: HttpRequest, answer: WaitingAnswer, form: MarkForm | None) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Mark an answer"),
            "opts": self.opts,
            "media": self.media,
            "answer": answer,
            "prompt": words.pick(answer.content.prompt),
            "notes": answer.notes,
            "written": answer.told,
            "learner": self.learner(answer) if self._names(request) else self.somebody(answer),
            "form": form,
            "waiting": self.get_queryset(request).waiting().count(),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/mpquiz/mark.html", context)


def _with_what_it_is(name: SafeString | str, attempt: Attempt) -> SafeString | str:
    """Whose an attempt is, and what it is where it counts for nothing."""
    if not attempt.trial and attempt.retry_of_id is None:
        return name
    return format_html("{} ({})", name, gettext("Trial") if attempt.trial else gettext("Practice"))
