"""A question as it is now, by which answers are marked that were given to it as it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .. import kinds
from ..content import ChoiceContent, QuestionContent, clean
from ..models import Answer


@dataclass(frozen=True, slots=True)
class Judged:
    """What a key says of an answer: ``fits`` is whether it can, ``fraction`` is None where a person must mark it."""

    fits: bool
    fraction: Decimal | None = None


class Key:
    def __init__(self, content: QuestionContent) -> None:
        self.content = content
        self.digest = content.digest
        self.kind = kinds.kept(content.kind)
        self._offered = frozenset(self.kind.order(content, shuffle=False))
        self._parts = {choice.part for choice in content.choices}

    def judge(self, answer: Answer) -> Judged:
        """What an answer that was given earns."""
        if not self.fits(answer):
            return Judged(fits=False)
        kind = kinds.kept(self.content.kind, kinds.Seen(answer.content, answer.language))
        return Judged(True, kind.mark(self.content, answer.given))

    def fits(self, answer: Answer) -> bool:
        """Whether the question still asks what it asked: of its kind, and with all that was chosen still there.

        Nor has anything been added to be found or to be done, which this learner was never shown.
        """
        if answer.is_erased or not self._is_alike(answer.kind):
            return False
        shown = set(answer.order)
        gone, added = shown - self._offered, self._offered - shown
        if not gone.isdisjoint(_names_in(answer.given)):
            return False
        if self._parts - {choice.part for choice in answer.content.choices}:
            return False
        return not any(self._earns(choice) for choice in self.content.choices if choice.key in added)

    def _is_alike(self, kind: kinds.Kind) -> bool:
        """Whether an answer to the other kind has the shape of one to this."""
        if kinds.Gone in (type(kind), type(self.kind)):
            return False
        return isinstance(kind, type(self.kind)) or isinstance(self.kind, type(kind))

    def _earns(self, choice: ChoiceContent) -> bool:
        """Whether a choice is one to be found; where none is right or wrong, each that has a text is to be placed."""
        if "right" in self.kind.choice_fields:
            return choice.right or (choice.weight or 0) > 0
        return bool(clean(choice.text))


def _names_in(given: Any) -> Iterator[str]:
    """All texts in a stored answer; the keys of what was chosen are among them."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict):
        for name, value in given.items():
            yield name
            yield from _names_in(value)
    elif isinstance(given, list):
        for value in given:
            yield from _names_in(value)
