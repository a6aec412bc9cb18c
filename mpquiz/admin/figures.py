"""Statistics laid out for people: numbers with what they mean, bars and columns, and what was left out in words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .. import words
from ..statistics import MINIMUM, ChoiceCount, Flag, LeftOut, OverTime, QuestionStatistics, QuizStatistics
from ..templatetags.mpquiz import ltr
from ..words import Text
from .languages import own_name

_LONGEST = 200  # characters of a prompt
NOTHING = "–"


def number(value: float | None, *, places: int = 1, unit: str = "") -> SafeString | str:
    """A number as the reader writes it, with its unit, read from the left; a dash where there is none."""
    if value is None:
        return NOTHING
    rounded = round(value, places) + 0.0  # no negative zero
    text = number_format(int(rounded) if rounded == int(rounded) else rounded)
    return ltr(f"{text}\N{NO-BREAK SPACE}{unit}" if unit else text)


def percent(value: float | None) -> SafeString | str:
    return number(value, unit="%")


def share(value: float | None) -> SafeString | str:
    """A share of one in percent."""
    return percent(None if value is None else 100 * value)


def length(part: float) -> str:
    """A share of one as the attribute of a bar: percent, as machines read it."""
    return f"{100 * min(max(part, 0.0), 1.0):.2f}"


@dataclass(frozen=True, slots=True)
class Fact:
    """A number with its name and a short aid to reading it."""

    name: str | Promise
    value: SafeString | str
    aid: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart: ``height`` and what is left above it (``rest``) as percent of the whole."""

    label: str
    value: SafeString | str
    height: str
    rest: str

    @classmethod
    def of(cls, label: str, value: SafeString | str, part: float) -> Self:
        return cls(label, value, length(part), length(1 - part))


# The quiz -------------------------------------------------------------------------------------------------------


def facts_of(numbers: QuizStatistics) -> list[Fact]:
    """The numbers of a quiz. What is usual: https://docs.moodle.org/dev/Quiz_statistics_calculations."""
    return [
        Fact(_("Attempts"), number(numbers.n)),
        Fact(_("Mean"), percent(numbers.mean), _("Half to three quarters of the points are usual.")),
        Fact(_("Median"), percent(numbers.median), _("Half of the attempts have less, half of them more.")),
        Fact(
            _("Standard deviation"),
            percent(numbers.deviation),
            _("12 to 18 points of 100 are usual. Less hardly tells learners apart."),
        ),
        Fact(
            _("Skewness"),
            number(numbers.skewness, places=2),
            _("Below 0: a few are much worse than most. Above 0: a few are much better."),
        ),
        Fact(
            _("Kurtosis"),
            number(numbers.kurtosis, places=2),
            _("Above 0: more scores lie far out, or crowd in the middle, than under a bell curve."),
        ),
        Fact(
            _("Consistency"),
            percent(numbers.consistency),
            _("75 and more is good. Below 64 the questions hardly measure one thing, or are too few."),
        ),
        Fact(_("Error ratio"), percent(numbers.error_ratio), _("How much of the deviation is due to chance.")),
        Fact(
            _("Standard error"),
            percent(numbers.standard_error),
            _("Two of three scores lie this near to what the learner can do."),
        ),
    ]


def histogram_of(numbers: QuizStatistics) -> list[Column]:
    """How many attempts have which score."""
    most = max(numbers.histogram) or 1
    step = 100 // len(numbers.histogram)
    return [
        Column.of(_between(step * place, step * (place + 1)), number(count), count / most)
        for place, count in enumerate(numbers.histogram)
    ]


def _between(least: int, most: int) -> SafeString:
    """From so many percent to so many; where there is little room the stylesheet hides the second number."""
    return format_html('<bdi dir="ltr">{}<span class="mpquiz-up-to">–{}</span></bdi>', least, most)


@dataclass(frozen=True, slots=True)
class Row:
    """A day, week or month with both of its columns."""

    label: str
    attempts: Column
    mean: Column


_STEPS = {
    "day": gettext_lazy("Attempts by day"),
    "week": gettext_lazy("Attempts by week, by its Monday"),
    "month": gettext_lazy("Attempts by month"),
}


def heading_of(over: OverTime) -> str:
    return str(_STEPS[over.step])


def rows_of(over: OverTime) -> list[Row]:
    """The periods with how many attempts ended in each, and their mean."""
    most = max((one.n for one in over.periods), default=0) or 1
    rows = []
    for one in over.periods:
        label = _dated(one.start, over.step)
        mean = Column.of(label, percent(one.mean), (one.mean or 0) / 100)
        rows.append(Row(label, Column.of(label, number(one.n), one.n / most), mean))
    return rows


def _dated(day: date, step: str) -> str:
    return date_format(day, "YEAR_MONTH_FORMAT" if step == "month" else "SHORT_DATE_FORMAT")


