"""The results of many users in many quizzes: as each quiz counts, in one query, and only those that count."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mpquiz import gradebook
from mpquiz.models import Attempt, Quiz
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


def take(quiz, user, *given):
    """An attempt of these answers (1 is right), handed in."""
    attempt = Attempt.objects.start(quiz, learner(user))
    for position, one in enumerate(given, 1):
        attempt.answer(position, one)
    attempt.finish()
    return attempt


def result(user, quiz):
    [row] = gradebook.of([user], [quiz]).rows
    return row.results[0]


@pytest.mark.parametrize(("counting", "percent"), [("best", 100), ("last", 0), ("first", 50), ("average", 50)])
def test_a_result_is_what_the_quiz_counts(counting, percent):
    quiz, amal = make_quiz(count=2, counting=counting, pass_mark=60), make_user()
    for given in ((1, 2), (1, 1), (2, 2)):
        take(quiz, amal, *given)
    found = result(amal, quiz)
    assert found.percent == percent
    assert found.passed is found.completed is quiz.completed_by(amal) is (percent >= 60)


def test_without_a_pass_mark_a_finished_quiz_is_completed_and_neither_passed_nor_failed():
    quiz, amal = make_quiz(count=1), make_user()
    take(quiz, amal, 2)
    found = result(amal, quiz)
    assert (found.percent, found.passed, found.completed) == (0, None, True)


def test_what_does_not_count_is_no_result():
    quiz, amal = make_quiz(count=2), make_user("amal", is_staff=True, is_superuser=True)
    Attempt.objects.start(quiz, learner(amal), trial=True).finish()
    Attempt.objects.start(quiz, learner(amal)).abandon()
    Attempt.objects.start(quiz, learner(amal)).answer(1, 1)  # is still open
    found = result(amal, quiz)
    assert found.standing is found.percent is found.passed is None
    assert (found.waiting, found.completed) == (0, False)


def test_practice_of_what_was_missed_is_no_result():
    quiz, amal = make_quiz(count=2, pass_mark=60), make_user()
    first = take(quiz, amal, 1, 2)
    practice = first.retry(learner(amal), number=2)
    practice.answer(1, 1)
    practice.refresh_from_db()
    assert practice.percent == 100
    assert (result(amal, quiz).percent, result(amal, quiz).passed) == (50, False)


def test_an_attempt_whose_time_is_up_counts_before_anybody_closes_it():
    quiz, amal = make_quiz(count=2, time_limit=1), make_user()
    attempt = Attempt.objects.start(quiz, learner(amal))
    attempt.answer(1, 1)
    Attempt.objects.filter(pk=attempt.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    assert result(amal, quiz).percent == 50


def test_what_waits_to_be_marked_is_said_and_neither_passes_nor_fails():
    quiz, amal = make_quiz(make_question(), make_essay(), pass_mark=60), make_user()
    attempt = take(quiz, amal, 1, "Because.")
    found = result(amal, quiz)
    assert (found.waiting, found.percent, found.passed, found.completed) == (1, 50, None, False)
    attempt.mark_by_hand(2, Decimal(1), by=make_user("teacher"), comment="")
    found = result(amal, quiz)
    assert (found.waiting, found.percent, found.passed, found.completed) == (0, 100, True, True)


def test_rows_and_columns_stand_as_they_were_given_and_nobody_gets_another_s_result():
    one, two = make_quiz(slug="one", count=1, pass_mark=50), make_quiz(slug="two", count=1, pass_mark=50)
    amal, badr, stranger = make_user("amal"), make_user("badr"), make_user("stranger")
    take(one, amal, 1)
    take(two, amal, 2)
    take(two, badr, 1)
    take(one, stranger, 1)
    Attempt.objects.start(one, learner(guest="token")).finish()
    book = gradebook.of([badr, amal], [two, one])
    assert book.quizzes == [two, one]
    assert [row.name for row in book.rows] == ["badr", "amal"]
    assert [[cell.percent for cell in row.results] for row in book.rows] == [[100, None], [0, 100]]
    assert [row.completed for row in book.rows] == [[two], [one]]


def test_the_results_of_everybody_in_everything_take_one_query():
    quizzes = [make_quiz(slug=f"quiz-{number}", count=1) for number in range(5)]
    users = [make_user(f"user-{number}", last_name=str(number)) for number in range(6)]
    for user in users:
        for quiz in quizzes:
            for given in (1, 2):
                take(quiz, user, given)
    with CaptureQueriesContext(connection) as queries:
        book = gradebook.of(users, quizzes)
        told = [(row.name, cell.percent, cell.passed, cell.completed) for row in book.rows for cell in row.results]
    assert len(queries) == 1
    assert len(told) == 30 and all(percent == 100 for _name, percent, _passed, _completed in told)


def test_querysets_are_taken_as_they_are():
    make_quiz(count=1)
    take(Quiz.objects.get(), make_user(), 1)
    users = type(make_user("badr")).objects.order_by("username")
    with CaptureQueriesContext(connection) as queries:
        book = gradebook.of(users, Quiz.objects.all())
    assert len(queries) == 3
    assert [cell.percent for row in book.rows for cell in row.results] == [100, None]


def test_nobody_and_nothing_make_an_empty_book():
    assert gradebook.of([], []).rows == []
    assert gradebook.of([make_user()], Quiz.objects.none()).rows[0].results == []
