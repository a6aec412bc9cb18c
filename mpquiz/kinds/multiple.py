"""Several right choices."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, QuestionContent
from .base import ChoiceKind, Problem, exact

_ODD_SUM = Decimal("0.01")


class Multiple(ChoiceKind):
    """The stored answer is the list of the chosen keys, in the editor's order.

    Of n right choices each chosen one earns 1/n and each wrong one chosen takes 1/n away, unless the choice has a
    weight of its own; never below 0. All the right ones and nothing else is always the whole mark, so that weights
    such as 0.333 lose nothing. (The rule of Canvas' multiple answers.)
    """

    name = "multiple"
    label = _("several right choices")
    hint = _("Tick every right choice. Without weights each earns an equal share; a wrong one takes as much away.")
    edu_type = "Checkbox"
    several = True
    nothing_chosen = _("Choose at least one answer first.")

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        right = [choice for choice in content.choices if choice.right]
        given = [choice.weight for choice in right if choice.weight is not None]
        if right and len(given) == len(right) and abs(sum(given, Decimal(-1))) > _ODD_SUM:
            message = _("The weights of the right choices add up to %(sum)s, not to 1.")
            found.append(Problem(message % {"sum": sum(given)}, "choices", blocks=False))
        if given and len(given) < len(right):
            found.append(Problem(_("Give a weight to each right choice or to none."), "choices"))
        return found

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> list[str]:
        chosen = {order[place - 1] for place in self.places(given, order)}
        return [choice.key for choice in content.choices if choice.key in chosen]

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        right = {choice.key for choice in content.choices if choice.right}
        if set(given) == right:
            return Decimal(1)
        chosen = [choice for choice in content.choices if choice.key in given]
        return exact(sum((_share(choice, len(right)) for choice in chosen), Fraction(0)))

    def chosen(self, given: Any) -> set[str]:
        return set(given or ())


def _share(choice: ChoiceContent, right: int) -> Fraction:
    if choice.weight is not None:
        return Fraction(choice.weight)
    return Fraction(1 if choice.right else -1, right or 1)
