"""A text with gaps to fill in, each of them a small question of its own (Moodle's embedded answers)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..content import Json, QuestionContent, clean
from ..exceptions import Refusal
from ..words import NO_TEXT, Text, pick
from . import blanks
from .accepted import AcceptedKind
from .base import ChoiceKind, Entered, Kind, Problem, exact
from .composed import MOST, NOTHING_OFFERED, Composed, Offered
from .number import Number
from .single import Single
from .text import ShortText

KINDS: Mapping[str, type[Kind]] = {kind.name: kind for kind in (ShortText, Single, Number)}
"""What a gap may be."""
_KIND = ShortText.name

_LEAST, _GREATEST = Decimal("0.000001"), Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap as a page shows it, numbered from 1 as the text is read. Before the answer it knows nothing else."""

    name: str
    number: int
    kind: str
    offered: Offered = NOTHING_OFFERED
    state: str = ""
    given: Text = NO_TEXT
    right: Text = NO_TEXT


@dataclass(frozen=True, slots=True)
class Filled:
    """The prompt as pieces of HTML and the gaps between them."""

    pieces: Sequence[SafeString | Gap]

    @property
    def gaps(self) -> list[Gap]:
        return [piece for piece in self.pieces if isinstance(piece, Gap)]


class Gaps(Composed):
    """The prompt holds gaps as ``[[1]]`` or ``[[name]]``; the stored answer is ``{name: what its kind stores}``.

    A choice belongs to the gap that its ``part`` names. ``settings["parts"]`` says of a gap its ``kind`` (``text``
    by default), its ``weight`` and what that kind takes as settings. An answer earns the mean of what the gaps earn,
    each by its weight (1 by default).
    """

    name = "gaps"
    label = _("gaps in a text")
    hint = _(
        "Write [[1]] in the prompt where a gap stands, and name the gap, 1, in each of its choices. The settings say "
        'what a gap is: {"parts": {"1": {"kind": "single"}}}; single, text or number. Without them it is text.'
    )
    template = "mpquiz/kinds/gaps.html"
    choice_fields = ("part", "text", "value", "right", "weight", "keeps_place", "feedback")
    lays_out_prompt = True
    accepts_texts = True
    offering_parts = tuple(name for name, kind in KINDS.items() if not kind.accepts_texts)

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if found or (found := _prompt_problems(content)):
            return found
        found = _stray(content)
        for part in _parts(content):
            found += _part_problems(content, part)
        return found

    def visible(self, content: QuestionContent) -> Json:
        seen = {part.name: part.kind.visible(replace(part.content, prompt={})) for part in _parts(content)}
        return super().visible(content) | {"parts": seen}

    def order(self, content: QuestionContent, *, shuffle: bool) -> list[str]:
        return [key for part in _parts(content) for key in part.kind.order(part.content, shuffle=shuffle)]

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> dict[str, Any]:
        parts = list(_parts(content))
        values = self.values(given, [part.name for part in parts])
        if empty := [part for part in parts if part.name not in values]:
            message = _("Fill in every gap. Still empty: %(gaps)s.")
            numbers = ", ".join(str(part.number) for part in empty)
            raise Refusal("bad_answer", message % {"gaps": numbers}, parts=[part.name for part in empty])
        return _cleaned(parts, values, order)

    def clean_partly(self, given: object, content: QuestionContent, order: Sequence[str]) -> dict[str, Any]:
        parts = {part.name: part for part in _parts(content)}
        values = self.values(given, list(parts))
        return _cleaned([part for name, part in parts.items() if name in values], values, order)

    def entered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Entered:
        told = {part.name: part.entered(order, given) for part in _parts(content)}
        return Entered(parts={name: values[0] for name, values in told.items() if values})

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        parts = list(_parts(content))
        earned = sum((part.weight * Fraction(part.mark(given)) for part in parts), Fraction(0))
        return exact(earned / (sum(part.weight for part in parts) or 1))

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        """All of it or nothing: a gap that was emptied would earn something else when it is marked anew."""
        parts = {part.name: part for part in _parts(content)}
        known = [(parts[name], value) for name, value in given.items() if name in parts]
        return len(known) == len(given) and all(one.kind.is_impersonal(one.content, value) for one, value in known)

    def said(self, content: QuestionContent, given: Any) -> list[Text]:
        given = given or {}
        return [text for part in _parts(content) for text in part.kind.said(part.content, given.get(part.name))]

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        given = given or {}
        told = [(part, part.given(given)) for part in _parts(content)]
        return [replace(text, source=f"{part.number}: {text.source}") for part, text in told if text]

    def readable(self, content: QuestionContent) -> Text:
        prompt = pick(content.prompt)
        return replace(prompt, source=blanks.emptied(prompt.source))

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Filled:
        return _filled(content, lambda part: part.asked(order))

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Filled:
        return _filled(content, lambda part: part.answered(given))


