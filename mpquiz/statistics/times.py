"""How attempts come in over time."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import models
from django.db.models.functions import TruncHour, TruncMinute
from django.utils import timezone

from ..models import Quiz
from .population import closed_of

_DAYS, _WEEKS = 31, 31 * 7
"""The longest span, in days, that is told by day, and by week."""


@dataclass(frozen=True, slots=True)
class Period:
    """A day, a week or a month by its first day: how many attempts ended in it, and their mean in percent."""

    start: date
    n: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class OverTime:
    """``step`` is "day", "week" (from Monday on) or "month"; periods without attempts are there too."""

    step: str
    periods: tuple[Period, ...] = ()


def over_time(quiz: Quiz) -> OverTime:
    """All attempts that count, of every learner, by the day on which they ended in the current time zone. One query.

    In how long steps depends on the span. Attempts in which answers wait for a person are left out.
    """
    days: dict[date, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for moment, n, shares in _rows(quiz):
        day = timezone.localtime(moment).date()
        days[day] = (days[day][0] + n, days[day][1] + float(shares))
    if not days:
        return OverTime("day")
    span = (max(days) - min(days)).days + 1
    step = "day" if span <= _DAYS else "week" if span <= _WEEKS else "month"
    sums = dict.fromkeys(_starts(min(days), max(days), step), (0, 0.0))
    for day, (n, shares) in days.items():
        start = _start_of(day, step)
        sums[start] = (sums[start][0] + n, sums[start][1] + shares)
    periods = (Period(start, n, 100 * shares / n if n else None) for start, (n, shares) in sums.items())
    return OverTime(step, tuple(periods))


def _rows(quiz: Quiz) -> Iterator[tuple[datetime, int, float]]:
    """By hour of UTC, which no database needs a table of time zones for; finer where the zone's hour is another."""
    trunc = TruncMinute if _is_off_the_hour() else TruncHour
    attempts = closed_of(quiz).filter(waiting=0, maximum__gt=0).order_by()
    share = models.ExpressionWrapper(
        models.F("score") * models.Value(1.0, models.FloatField()) / models.F("maximum"), models.FloatField()
    )
    grouped = attempts.values(hour=trunc("finished_at", tzinfo=UTC)).annotate(
        n=models.Count("*"), shares=models.Sum(share)
    )
    yield from grouped.values_list("hour", "n", "shares")


def _is_off_the_hour() -> bool:
    offset = timezone.localtime(timezone.now()).utcoffset() or timedelta(0)
    return offset % timedelta(hours=1) != timedelta(0)


def _start_of(day: date, step: str) -> date:
    if step == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if step == "month" else day


def _starts(first: date, last: date, step: str) -> Iterator[date]:
    start = _start_of(first, step)
    while start <= last:
        yield start
        start = _start_of(start + timedelta(days={"day": 1, "week": 7, "month": 32}[step]), step)
