"""One learner in two tabs, or with an impatient finger: answers that meet at the same moment."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt
from tests.factories import learner, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race


def started(number: int, quiz: Any) -> Attempt:
    """A new learner's attempt."""
    return Attempt.objects.start(quiz, learner(make_user(f"learner-{quiz.slug}-{number}")))


def tab(attempt: Attempt) -> Attempt:
    """The attempt as another request has fetched it."""
    return Attempt.objects.get(pk=attempt.pk)


def answering(attempt: Attempt, position: int, given: int) -> Any:
    own = tab(attempt)
    return lambda: own.answer(position, given)


def test_a_double_click_on_an_answer_gives_one_answer(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="three")]
    for number, jitter in rounds:
        attempt = started(number, quizzes[number % 2])
        found = together(*(answering(attempt, 1, 1) for _ in range(3)), jitter=jitter)
        assert [(one.state, one.revision) for one in found] == [("right", 1)] * 3
        assert tab(attempt).score == 1


def test_of_two_tabs_that_answer_one_question_differently_the_first_wins(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="three")]
    for number, jitter in rounds:
        attempt = started(number, quizzes[number % 2])
        found = together(answering(attempt, 1, 1), answering(attempt, 1, 2), jitter=jitter)
        assert codes(found) == ["answered", "ok"]
        assert tab(attempt).score == (0 if isinstance(found[0], Refusal) else 1)


def test_two_tabs_that_answer_two_questions_both_count(rounds):
    quizzes = [make_quiz(slug="two", count=2), make_quiz(slug="three")]
    for number, jitter in rounds:
        attempt = started(number, quizzes[number % 2])
        together(answering(attempt, 1, 1), answering(attempt, 2, 1), jitter=jitter)
        attempt = tab(attempt)
        assert attempt.score == 2
        assert attempt.is_open == (attempt.maximum == 3)


def test_an_answer_beside_finish_is_in_or_out_whole(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="three")]
    for number, jitter in rounds:
        attempt = started(number, quizzes[number % 2])
        found = together(answering(attempt, 1, 1), tab(attempt).finish, tab(attempt).finish, jitter=jitter)
        assert codes(found) in (["ok", "ok", "ok"], ["finished", "ok", "ok"])
        closed = tab(attempt)
        assert (closed.open, closed.ended) == (None, "finished")
        assert closed.score == (0 if isinstance(found[0], Refusal) else 1)


def test_an_answer_beside_starting_over_is_in_or_out_whole(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        attempt = started(number, quiz)
        again = learner(attempt.user)
        one, other = tab(attempt), tab(attempt)
        found = together(
            answering(attempt, 1, 1),
            lambda one=one, again=again: one.start_over(again, number=2),
            lambda other=other, again=again: other.start_over(again, number=2),
            jitter=jitter,
        )
        assert found[1] == found[2]
        assert found[1].number == 2
        assert tab(attempt).ended == "abandoned"


def test_an_attempt_that_runs_out_is_closed_once_whoever_comes_first(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        attempt = started(number, quiz)
        Attempt.objects.filter(pk=attempt.pk).update(deadline=timezone.now() + timedelta(milliseconds=4))
        found = together(
            answering(attempt, 1, 1), tab(attempt).close_overdue, tab(attempt).close_overdue, jitter=jitter
        )
        assert codes(found) in (["ok", "ok", "ok"], ["ok", "ok", "time_up"])
        late = tab(attempt)
        late.close_overdue()
        assert late.score == (0 if isinstance(found[0], Refusal) else 1)