@dataclass(frozen=True, slots=True)
class _Part:
    """A gap as the question that it is."""

    name: str
    number: int
    kind: Kind
    content: QuestionContent
    weight: Fraction

    def order(self, order: Sequence[str]) -> list[str]:
        """Of an order that holds the choices of all gaps, those of this one."""
        mine = {choice.key for choice in self.content.choices}
        return [key for key in order if key in mine]

    def mark(self, given: Any) -> Decimal:
        value = (given or {}).get(self.name)
        return Decimal(0) if value is None else self.kind.mark(self.content, value) or Decimal(0)

    def given(self, given: Any) -> Text:
        told = self.kind.in_words(self.content, (given or {}).get(self.name))
        return told[0] if told else NO_TEXT

    def entered(self, order: Sequence[str], given: Any) -> list[str]:
        value = (given or {}).get(self.name)
        return [] if value is None else self.kind.entered(self.content, self.order(order), value).given

    def right(self) -> Text:
        """The right answer, of several the first."""
        if isinstance(self.kind, AcceptedKind):
            texts = list(self.kind.answered(self.content, [], None).accepted)
        else:
            texts = [pick(choice.text) for choice in self.content.choices if choice.right]
        return texts[0] if texts else NO_TEXT

    def asked(self, order: Sequence[str]) -> Gap:
        offered = NOTHING_OFFERED
        if isinstance(self.kind, ChoiceKind):
            offered = Offered.of(choice.text for choice in self.kind.asked(self.content, self.order(order)))
        return Gap(self.name, self.number, self.kind.name, offered)

    def answered(self, given: Any) -> Gap:
        told, fraction = self.given(given), self.mark(given)
        state = "right" if fraction == 1 else "partly" if fraction else "wrong" if told else ""
        return Gap(self.name, self.number, self.kind.name, NOTHING_OFFERED, state, told, self.right())


def _names(content: QuestionContent) -> list[str]:
    """The names of the gaps in the order in which this reader meets them."""
    return list(dict.fromkeys(blanks.visible_names(pick(content.prompt).source)))


def _parts(content: QuestionContent) -> Iterator[_Part]:
    for number, name in enumerate(_names(content), 1):
        settings = _settings(content, name)
        kind = KINDS.get(str(settings.get("kind", _KIND)), KINDS[_KIND])()
        choices = tuple(choice for choice in content.choices if choice.part == name)
        own = {key: value for key, value in settings.items() if key not in ("kind", "weight")}
        question = replace(content, kind=kind.name, choices=choices, settings=own)
        yield _Part(name, number, kind, question, _weight(settings) or Fraction(1))


