"""How a question went in each language it was read in, and whether two are further apart than chance makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .chance import Marks, difference, holm, strata_of

ENOUGH = 20
"""Answers that each of two languages needs to be compared."""
LEAST_GAP = 0.1
"""Of the points: a smaller gap is not worth a look, however sure it is."""

InStrata = Mapping[tuple[int, str], Marks]
"""{(stratum of learners who do equally well in the rest, language): marks}"""


@dataclass(frozen=True, slots=True)
class LanguageNumbers:
    """The answers given in one language: what was skipped was read in none."""

    language: str
    n: int
    facility: float


@dataclass(frozen=True, slots=True)
class Gap:
    """How much worse a question goes in one language, among learners who do equally well in the rest of the quiz.

    ``size`` is a share of the points, 0 to 1. ``p`` is how likely a gap is by chance alone, corrected by Holm's
    procedure for all comparisons within the quiz.
    """

    harder: str
    easier: str
    size: float
    p: float


def numbers_of(marks: InStrata) -> tuple[LanguageNumbers, ...]:
    """The languages of a question, the most read one first."""
    found = {language: (0, 0.0) for _stratum, language in marks}
    for (_stratum, language), one in marks.items():
        n, total = found[language]
        found[language] = (n + one.n, total + one.sum)
    numbers = [LanguageNumbers(language, n, min(total / n, 1.0)) for language, (n, total) in found.items()]
    return tuple(sorted(numbers, key=lambda one: (-one.n, one.language)))


def gaps_of(questions: Sequence[InStrata]) -> list[list[Gap]]:
    """The gaps between the languages of each question that have enough answers."""
    compared = []
    for index, marks in enumerate(questions):
        enough = [one.language for one in numbers_of(marks) if one.n >= ENOUGH]
        for one, other in combinations(sorted(enough), 2):
            if found := difference(strata_of(marks, one, other)):
                compared.append((index, one, other, found))
    chances = holm([found.p for _index, _one, _other, found in compared])
    gaps: list[list[Gap]] = [[] for _one in questions]
    for (index, one, other, found), p in zip(compared, chances, strict=True):
        harder, easier = (one, other) if found.gap < 0 else (other, one)
        gaps[index].append(Gap(harder, easier, abs(found.gap), p))
    return gaps