def left_out_of(one: LeftOut, *, language: str | None) -> Iterator[str]:
    """What is left out, and how many."""
    others = (
        ngettext(
            "%(count)s attempt that was not asked for, or was not read in this language alone",
            "%(count)s attempts that were not asked for, or were not read in this language alone",
            one.others,
        )
        if language
        else ngettext(
            "%(count)s other attempt of the same learners",
            "%(count)s other attempts of the same learners",
            one.others,
        )
    )
    told = [
        (one.others, others),
        (
            one.waiting,
            ngettext(
                "%(count)s attempt in which answers wait to be marked by a person",
                "%(count)s attempts in which answers wait to be marked by a person",
                one.waiting,
            ),
        ),
        (one.running, ngettext("%(count)s attempt not closed yet", "%(count)s attempts not closed yet", one.running)),
        (one.abandoned, ngettext("%(count)s abandoned attempt", "%(count)s abandoned attempts", one.abandoned)),
        (
            one.practice,
            ngettext(
                "%(count)s practice of missed questions", "%(count)s practices of missed questions", one.practice
            ),
        ),
        (one.trials, ngettext("%(count)s trial by staff", "%(count)s trials by staff", one.trials)),
        (
            one.worthless,
            ngettext(
                "%(count)s attempt without a point to earn",
                "%(count)s attempts without a point to earn",
                one.worthless,
            ),
        ),
    ]
    yield from (text % {"count": number_format(count)} for count, text in told if count)


# A question -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice with its bar, and how many of those who read each language took it."""

    name: Text
    right: bool
    there: bool
    n: SafeString | str
    share: SafeString | str
    width: str
    by_language: Sequence[SafeString | str]


@dataclass(frozen=True, slots=True)
class ShownTyped:
    text: str
    n: SafeString | str
    share: SafeString | str
    width: str


@dataclass(frozen=True, slots=True)
class ShownLanguage:
    code: str
    name: str
    dir: str
    n: SafeString | str
    facility: SafeString | str
    width: str


@dataclass(frozen=True, slots=True)
class ShownFlag:
    """What to look at, in words, and the choices that it is about."""

    code: str
    text: str
    choices: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question of a quiz as its page shows it."""

    number: int
    one: QuestionStatistics
    url: str = ""

    @property
    def prompt(self) -> Text:
        text = words.pick(self.one.content.title) or words.pick(self.one.content.prompt)
        plain = text.plain
        short = plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
        return words.Written(short, text.language, text.fallback)

    @property
    def facility(self) -> SafeString | str:
        return share(self.one.facility)

    @property
    def width(self) -> str:
        return length(self.one.facility)

    @property
    def discrimination(self) -> SafeString | str:
        return percent(self.one.discrimination)

    @property
    def weight(self) -> SafeString | str:
        return percent(self.one.weight)

    @property
    def is_small(self) -> bool:
        """Whether so few were asked that nothing is flagged."""
        return self.one.n < MINIMUM

    @property
    def facts(self) -> list[Fact]:
        one = self.one
        facts = [
            Fact(_("Answers"), number(one.n)),
            Fact(_("Skipped"), number(one.skipped)),
            Fact(_("Points"), number(one.points, places=2)),
            Fact(_("Facility"), self.facility),
            Fact(_("Standard deviation (points)"), number(one.deviation, places=2)),
            Fact(_("Discrimination"), self.discrimination),
            Fact(_("Discriminative efficiency"), percent(one.efficiency)),
            Fact(_("Effective weight"), self.weight),
        ]
        return facts if one.guess is None else [*facts, Fact(_("By guessing"), share(one.guess))]

    @property
    def flags(self) -> list[ShownFlag]:
        return [ShownFlag(flag.code, flag.text, self._names(flag)) for flag in self.one.flags]

    def _names(self, flag: Flag) -> list[Text]:
        return [_name_of(choice) for choice in self.one.choices if choice.key in flag.choices]

    @property
    def choices(self) -> Iterable[ShownChoice]:
        for one in self.one.choices:
            yield ShownChoice(
                name=_name_of(one),
                right=one.choice.right,
                there=one.there,
                n=number(one.n),
                share=share(one.share),
                width=length(one.share),
                by_language=[share(one.languages.get(la.language, 0) / la.n) for la in self.one.languages],
            )

    @property
    def typed(self) -> list[ShownTyped]:
        return [ShownTyped(one.text, number(one.n), share(one.share), length(one.share)) for one in self.one.typed]

    @property
    def languages(self) -> list[ShownLanguage]:
        return [
            ShownLanguage(
                one.language,
                own_name(one.language),
                words.direction(one.language),
                number(one.n),
                share(one.facility),
                length(one.facility),
            )
            for one in self.one.languages
        ]


def _name_of(one: ChoiceCount) -> Text:
    return words.pick(one.choice.text) or Text(one.choice.value or one.key)
