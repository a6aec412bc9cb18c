"""How much is translated: bars in lists, filters, and what lacks where on the page of a quiz."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from .. import words
from ..content import Where
from ..models import Choice, Question, Quiz, completeness
from ..models.completeness import Completeness, Lacking
from ..models.editors import questions_of
from ..templatetags.mpquiz import ltr, percent
from ..translations import State, Texts
from .languages import in_its_own_direction, own_name

_MOST_LISTED = 50
_MOST_NAMED = 5


def name_in_sentence(language: str) -> str:
    """The language's name as the reader calls it: Arabic, العربيّة."""
    try:
        return get_language_info(language)["name_translated"]
    except KeyError:
        return own_name(language)


def _own_name(language: str) -> SafeString:
    return format_html('<bdi lang="{}" dir="{}">{}</bdi>', language, words.direction(language), own_name(language))


def _listed(lines: Iterable[SafeString]) -> SafeString:
    items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return format_html('<ul class="mpquiz-translated">{}</ul>', items)


def bar(texts: Texts, language: str) -> SafeString:
    """``العربيّة ▆▆▁ 60 %``; the bar is for the eye, the number says the same."""
    value = texts.percent(language)
    meter = '{} <meter min="0" max="100" value="{}" aria-hidden="true"></meter> {}'
    return format_html(meter, _own_name(language), str(value), percent(value))


class _OfPage(admin.ModelAdmin):
    """An admin whose list shows what is counted once for all rows of a page."""

    @property
    def media(self) -> forms.Media:
        return super().media + forms.Media(css={"all": ["mpquiz/admin/completeness.css"]})

    def counted(self, rows: Sequence[Any]) -> Mapping[int, Any]:
        """{id: what the columns read as ``row.counted_texts``}."""
        raise NotImplementedError

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        changes = super().get_changelist_instance(request)
        found = self.counted(changes.result_list)
        for row in changes.result_list:
            row.counted_texts = found[row.pk]
        return changes


# Questions ---------------------------------------------------------------------------------------------------------


