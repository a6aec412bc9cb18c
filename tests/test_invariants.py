"""What must hold of attempts is seen to be broken where it is; the statements run on every database."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from mpquiz import privacy
from mpquiz.models import Answer, Attempt, Quiz, Report
from tests import invariants
from tests.factories import learner, make_essay, make_question, make_quiz, make_user


@pytest.fixture
def attempts(db):
    """One that is open with an answer, one that is finished, and one in which an essay waits."""
    quiz = make_quiz()
    running = Attempt.objects.start(quiz, learner(make_user()))
    running.answer(1, 2)
    finished = Attempt.objects.start(quiz, learner(guest="guest"))
    finished.answer(1, 1)
    finished.finish()
    waiting = Attempt.objects.start(make_quiz(make_essay(), make_question(), slug="essay"), learner(guest="guest"))
    waiting.answer(1, "Because.")
    return [running, finished, waiting]


def test_nothing_is_broken_in_what_learners_did(attempts):
    assert invariants.violations(connection) == {}


LATE = timezone.now() + timedelta(hours=1)


@pytest.mark.parametrize(
    ("what", "rows", "values"),
    [
        ("positions that do not count from 1", Answer, {"position": F("position") + 1000}),
        ("an attempt of nobody that is open, or waits to be marked", Attempt, {"user": None, "guest": None}),
        ("an attempt of a user and of a guest", Attempt, {"guest": "both"}),
        ("more attempts than are allowed", Quiz, {"attempts_allowed": 0}),
        ("a score that is not the sum of its answers", Attempt, {"score": F("score") + Decimal("0.00001")}),
        ("a maximum that is not the sum of the points", Attempt, {"maximum": F("maximum") + Decimal("0.01")}),
        ("an attempt that miscounts what waits to be marked", Attempt, {"waiting": F("waiting") + 1}),
        ("a score below zero or above the maximum", Attempt, {"score": 4}),
        ("a fraction that is none", Answer, {"fraction": Decimal("1.5")}),
        ("an answer to a page", Answer, {"asks": False}),
        ("a given value without its time", Answer, {"answered_at": None}),
        ("a draft beside the answer that was given", Answer, {"draft": "a"}),
        ("an answer after the deadline and its grace", Answer, {"answered_at": LATE + timedelta(seconds=5.5)}),
        ("an answer before the start", Answer, {"answered_at": LATE - timedelta(days=1)}),
        ("a finished attempt without its time or end, or an open one with them", Attempt, {"ended": "finished"}),
        ("an attempt that ended before it began", Attempt, {"finished_at": LATE - timedelta(days=1)}),
        (
            "an attempt that ended otherwise than at its deadline, its time being up",
            Attempt,
            {"ended": "time_up", "finished_at": LATE - timedelta(minutes=1)},
        ),
        ("an attempt without the pass mark of its start", Attempt, {"rules": {"feedback": "at_once"}}),
        ("an attempt wholly answered and still open, whose answers stand", Answer, {"answered_at": LATE}),
        ("a choice that is not one of those shown", Answer, {"given": "z"}),
        ("a choice that is not one of those shown", Answer, {"order": ["a", "b"]}),
    ],
)
def test_what_is_broken_is_seen(attempts, what, rows, values):
    running = attempts[0]
    Attempt.objects.filter(pk=running.pk).update(deadline=LATE)
    mine = {Attempt: {"pk": running.pk}, Answer: {"attempt": running}, Quiz: {"pk": running.quiz_id}}[rows]
    rows.objects.filter(**mine).update(**values)
    assert what in invariants.violations(connection)


def test_an_answer_within_the_grace_is_in_time(attempts, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 2.5}
    running = attempts[0]
    Attempt.objects.filter(pk=running.pk).update(deadline=LATE)
    given = running.answers.filter(position=1)
    given.update(answered_at=LATE + timedelta(seconds=2.499))
    assert invariants.violations(connection) == {}
    given.update(answered_at=LATE + timedelta(seconds=2.6))
    assert list(invariants.violations(connection)) == ["an answer after the deadline and its grace"]


def test_a_question_asked_twice_is_seen(attempts):
    first, second = attempts[0].answers.all()[:2]
    Answer.objects.filter(pk=second.pk).update(question=first.question)
    found = invariants.violations(connection)
    assert {"a question asked twice in an attempt", "an answer to another question than its version's"} <= set(found)


def test_an_attempt_without_questions_is_seen(attempts):
    attempts[0].answers.all().delete()
    assert "an attempt without its questions" in invariants.violations(connection)


def test_what_is_left_out_counts_neither_in_score_nor_in_maximum(attempts):
    finished = attempts[1]
    finished.answers.filter(position=1).update(left_out=True)
    Attempt.objects.filter(pk=finished.pk).update(score=0, maximum=2)
    assert invariants.violations(connection) == {}


def test_a_fault_is_raised(attempts):
    Attempt.objects.update(score=2)
    with pytest.raises(AssertionError, match="a score that is not the sum of its answers"):
        invariants.check(connection)


@pytest.mark.parametrize(
    ("what", "values"),
    [
        ("words in an attempt of nobody", {"comment": "Well put, Amal"}),
        ("words in an attempt of nobody", {"draft": "I, Amal"}),
        ("a typed answer of nobody", {"given": "I, Amal"}),
        ("a typed answer of nobody", {"tally": "i, amal"}),
    ],
)
def test_words_that_an_erased_learner_left_are_seen(db, what, values):
    amal = learner(make_user())
    attempt = Attempt.objects.start(make_quiz(make_essay()), amal)
    attempt.answer(1, "I, Amal")
    attempt.mark_by_hand(1, Decimal(1), by=make_user("marker"))
    privacy.erase(amal)
    assert invariants.violations(connection) == {}
    Answer.objects.update(**values)
    assert what in invariants.violations(connection)


def test_words_in_a_report_of_nobody_are_seen(db):
    amal = learner(make_user())
    attempt = Attempt.objects.start(make_quiz(), amal)
    attempt.answer(1, 1)
    Report.objects.file(attempt, 1, "I, Amal", language="en")
    privacy.erase(amal)
    assert invariants.violations(connection) == {}
    Report.objects.update(note="I, Amal")
    assert set(invariants.violations(connection)) == {"words in a report of an attempt of nobody"}
