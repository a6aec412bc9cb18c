"""The test that compares two languages, against numpy, scipy, published numbers and the lot itself."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mpquiz.statistics.chance import Marks, difference, holm, outnumbers
from mpquiz.statistics.moments import Pairs, Shape

MARKS = st.lists(st.sampled_from([0, 0.25, 0.5, 1]), min_size=1, max_size=15)


def marks(values):
    return Marks(len(values), sum(values), sum(value * value for value in values))


def slow(strata):
    """Mantel's statistic by the moments of the hypergeometric lot, over raw marks."""
    excess = variance = 0.0
    for one, other in strata:
        together = np.array([*one, *other], dtype=float)
        n = len(together)
        if n < 2 or not one or not other:
            continue
        excess += sum(one) - len(one) * together.mean()
        variance += len(one) * len(other) / n * np.var(together, ddof=1)
    return stats.chi2.sf(excess**2 / variance, 1) if variance > 1e-9 else 1.0


@given(st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=6))
def test_the_chance_is_that_of_scipy(strata):
    found = difference((marks(one), marks(other)) for one, other in strata)
    assert found.chance() == pytest.approx(slow(strata), abs=1e-9)
    assert -1 <= found.gap <= 1


@pytest.mark.parametrize(("right", "wrong"), [((30, 45), (20, 5)), ((8, 1), (2, 9)), ((500, 480), (500, 520))])
def test_of_one_stratum_it_is_the_n_minus_1_chi_squared_test(right, wrong):
    groups = [marks([1] * r + [0] * w) for r, w in zip(right, wrong, strict=True)]
    n = sum(right) + sum(wrong)
    chi_squared = stats.chi2_contingency([right, wrong], correction=False).statistic * (n - 1) / n
    assert difference([tuple(groups)]).chance() == pytest.approx(stats.chi2.sf(chi_squared, 1))


def test_the_admissions_of_berkeley_show_what_comparing_equals_is_for():
    """R's UCBAdmissions: men are let in more often, yet not within the departments (Bickel and others, 1975)."""
    men = [(512, 313), (353, 207), (120, 205), (138, 279), (53, 138), (22, 351)]
    women = [(89, 19), (17, 8), (202, 391), (131, 244), (94, 299), (24, 317)]
    strata = [(marks([1] * a + [0] * b), marks([1] * c + [0] * d)) for (a, b), (c, d) in zip(men, women, strict=True)]
    assert difference(strata).chance() == pytest.approx(
        0.2169, abs=5e-4
    )  # mantelhaen.test(UCBAdmissions, correct = FALSE)
    whole = [tuple(map(sum, zip(*group, strict=True))) for group in (men, women)]
    together = difference([tuple(marks([1] * yes + [0] * no) for yes, no in whole)])
    assert together.gap == pytest.approx(0.1416, abs=1e-3)
    assert together.chance() < 1e-15


def test_by_chance_alone_it_is_seldom_small():
    lot = random.Random(1)

    def by_lot():
        return [
            tuple(marks([float(lot.random() < able) for _one in range(lot.randint(3, 30))]) for _group in range(2))
            for able in (0.2, 0.5, 0.8)
        ]

    small = sum(difference(by_lot()).chance() < 0.05 for _round in range(2000))
    assert 70 <= small <= 130  # of 2,000 a twentieth is 100


@given(MARKS, MARKS, st.floats(-0.5, 0.5))
def test_a_usual_gap_is_taken_off_before(one, other, usual):
    found, moved = (difference([(marks(some), marks(other))]) for some in (one, [value + usual for value in one]))
    excess = (moved.gap - usual) * moved.weight
    assert excess == pytest.approx(found.gap * found.weight)
    if moved.variance > 1e-9:
        assert moved.chance(usual) == pytest.approx(stats.chi2.sf(excess**2 / moved.variance, 1), abs=1e-9)


@pytest.mark.parametrize("strata", [[], [(Marks(), marks([1]))], [(marks([1, 0]), Marks())]])
def test_where_nobody_can_be_compared_there_is_no_difference(strata):
    assert difference(strata) is None


def test_equal_marks_do_not_differ():
    found = difference([(marks([0.1] * 30), marks([0.1] * 7))])
    assert (found.gap, found.chance()) == (pytest.approx(0), 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_as_its_definition_says(chances):
    adjusted = holm(chances)
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, index in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
            if min((len(chances) - rank) * chances[index], 1.0) > level:
                break
            rejected.add(index)
        assert {index for index, p in enumerate(adjusted) if p <= level} == rejected


@pytest.mark.parametrize(("one", "other"), [(10, 2), (6, 5), (5, 5), (3, 8), (1000, 900)])
def test_more_than_a_coin_would_do(one, other):
    z = (one - other) / (one + other) ** 0.5
    assert outnumbers(one, other) == (one > other and 2 * stats.norm.sf(z) < 0.05)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=25))
def test_the_sums_over_pairs_are_those_of_numpy(pairs):
    counts = {pair: pairs.count(pair) for pair in pairs}
    found, (x, y) = Pairs.of(counts), np.array(pairs).T
    for product, expected in (
        (found.xx, np.var(x, ddof=1)),
        (found.yy, np.var(y, ddof=1)),
        (found.xy, np.cov(x, y)[0, 1]),
        (found.most, np.cov(np.sort(x), np.sort(y))[0, 1]),
    ):
        assert found.covariance(product) == pytest.approx(expected)
    assert found.xy <= found.most
    assert (found.correlation is None) == (np.ptp(x) == 0 or np.ptp(y) == 0)


@given(st.lists(st.integers(0, 100).map(float), min_size=1, max_size=30))
def test_the_shape_is_that_of_scipy(values):
    found = Shape.of({value: values.count(value) for value in values})
    assert (found.mean, found.median) == (pytest.approx(np.mean(values)), pytest.approx(np.median(values)))
    if np.ptp(values) == 0:
        assert (found.skewness, found.kurtosis) == (None, None)
        return
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    if len(values) > 2:
        assert found.skewness == pytest.approx(stats.skew(values, bias=False), abs=1e-9)
    if len(values) > 3:
        assert found.kurtosis == pytest.approx(stats.kurtosis(values, bias=False), abs=1e-9)
