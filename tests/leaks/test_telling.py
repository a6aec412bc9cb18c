"""The measure itself: what may be seen does change what leaves the server, and only from its moment on."""

from datetime import timedelta
from decimal import Decimal

import pytest

from mpquiz.models import Attempt
from mpquiz.rules import Sight
from tests.factories import make_user
from tests.leaks.doors import ALL, before_and_after, doors, signed_in
from tests.leaks.test_exams import LINES
from tests.leaks.worlds import ESSAY, NOTHING, SHAPES, answered, make_world

pytestmark = pytest.mark.django_db

SHOWS = {
    # The line: what else must be seen for it to say anything, what is not turned, and where it shows while the
    # attempt is open and once it is finished.
    "right_or_wrong": ((), Sight(score=True), {"1: question 2", "1: question 6", "quiz page"}, {"1: result"}),
    "score": ((), NOTHING, set(), {"1: result", "list", "my quizzes", "guide"}),
    "right_answer": (("right_or_wrong",), Sight(right_or_wrong=True), {"1: question 5"}, {"1: result"}),
    "explanation": ((), NOTHING, {"1: question 2", "1: the same again in place"}, {"1: result"}),
}


def differing(found, world, seen):
    return {name for name, (one, other) in before_and_after(found, world, seen, seen).items() if one != other}


LINES_OF_KINDS = [
    (line, kind)
    for line in LINES
    for kind, shape in SHAPES.items()
    if line != "right_answer" or shape.third  # a third key, under which the same answers earn the same
]
CASES = [
    (line, kind, moment)
    for number, (line, kind) in enumerate(LINES_OF_KINDS)
    for turn, moment in enumerate(("answer", "finish", "close"))
    if ALL or number % 3 == turn
]


@pytest.mark.parametrize(("line", "kind", "moment"), CASES)
def test_what_may_be_seen_shows_from_its_moment_on(browser, clock, line, moment, kind):
    others, kept, while_open, once_finished = SHOWS[line]
    table = dict.fromkeys(LINES, "never") | dict.fromkeys((line, *others), moment)
    shown = {f"show_{name}": at for name, at in table.items()}
    world = make_world(kind, **shown, pass_mark=50, closes_at=clock.now + timedelta(days=1))
    amal = signed_in(browser, make_user())
    attempt = Attempt.objects.start(world.quiz, amal)
    answered(attempt, world, one_way=False)
    tried = while_open | once_finished | {"1: question 3", "list", "my quizzes"}
    found = {name: door for name, door in doors(browser, amal, world, attempt).items() if name in tried}
    expected = while_open if moment == "answer" else set()
    assert differing(found, world, kept) >= expected
    if not expected:
        assert not differing(found, world, kept)
    attempt.finish()
    expected = set() if moment == "close" else once_finished
    assert (differing(found, world, kept) >= expected) if expected else not differing(found, world, kept)
    clock.move(days=2)
    assert differing(found, world, kept) >= once_finished


@pytest.mark.parametrize("moment", ["finish", "close"])
def test_what_a_person_gave_and_said_shows_with_the_score(browser, clock, moment):
    """Points and comment of whoever marks: not before, whatever else is seen."""
    shown = {f"show_{name}": "answer" for name in LINES} | {"show_score": moment}
    world = make_world("single", **shown, closes_at=clock.now + timedelta(days=1))
    amal = signed_in(browser, make_user())
    attempt = Attempt.objects.start(world.quiz, amal)
    answered(attempt, world, one_way=False)
    attempt.answer(ESSAY, "Whole.")
    attempt.mark_by_hand(ESSAY, Decimal(1), by=make_user("teacher"), comment="Well.")
    found = doors(browser, amal, world, attempt)
    seen = Sight(right_or_wrong=True, right_answer=True, explanation=True)
    assert not differing(found, world, seen)
    attempt.finish()
    assert ("1: result" in differing(found, world, seen)) is (moment == "finish")
    clock.move(days=2)
    assert "1: result" in differing(found, world, seen)
    assert "Well." in found["1: result"]()[3]
