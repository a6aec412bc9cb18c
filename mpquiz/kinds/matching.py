"""Pairs: what belongs to what, chosen from lists."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, Json, QuestionContent, clean
from ..exceptions import Refusal
from ..words import NO_TEXT, Text, pick
from .base import Entered, Problem, exact, mixed, place_in
from .composed import NOTHING_OFFERED, Composed, Offered, Part, names, read_alike, to, too_many


@dataclass(frozen=True, slots=True)
class Pairs:
    """The left sides with what was given to each, and what they can be given while they are asked."""

    parts: Sequence[Part]
    offered: Offered = NOTHING_OFFERED


class Matching(Composed):
    """The stored answer is ``{key of a pair: key of the choice whose right side was chosen}``.

    A choice without a text of its own is a distractor: its right side can be chosen and belongs to no pair. Right
    sides that are equal in every language are one thing to choose, kept by the key of the first. Each pair earns an
    equal share of the points; of right sides that the learner could not tell apart any counts. The order of an answer
    is the keys of the pairs as shown, then those of the right sides as shown, which tell nothing of each other.
    """

    name = "matching"
    label = _("pairs that belong together")
    hint = _("Each choice is a pair: a text and the match that belongs to it. A match without a text misleads.")
    template = "mpquiz/kinds/matching.html"
    choice_fields = ("text", "match")

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if not _pairs(content):
            return [*found, Problem(_("Give at least one pair."), "choices")]
        message = _("Write what belongs to it in at least one language.")
        found += [Problem(message, "match", n) for n, one in enumerate(content.choices) if not clean(one.match)]
        if len(_matches(content)) < 2:
            found.append(Problem(_("Give at least two different right sides to choose from."), "choices"))
        message = _("Another right side reads the same in one language and not in all.")
        return [*found, *too_many(content.choices), *read_alike(content.choices, "match", message)]

    def visible(self, content: QuestionContent) -> Json:
        lefts, rights = _apart(content, self.order(content, shuffle=False))
        by_key = {choice.key: choice for choice in content.choices}
        return super().visible(content) | {
            "choices": [clean(by_key[key].text) for key in lefts],
            "matches": [clean(by_key[key].match) for key in rights],
        }

    def order(self, content: QuestionContent, *, shuffle: bool) -> list[str]:
        lefts = [choice.key for choice in _pairs(content)]
        rights = mixed(content, _matches(content), by="match")
        if not shuffle or content.settings.get("keep_order"):
            return [*lefts, *rights]
        return [*random.sample(lefts, len(lefts)), *random.sample(rights, len(rights))]

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> dict[str, str]:
        chosen = self.clean_partly(given, content, order)
        lefts, _rights = _apart(content, order)
        if missing := [name for name, key in zip(names(len(lefts)), lefts, strict=True) if key not in chosen]:
            message = _("Choose what belongs to each. Nothing is chosen yet for: %(parts)s.")
            raise Refusal("bad_answer", message % {"parts": ", ".join(missing)}, parts=missing)
        return chosen

    def clean_partly(self, given: object, content: QuestionContent, order: Sequence[str]) -> dict[str, str]:
        lefts, rights = _apart(content, order)
        keys = dict(zip(names(len(lefts)), lefts, strict=True))
        values = self.values(given, list(keys))
        return {keys[name]: rights[place_in(value, len(rights)) - 1] for name, value in values.items()}

    def entered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Entered:
        lefts, rights = _apart(content, order)
        chosen = {name: (given or {}).get(key) for name, key in zip(names(len(lefts)), lefts, strict=True)}
        places = {name: _place_of(content, key, rights) for name, key in chosen.items() if key is not None}
        return Entered(parts={name: str(place) for name, place in places.items() if place})

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        pairs, right = _pairs(content), self._right(content, given)
        return exact(Fraction(len(right), len(pairs) or 1))

    def _right(self, content: QuestionContent, given: Mapping[str, str]) -> set[str]:
        """The keys of the pairs to which was given what belongs there, or what read the same to the learner."""
        read = self.readings(content, "match")
        return {
            pair.key
            for pair in _pairs(content)
            if any(
                not read[key].isdisjoint(read.get(given.get(pair.key, ""), ())) for key in _belonging(content, pair)
            )
        }

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        return True

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        given = given or {}
        return [
            to(pick(pair.text), _match(content, given[pair.key])) for pair in _pairs(content) if pair.key in given
        ]

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Pairs:
        lefts, rights = _apart(content, order)
        by_key = {choice.key: choice for choice in content.choices}
        parts = [Part(name, pick(by_key[key].text)) for name, key in zip(names(len(lefts)), lefts, strict=True)]
        return Pairs(parts, Offered.of(_match(content, key) for key in rights))

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Pairs:
        lefts, _rights = _apart(content, order)
        by_key = {choice.key: choice for choice in content.choices}
        given = given or {}
        right = self._right(content, given)
        shown = []
        for place, key in enumerate(lefts, 1):
            state = "" if key not in given else "right" if key in right else "wrong"
            chosen = _match(content, given[key]) if key in given else None
            shown.append(Part(str(place), pick(by_key[key].text), state, chosen, pick(by_key[key].match)))
        return Pairs(shown)


def _pairs(content: QuestionContent) -> list[ChoiceContent]:
    return [choice for choice in content.choices if clean(choice.text)]


def _matches(content: QuestionContent) -> list[str]:
    """The keys of the right sides that can be chosen, of equal ones the first."""
    first: dict[str, str] = {}
    for choice in content.choices:
        first.setdefault(json.dumps(clean(choice.match)), choice.key)
    return list(first.values())


def _apart(content: QuestionContent, order: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The keys of the left and of the right sides, each as shown."""
    count = len(_pairs(content))
    return order[:count], order[count:]


def _match(content: QuestionContent, key: str) -> Text:
    choice = content.choice(key)
    return pick(choice.match) if choice else NO_TEXT


def _place_of(content: QuestionContent, key: str, rights: Sequence[str]) -> int:
    """The place at which a right side is offered; 0 where it is not. Of equal ones only the first is offered."""
    if key in rights:
        return rights.index(key) + 1
    return next((place for place, right in enumerate(rights, 1) if _match(content, right) == _match(content, key)), 0)


def _belonging(content: QuestionContent, pair: ChoiceContent) -> list[str]:
    """The keys of the right sides that belong to a pair: its own, and those that say the same in every language."""
    return [choice.key for choice in content.choices if clean(choice.match) == clean(pair.match)]