class TranslationFilter(admin.SimpleListFilter):
    """Questions that lack a language, or of which no language has all."""

    title = gettext_lazy("translation")
    parameter_name = "translation"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        known = words.languages()
        if len(known) < 2:
            return []
        lacks = _("lacks %(language)s")
        named = [(f"lacks-{language}", lacks % {"language": name_in_sentence(language)}) for language in known]
        return [*named, ("mixed", pgettext("questions in several languages", "mixed"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Question]) -> models.QuerySet[Question]:
        value = self.value() or ""
        if value not in {known for known, _name in self.lookup_choices}:
            return queryset
        wanted = completeness.mixed() if value == "mixed" else completeness.lacks(value.removeprefix("lacks-"))
        return queryset.filter(wanted)


class TranslatedQuestions(_OfPage):
    """The list of questions tells in which languages each is whole, two queries a page; saving one warns."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        offered = completeness.offered_half(form.instance)
        if not offered:
            return
        one = completeness.lacking([form.instance.pk], among=Question.objects.all())[0]
        quizzes = quizzes_of(request, {pk for ids in offered.values() for pk in ids})
        for language, ids in offered.items():
            message = ngettext(
                "Learners are offered %(count)d quiz with it in %(language)s, where it lacks: %(texts)s",
                "Learners are offered %(count)d quizzes with it in %(language)s, where it lacks: %(texts)s",
                len(ids),
            )
            values = {"count": len(ids), "language": name_in_sentence(language), "texts": cell_of(one, language)}
            named = self.quizzes_named(request, {pk: quizzes[pk] for pk in ids if pk in quizzes})  # type: ignore[attr-defined]
            self.message_user(request, format_html("{}{}", message % values, named), messages.WARNING)

    def counted(self, rows: Sequence[Question]) -> Mapping[int, Texts]:
        return completeness.of_questions(models.Q(pk__in=[row.pk for row in rows]))

    @admin.display(description=gettext_lazy("translation"))
    def translated(self, question: Any) -> SafeString:
        texts: Texts = question.counted_texts
        return _listed(_state_of(texts, language) for language in words.languages())


def _state_of(texts: Texts, language: str) -> SafeString:
    state = texts.state(language)
    parts = format_html(
        " ({})", ltr(f"{texts.there.get(language, 0)}\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}{texts.wanted}")
    )
    told = {
        State.WHOLE: pgettext("a translation", "whole"),
        State.HALF: format_html("{}{}", pgettext("a translation", "half"), parts),
        State.NONE: pgettext("a translation", "none"),
    }
    return format_html('{} <span class="mpquiz-{}">{}</span>', _own_name(language), state.value, told[state])


def quizzes_of(request: HttpRequest, ids: Iterable[int]) -> dict[int, Quiz]:
    """{id: quiz} of those that the editor knows of. One query."""
    return {quiz.pk: quiz for quiz in Quiz.objects.filter(pk__in=ids).of_editor(request.user)}


# Quizzes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A line of what lacks: a question's name or the quiz's own words, and a cell for each language."""

    name: SafeString | str
    cells: Sequence[str]


Naming = Callable[[Iterable[int], str], SafeString]
"""Names the questions of these ids, each with what it lacks in a language."""


class PublishingForm(forms.ModelForm):
    """Refuses to publish half a translation, unless the editor says so."""

    although = forms.MultipleChoiceField(
        label=gettext_lazy("Although texts are missing"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "A quiz is not published in a language in which one of its questions is half translated, but where you "
            "say so here. Learners read what is missing in another language."
        ),
    )

    naming: ClassVar[Naming]
    own_questions: Sequence[int] = ()
    """The ids of the questions that stand in the quiz itself after saving, once they were read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "although" not in self.fields:  # whoever may only look
            return
        although: Any = self.fields["although"]
        although.choices = [(language, own_name(language)) for language in words.languages()]
        if self.instance.pk:
            rows = self.instance.languages.all()
            self.initial.setdefault("although", [row.language for row in rows if row.although_incomplete])

    @property
    def newly_published(self) -> list[str]:
        """The languages in which it was not published before."""
        new = set(self.cleaned_data.get("published", ())) - set(self.initial.get("published") or ())
        return [language for language in words.languages() if language in new]

    def refuse_half(self, tags: Iterable[int]) -> None:
        """Say at the field what keeps it from being published where it was not; ``tags`` are those of its pools."""
        asked = [la for la in self.newly_published if la not in self.cleaned_data.get("although", ())]
        if not asked:
            return
        texts = completeness.of_parts(self.own_questions, tags)
        found = Completeness(completeness.own_texts(self.instance), texts)
        for language in asked:
            if found.is_half(language):
                self.add_error("published", self._refusal(found, language))

    def _refusal(self, found: Completeness, language: str) -> SafeString:
        told = _(
            "It is not published in %(language)s, where texts are missing. Add them, or tick the language below."
        )
        return format_html("{} {}", told % {"language": name_in_sentence(language)}, self._half(found, language))

    def _half(self, found: Completeness, language: str) -> SafeString:
        parts = _half_parts(self.instance, found, language, type(self).naming)
        return format_html_join(" · ", "{}", ((part,) for part in parts))


def publishing_fields() -> list[str]:
    """What the page of a quiz asks of its publication."""
    return ["published", "although"] if len(words.languages()) > 1 else ["published"]


def _half_parts(quiz: Quiz, found: Completeness, language: str, naming: Naming) -> Iterator[SafeString]:
    if found.own.state(language) is State.HALF:
        yield format_html("{}: {}", _("The quiz itself"), _own_cell(quiz, language))
    if half := found.having(State.HALF, language):
        yield naming(half, language)


class TranslatedQuizzes(_OfPage):
    """The list of quizzes has a bar for each language, a quiz's page says what lacks. At most six queries a page."""

    def counted(self, rows: Sequence[Quiz]) -> Mapping[int, Completeness]:
        return completeness.of_quizzes(rows)

    @admin.display(description=gettext_lazy("translation"))
    def translated(self, quiz: Any) -> SafeString:
        found: Completeness = quiz.counted_texts
        whole = found.whole
        return _listed(
            format_html("{}{}", bar(whole, language), self._half(quiz, found, language))
            for language in words.languages()
        )

    def _half(self, quiz: Quiz, found: Completeness, language: str) -> SafeString | str:
        """What a language in which learners are offered the quiz should not have."""
        published = {row.language for row in quiz.languages.all() if not row.although_incomplete}
        if language not in published or not found.is_half(language):
            return ""
        return format_html('<br><span class="mpquiz-half">{}</span>', _("published half translated"))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if (quiz := kwargs.get("obj")) is not None and len(words.languages()) > 1:
            context.update(self._what_lacks(request, quiz))
        return super().render_change_form(request, context, *args, **kwargs)

    def _what_lacks(self, request: HttpRequest, quiz: Quiz) -> dict[str, Any]:
        found, known = completeness.of_quizzes([quiz])[quiz.pk], words.languages()
        whole = found.whole
        ids = [pk for pk, texts in found.questions.items() if any(map(texts.lacking, known))]
        address_of = self.addresses(request)
        theirs = questions_of(request.user, Question.objects.all())
        named = completeness.lacking(ids[:_MOST_LISTED], among=theirs)
        rows = [Row(_question_name(one, address_of), _cells(one)) for one in named]
        if any(map(found.own.lacking, known)):
            rows.insert(0, Row(_("The quiz itself"), [_own_cell(quiz, language) for language in known]))
        return {
            "translated_bars": [bar(whole, language) for language in known],
            "translated_languages": [_own_name(language) for language in known],
            "translated_rows": rows,
            "translated_more": max(len(ids) - _MOST_LISTED, 0),
        }

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.naming = staticmethod(partial(self._named, request))
        return form

    def _named(self, request: HttpRequest, questions: Iterable[int], language: str) -> SafeString:
        """The first of these questions with what they lack in a language. Two queries."""
        ids = list(questions)
        found = completeness.lacking(ids[:_MOST_NAMED], among=questions_of(request.user, Question.objects.all()))
        address_of = self.addresses(request)
        named = [format_html("{}: {}", _question_name(one, address_of), cell_of(one, language)) for one in found]
        if len(ids) > len(named):
            named.append(format_html("{}", "…"))
        return format_html_join(" · ", "{}", ((one,) for one in named))

    def warn_of_half(self, request: HttpRequest, quiz: Quiz, *, newly: Collection[str] = ()) -> None:
        """Tell what lacks in the languages in which a quiz is published, and nobody said that it may.

        Questions that are not translated at all are told once: where it is ``newly`` published.
        """
        published = set(quiz.languages.filter(although_incomplete=False).values_list("language", flat=True))
        offered = [language for language in words.languages() if language in published]
        if not offered or len(words.languages()) < 2:
            return
        found = completeness.of_quizzes([quiz])[quiz.pk]
        for language in offered:
            if found.is_half(language):
                self.message_user(request, self._half_warning(request, quiz, found, language), messages.WARNING)
            if language in newly and (count := len(found.having(State.NONE, language))):
                self.message_user(request, _untranslated_warning(count, language), messages.WARNING)

    def _half_warning(self, request: HttpRequest, quiz: Quiz, found: Completeness, language: str) -> SafeString:
        told = _("Learners are offered this quiz in %(language)s, where texts are missing.")
        parts = _half_parts(quiz, found, language, partial(self._named, request))
        listed = format_html_join(" · ", "{}", ((part,) for part in parts))
        return format_html("{} {}", told % {"language": name_in_sentence(language)}, listed)

    def addresses(self, request: HttpRequest) -> Any:
        """(question) -> its page, "" for whoever may not see questions."""
        may_see = self.admin_site.get_model_admin(Question).has_view_permission(request)
        name = f"{self.admin_site.name}:mpquiz_question_change"
        return lambda question: reverse(name, args=[question.pk]) if may_see else ""


def _untranslated_warning(count: int, language: str) -> str:
    message = ngettext(
        "%(count)d question is not translated into %(language)s. Learners read it in another language.",
        "%(count)d questions are not translated into %(language)s. Learners read them in another language.",
        count,
    )
    return message % {"count": count, "language": name_in_sentence(language)}


def _question_name(one: Lacking, address_of: Any) -> SafeString:
    name, address = in_its_own_direction(str(one.question)), address_of(one.question)
    return format_html('<a href="{}">{}</a>', address, name) if address else name


def _cells(one: Lacking) -> list[str]:
    return [cell_of(one, language) for language in words.languages()]


def cell_of(one: Lacking, language: str) -> str:
    """What a question lacks in a language: ``prompt · choice 2``."""
    if one.states[language] is State.NONE:
        return _("all texts")
    return " · ".join(map(name_of, one.where[language]))


def _own_cell(quiz: Quiz, language: str) -> str:
    return " · ".join(str(_verbose(Quiz, name)) for name in completeness.own_lacking(quiz, language))


def name_of(where: Where) -> str:
    """What an editor calls a text of a question: ``prompt``, ``choice 2``, ``choice 2: feedback``."""
    if where[0] != "choices":
        return _verbose(Question, str(where[0]))
    choice = _("choice %(number)d") % {"number": int(where[1]) + 1}
    return choice if where[2] == "text" else f"{choice}: {_verbose(Choice, str(where[2]))}"


def _verbose(model: type[models.Model], name: str) -> str:
    return str(model._meta.get_field(name).verbose_name)  # type: ignore[union-attr]  # a plain field
