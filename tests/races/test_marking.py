"""Somebody marks while the learner answers or finishes, or while another marks."""

from decimal import Decimal
from typing import Any

import pytest

from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race


def handed_in(number: int, quiz: Any) -> Attempt:
    """A new learner's attempt, of which the essay at position 1 waits."""
    attempt = Attempt.objects.start(quiz, learner(make_user(f"learner-{number}")))
    attempt.answer(1, "Because.")
    return attempt


def tab(attempt: Attempt) -> Attempt:
    """The attempt as another request has fetched it."""
    return Attempt.objects.get(pk=attempt.pk)


def marking(attempt: Attempt, points: int, by: Any, revision: int | None = None) -> Any:
    own = tab(attempt)
    return lambda: own.mark_by_hand(1, Decimal(points), by=by, revision=revision)


@pytest.fixture
def quiz(transactional_db):
    quiz = make_quiz(make_essay(), make_question())
    quiz.places.filter(place=1).update(points=3)
    return quiz


def test_a_mark_beside_the_last_answer_counts_with_it(rounds, quiz):
    teacher = make_user("teacher")
    for number, jitter in rounds:
        attempt = handed_in(number, quiz)
        own = tab(attempt)
        found = together(marking(attempt, 2, teacher), lambda own=own: own.answer(2, 1), jitter=jitter)
        assert codes(found) == ["ok", "ok"]
        done = tab(attempt)
        assert (done.score, done.waiting, done.ended) == (3, 0, "finished")
        assert done.finished_at is not None


def test_a_mark_beside_finish_keeps_the_end(rounds, quiz):
    teacher = make_user("teacher")
    for number, jitter in rounds:
        attempt = handed_in(number, quiz)
        found = together(marking(attempt, 2, teacher), tab(attempt).finish, tab(attempt).finish, jitter=jitter)
        assert codes(found) == ["ok", "ok", "ok"]
        done = tab(attempt)
        assert (done.score, done.waiting, done.ended) == (2, 0, "finished")


def test_a_mark_beside_starting_over_leaves_nothing_waiting(rounds, quiz):
    teacher = make_user("teacher")
    for number, jitter in rounds:
        attempt = handed_in(number, quiz)
        own, again = tab(attempt), learner(attempt.user)
        together(
            marking(attempt, 2, teacher),
            lambda own=own, again=again: own.start_over(again, number=2),
            jitter=jitter,
        )
        left = tab(attempt)
        assert (left.score, left.waiting, left.ended) == (2, 0, "abandoned")


def test_of_two_markers_one_is_told(rounds, quiz):
    teachers = [make_user(f"teacher-{one}") for one in range(2)]
    for number, jitter in rounds:
        attempt = handed_in(number, quiz)
        if number % 2:
            attempt.finish()
        found = together(*(marking(attempt, one, teachers[one], 1) for one in range(2)), jitter=jitter)
        assert codes(found) == ["marked", "ok"]
        assert tab(attempt).score == (1 if isinstance(found[0], Refusal) else 0)
        assert tab(attempt).answers.get(position=1).revision == 2


def test_two_essays_marked_at_once_both_count(rounds, transactional_db):
    quiz = make_quiz(make_essay(), make_essay("How?"))
    teacher = make_user("teacher")
    for number, jitter in rounds:
        attempt = handed_in(number, quiz)
        attempt.answer(2, "So.")
        one, other = tab(attempt), tab(attempt)
        together(
            lambda one=one: one.mark_by_hand(1, Decimal(1), by=teacher),
            lambda other=other: other.mark_by_hand(2, Decimal(1), by=teacher),
            jitter=jitter,
        )
        assert (tab(attempt).score, tab(attempt).waiting) == (2, 0)
