"""The rules as plain values: what is seen when, what is granted, and that a score is never rounded up."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError

from mpquiz.rules import (
    NOTHING_GRANTED,
    Feedback,
    Granted,
    Layout,
    Moment,
    Review,
    Rules,
    Sight,
    is_in_calendar,
    percent,
    reaches,
    share,
)

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("moment", "seen"),
    [
        (Moment.ANSWER, {"answered", "finished", "closed"}),
        (Moment.FINISH, {"finished", "closed"}),
        (Moment.CLOSE, {"closed"}),
        (Moment.NEVER, set()),
    ],
)
def test_each_thing_is_seen_from_its_moment_on(moment, seen):
    moments = {
        "open": {"answered": False, "finished": False, "closed": False},
        "answered": {"answered": True, "finished": False, "closed": False},
        "finished": {"answered": True, "finished": True, "closed": False},
        "closed": {"answered": True, "finished": True, "closed": True},
    }
    review = Review(score=moment)
    assert {name for name, now in moments.items() if review.sight(**now).score} == seen


def test_a_question_without_an_answer_is_seen_once_the_attempt_is_finished():
    assert Review().sight(answered=False, finished=True, closed=False).everything


def test_while_an_attempt_is_open_a_closed_quiz_shows_nothing_of_it():
    review = Review(Moment.CLOSE, Moment.CLOSE, Moment.CLOSE, Moment.CLOSE)
    assert review.sight(answered=True, finished=False, closed=True) == Sight()


def test_each_line_of_the_table_is_its_own():
    review = Review(Moment.ANSWER, Moment.FINISH, Moment.CLOSE, Moment.NEVER)
    assert review.sight(answered=True, finished=False, closed=False) == Sight(right_or_wrong=True)
    assert review.sight(answered=True, finished=True, closed=False) == Sight(right_or_wrong=True, score=True)
    assert review.sight(answered=True, finished=True, closed=True) == Sight(True, True, True, False)


def test_rules_come_back_from_json_as_they_were():
    rules = Rules(
        feedback=Feedback.AT_END,
        layout=Layout.ALL,
        one_way=True,
        shuffle_questions=True,
        shuffle_choices=True,
        pass_mark=Decimal("33.33"),
        time_limit=600,
        closes_at=NOON,
        review=Review(score=Moment.CLOSE),
    )
    assert Rules.from_json(rules.to_json()) == rules


def test_rules_that_an_earlier_release_stored_are_those_of_practice():
    old = {"feedback": "at_once", "limits": {}, "pass_mark": "50.00", "shuffle_choices": True}
    assert Rules.from_json(old) == Rules(pass_mark=Decimal("50.00"), shuffle_choices=True)
    assert Rules.from_json({}) == Rules()


@pytest.mark.parametrize(
    ("granted", "seconds"),
    [
        (NOTHING_GRANTED, 60),
        (Granted(time_factor=Decimal("1.25")), 75),
        (Granted(time_factor=Decimal(10)), 600),
        (Granted(no_time_limit=True), None),
    ],
)
def test_a_time_limit_is_multiplied_or_lifted(granted, seconds):
    assert granted.seconds(60) == seconds
    assert granted.seconds(None) is None


def test_the_deadline_is_the_earlier_of_the_limit_and_the_closing():
    assert NOTHING_GRANTED.deadline(Rules(time_limit=60), NOON) == NOON + timedelta(seconds=60)
    assert NOTHING_GRANTED.deadline(Rules(time_limit=7200, closes_at=NOON + HOUR), NOON) == NOON + HOUR
    assert NOTHING_GRANTED.deadline(Rules(), NOON) is None


def test_a_closing_time_that_was_granted_stands_for_the_quiz_s_own():
    rules = Rules(closes_at=NOON + HOUR)
    assert Granted(closes_at=NOON + 2 * HOUR).deadline(rules, NOON) == NOON + 2 * HOUR
    assert Granted(closes_at=NOON + HOUR / 2).deadline(rules, NOON) == NOON + HOUR / 2
    assert Granted(closes_at=NOON + HOUR).deadline(Rules(), NOON) is None  # running attempts may run on


def test_of_several_grants_each_gives_its_most_generous():
    group = Granted(Decimal("1.5"), False, 2, NOON, NOON + HOUR)
    own = Granted(Decimal("1.25"), True, 1, NOON - HOUR, None)
    assert group | own == Granted(Decimal("1.5"), True, 2, NOON - HOUR, NOON + HOUR)
    assert group | own == own | group


@pytest.mark.parametrize(
    ("score", "maximum", "shown"),
    [("0.29", "1", 29), ("2", "3", 66), ("0.6999999", "1", 69), ("1", "1", 100), ("0", "0", 0)],
)
def test_a_percent_is_rounded_down(score, maximum, shown):
    assert percent(Decimal(score), Decimal(maximum)) == shown


def test_a_pass_is_decided_on_the_exact_share():
    assert reaches(Fraction(2, 3), Decimal("66.66"))
    assert not reaches(Fraction(2, 3), Decimal("66.67"))
    assert reaches(share(Decimal("0.7"), Decimal(1)), Decimal(70))
    assert share(Decimal(1), Decimal(0)) is None


@pytest.mark.parametrize("year", [202, 9999])
def test_a_year_that_some_time_zone_cannot_tell_is_refused(year):
    with pytest.raises(ValidationError):
        is_in_calendar(NOON.replace(year=year))
    is_in_calendar(NOON)
