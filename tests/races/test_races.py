"""Two presses at once, on real parallel connections: no answer is lost or doubled, and nobody meets an error.

``MPQUIZ_RACE_ROUNDS`` says how often each meeting is arranged.
"""

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client

from mpquiz.exceptions import Refusal
from mpquiz.models import Answer, Attempt, FirstAnswer, Quiz
from mpquiz.models.attempt import fingerprint
from tests.factories import learner, make_quiz, make_user

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]

ROUNDS = int(os.environ.get("MPQUIZ_RACE_ROUNDS", "20"))


@pytest.fixture(autouse=True)
def _a_server_with_parallel_connections(db: Any) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time: set DATABASE_URL to PostgreSQL or MariaDB")


def together(*calls: Callable[[], Any]) -> list[Any]:
    """What the calls return or refuse, made at the same moment, each on a connection of its own."""
    barrier = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def call(index: int) -> None:
        try:
            barrier.wait(10)
            results[index] = calls[index]()
        except Refusal as refusal:
            results[index] = refusal.code
        except BaseException as error:  # shown below: a thread's own error would be lost
            results[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=call, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    errors = [result for result in results if isinstance(result, BaseException)]
    assert errors == []
    return results


INVARIANTS = {
    "two answers to one question": (
        "SELECT attempt_id, position FROM mpquiz_answer GROUP BY attempt_id, position HAVING COUNT(*) > 1"
    ),
    "two open attempts of a learner": (
        "SELECT quiz_id, user_id, guest FROM mpquiz_attempt WHERE open IS NOT NULL AND open "
        "GROUP BY quiz_id, user_id, guest HAVING COUNT(*) > 1"
    ),
    "a score that is not the sum of its answers": (
        "SELECT a.id FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id GROUP BY a.id, a.score "
        "HAVING a.score <> SUM(b.points * COALESCE(b.fraction, 0))"
    ),
    "an attempt without answers": (
        "SELECT a.id FROM mpquiz_attempt a LEFT JOIN mpquiz_answer b ON b.attempt_id = a.id WHERE b.id IS NULL"
    ),
    "a closed attempt without its end": (
        "SELECT id FROM mpquiz_attempt WHERE open IS NULL AND (finished_at IS NULL OR ended = '')"
    ),
    "an open attempt that has an end": (
        "SELECT id FROM mpquiz_attempt WHERE open IS NOT NULL AND (finished_at IS NOT NULL OR ended <> '')"
    ),
}


def check_invariants() -> None:
    with connection.cursor() as cursor:
        for name, query in INVARIANTS.items():
            cursor.execute(query)
            assert cursor.fetchall() in ([], ()), name


class Meetings:
    """A quiz, and a new learner for each round."""

    def __init__(self, count: int = 3) -> None:
        self.quiz = make_quiz(count=count)
        self.round = 0

    def __iter__(self) -> Any:
        for self.round in range(ROUNDS):
            yield learner(make_user(f"learner{self.round}"))
            check_invariants()

    def fresh_quiz(self) -> Quiz:
        """The quiz as another process reads it."""
        return Quiz.objects.get(pk=self.quiz.pk)


def fresh(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


def test_a_double_click_on_an_answer_is_one_answer() -> None:
    meetings = Meetings()
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one)
        answers = together(*[lambda attempt=attempt: fresh(attempt).answer(1, 1)] * 2)
        assert answers[0] == answers[1]
        assert (answers[0].revision, fresh(attempt).score) == (1, 1)


def test_of_two_tabs_that_answer_one_question_differently_the_first_counts() -> None:
    meetings = Meetings()
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one)
        results = together(lambda: fresh(attempt).answer(1, 1), lambda: fresh(attempt).answer(1, 2))
        assert results.count("answered") == 1
        taken = attempt.answers.get(position=1)
        assert fresh(attempt).score == taken.mark
        assert taken in results


