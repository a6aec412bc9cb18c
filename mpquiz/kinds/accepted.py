"""What the kinds share whose answer is typed and compared with what the editor accepts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, QuestionContent, clean
from ..words import Text, Written, pick
from .base import Kind, Problem, exact


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed answer as a page shows it once the right one may be seen.

    ``given`` is None where the question was skipped, ``state`` "right", "partly", "wrong" or "" (skipped);
    ``accepted`` is what else earns all the points.
    """

    given: Text | None = None
    state: str = ""
    accepted: Sequence[Text] = ()


class AcceptedKind(Kind):
    """Each choice is an answer that is accepted, with what it earns: all where right, else its weight, else nothing.

    Of several that fit the first with the highest share counts; ``*`` alone fits where nothing else does.
    """

    def fits(self, choice: ChoiceContent, given: Any, content: QuestionContent) -> bool:
        """Whether a cleaned answer is what this choice accepts. Not asked of one that ``is_anything``."""
        raise NotImplementedError

    def is_anything(self, choice: ChoiceContent) -> bool:
        """Whether the choice accepts whatever else is typed."""
        raise NotImplementedError

    def shown(self, choice: ChoiceContent) -> Text:
        """What the choice accepts, for people to read."""
        raise NotImplementedError

    def unreadable(self, content: QuestionContent) -> list[Problem]:
        """The choices that accept nothing, or what another one accepts already."""
        raise NotImplementedError

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if not content.choices:
            return [*found, Problem(_("Give at least one answer that is accepted."), "choices")]
        found += self.unreadable(content)
        found += _weights(content.choices)
        if not any(choice.right for choice in content.choices):
            found.append(Problem(_("Mark at least one answer right: it earns all the points."), "choices"))
        return found

    def order(self, content: QuestionContent, *, shuffle: bool) -> list[str]:
        """None: what is accepted is not shown before the answer."""
        return []

    def match(self, content: QuestionContent, given: Any) -> ChoiceContent | None:
        """The choice that counts for a cleaned answer; None where none fits."""
        if given is None:
            return None
        fitting = [choice for choice in content.choices if not self.is_anything(choice)]
        fitting = [choice for choice in fitting if self.fits(choice, given, content)]
        return max(fitting or filter(self.is_anything, content.choices), key=_share, default=None)

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        choice = self.match(content, given)
        return Decimal(0) if choice is None else exact(_share(choice))

    def said(self, content: QuestionContent, given: Any) -> list[Text]:
        choice = self.match(content, given)
        return [pick(choice.feedback)] if choice is not None and clean(choice.feedback) else []

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        return [] if given is None else [Written(str(given))]

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Typed:
        return Typed()

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Typed:
        right = [self.shown(choice) for choice in content.choices if choice.right and not self.is_anything(choice)]
        if given is None:
            return Typed(accepted=_readable(right))
        own = self.in_words(content, given)[0]
        state = _state(self.mark(content, given))
        if state == "right":  # what was typed is an accepted answer in another spelling, not another answer
            others = [choice for choice in content.choices if not self._is_met(choice, given, content)]
            right = [self.shown(choice) for choice in others if choice.right]
        return Typed(own, state, _readable([text for text in right if text.source != own.source]))

    def right_answers(self, content: QuestionContent) -> list[Text]:
        return list(self.answered(content, [], None).accepted)

    def _is_met(self, choice: ChoiceContent, given: Any, content: QuestionContent) -> bool:
        return self.is_anything(choice) or self.fits(choice, given, content)


def _share(choice: ChoiceContent) -> Fraction:
    return Fraction(1) if choice.right else Fraction(choice.weight or 0)


def _state(fraction: Decimal) -> str:
    return "right" if fraction == 1 else "partly" if fraction else "wrong"


def _readable(texts: Iterable[Text]) -> tuple[Text, ...]:
    """Each once; those in the reader's own language where there are any, since the others say the same."""
    found = list({text.source: text for text in texts}.values())
    own = [text for text in found if not text.fallback]
    return tuple(own or found)


def _weights(choices: Iterable[ChoiceContent]) -> list[Problem]:
    whole = _("The right answer earns all the points: leave its weight empty.")
    less = _("An answer that earns all the points is right: mark it so.")
    found = []
    for index, choice in enumerate(choices):
        if choice.weight is None:
            continue
        if not -1 <= choice.weight <= 1:
            found.append(Problem(_("A weight lies between -1 and 1."), "weight", index))
        elif choice.right and choice.weight < 1:
            found.append(Problem(whole, "weight", index))
        elif choice.weight == 1 and not choice.right:
            found.append(Problem(less, "weight", index))
    return found
