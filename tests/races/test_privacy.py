"""Erasing a learner while they answer, hand in, report, sign in or are marked, and while it is asked for twice."""

from decimal import Decimal
from typing import Any

import pytest

from mpquiz import privacy
from mpquiz.models import Answer, Attempt, Report
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race

SECRET = "Amal lives here"


def erasing(who: Any, *, delete: bool = False) -> Any:
    return lambda: privacy.erase(who, delete=delete)


def own(attempt: Attempt) -> Attempt:
    """The attempt as another request fetched it."""
    return Attempt.objects.get(pk=attempt.pk)


def assert_gone(attempt: Attempt) -> None:
    """Nothing is left of whose it was and what they wrote."""
    assert not Attempt.objects.filter(pk=attempt.pk).exclude(user=None, guest=None).exists()
    assert not Answer.objects.filter(attempt=attempt.pk, given=SECRET).exists()
    assert not Report.objects.filter(note=SECRET).exists()


def test_an_answer_beside_the_erasure_is_taken_out_or_refused(rounds):
    quiz = make_quiz(make_question({"text": "Cairo", "right": True}, kind="text"), make_question(), make_essay())
    for number, jitter in rounds:
        amal = learner(make_user(f"learner-{number}"))
        attempt = Attempt.objects.start(quiz, amal)
        one, other = own(attempt), own(attempt)
        found = together(
            lambda one=one: one.answer(1, SECRET),
            lambda other=other: other.keep(3, SECRET),
            erasing(amal, delete=bool(number % 2)),
            jitter=jitter,
        )
        assert set(codes(found)) <= {"ok", "finished", "not_in_attempt"}
        assert_gone(attempt)


def test_the_last_answer_and_the_hand_in_beside_the_erasure(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="exam", feedback="at_end", layout="all")]
    for number, jitter in rounds:
        amal = learner(guest=f"guest-{number}")
        attempt = Attempt.objects.start(quizzes[number % 2], amal)
        mine = own(attempt)
        press = (
            (lambda mine=mine: mine.hand_in({1: 1, 2: 2})) if number % 2 else (lambda mine=mine: mine.answer(1, 1))
        )
        found = together(press, erasing(amal), jitter=jitter)
        assert set(codes(found)) <= {"ok", "finished"}
        assert_gone(attempt)
        attempt.refresh_from_db()
        assert attempt.ended == ("finished" if not isinstance(found[0], Exception) else "abandoned")


def test_a_report_beside_the_erasure_leaves_no_word(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        amal = learner(make_user(f"learner-{number}"))
        attempt = Attempt.objects.start(quiz, amal)
        attempt.answer(1, 1)
        mine = own(attempt)
        found = together(
            lambda mine=mine: Report.objects.file(mine, 1, SECRET, language="en"),
            erasing(amal, delete=bool(number % 2)),
            jitter=jitter,
        )
        assert set(codes(found)) <= {"ok", "not_in_attempt"}
        assert_gone(attempt)


def test_a_mark_beside_the_erasure_counts_or_comes_too_late(rounds):
    quiz, marker = make_quiz(make_essay(), make_question()), make_user("marker")
    for number, jitter in rounds:
        amal = learner(make_user(f"learner-{number}"))
        attempt = Attempt.objects.start(quiz, amal)
        attempt.answer(1, SECRET)
        attempt.answer(2, 1)
        mine = own(attempt)
        found = together(
            lambda mine=mine: mine.mark_by_hand(1, Decimal(1), by=marker, comment=SECRET),
            erasing(amal),
            jitter=jitter,
        )
        assert codes(found) in (["ok", "ok"], ["not_in_attempt", "ok"])
        assert_gone(attempt)
        assert not Answer.objects.filter(comment=SECRET).exists()
        assert Attempt.objects.filter(pk=attempt.pk).exists() == (codes(found) == ["ok", "ok"])


def test_the_claim_beside_the_erasure_of_the_guest(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        user, guest = make_user(f"learner-{number}"), f"guest-{number}"
        attempt = Attempt.objects.start(quiz, learner(guest=guest))
        attempt.answer(1, 1)
        claimed, erased = together(
            lambda guest=guest, user=user: Attempt.objects.claim(guest, user),
            erasing(learner(guest=guest)),
            jitter=jitter,
        )
        assert claimed + erased["attempts"] == 1
        attempt.refresh_from_db()
        assert (attempt.user, attempt.guest) == ((user if claimed else None), None)


def test_erasing_twice_at_once_erases_once(rounds):
    quizzes = [make_quiz(slug=f"quiz-{number}") for number in range(3)]
    for number, jitter in rounds:
        amal = learner(make_user(f"learner-{number}"))
        for quiz in quizzes:
            Attempt.objects.start(quiz, amal)
        found = together(erasing(amal), erasing(amal), jitter=jitter)
        assert sorted(one["attempts"] for one in found) == [0, 3]


def test_the_account_is_deleted_while_its_learner_answers(rounds):
    quiz = make_quiz(make_question({"text": "Cairo", "right": True}, kind="text"), make_question())
    for number, jitter in rounds:
        user = make_user(f"learner-{number}")
        attempt = Attempt.objects.start(quiz, learner(user))
        mine = own(attempt)
        found = together(lambda mine=mine: mine.answer(1, SECRET), user.delete, jitter=jitter)
        assert codes(found) in (["ok", "ok"], ["finished", "ok"])
        assert_gone(attempt)
