"""The rules of a quiz on its page: what is asked how, what is seen when, until when, how often, and by whom.

Each part of the page is folded away as long as it says what a practice quiz says, whose page so stays short.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from .. import words
from ..editing.rules import MOMENTS, contradictions
from ..models import Quiz
from ..rules import Feedback, Layout, Moment, Rules
from ..templatetags.mpquiz import percent


class NamedDates(admin.options.BaseModelAdmin):
    """Gives both boxes of a date a name for whoever does not see what stands beside them, where Django gives none."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field, forms.SplitDateTimeField):
            for box, name in zip(field.widget.widgets, (_("Date"), _("Time")), strict=True):
                box.attrs["aria-label"] = f"{field.label}: {name}"
        return field


class RulesForm(forms.ModelForm):
    """Refuses rules that contradict each other, at the field to change, and says what to do."""

    class Meta:
        help_texts = {
            "feedback": _("Whether learners know at once how an answer went, or once they have finished."),
            "layout": _("On one page, answers can be changed until it is handed in as a whole."),
            "opens_at": _("Empty: it is open from when it is published."),
            "closes_at": _("Empty: it stays open."),
            "counting": _("Trials by staff and the practice of missed questions never count."),
            "access": _("Whoever is not let in sees why. Staff may always take it as a trial."),
            "groups": _("Whoever is in one of them may take the quiz."),
        }

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        unknown = self.errors.keys() if "groups" in self.fields else self.errors.keys() | {"groups"}
        for field, message in list(contradictions(self._value, unknown)):
            self.add_error(field if field in self.fields else None, str(message))
        return cleaned

    def _value(self, name: str) -> Any:
        """What was typed, or what is stored where the field is not on the page."""
        return self.cleaned_data.get(name) if name in self.fields else getattr(self.instance, name)


def _parts() -> list[tuple[str | Promise, list[str], dict[str, Any]]]:
    """Name, fields and what else is said of each part of the page."""
    zone = _("Times are those of the time zone %(zone)s.")
    seen = _("The right answer and the explanation tell whether an answer was right: they should not come before it.")
    return [
        (_("Questions and order"), ["shuffle_questions", "draw", "shuffle_choices"], {}),
        (_("How it is taken"), ["pass_mark", "feedback", "layout", "one_way", "preview", "publishes_answers"], {}),
        (_("What learners see"), list(MOMENTS), {"description": seen, "classes": ["mpquiz-moments"]}),
        (
            _("Time"),
            ["time_limit", "opens_at", "closes_at", "runs_past_closing"],
            {"description": zone % {"zone": timezone.get_current_timezone_name()}},
        ),
        (_("Attempts"), ["attempts_allowed", "wait", "counting"], {}),
        (_("Who may take it"), ["access", "groups", "password"], {}),
    ]


def fieldsets(
    request: HttpRequest, quiz: Quiz | None, *, may_change: bool
) -> list[tuple[str | Promise, dict[str, Any]]]:
    """The parts of the page, those folded away in which nothing is set; what was sent back with errors is all open.

    Whoever may not change the quiz does not read its password.
    """
    found = []
    for name, fields, more in _parts():
        is_open = request.method == "POST" or (quiz is not None and any(_is_set(quiz, one) for one in fields))
        classes = [*more.get("classes", ()), *([] if is_open else ["collapse"])]
        shown = [one for one in fields if one != "password" or may_change]
        found.append((name, {**more, "fields": shown, "classes": classes}))
    return found


def _is_set(quiz: Quiz, name: str) -> bool:
    """Whether a rule is another than that of a practice quiz. Groups go with the rule that asks for them."""
    field: Any = Quiz._meta.get_field(name)
    return not field.many_to_many and getattr(quiz, name) != field.get_default()


def in_short(quiz: Quiz) -> SafeString | str:
    """Time limit and dates of a quiz as a list tells them; empty where it has none."""
    told = [] if quiz.time_limit is None else [_minutes(quiz.time_limit)]
    if state := _state(quiz):
        told.append(state)
    return format_html_join(" · ", "{}", ((one,) for one in told))


def _minutes(count: int) -> str:
    return ngettext("%(count)d minute", "%(count)d minutes", count) % {"count": count}


def _state(quiz: Quiz) -> str:
    """How its own dates stand, whatever single learners were granted; empty where it has none."""
    now = timezone.now()
    if quiz.opens_at is not None and now < quiz.opens_at:
        return gettext("opens %(when)s") % {"when": words.when(quiz.opens_at)}
    if quiz.closes_at is not None and now >= quiz.closes_at:
        return pgettext("quiz", "closed")
    return pgettext("quiz", "open") if quiz.opens_at or quiz.closes_at else ""


def rules_in_words(rules: Rules) -> Iterator[str]:
    """The rules of an attempt, as an editor set them."""
    yield _one_of(Feedback, rules.feedback)
    yield _one_of(Layout, rules.layout)
    if rules.in_order:
        yield gettext("One way: nobody can go back")
    if rules.shuffle_questions:
        yield gettext("Questions shuffled")
    if rules.shuffle_choices:
        yield gettext("Choices shuffled")
    if rules.pass_mark is not None:
        yield format_html("{} {}", gettext("Pass mark"), percent(rules.pass_mark))
    if rules.time_limit is not None:
        minutes = rules.time_limit // 60
        yield ngettext("Time limit: %(count)d minute", "Time limit: %(count)d minutes", minutes) % {"count": minutes}
    if rules.closes_at is not None:
        yield gettext("Closes %(when)s") % {"when": words.when(rules.closes_at)}


def seen_in_words(rules: Rules) -> Iterator[str]:
    """From when on its learner sees what."""
    for name, moment in rules.to_json()["review"].items():
        line: Any = Quiz._meta.get_field(f"show_{name}")
        yield f"{capfirst(line.verbose_name)}: {_one_of(Moment, moment)}"


def _one_of(choices: type[models.TextChoices], value: str) -> str:
    """The label of a stored value; the value, where a later release stored it."""
    return str(dict(choices.choices).get(value, value))


def listed(lines: Iterable[str]) -> SafeString:
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((line,) for line in lines)))
