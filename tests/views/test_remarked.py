"""What a learner is told on the result page of what was marked anew."""

import pytest

from mpquiz import remarking
from mpquiz.models import Attempt, Policy, Quiz
from tests.factories import learner, make_question, make_quiz, make_user
from tests.views.conftest import text, url


@pytest.fixture
def quiz(db):
    return make_quiz(make_question(("A", True), "B"), make_question())


@pytest.fixture
def attempt(quiz, user):
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 2)
    attempt.answer(2, 1)
    return attempt


def correct(quiz, reason="B is right too."):
    question = quiz.places.get(place=1).question
    question.choices.update(right=True)
    return remarking.remark(quiz, question, Policy.NEW_KEY, by=make_user("teacher"), reason=reason)


def test_the_old_score_stays_to_be_seen_with_the_reason(amal, attempt, quiz):
    assert "Your score was corrected" not in text(amal.get(url(attempt)))
    correct(quiz)
    page = text(amal.get(url(attempt)))
    assert "Your score was corrected" in page
    assert "1\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}2" in page
    assert "2\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}2" in page
    assert "B is right too." in page


def test_the_review_shows_the_key_by_which_it_was_marked(amal, attempt, quiz):
    assert text(amal.get(url(attempt))).count("Your answer, right") == 1
    correct(quiz)
    assert text(amal.get(url(attempt))).count("Your answer, right") == 2


def test_what_was_taken_back_is_told_too(amal, attempt, quiz):
    remarking.undo(correct(quiz), by=make_user("head"))
    page = text(amal.get(url(attempt)))
    assert "A correction was taken back" in page
    assert text(amal.get(url(attempt))).count("Your answer, right") == 1


def test_a_score_that_is_held_back_is_not_told_by_its_correction(amal, attempt, quiz):
    correct(quiz)
    Quiz.objects.update(show_score="never")
    page = text(amal.get(url(attempt)))
    assert "corrected" not in page
    assert "B is right too." not in page