def _settings(content: QuestionContent, name: str) -> Mapping[str, Any]:
    parts = content.settings.get("parts")
    found = parts.get(name) if isinstance(parts, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _weight(settings: Mapping[str, Any]) -> Fraction | None:
    """How much a gap counts beside the others; None where that is no number of a sensible size above 0."""
    written = str(settings.get("weight", 1))
    try:
        weight = Decimal(written) if len(written) <= 20 else Decimal(0)
    except InvalidOperation:
        return None
    return Fraction(weight) if weight.is_finite() and _LEAST <= weight <= _GREATEST else None


def _cleaned(parts: Iterable[_Part], values: Mapping[str, str], order: Sequence[str]) -> dict[str, Any]:
    """What each gap's kind stores. Raises one Refusal for all that its kind refuses."""
    stored, refused = {}, {}
    for part in parts:
        try:
            stored[part.name] = part.kind.clean(values[part.name], part.content, part.order(order))
        except Refusal as refusal:
            told = {"number": part.number, "message": refusal.message}
            refused[part.name] = str(_("Gap %(number)s: %(message)s") % told)
    if refused:
        raise Refusal("bad_answer", " ".join(refused.values()), parts=list(refused))
    return stored


def _filled(content: QuestionContent, shown: Callable[[_Part], Gap]) -> Filled:
    parts = {part.name: part for part in _parts(content)}
    pieces = blanks.pieces(pick(content.prompt).source)
    return Filled([shown(parts[piece.name]) if isinstance(piece, blanks.Blank) else piece for piece in pieces])


# What an editor must mend -----------------------------------------------------------------------------------


def _prompt_problems(content: QuestionContent) -> list[Problem]:
    prompts = {language: blanks.names(source) for language, source in clean(content.prompt).items()}
    found = [problem for source in clean(content.prompt).values() for problem in _misplaced(source)]
    names = {name for several in prompts.values() for name in several}
    if not names:
        found.append(Problem(_("Write each gap into the prompt as [[1]], [[2]] and so on."), "prompt"))
    missing = [name for name in sorted(names) if not all(name in several for several in prompts.values())]
    message = _("The gap [[%(name)s]] is not in the prompt of every language.")
    found += [Problem(message % {"name": name}, "prompt") for name in missing]
    if len(names) > MOST:
        message = _("Write at most %(count)s gaps: more cannot be answered on one page.")
        found.append(Problem(message % {"count": MOST}, "prompt"))
    return found


def _misplaced(source: str) -> list[Problem]:
    """The gaps of one language's prompt that stand twice, or where nothing can be filled in."""
    written, seen = blanks.names(source), set(blanks.visible_names(source))
    twice = _("The gap [[%(name)s]] stands twice in the prompt: give each a name of its own.")
    closed = _("The gap [[%(name)s]] stands in a link, a picture or a formula, where nothing can be filled in.")
    found = [Problem(twice % {"name": name}, "prompt") for name, count in Counter(written).items() if count > 1]
    return found + [Problem(closed % {"name": name}, "prompt") for name in dict.fromkeys(written) if name not in seen]


def _stray(content: QuestionContent) -> list[Problem]:
    """Choices and settings of gaps that are not there."""
    names = _names(content)
    found = []
    for index, choice in enumerate(content.choices):
        if choice.part not in names:
            message = (
                _("The prompt has no gap [[%(name)s]].") if choice.part else _("Name the gap that it belongs to.")
            )
            found.append(Problem(message % {"name": choice.part}, "part", index, blocks=False))
    parts = content.settings.get("parts", {})
    if not isinstance(parts, Mapping):
        return [*found, Problem(_("The settings of the gaps are an object by their names."), "settings")]
    message = _("The settings name a gap [[%(name)s]] that the prompt does not have.")
    strays = [str(name)[:40] for name in parts if name not in names]
    return found + [Problem(message % {"name": name}, "settings", blocks=False) for name in strays]


def _part_problems(content: QuestionContent, part: _Part) -> list[Problem]:
    """What keeps one gap from being asked."""
    settings = _settings(content, part.name)
    if settings.get("kind", _KIND) not in list(KINDS):  # compared, not looked up: JSON may hold anything
        message = _("The gap [[%(name)s]] is of a kind that no gap can be. It can be: %(kinds)s.")
        return [Problem(message % {"name": part.name, "kinds": ", ".join(KINDS)}, "settings")]
    found = []
    if _weight(settings) is None:
        message = _("The weight of the gap [[%(name)s]] is a number above 0.")
        found.append(Problem(message % {"name": part.name}, "settings"))
    if not part.content.choices:
        message = _("Say what fills the gap [[%(name)s]].")
        return [*found, Problem(message % {"name": part.name}, "choices")]
    places = [index for index, choice in enumerate(content.choices) if choice.part == part.name]
    return found + [_of_gap(part, problem, places) for problem in part.kind.problems(part.content)]


def _of_gap(part: _Part, problem: Problem, places: Sequence[int]) -> Problem:
    """What the kind of a gap says, at the choice of the whole question."""
    if problem.choice is not None:
        return replace(problem, choice=places[problem.choice])
    message = _("The gap [[%(name)s]]: %(message)s")
    return replace(problem, message=message % {"name": part.name, "message": problem.message})
