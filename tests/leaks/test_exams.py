"""In every mode, at every moment, through every door: what may not be seen changes nothing that leaves the server.

For the gate a part of the modes and tables meet; MPQUIZ_LEAKS=all has each meet each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from mpquiz.models import Attempt
from mpquiz.rules import Sight
from tests.factories import make_user
from tests.leaks.conftest import undone
from tests.leaks.doors import ALL, ANSWERS, assert_nothing_leaks, signed_in
from tests.leaks.worlds import ESSAY, NOTHING, SHAPES, answered, make_world

pytestmark = pytest.mark.django_db

MODES: dict[str, dict[str, Any]] = {
    "at once": {},
    "at once, one way": {"one_way": True},
    "at end": {"feedback": "at_end"},
    "at end, one way": {"feedback": "at_end", "one_way": True},
    "all on one page": {"layout": "all"},
    "all on one page, at end, one way": {"layout": "all", "feedback": "at_end", "one_way": True},
}
LINES = ("right_or_wrong", "score", "right_answer", "explanation")
MOMENTS = ("answer", "finish", "close", "never")
TABLES = [
    *(dict.fromkeys(LINES, moment) for moment in MOMENTS),
    *({**dict.fromkeys(LINES, "never"), line: moment} for line in LINES for moment in MOMENTS[:3]),
    # What says nothing alone: the right answer is seen beside what is right or wrong.
    *({**dict.fromkeys(LINES, "never"), "right_or_wrong": one, "right_answer": one} for one in MOMENTS[:3]),
    *({**dict.fromkeys(LINES, one), "score": "never"} for one in MOMENTS[:3]),
    {"right_or_wrong": "answer", "score": "finish", "right_answer": "close", "explanation": "close"},
]


@dataclass(frozen=True)
class Case:
    mode: str
    table: dict[str, str]
    kind: str
    timed: bool
    guest: bool

    @property
    def changeable(self) -> bool:
        return self.mode not in ("at once", "at once, one way")

    @property
    def one_way(self) -> bool:
        return self.mode in ("at once, one way", "at end, one way")

    @property
    def rules(self) -> dict[str, Any]:
        shown = {f"show_{line}": moment for line, moment in self.table.items()}
        return {**MODES[self.mode], **shown, "pass_mark": 50, "time_limit": 30 if self.timed else None}

    @property
    def closes(self) -> bool:
        return "close" in self.table.values()

    def seen(self, *reached: str) -> Sight:
        """What the table shows at these moments: written anew here, so that it is no echo of what is tested."""
        return Sight(**{line: self.table[line] in reached for line in LINES})

    def __str__(self) -> str:
        table = "/".join(self.table[line] for line in LINES)
        return f"{self.mode}-{table}-{self.kind}{'-timed' * self.timed}{'-guest' * self.guest}"


def cases() -> Iterator[Case]:
    """Each mode with each table, the kinds by turns; for the gate each mode with one of both."""
    kinds = list(SHAPES)
    for number, (mode, table) in enumerate(product(MODES, TABLES)):
        if ALL or number % (len(TABLES) + 4) == 0:
            yield Case(mode, table, kinds[number // 3 % len(kinds)], number % 2 == 1, number % 4 > 1)


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_what_may_not_be_seen_changes_nothing(case, browser, clock):
    world = make_world(case.kind, **case.rules, closes_at=_closing(case, clock.now))
    amal = signed_in(browser, None if case.guest else make_user())

    def check(seen: Sight, *attempts: Attempt, **more: Any) -> None:
        assert_nothing_leaks(browser, amal, world, seen, *attempts, **more)

    check(NOTHING)
    attempt = Attempt.objects.start(world.quiz, amal)
    answer = NOTHING if case.changeable else case.seen("answer")
    check(NOTHING, attempt, without=ANSWERS if answer != NOTHING else ())
    answered(attempt, world, one_way=case.one_way)
    check(answer, attempt, unanswered=NOTHING)
    finished = case.seen("answer", "finish")
    with undone():  # left for another one, an attempt shows no more than a finished one, and the other nothing
        attempt.start_over(amal, number=2)
        check(finished, *Attempt.objects.order_by("number"))
    if attempt.deadline is not None:
        with undone():
            clock.move(minutes=31 if case.timed else 25 * 60)
            check(_after_time(case), attempt)
        clock.now = attempt.started_at
    attempt.finish()
    check(finished, attempt)
    if Attempt.objects.get(pk=attempt.pk).waiting:
        attempt.mark_by_hand(ESSAY, Decimal(1), by=make_user("teacher"), comment="Well.")
        check(finished, attempt)
    with undone():
        check(finished, attempt, Attempt.objects.start(world.quiz, amal))
    if case.closes:
        clock.move(hours=25)
        check(case.seen("answer", "finish", "close"), attempt)


def _closing(case: Case, now: datetime) -> datetime | None:
    return now + timedelta(hours=24) if case.closes else None


def _after_time(case: Case) -> Sight:
    """What is seen once the time is up: the quiz has closed where its closing is what ended the time."""
    return case.seen("answer", "finish") if case.timed else case.seen("answer", "finish", "close")
