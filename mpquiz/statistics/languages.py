"""How a question went in each language it was read in, and whether two are further apart than chance makes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median

from .chance import Difference, Marks, difference, holm, strata_of

ENOUGH = 20
"""Answers that each of two languages needs to be compared."""
LEAST_GAP = 0.1
"""Of the points: a smaller gap is not worth a look, however sure it is.

The limit of N. J. Dorans and E. Kulick, Journal of Educational Measurement 23, 1986, 355-368.
"""

InStrata = Mapping[tuple[int, str], Marks]
"""{(stratum of learners with equal scores, language): marks}"""


@dataclass(frozen=True, slots=True)
class LanguageNumbers:
    """The answers given in one language: what was skipped was read in none."""

    language: str
    n: int
    facility: float


@dataclass(frozen=True, slots=True)
class Gap:
    """How much worse a question goes in one language than is usual in the quiz, among learners with equal scores.

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
    """The gaps between the languages of each question that have enough answers.

    Among learners with equal scores all gaps between two languages add up to nothing: one question that is harder
    makes the others look easier (D. Andrich and C. Hagquist, Real and artificial differential item functioning,
    J. Educational and Behavioral Statistics 37, 2012, 387-416). So a gap is told from the median one of the quiz.
    """
    compared: dict[tuple[str, str], dict[int, Difference]] = defaultdict(dict)
    for index, marks in enumerate(questions):
        enough = [one.language for one in numbers_of(marks) if one.n >= ENOUGH]
        for pair in combinations(sorted(enough), 2):
            if found := difference(strata_of(marks, *pair)):
                compared[pair][index] = found
    told = [one for pair, differences in compared.items() for one in _from_usual(pair, differences)]
    gaps: list[list[Gap]] = [[] for _one in questions]
    for (index, gap), p in zip(told, holm([gap.p for _index, gap in told]), strict=True):
        gaps[index].append(replace(gap, p=p))
    return gaps


def _from_usual(pair: tuple[str, str], differences: Mapping[int, Difference]) -> Iterator[tuple[int, Gap]]:
    """(question, gap) of two languages, each p for itself."""
    usual = median(one.gap for one in differences.values())
    for index, one in differences.items():
        distance = one.gap - usual if len(differences) > 1 else one.gap
        harder, easier = pair if distance < 0 else pair[::-1]
        yield index, Gap(harder, easier, abs(distance), one.chance(one.gap - distance))
