"""Starts that meet: a double press of the button, the same form sent again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from mpquiz import learners
from mpquiz.models import Attempt, FirstAnswer
from mpquiz.models.attempt import fingerprint
from tests.factories import learner, make_quiz, make_user
from tests.races.conftest import together

pytestmark = pytest.mark.race


@pytest.fixture(autouse=True)
def unthrottled(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"start": None, "answer": None}}


def starting(quiz: Any, user: Any, number: int | None, given: int | None) -> Any:
    """A press of the start button, or of the first question's where something is given."""
    first = None if given is None else FirstAnswer(given=given, seen=fingerprint(quiz.placed()[0].content))
    return lambda: Attempt.objects.start(quiz, learner(user), number=number, first=first)


@pytest.mark.parametrize("given", [(None, None, None), (1, 1, 1), (1, 2, 3)], ids=["button", "same", "different"])
def test_a_double_start_of_a_user_is_one_attempt(rounds, given):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1 + number % 2 * 2)
        user = make_user(f"learner-{number}")
        found = together(*(starting(quiz, user, 1, one) for one in given), jitter=jitter)
        assert set(found) == {quiz.attempts.get()}


def test_a_double_start_without_a_number_lands_in_the_open_attempt(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1 + number % 2 * 2)
        user = make_user(f"learner-{number}")
        found = together(*(starting(quiz, user, None, None) for _ in range(3)), jitter=jitter)
        assert set(found) == {quiz.attempts.get()}


def test_two_learners_who_are_first_at_new_questions_both_start(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=5)
        backwards = make_quiz(*reversed(quiz.questions.order_by("places__place")), slug=f"backwards-{number}")
        users = [make_user(f"learner-{number}-{one}") for one in range(4)]
        quizzes = [quiz, backwards, quiz, backwards]
        found = together(
            *(starting(one, user, 1, None) for one, user in zip(quizzes, users, strict=True)), jitter=jitter
        )
        assert len(set(found)) == 4


def test_a_double_start_of_a_guest_without_a_session_is_one_attempt(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1 + number % 2 * 2)
        form = {
            "guest": learners.new_nonce(),
            "number": "1",
            "seen": fingerprint(quiz.placed()[0].content),
            "given": "1",
        }
        address = reverse("mpquiz:start", kwargs={"slug": quiz.slug})
        browsers = [Client(), Client(), Client()]
        found = together(*(lambda b=b, f=form, a=address: b.post(a, f) for b in browsers), jitter=jitter)
        attempt = quiz.attempts.get()
        assert {response.status_code for response in found} == {303}
        assert len({response["Location"] for response in found}) == 1
        assert {browser.session["mpquiz_guest"] for browser in browsers} == {attempt.guest}
        assert attempt.score == 1


def test_a_start_replayed_after_or_beside_finish_lands_in_its_attempt(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1 + number % 2 * 2)
        user = make_user(f"learner-{number}")
        replay = starting(quiz, user, 1, 1)
        attempt = replay()
        if number % 2:
            attempt.finish()
        found = together(replay, Attempt.objects.get(pk=attempt.pk).finish, replay, jitter=jitter)
        assert (found[0], found[2]) == (attempt, attempt)
        assert quiz.attempts.count() == 1


def test_starts_beside_the_finish_of_the_open_attempt_leave_at_most_one_open(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1)
        user = make_user(f"learner-{number}")
        attempt = starting(quiz, user, 1, None)()
        found = together(
            starting(quiz, user, 2, None),
            lambda attempt=attempt: attempt.answer(1, 1),
            starting(quiz, user, 2, None),
            jitter=jitter,
        )
        assert {found[0].number, found[2].number} <= {1, 2}


def test_a_retry_pressed_twice_beside_a_start_leaves_one_open(rounds):
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}")
        user = make_user(f"learner-{number}")
        attempt = starting(quiz, user, 1, 2)()
        attempt.finish()
        tabs = [Attempt.objects.get(pk=attempt.pk) for _ in range(2)]
        found = together(
            *(lambda tab=tab, user=user: tab.retry(learner(user), number=2) for tab in tabs),
            starting(quiz, user, 2, None),
            jitter=jitter,
        )
        assert len(set(found)) == 1
