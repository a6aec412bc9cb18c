"""What an editor should look at in a question, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from .chance import LEVEL, outnumbers
from .languages import LEAST_GAP, Gap

if TYPE_CHECKING:
    from .questions import QuestionStatistics

MINIMUM = 30
"""Answers below which nothing is flagged: so few say too little."""
_LEAST_TOP = 10
_EASY, _HARD, _LOW = 0.95, 0.2, 20.0

_TEXTS: Mapping[str, str | Promise] = {
    "key": _("More of the good learners choose a wrong answer than the right one: is the key right?"),
    "negative": _("Whoever does well in the rest of the quiz does worse here: is the question misleading?"),
    "language": _(
        "Read in %(harder)s it goes worse than read in %(easier)s: among learners with equal scores by %(points)s "
        "points of 100 more than elsewhere in the quiz. That is too much for chance: is the translation right?"
    ),
    "guessed": _("No more points are earned than by guessing."),
    "hard": _("Too hard: few points are earned."),
    "easy": _("Too easy: nearly all points are earned."),
    "low": _("It hardly tells those who do well in the rest of the quiz from those who do not."),
    "covariance": _("Whoever earns more here earns less in the whole quiz: it has no weight of its own."),
    "unchosen": _("A choice that nobody takes."),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """Something to look at. ``choices`` are the keys of those that it is about."""

    code: str
    choices: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """In the active language."""
        named = {name: _language_name(self.values[name]) for name in ("harder", "easier") if name in self.values}
        return str(_TEXTS[self.code]) % {**self.values, **named} if self.values else str(_TEXTS[self.code])


def _language_name(code: str) -> str:
    """What the active language calls a language; the code, where Django does not know it."""
    try:
        return get_language_info(code)["name_translated"]
    except KeyError:
        return code


@dataclass(frozen=True, slots=True)
class Best:
    """What the best third of the learners, by the rest of the quiz, answered."""

    n: int = 0
    right: int = 0
    wrong: Mapping[str, int] = field(default_factory=dict)

    @property
    def rival(self) -> str:
        """The wrong answer that more of them give than the right one, beyond chance; "" where there is none."""
        most = max(self.wrong, key=lambda tally: (self.wrong[tally], tally), default="")
        enough = self.n >= _LEAST_TOP and most
        return most if enough and outnumbers(self.wrong[most], self.right) else ""


def flags_of(one: "QuestionStatistics", best: Best, gaps: list[Gap], *, negative: bool) -> Iterator[Flag]:
    """What to look at, the most urgent first. ``negative``: its covariance with the whole quiz is."""
    if one.n < MINIMUM:
        return
    if best.rival:
        yield Flag("key", tuple(best.rival.split()))
    if one.discrimination is not None and one.discrimination < 0:
        yield Flag("negative")
    for gap in gaps:
        if gap.p < LEVEL and gap.size >= LEAST_GAP:
            values = {"harder": gap.harder, "easier": gap.easier, "points": round(gap.size * 100)}
            yield Flag("language", values=values)
    yield from _by_facility(one)
    if one.discrimination is not None and 0 <= one.discrimination < _LOW and one.facility < _EASY:
        yield Flag("low")
    if negative:
        yield Flag("covariance")
    if unchosen := tuple(choice.key for choice in one.choices if not choice.n):
        yield Flag("unchosen", unchosen)


def _by_facility(one: "QuestionStatistics") -> Iterator[Flag]:
    if one.guess is not None and one.facility <= one.guess:
        yield Flag("guessed")
    elif one.facility < _HARD:
        yield Flag("hard")
    elif one.facility >= _EASY:
        yield Flag("easy")
