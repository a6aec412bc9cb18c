"""A question is marked anew while learners finish, people mark, guests sign in or somebody else marks it anew too."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction

from mpquiz import remarking
from mpquiz.exceptions import Refusal
from mpquiz.models import Answer, Attempt, Question, Remarking
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race
LEARNERS = 4


@pytest.fixture
def quiz(transactional_db):
    """Its first question has a key that was wrong; an essay follows."""
    quiz = make_quiz(make_question(), make_essay())
    quiz.places.update(points=3)
    return quiz


@pytest.fixture
def teachers(quiz):
    return [make_user(f"teacher-{one}") for one in range(2)]


def tab(attempt: Attempt) -> Attempt:
    """The attempt as another request has fetched it."""
    return Attempt.objects.get(pk=attempt.pk)


def correct(quiz: Any, number: int) -> Question:
    """The first question, of which another choice is right in each round."""
    question = quiz.questions.get(kind="single")
    question.choices.update(right=False)
    question.choices.filter(key="ba"[number % 2]).update(right=True)
    return question


def taken(number: int, quiz: Any, *, finish: bool = True) -> list[Attempt]:
    """Attempts of new learners who answered the question and handed in the essay."""
    attempts = []
    for one in range(LEARNERS):
        attempt = Attempt.objects.start(quiz, learner(make_user(f"learner-{number}-{one}")))
        attempt.answer(1, one % 3 + 1)
        if finish:
            attempt.answer(2, "Because.")
        attempts.append(attempt)
    return attempts


def marking_anew(quiz: Any, question: Question, policy: str, by: Any) -> Any:
    return lambda: remarking.remark(quiz, question, policy, by=by)


def answering(attempt: Attempt, position: int, given: object) -> Any:
    own = tab(attempt)
    return lambda: own.answer(position, given)


def by_a_person(attempt: Attempt, points: int, by: Any) -> Any:
    """The essay marked by a person."""
    own = tab(attempt)
    return lambda: own.mark_by_hand(2, Decimal(points), by=by)


def test_attempts_that_end_meanwhile_are_marked_by_one_key_or_the_other(rounds, quiz, teachers):
    for number, jitter in rounds:
        taken(number, quiz)
        running = taken(number + 10_000, quiz, finish=False)
        question = correct(quiz, number)
        ending = [tab(attempt).finish for attempt in running[:2]]
        ending += [answering(attempt, 2, "So.") for attempt in running[2:]]
        found = together(marking_anew(quiz, question, "new_key", teachers[0]), *ending, jitter=jitter)
        assert codes(found) == ["ok"] * 5
        assert all(tab(attempt).ended == "finished" for attempt in running)
        assert_marked_once(found[0])
        left = remarking.preview(quiz, question, "new_key")
        if left.stored:  # those that ended after the others were marked anew
            remarking.remark(quiz, question, "new_key", by=teachers[0], expected=left.fingerprint)
        assert remarking.preview(quiz, question, "new_key").stored == 0


def test_of_two_who_do_the_same_one_finds_nothing_left_to_do(rounds, quiz, teachers):
    for number, jitter in rounds:
        taken(number, quiz)
        question = correct(quiz, number)
        seen = remarking.preview(quiz, question, "new_key").fingerprint
        calls = [
            lambda by=by, question=question, seen=seen, number=number: remarking.remark(
                quiz, question, "new_key", by=by, expected=seen if number % 4 > 1 else None
            )
            for by in teachers
        ]
        found = together(*calls, jitter=jitter)
        assert codes(found) in (["changed", "ok"], ["ok", "unchanged"])
        done = next(one for one in found if not isinstance(one, Refusal))
        assert_marked_once(done)


def test_of_two_rules_at_once_the_later_holds_and_both_can_be_undone(rounds, quiz, teachers):
    for number, jitter in rounds:
        Attempt.objects.all().delete()
        attempts = taken(number, quiz)
        before = [tab(attempt).score for attempt in attempts]
        question = correct(quiz, number)
        calls = [
            marking_anew(quiz, question, policy, by)
            for policy, by in zip(("full_marks", "leave_out"), teachers, strict=True)
        ]
        found = together(*calls, jitter=jitter)
        assert codes(found) == ["ok", "ok"]
        first, second = sorted(found, key=lambda one: one.pk)
        held = {(tab(attempt).score, tab(attempt).maximum) for attempt in attempts}
        assert held == ({(0, 3)} if second.policy == "leave_out" else {(3, 6)})
        assert remarking.undo(second, by=teachers[0]).kept == []
        assert remarking.undo(first, by=teachers[0]).kept == []
        assert [tab(attempt).score for attempt in attempts] == before


def test_re_marking_two_questions_at_once_counts_both(rounds, quiz, teachers):
    essay = quiz.questions.get(kind="essay")
    for number, jitter in rounds:
        attempts = taken(number, quiz)
        question = correct(quiz, number)
        found = together(
            marking_anew(quiz, question, "full_marks", teachers[0]),
            marking_anew(quiz, essay, "full_marks", teachers[1]),
            jitter=jitter,
        )
        assert codes(found) == ["ok", "ok"]
        assert {(tab(attempt).score, tab(attempt).waiting) for attempt in attempts} == {(6, 0)}


def test_a_mark_by_hand_beside_a_re_marking_counts_with_it(rounds, quiz, teachers):
    for number, jitter in rounds:
        attempts = taken(number, quiz)
        question = correct(quiz, number)
        by_hand = [by_a_person(attempt, 2, teachers[1]) for attempt in attempts]
        found = together(marking_anew(quiz, question, "full_marks", teachers[0]), *by_hand, jitter=jitter)
        assert codes(found) == ["ok"] * 5
        assert {(tab(attempt).score, tab(attempt).waiting) for attempt in attempts} == {(5, 0)}


def test_a_mark_by_hand_of_the_very_answer_is_before_or_after(rounds, quiz, teachers):
    essay = quiz.questions.get(kind="essay")
    for number, jitter in rounds:
        attempts = taken(number, quiz)
        by_hand = [by_a_person(attempt, 1, teachers[1]) for attempt in attempts]
        found = together(marking_anew(quiz, essay, "full_marks", teachers[0]), *by_hand, jitter=jitter)
        assert codes(found) == ["ok"] * 5
        essays = Answer.objects.filter(attempt__in=attempts, position=2)
        marks = set(essays.values_list("fraction", "awarded"))
        assert marks <= {(Decimal(1), Decimal(3)), (Decimal("0.3333333"), Decimal(1))}
        record = found[0]
        touched = [one for one in record.remarks.select_related("answer") if one.revision != one.answer.revision]
        assert len(remarking.undo(record, by=teachers[0]).kept) == len(touched)


def test_of_two_who_undo_one_is_told(rounds, quiz, teachers):
    for number, jitter in rounds:
        Attempt.objects.all().delete()
        attempts = taken(number, quiz)
        before = [tab(attempt).score for attempt in attempts]
        question = correct(quiz, number)
        record = remarking.remark(quiz, question, "full_marks", by=teachers[0])
        undoing = [lambda by=by, record=record: remarking.undo(tab_of(record), by=by) for by in teachers]
        assert codes(together(*undoing, jitter=jitter)) == ["ok", "undone"]
        assert [tab(attempt).score for attempt in attempts] == before


def test_undoing_beside_marking_anew_goes_first_or_is_refused(rounds, quiz, teachers):
    for number, jitter in rounds:
        taken(number, quiz)
        question = correct(quiz, number)
        record = remarking.remark(quiz, question, "full_marks", by=teachers[0])
        found = together(
            lambda record=record: remarking.undo(tab_of(record), by=teachers[0]),
            marking_anew(quiz, question, "leave_out", teachers[1]),
            jitter=jitter,
        )
        assert codes(found) in (["not_newest", "ok"], ["ok", "ok"])
        if not isinstance(found[0], Refusal):
            assert found[0].kept == []
        remarking.undo(found[1], by=teachers[0])


def test_guests_who_sign_in_meanwhile_keep_what_was_marked_anew(rounds, quiz, teachers):
    other = make_quiz(make_question(), slug="other")
    for number, jitter in rounds:
        question = correct(quiz, number)
        claims = []
        for one in range(LEARNERS):
            token = f"guest-{number}-{one}"
            for some in (quiz, other, quiz):
                attempt = Attempt.objects.start(some, learner(guest=token))
                attempt.answer(1, 3)
                attempt.finish()
            user = make_user(f"signed-in-{number}-{one}")
            claims.append(lambda token=token, user=user: Attempt.objects.claim(token, user))
        found = together(marking_anew(quiz, question, "full_marks", teachers[0]), *claims, jitter=jitter)
        assert found[1:] == [3] * LEARNERS
        assert not Attempt.objects.filter(quiz=quiz, guest__isnull=False).exists()
        assert {attempt.score for attempt in Attempt.objects.filter(quiz=quiz)} == {3}


def test_a_question_that_is_deleted_meanwhile_is_marked_anew_or_it_is_told(rounds, quiz, teachers):
    for number, jitter in rounds:
        question = make_question(prompt=f"Question of round {number}?")
        own = make_quiz(question, make_essay(), slug=f"own-{number}")
        attempts = taken(number, own)
        found = together(
            marking_anew(own, question, "full_marks", teachers[0]),
            Question.objects.get(pk=question.pk).delete,
            jitter=jitter,
        )
        assert codes(found) in (["changed", "ok"], ["ok", "ok"])
        told = isinstance(found[0], Refusal)
        assert {tab(one).answers.get(position=1).fraction for one in attempts} == ({0, 1} if told else {1})
        assert Remarking.objects.filter(quiz=own).count() == (not told)


def test_a_re_marking_that_is_rolled_back_leaves_nothing(rounds, quiz, teachers):
    """The lock is let go with it, and whoever waited goes on."""
    for number, jitter in rounds:
        attempts = taken(number, quiz)
        question = correct(quiz, number)

        def in_vain(question: Question = question) -> None:
            with transaction.atomic():
                remarking.remark(quiz, question, "leave_out", by=teachers[0])
                transaction.set_rollback(True)

        together(in_vain, marking_anew(quiz, question, "full_marks", teachers[1]), jitter=jitter)
        assert not Remarking.objects.filter(policy="leave_out").exists()
        assert {(tab(attempt).score, tab(attempt).maximum) for attempt in attempts} == {(3, 6)}


def tab_of(record: Remarking) -> Remarking:
    return Remarking.objects.get(pk=record.pk)


def assert_marked_once(record: Remarking) -> None:
    """Each answer of the record was written by it and by nobody before it had its turn."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*) FROM mpquiz_remark r JOIN mpquiz_answer a ON a.id = r.answer_id "
            "WHERE r.remarking_id = %s AND a.revision <> r.revision",
            [record.pk],
        )
        assert cursor.fetchone() == (0,)
    assert record.remarks.exists()
