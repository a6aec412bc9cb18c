"""Whether a difference is too large for chance. The standard library's ``erfc`` is all that this needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

LEVEL = 0.05
"""How likely it is at most that any of a quiz's questions is flagged by chance alone."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks, as shares of the points, of some learners: how many, their sum and the sum of their squares."""

    n: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def plus(self, mark: float, count: int) -> "Marks":
        return Marks(self.n + count, self.sum + mark * count, self.squares + mark * mark * count)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the first group did than the second among equals, -1 to 1."""

    gap: float
    weight: float
    variance: float

    def chance(self, usual: float = 0.0) -> float:
        """How likely a gap as far as this from the ``usual`` one is by chance alone: the p-value, of both sides."""
        excess = (self.gap - usual) * self.weight
        # A variance of nothing but rounding is none: all marks are equal in each stratum.
        if self.variance < 1e-9:
            return 1.0 if abs(excess) < 1e-6 else 0.0
        return erfc(abs(excess) / sqrt(2 * self.variance))


def difference(strata: Iterable[tuple[Marks, Marks]]) -> Difference | None:
    """Compare two groups of learners within strata of equal ability; None where no stratum lets them be compared.

    Mantel's test with one degree of freedom (N. Mantel, Chi-square tests with one degree of freedom; extensions of
    the Mantel-Haenszel procedure, JASA 58, 1963, 690-700), without a correction for continuity: in each stratum the
    sum of the first group's marks is compared with what it is expected to be, and varies by, were the marks dealt out
    by lot. It takes partial marks as they are. Where marks are right or wrong it is the test of Mantel and Haenszel
    (1959) by which questions are looked through for bias (P. W. Holland and D. T. Thayer, Differential item
    performance and the Mantel-Haenszel procedure, 1988); with one stratum alone it is the "N - 1" chi-squared test
    (I. Campbell, Statistics in Medicine 26, 2007, 3661-3675). The gap is the mean difference, each stratum weighing
    n1 n2 / (n1 + n2).
    """
    variance = weight = gaps = 0.0
    for one, other in strata:
        n = one.n + other.n
        if not one.n or not other.n:
            continue
        total, squares = one.sum + other.sum, one.squares + other.squares
        variance += one.n * other.n * max(n * squares - total * total, 0.0) / (n * n * (n - 1))
        weight += one.n * other.n / n
        gaps += (other.n * one.sum - one.n * other.sum) / n
    return Difference(gaps / weight, weight, variance) if weight else None


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values of several tests, such that comparing each with a level keeps the level for all of them together.

    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6, 1979, 65-70.
    """
    rising = sorted(range(len(chances)), key=lambda index: chances[index])
    adjusted, least = [0.0] * len(chances), 0.0
    for rank, index in enumerate(rising):
        least = max(least, min((len(chances) - rank) * chances[index], 1.0))
        adjusted[index] = least
    return adjusted


def outnumbers(one: int, other: int) -> bool:
    """Whether so many against so many is more than a coin would do: the sign test, by its normal approximation."""
    together = one + other
    return one > other and erfc((one - other) / sqrt(2 * together)) < LEVEL


def strata_of(marks: Mapping[tuple[int, str], Marks], one: str, other: str) -> list[tuple[Marks, Marks]]:
    """The pairs that ``difference`` takes, from ``{(stratum, group): marks}``."""
    found = sorted({stratum for stratum, _group in marks})
    return [(marks.get((stratum, one), Marks()), marks.get((stratum, other), Marks())) for stratum in found]