def test_two_tabs_that_answer_two_questions_both_count() -> None:
    meetings = Meetings(count=2)
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one)
        together(lambda: fresh(attempt).answer(1, 1), lambda: fresh(attempt).answer(2, 1))
        assert (fresh(attempt).score, fresh(attempt).ended) == (2, "finished")


def test_an_answer_beside_the_finish_is_in_or_out_whole() -> None:
    meetings = Meetings()
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one)
        answered, _ = together(lambda: fresh(attempt).answer(1, 1), lambda: fresh(attempt).finish())
        expected = 0 if answered == "finished" else 1
        assert (fresh(attempt).score, fresh(attempt).ended) == (expected, "finished")


def test_a_double_start_of_a_user_is_one_attempt() -> None:
    meetings = Meetings()
    for one in meetings:
        started = together(*[lambda one=one: Attempt.objects.start(meetings.fresh_quiz(), one, number=1)] * 2)
        assert started[0] == started[1]
        assert Attempt.objects.of(one).count() == 1


def test_a_double_start_with_the_first_answer_is_one_attempt_with_one_answer() -> None:
    meetings = Meetings()
    first = FirstAnswer(given=1, seen=fingerprint(meetings.quiz.placed()[0].content))
    for one in meetings:

        def start(one: Any = one) -> Attempt:
            return Attempt.objects.start(meetings.fresh_quiz(), one, number=1, first=first)

        started = together(start, start)
        assert started[0] == started[1]
        assert fresh(started[0]).score == 1


def test_a_double_start_of_a_guest_without_a_session_is_one_attempt() -> None:
    meetings = Meetings()
    for _ in meetings:
        before = Attempt.objects.count()
        page = Client().get("/en/quizzes/floats/").content.decode()
        form = {name: page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("number", "seen", "guest")}

        def press(form: dict[str, str] = form) -> Any:
            return Client().post("/en/quizzes/floats/start/", {**form, "given": "1"})

        one, two = together(press, press)
        assert (one.status_code, one.url) == (two.status_code, two.url) == (303, one.url)
        assert Attempt.objects.count() == before + 1


def test_a_start_replayed_beside_the_finish_lands_in_the_same_attempt() -> None:
    meetings = Meetings()
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one, number=1)
        replayed, _ = together(
            lambda: Attempt.objects.start(meetings.fresh_quiz(), one, number=1),
            lambda: fresh(attempt).finish(),
        )
        assert replayed == attempt
        assert Attempt.objects.start(meetings.fresh_quiz(), one, number=1) == attempt
        assert Attempt.objects.of(one).count() == 1


def test_a_claim_beside_an_answer_keeps_the_answer() -> None:
    meetings = Meetings()
    for one in meetings:
        guest = f"guest{meetings.round}"
        attempt = Attempt.objects.start(meetings.fresh_quiz(), learner(guest=guest))
        together(lambda: fresh(attempt).answer(1, 1), lambda: Attempt.objects.claim(guest, one.user))
        attempt = fresh(attempt)
        assert (attempt.user, attempt.guest, attempt.score, attempt.open) == (one.user, None, 1, True)


def test_a_claim_beside_a_start_of_the_same_user_leaves_one_open() -> None:
    meetings = Meetings()
    for one in meetings:
        guest = f"guest{meetings.round}"
        Attempt.objects.start(meetings.fresh_quiz(), learner(guest=guest))
        together(
            lambda: Attempt.objects.start(meetings.fresh_quiz(), one, number=1),
            lambda: Attempt.objects.claim(guest, one.user),
        )
        assert not Attempt.objects.of(learner(guest=guest)).exists()
        assert Attempt.objects.of(one).unfinished().count() == 1


def test_finishing_twice_at_once_finishes_once() -> None:
    meetings = Meetings()
    for one in meetings:
        attempt = Attempt.objects.start(meetings.fresh_quiz(), one)
        together(*[lambda attempt=attempt: fresh(attempt).finish()] * 2)
        assert fresh(attempt).ended == "finished"
