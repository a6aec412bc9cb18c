"""Sums over grouped values, each with how often it occurs. Whole numbers in, so that zero is exactly zero.

The formulas are those of Moodle's question and quiz statistics, with n - 1 in the divisor:
https://docs.moodle.org/dev/Quiz_statistics_calculations
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Self


@dataclass(frozen=True, slots=True)
class Pairs:
    """Sums over pairs of whole numbers: what variances, the covariance and its greatest possible value follow from.

    ``xx``, ``yy`` and ``xy`` are sums of squares and products about the means, times n: exact, and negative only
    where a covariance is.
    """

    n: int
    x: int
    y: int
    xx: int
    yy: int
    xy: int
    most: int

    @classmethod
    def of(cls, counts: Mapping[tuple[int, int], int]) -> Self:
        """From ``{(x, y): how often}``."""
        n = sum(counts.values())
        x = sum(one * count for (one, _y), count in counts.items())
        y = sum(one * count for (_x, one), count in counts.items())
        products = [(a * a * count, b * b * count, a * b * count) for (a, b), count in counts.items()]
        xx, yy, xy = (sum(column) for column in zip(*products, strict=True)) if products else (0, 0, 0)
        paired = sum(a * b * count for a, b, count in _in_order(counts))
        return cls(n, x, y, n * xx - x * x, n * yy - y * y, n * xy - x * y, n * paired - x * y)

    @property
    def correlation(self) -> float | None:
        """From -1 to 1; None where either does not vary."""
        if not self.xx or not self.yy:
            return None
        return min(max(self.xy / sqrt(self.xx * self.yy), -1.0), 1.0)

    @property
    def share_of_most(self) -> float | None:
        """The covariance as a share of that of both sorted, each value beside the one of its own rank."""
        return self.xy / self.most if self.most else None

    def covariance(self, product: int) -> float:
        """One of ``xx``, ``yy``, ``xy`` as a variance or covariance; needs n > 1."""
        return product / (self.n * (self.n - 1))


def _in_order(counts: Mapping[tuple[int, int], int]) -> Iterator[tuple[int, int, int]]:
    """(x, y, how often) where x and y are each sorted and paired by rank."""
    rising_y = iter(_sorted((y, count) for (_x, y), count in counts.items()))
    y, left = next(rising_y, (0, 0))
    for x, wanted in _sorted((x, count) for (x, _y), count in counts.items()):
        while wanted:
            if not left:
                y, left = next(rising_y)
            taken = min(wanted, left)
            yield x, y, taken
            wanted, left = wanted - taken, left - taken


def _sorted(values: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: dict[int, int] = {}
    for value, count in values:
        found[value] = found.get(value, 0) + count
    return sorted(found.items())


@dataclass(frozen=True, slots=True)
class Shape:
    """Mean, median, standard deviation, skewness and kurtosis of values; None where there are too few, or all equal.

    skewness = k3 / k2^1.5 and kurtosis = k4 / k2^2 with k2 = n m2 / (n-1), k3 = n^2 m3 / ((n-1)(n-2)) and
    k4 = n^2 ((n+1) m4 - 3 (n-1) m2^2) / ((n-1)(n-2)(n-3)), where m is a moment about the mean: Moodle's quiz
    statistics (mod/quiz/report/statistics/classes/calculator.php), Fisher's k-statistics.
    """

    mean: float | None = None
    median: float | None = None
    deviation: float | None = None
    skewness: float | None = None
    kurtosis: float | None = None

    @classmethod
    def of(cls, counts: Mapping[float, int]) -> Self:
        """From ``{value: how often}``."""
        n = sum(counts.values())
        if not n:
            return cls()
        mean = fsum(value * count for value, count in counts.items()) / n
        median = _median(counts, n)
        if n == 1:
            return cls(mean, median)
        if len(counts) == 1:
            return cls(median, median, 0.0)
        m2, m3, m4 = (_moment(counts, n, mean, power) for power in (2, 3, 4))
        k2 = n * m2 / (n - 1)
        k3 = n * n * m3 / ((n - 1) * (n - 2)) if n > 2 else None
        k4 = n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3)) if n > 3 else None
        skewness = None if k3 is None else k3 / k2**1.5
        return cls(mean, median, sqrt(k2), skewness, None if k4 is None else k4 / (k2 * k2))


def _moment(counts: Mapping[float, int], n: int, mean: float, power: int) -> float:
    return fsum((value - mean) ** power * count for value, count in counts.items()) / n


def _median(counts: Mapping[float, int], n: int) -> float:
    rising = sorted(counts.items())
    return (_at(rising, (n - 1) // 2) + _at(rising, n // 2)) / 2


def _at(rising: list[tuple[float, int]], rank: int) -> float:
    for value, count in rising:
        if rank < count:
            return value
        rank -= count
    raise IndexError(rank)
