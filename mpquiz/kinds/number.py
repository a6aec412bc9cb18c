"""A number that is typed."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, QuestionContent
from ..exceptions import Refusal
from ..words import Text, Written
from . import numerals
from .accepted import AcceptedKind
from .base import Problem


class Numeral(Written):
    """A number with its sign, its tolerance or its range reads from the left, whatever surrounds it."""

    @property
    def dir(self) -> str:
        return "ltr"


class Number(AcceptedKind):
    """The stored answer is the number in its one spelling, which is also shown: so a learner sees how it was read."""

    name = "number"
    label = _("number")
    hint = _(
        "A choice for each accepted value: 3.14, 3.14:0.01 (give or take 0.01), 3..5 (from 3 to 5) or * (any other). "
        "Tick it right for all the points, or give it a weight for a share."
    )
    template = "mpquiz/kinds/number.html"
    choice_fields = ("value", "right", "weight", "feedback")

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> str:
        return numerals.written(numerals.read(_typed(given)))

    def tally(self, content: QuestionContent, given: Any) -> str:
        return str(given)

    def fits(self, choice: ChoiceContent, given: Any, content: QuestionContent) -> bool:
        try:
            return numerals.accepted(choice.value).holds(Decimal(given))
        except Refusal:
            return False

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        named = [choice for choice in content.choices if not self.is_anything(choice)]
        return any(self.fits(choice, given, content) for choice in named)

    def is_anything(self, choice: ChoiceContent) -> bool:
        return choice.value.strip() == numerals.ANYTHING

    def shown(self, choice: ChoiceContent) -> Text:
        try:
            return Numeral(numerals.accepted(choice.value).shown)
        except Refusal:
            return Numeral(choice.value)

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        return [] if given is None else [Numeral(given)]

    def unreadable(self, content: QuestionContent) -> list[Problem]:
        seen = set()
        found = []
        for index, choice in enumerate(content.choices):
            try:
                text = numerals.canonical(choice.value)
            except Refusal as refusal:
                found.append(Problem(refusal.message, "value", index))
                continue
            if text in seen:
                found.append(Problem(_("Another answer is the same number."), "value", index, blocks=False))
            seen.add(text)
        return found


def _typed(given: object) -> str:
    """What was given as text; a script may give a number of JSON."""
    if isinstance(given, bool) or not isinstance(given, str | int | float | Decimal):
        return ""
    if isinstance(given, int) and given.bit_length() > 4 * numerals.LONGEST:
        return "9" * (numerals.LONGEST + 1)
    return str(given)
