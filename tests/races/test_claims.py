"""Signing in while another tab answers, starts or signs in too."""

from typing import Any

import pytest
from django.utils import timezone

from mpquiz import remarking
from mpquiz.models import Attempt
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race


def claiming(guest: str, user: Any) -> Any:
    return lambda: Attempt.objects.claim(guest, user)


def answering(attempt: Attempt, position: int = 1) -> Any:
    own = Attempt.objects.get(pk=attempt.pk)
    return lambda: own.answer(position, 1)


def test_an_answer_beside_the_claim_is_taken(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="three")]
    for number, jitter in rounds:
        quiz, earlier = quizzes[number % 2], number // 2 % 2
        user, guest = make_user(f"learner-{number}"), f"guest-{number}"
        mine = Attempt.objects.start(quiz, learner(user)) if earlier else None
        theirs = Attempt.objects.start(quiz, learner(guest=guest))
        found = together(answering(theirs), claiming(guest, user), jitter=jitter)
        assert codes(found) == ["ok", "ok"]
        theirs.refresh_from_db()
        assert (theirs.user, theirs.guest, theirs.score) == (user, None, 1)
        assert theirs.number == (2 if earlier else 1)
        if mine is not None:
            mine.refresh_from_db()
            assert mine.open is None or not theirs.open


def test_an_answer_to_the_older_attempt_beside_the_claim_is_in_or_out_whole(rounds):
    quizzes = [make_quiz(slug="one", count=1), make_quiz(slug="three")]
    for number, jitter in rounds:
        quiz = quizzes[number % 2]
        user, guest = make_user(f"learner-{number}"), f"guest-{number}"
        mine = Attempt.objects.start(quiz, learner(user))
        theirs = Attempt.objects.start(quiz, learner(guest=guest))
        found = together(answering(mine), answering(theirs), claiming(guest, user), jitter=jitter)
        assert codes(found) in (["ok", "ok", "ok"], ["finished", "ok", "ok"])


def test_a_start_of_the_user_beside_the_claim_leaves_one_open(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        user, guest = make_user(f"learner-{number}"), f"guest-{number}"
        Attempt.objects.start(quiz, learner(guest=guest))
        found = together(
            claiming(guest, user), lambda user=user: Attempt.objects.start(quiz, learner(user)), jitter=jitter
        )
        assert codes(found) == ["ok", "ok"]
        assert Attempt.objects.of(learner(user)).filter(open=True).count() == 1
        assert not Attempt.objects.filter(guest=guest).exists()


def test_signing_in_twice_at_once_claims_once(rounds):
    quizzes = [make_quiz(slug=f"quiz-{number}") for number in range(3)]
    for number, jitter in rounds:
        user, guests = make_user(f"learner-{number}"), [f"a-{number}", f"b-{number}"]
        for guest in guests:
            for quiz in quizzes:
                Attempt.objects.start(quiz, learner(guest=guest))
        found = together(*(claiming(guest, user) for guest in guests * 2), jitter=jitter)
        assert sum(found) == 6
        assert Attempt.objects.of(learner(user)).count() == 6
        assert Attempt.objects.of(learner(user)).filter(open=True).count() == 3


def test_two_users_of_one_browser_cannot_both_claim(rounds):
    quiz = make_quiz()
    for number, jitter in rounds:
        users, guest = [make_user(f"learner-{number}-{one}") for one in range(2)], f"guest-{number}"
        attempt = Attempt.objects.start(quiz, learner(guest=guest))
        found = together(*(claiming(guest, user) for user in users), jitter=jitter)
        assert sorted(found) == [0, 1]
        attempt.refresh_from_db()
        assert attempt.user == users[found.index(1)]
        assert attempt.started_at <= timezone.now()


def test_claims_beside_answers_ends_and_a_re_marking_wait_for_nobody_who_waits_for_them(rounds):
    """Each takes several rows, and none of them in an order of its own."""
    first, second = (make_quiz(make_question(), make_essay(), slug=slug) for slug in ("first", "second"))
    teacher, question = make_user("teacher"), first.questions.get(kind="single")
    for number, jitter in rounds:
        user, guest = make_user(f"learner-{number}"), f"guest-{number}"
        older = [Attempt.objects.start(quiz, learner(user)) for quiz in (second, first)]
        newer = [Attempt.objects.start(quiz, learner(guest=guest)) for quiz in (first, second)]
        for attempt in (*older, newer[0]):
            attempt.answer(1, number % 2 + 1)
        ended = Attempt.objects.start(first, learner(make_user(f"other-{number}")))
        ended.finish()
        policy = ("full_marks", "leave_out")[number % 2]
        found = together(
            claiming(guest, user),
            answering(newer[1]),
            Attempt.objects.get(pk=older[1].pk).finish,
            Attempt.objects.get(pk=newer[0].pk).finish,
            lambda policy=policy: remarking.remark(first, question, policy, by=teacher),
            lambda guest=guest: Attempt.objects.filter(guest=guest).erase() if number % 5 == 4 else None,
            jitter=jitter,
        )
        assert set(codes(found)) <= {"ok", "finished"}
        assert not Attempt.objects.filter(guest=guest).exists()
