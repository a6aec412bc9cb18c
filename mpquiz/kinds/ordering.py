"""Things to be put in order, each by choosing its position."""

import json
import random
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import Json, QuestionContent, clean
from ..exceptions import Refusal
from ..words import Text, pick
from .base import Entered, Problem, exact, mixed, place_in, without_text
from .composed import Composed, Part, names, read_alike, too_many


@dataclass(frozen=True, slots=True)
class Ordered:
    """The items as shown, or in the learner's order; ``right_order`` only once it may be seen and is not theirs."""

    parts: Sequence[Part]
    positions: Sequence[str]
    right_order: Sequence[Text] = ()


class Ordering(Composed):
    """The choices are written in the right order; the stored answer is their keys in the learner's.

    Of n items, with k the size of the largest set of them that stand in the right order among themselves, an answer
    earns (k - 1) / (n - 1): the right order is the whole mark, the reverse is nothing, and one item out of place
    costs one share wherever it stands. (The rule "longest ordered subset" of Moodle's ordering question.) Items that
    the learner could not tell apart are interchangeable.
    """

    name = "ordering"
    label = _("put in order")
    hint = _("Write the choices in the right order; learners see them mixed.")
    template = "mpquiz/kinds/ordering.html"
    choice_fields = ("text",)

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if len({_read(choice.text) for choice in content.choices}) < 2:
            return [*found, Problem(_("Give at least two different things to put in order."), "choices")]
        message = _("Another choice reads the same in one language and not in all.")
        found += [*without_text(content.choices), *too_many(content.choices)]
        return [*found, *read_alike(content.choices, "text", message)]

    def visible(self, content: QuestionContent) -> Json:
        texts = {choice.key: clean(choice.text) for choice in content.choices}
        return super().visible(content) | {"choices": [texts[key] for key in self.order(content, shuffle=False)]}

    def order(self, content: QuestionContent, *, shuffle: bool) -> list[str]:
        keys = mixed(content, [choice.key for choice in content.choices])
        return random.sample(keys, len(keys)) if shuffle and not content.settings.get("keep_order") else keys

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> list[str]:
        parts = names(len(order))
        values = self.values(given, parts)
        positions = {name: place_in(value, len(order)) for name, value in values.items()}
        _each_once(positions, parts)
        keys = dict(zip(parts, order, strict=True))
        return [keys[name] for name in sorted(positions, key=positions.__getitem__)]

    def entered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Entered:
        positions = {key: place for place, key in enumerate(given or (), 1)}
        return Entered(
            parts={
                name: str(positions[key])
                for name, key in zip(names(len(order)), order, strict=True)
                if key in positions
            }
        )

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        kept = len(self._in_order(content, given))
        count = len(content.choices)
        return exact(Fraction(kept - 1, count - 1)) if count > 1 else Decimal(kept)

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        return True

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        texts = {choice.key: pick(choice.text) for choice in content.choices}
        return [texts[key] for key in given or () if key in texts]

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Ordered:
        texts = {choice.key: pick(choice.text) for choice in content.choices}
        parts = [Part(name, texts[key]) for name, key in zip(names(len(order)), order, strict=True)]
        return Ordered(parts, names(len(order)))

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Ordered:
        in_order = self._in_order(content, given or ())
        right = in_order if len(in_order) > 1 else set()  # one alone is in order with nothing, and earns nothing
        parts = [
            Part(str(place), text, "right" if place - 1 in right else "wrong")
            for place, text in enumerate(self.in_words(content, given), 1)
        ]
        whole = len(right) == len(content.choices)
        return Ordered(parts, (), () if whole else [pick(choice.text) for choice in content.choices])

    def _in_order(self, content: QuestionContent, given: Sequence[str]) -> set[int]:
        """The indexes in ``given`` of a largest set of items that stand in the right order among themselves.

        The longest common subsequence of both orders by the method of Hunt and Szymanski: n log n where no two items
        read the same.
        """
        read = self.readings(content, "text")
        for choice in content.choices:
            read[choice.key].add(("", _read(choice.text)))
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, choice in enumerate(content.choices):
            for reading in read[choice.key]:
                places[reading].append(place)
        ends: list[int] = []  # the lowest right place in which a chain of each length ends
        chains: list[tuple[int, Any]] = []  # such a chain as (index in given, the chain before it)
        for index, key in enumerate(given):
            fitting = {place for reading in read.get(key, ()) for place in places.get(reading, ())}
            for place in sorted(fitting, reverse=True):
                length = bisect_left(ends, place)
                ends[length : length + 1] = [place]
                chains[length : length + 1] = [(index, chains[length - 1] if length else None)]
        return set(_links(chains[-1] if chains else None))


def _each_once(positions: Mapping[str, int], parts: Sequence[str]) -> None:
    """Raises Refusal where a position was chosen twice or not at all, and says which."""
    chosen = Counter(positions.values())
    if twice := sorted(position for position, times in chosen.items() if times > 1):
        message = _("Choose each position once. Chosen more than once: %(positions)s.")
        wrong = [name for name in parts if positions.get(name) in twice]
        raise Refusal("bad_answer", message % {"positions": ", ".join(map(str, twice))}, parts=wrong)
    if free := [position for position in range(1, len(parts) + 1) if position not in chosen]:
        message = _("Choose a position for each. Still free: %(positions)s.")
        wrong = [name for name in parts if name not in positions]
        raise Refusal("bad_answer", message % {"positions": ", ".join(map(str, free))}, parts=wrong)


def _read(words: Any) -> str:
    """What tells items apart: the words in all languages."""
    return json.dumps(clean(words), sort_keys=True)


def _links(chain: Any) -> Iterator[int]:
    while chain:
        index, chain = chain
        yield index
