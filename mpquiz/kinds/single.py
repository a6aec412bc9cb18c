"""One right choice of several."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent
from ..exceptions import Refusal
from .base import ChoiceKind, Problem, exact


class Single(ChoiceKind):
    """The stored answer is the key of the choice. A wrong choice may have a weight of its own: partial credit.

    ``settings["any_right"]``: several choices are right, and whichever of them is chosen earns all.
    """

    name = "single"
    label = _("one right choice")
    hint = _("Tick the right choice. A weight gives a wrong one a share of the points.")

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        right = [index for index, choice in enumerate(content.choices) if choice.right]
        if content.settings.get("any_right") is not True:
            message = _("Another choice is marked right, and this kind of question has one right choice.")
            found += [Problem(message, "right", index) for index in right[1:]]
        return found + _contradictions(content)

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> str:
        places = self.places(given, order)
        if len(places) > 1:
            raise Refusal("bad_answer", _("Choose one answer only."))
        return order[places[0] - 1]

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        choice = content.choice(given)
        if choice is None:
            return Decimal(0)
        if choice.right or choice.weight is None:
            return Decimal(int(choice.right))
        return exact(Fraction(choice.weight))

    def guess(self, content: QuestionContent) -> Fraction | None:
        marks = [Fraction(self.mark(content, choice.key)) for choice in content.choices]
        return sum(marks, Fraction(0)) / len(marks) if marks else None

    def chosen(self, given: Any) -> set[str]:
        return set() if given is None else {given}


def _contradictions(content: QuestionContent) -> list[Problem]:
    """A right choice earns all and a wrong one less, or the mark would gainsay the words beside it."""
    whole = _("The right choice earns all the points: leave its weight empty.")
    less = _("A wrong choice earns less than all the points.")
    found = []
    for index, choice in enumerate(content.choices):
        if choice.weight is not None and choice.right and 0 < choice.weight < 1:
            found.append(Problem(whole, "weight", index))
        if choice.weight == 1 and not choice.right:
            found.append(Problem(less, "weight", index))
    return found
