"""A question is marked anew after its key was corrected: who would change, what is stored, and how it is undone."""

import logging
from dataclasses import FrozenInstanceError
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mpquiz import remarking, signals
from mpquiz.exceptions import Refusal
from mpquiz.models import Answer, Attempt, Policy, QuestionVersion, Remark, Remarking
from mpquiz.remarking import undoing
from tests import invariants
from tests.factories import (
    add_choice,
    learner,
    make_essay,
    make_page,
    make_question,
    make_quiz,
    make_user,
)

pytestmark = pytest.mark.django_db
ZERO = Decimal(0)


@pytest.fixture(autouse=True)
def promises_hold():
    """Whatever a test does, scores are the sums of their answers afterwards."""
    yield
    invariants.check(connection)


@pytest.fixture
def teacher():
    return make_user("teacher")


@pytest.fixture
def question():
    """Its right choice is the first, and should be the second."""
    return make_question(prompt="Which?")


@pytest.fixture
def quiz(question):
    """Three points for the question that is wrong, one for another."""
    quiz = make_quiz(question, make_question(prompt="Other?"), pass_mark=50)
    quiz.places.filter(question=question).update(points=3)
    return quiz


def take(quiz, name, *given, finish=True):
    """The attempt of a new learner, who gives these values in order; None skips a question."""
    attempt = Attempt.objects.start(quiz, learner(make_user(name)))
    for position, value in enumerate(given, 1):
        if value is not None:
            attempt.answer(position, value)
    if finish:
        attempt.finish()
    return fresh(attempt)


def fresh(attempt):
    return Attempt.objects.get(pk=attempt.pk)


def correct(question, *right):
    """Move the key to the choices with these keys."""
    question.choices.update(right=False)
    question.choices.filter(key__in=right).update(right=True)


def answer_of(attempt, position=1):
    return attempt.answers.get(position=position)


def scored(attempt):
    attempt = fresh(attempt)
    return (attempt.score, attempt.maximum, attempt.passed)


def refused(call, *args, **kwargs):
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    return caught.value.code


# The four rules -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "old_right", "new_right", "wrong", "skipped"),
    [
        ("new_key", (1, 4, False), (4, 4, True), (1, 4, False), (1, 4, False)),
        ("either_key", (4, 4, True), (4, 4, True), (1, 4, False), (1, 4, False)),
        ("full_marks", (4, 4, True), (4, 4, True), (4, 4, True), (4, 4, True)),
        ("leave_out", (1, 1, True), (1, 1, True), (1, 1, True), (1, 1, True)),
    ],
)
def test_each_rule_does_what_it_says(quiz, question, teacher, policy, old_right, new_right, wrong, skipped):
    attempts = [
        take(quiz, "old", 1, 1),
        take(quiz, "new", 2, 1),
        take(quiz, "wrong", 3, 1),
        take(quiz, "no", None, 1),
    ]
    correct(question, "b")
    remarking.remark(quiz, question, policy, by=teacher)
    assert [scored(attempt) for attempt in attempts] == [old_right, new_right, wrong, skipped]


@pytest.mark.parametrize("policy", Policy.values)
def test_the_preview_says_exactly_what_is_done_then(quiz, question, teacher, policy):
    attempts = [take(quiz, f"learner-{number}", number % 3 + 1, number % 2 + 1) for number in range(6)]
    attempts.append(take(quiz, "nobody"))
    correct(question, "b")
    before = {attempt.pk: scored(attempt) for attempt in attempts}
    seen = remarking.preview(quiz, question, policy)
    assert {attempt.pk: scored(attempt) for attempt in attempts} == before
    remarking.remark(quiz, question, policy, by=teacher, expected=seen.fingerprint)
    told = {
        change.attempt.pk: (
            (change.old_score, change.old_maximum, change.passed_before),
            (change.new_score, change.new_maximum, change.passed_after),
        )
        for change in seen.changes
    }
    done = {attempt.pk: (before[attempt.pk], scored(attempt)) for attempt in attempts}
    assert told == {pk: pair for pk, pair in done.items() if pair[0] != pair[1]}
    assert told
    assert seen.stored == Remark.objects.count()


def test_the_preview_counts(quiz, question):
    take(quiz, "old", 1, 2)
    take(quiz, "new", 2, 2)
    take(quiz, "new-too", 2, 1)
    take(quiz, "wrong", 3, 1)
    take(quiz, "skipped", None, 1)
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.asked, seen.answered, seen.better, seen.worse, seen.same) == (5, 4, 2, 1, 2)
    assert (seen.newly_passed, seen.newly_failed, seen.unmarkable, seen.by_hand) == (2, 1, 0, 0)
    assert (seen.aside, seen.running) == (0, 0)
    assert [change.attempt.user.username for change in seen.changes] == ["old", "new", "new-too"]
    with pytest.raises(FrozenInstanceError):
        seen.asked = 0


def test_previews_of_all_rules_are_those_of_each(quiz, question):
    take(quiz, "old", 1, 2)
    take(quiz, "new", 2, 1)
    correct(question, "b")
    assert remarking.previews(quiz, question) == [remarking.preview(quiz, question, policy) for policy in Policy]


def test_marks_stay_exact_where_shares_have_no_end(teacher):
    question = make_question(("A", True), ("B", True), ("C", True), "D", kind="multiple")
    quiz = make_quiz(question, make_question())
    attempt = take(quiz, "amal", [1], 1)
    assert attempt.score == Decimal("1.3333333")
    correct(question, "a", "b", "c", "d")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert fresh(attempt).score == Decimal("1.25")
    remarking.undo(Remarking.objects.get(), by=teacher)
    assert fresh(attempt).score == Decimal("1.3333333")


def test_an_unknown_rule_is_a_mistake_of_whoever_calls(quiz, question):
    with pytest.raises(ValueError, match="no_such"):
        remarking.preview(quiz, question, "no_such")


# Whose attempts -------------------------------------------------------------------------------------------------


def test_a_running_attempt_keeps_its_key_until_it_ended_and_is_caught_up_with(quiz, question, teacher):
    done, running = take(quiz, "done", 2, 1), take(quiz, "running", 2, finish=False)
    correct(question, "b")
    assert remarking.preview(quiz, question, "new_key").running == 1
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert answer_of(running).fraction == 0
    running.answer(2, 1)
    assert (scored(done)[0], scored(running)[0]) == (4, 1)
    seen = remarking.preview(quiz, question, "new_key")
    assert ([change.attempt for change in seen.changes], seen.stored) == ([running], 1)
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert scored(running)[0] == 4


def test_an_attempt_past_its_deadline_counts_as_ended_and_is_closed_on_the_way(quiz, question, teacher):
    attempt = take(quiz, "late", 2, finish=False)
    deadline = timezone.now() + timedelta(milliseconds=1)
    Attempt.objects.update(deadline=deadline, started_at=deadline - timedelta(hours=2))
    Answer.objects.filter(answered_at__isnull=False).update(answered_at=deadline - timedelta(hours=1))
    Attempt.objects.update(deadline=deadline - timedelta(minutes=30))
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.asked, seen.better, fresh(attempt).open) == (1, 1, True)
    remarking.remark(quiz, question, "new_key", by=teacher, expected=seen.fingerprint)
    assert (fresh(attempt).ended, fresh(attempt).score) == ("time_up", 3)


def test_what_was_drafted_when_the_time_was_up_waits_for_a_person(teacher):
    essay = make_essay()
    quiz = make_quiz(essay, make_question())
    attempt = take(quiz, "late", finish=False)
    attempt.keep(1, "Because.")
    Attempt.objects.update(
        deadline=timezone.now() - timedelta(minutes=30), started_at=timezone.now() - timedelta(hours=1)
    )
    seen = remarking.preview(quiz, essay, "full_marks")
    assert (seen.answered, seen.better) == (1, 1)
    remarking.remark(quiz, essay, "full_marks", by=teacher, expected=seen.fingerprint)
    assert (fresh(attempt).score, fresh(attempt).waiting) == (1, 0)


def test_trials_retries_and_abandoned_attempts_change_and_are_in_no_number(quiz, question, teacher):
    first = take(quiz, "amal", 2, 1)
    retry = first.retry(learner(first.user), number=2)
    retry.answer(1, 2)
    trial = take(quiz, "trial", 2, 1)
    Attempt.objects.filter(pk=trial.pk).update(trial=True)
    trial.answers.update(counted_in=None)
    abandoned = take(quiz, "gone", 2, finish=False)
    abandoned.abandon()
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.asked, seen.answered, seen.better, seen.aside) == (1, 1, 1, 3)
    assert [change.attempt for change in seen.changes] == [first]
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert [fresh(one).score for one in (first, retry, trial, abandoned)] == [4, 3, 4, 3]
    assert fresh(abandoned).ended == "abandoned"


def test_other_quizzes_and_other_questions_stay(quiz, question, teacher):
    elsewhere = make_quiz(question, slug="elsewhere")
    other = take(elsewhere, "other", 2)
    here = take(quiz, "here", 2, 2)
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert (scored(other)[0], scored(here)[0]) == (0, 3)
    assert answer_of(here, 2).fraction == 0


def test_a_question_that_was_taken_out_of_the_quiz_is_marked_anew_all_the_same(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    quiz.places.filter(question=question).delete()
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert scored(attempt)[0] == 4


def test_what_was_asked_is_listed_with_what_was_deleted_since(quiz, question):
    quiz.places.create(question=make_page(), place=9)
    take(quiz, "one", 2, 1, finish=False).finish()
    edited = quiz.questions.get(prompt_en="Other?")
    edited.prompt_en = "Other, edited?"
    edited.save()
    take(quiz, "two", None, 2, finish=False).finish()
    take(quiz, "running", None, 2, finish=False)
    edited.delete()
    found = remarking.asked_in(quiz)
    assert [(one.text.plain, one.count, one.is_deleted) for one in found] == [
        ("Which?", 2, False),
        ("Other, edited?", 2, True),
    ]


# What does not fit ----------------------------------------------------------------------------------------------


def test_whoever_chose_what_is_gone_keeps_the_mark(quiz, question, teacher):
    right, gone = take(quiz, "right", 1, 1), take(quiz, "gone", 3, 1)
    question.choices.filter(key="c").delete()
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.unmarkable, seen.worse) == (1, 1)
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert (scored(right)[0], scored(gone)[0]) == (1, 1)
    assert answer_of(gone).marked_with_id == answer_of(gone).version_id


def test_whoever_was_right_by_a_choice_that_is_gone_stays_right(quiz, question, teacher):
    attempt = take(quiz, "amal", 1, 1)
    other = take(quiz, "badr", 2, 1)
    question.choices.filter(key="a").delete()
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert (scored(attempt)[0], scored(other)[0]) == (4, 4)


def test_nobody_is_wrong_for_a_choice_that_was_never_shown(quiz, question):
    take(quiz, "amal", 1, 1)
    add_choice(question, 4, "Never shown")
    correct(question, "d")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.unmarkable, seen.changes) == (1, [])


def test_a_wrong_choice_that_was_added_keeps_nothing_from_being_marked(quiz, question):
    take(quiz, "amal", 1, 1)
    add_choice(question, 4, "Never shown")
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.unmarkable, seen.worse) == (0, 1)


@pytest.mark.parametrize(("kind", "unmarkable"), [("multiple", 1), ("true_false", 0), ("text", 1), ("essay", 1)])
def test_an_answer_to_another_kind_is_not_marked_as_one_to_this(quiz, question, kind, unmarkable):
    take(quiz, "amal", 1, 1)
    question.kind = kind
    question.save()
    correct(question, "b")
    assert remarking.preview(quiz, question, "new_key").unmarkable == unmarkable


def test_a_kind_that_the_host_took_away_marks_nothing(quiz, question):
    take(quiz, "amal", 1, 1)
    type(question).objects.update(kind="no-such-kind")
    seen = remarking.preview(quiz, question, "new_key")
    assert (seen.unmarkable, seen.changes) == (1, [])


@pytest.mark.parametrize(
    ("kind", "choices", "given", "change", "fits"),
    [
        ("ordering", ("A", "B"), {"1": "1", "2": "2"}, "add", False),
        ("ordering", ("A", "B", "C"), {"1": "1", "2": "2", "3": "3"}, "remove", False),
        ("ordering", ("A", "B", "C"), {"1": "1", "2": "2", "3": "3"}, "turn", True),
        ("multiple", (("A", True), ("B", True), "C"), [1], "remove", True),
        ("multiple", (("A", True), ("B", True), "C"), [1, 3], "remove", False),
        ("text", ({"text": "four", "right": True},), "vier", "accept", True),
        ("number", ({"value": "4", "right": True},), "5", "accept", True),
    ],
)
def test_what_fits_is_asked_of_what_was_shown(teacher, kind, choices, given, change, fits):
    question = make_question(*choices, kind=kind)
    quiz = make_quiz(question, make_question())
    take(quiz, "amal", given)
    if change == "add":
        add_choice(question, 9, "Z")
    elif change == "remove":
        question.choices.filter(place=3).delete()
    elif change == "turn":
        question.choices.filter(key="a").update(place=9)
    else:
        add_choice(question, 9, {"text": "vier", "value": "5", "right": True})
    assert remarking.preview(quiz, question, "new_key").unmarkable == (not fits)


def test_pairs_and_gaps_that_were_added_are_not_asked_of_whoever_never_saw_them():
    pairs = make_question({"text": "one", "match": None}, {"text": "two"}, kind="matching")
    for row, match in zip(pairs.choices.all(), ("1", "2"), strict=True):
        row.match_en = match
        row.save()
    gaps = make_question({"text": "four", "part": "1", "right": True}, prompt="2 + 2 = [[1]]", kind="gaps")
    quiz = make_quiz(pairs, gaps)
    take(quiz, "amal", {"1": "1", "2": "2"}, {"1": "four"})
    assert [remarking.preview(quiz, one, "new_key").unmarkable for one in (pairs, gaps)] == [0, 0]
    add_choice(pairs, 3, {"text": "three", "match_en": "3"})
    gaps.prompt_en = "2 + 2 = [[1]], 2 + 3 = [[2]]"
    gaps.save()
    add_choice(gaps, 3, {"text": "five", "part": "2", "right": True})
    assert [remarking.preview(quiz, one, "new_key").unmarkable for one in (pairs, gaps)] == [1, 1]


# What a person marked -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["new_key", "either_key"])
def test_the_mark_of_a_person_stays_under_a_key(teacher, policy):
    essay = make_essay()
    quiz = make_quiz(essay, make_question())
    marked = take(quiz, "amal", "Because.", 1)
    marked.mark_by_hand(1, Decimal("0.5"), by=teacher)
    waiting = take(quiz, "badr", "So.", 1)
    seen = remarking.preview(quiz, essay, policy)
    assert (seen.by_hand, seen.unmarkable, seen.changes, seen.stored) == (2, 0, [], 0)
    assert refused(remarking.remark, quiz, essay, policy, by=teacher) == "unchanged"
    assert (fresh(marked).score, fresh(waiting).waiting) == (Decimal("1.5"), 1)


def test_full_marks_are_given_in_the_hand_of_whoever_marked_and_to_what_waits(teacher):
    essay = make_essay()
    quiz = make_quiz(essay, make_question(), pass_mark=80)
    quiz.places.filter(question=essay).update(points=3)
    marked, waiting = take(quiz, "amal", "Because.", 1), take(quiz, "badr", "So.", 1)
    marked.mark_by_hand(1, Decimal("0.5"), by=teacher, comment="Short.")
    record = remarking.remark(quiz, essay, "full_marks", by=teacher)
    assert (scored(marked), scored(waiting)) == ((4, 4, True), (4, 4, True))
    assert (answer_of(marked).awarded, answer_of(waiting).awarded) == (3, None)
    assert fresh(waiting).waiting == 0
    assert not Answer.objects.waiting().exists()
    remarking.undo(record, by=teacher)
    assert (answer_of(marked).awarded, answer_of(marked).comment) == (Decimal("0.5"), "Short.")
    assert (scored(waiting), fresh(waiting).waiting) == ((1, 4, None), 1)


def test_an_essay_that_was_left_out_waits_for_nobody(teacher):
    essay = make_essay()
    quiz = make_quiz(essay, make_question(), pass_mark=50)
    attempt = take(quiz, "amal", "Because.", 2)
    record = remarking.remark(quiz, essay, "leave_out", by=teacher)
    assert (fresh(attempt).waiting, scored(attempt)) == (0, (0, 1, False))
    assert not Answer.objects.waiting().exists()
    remarking.undo(record, by=teacher)
    assert fresh(attempt).waiting == 1


def test_a_question_worth_nothing_earns_nothing(teacher, question):
    quiz = make_quiz(question, make_question())
    quiz.places.filter(question=question).update(points=0)
    attempt = take(quiz, "amal", 2, 1)
    assert remarking.preview(quiz, question, "full_marks").changes == []
    remarking.remark(quiz, question, "full_marks", by=teacher)
    assert scored(attempt)[:2] == (1, 1)


# One rule after another -----------------------------------------------------------------------------------------


def test_what_was_left_out_counts_again_by_any_other_rule(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    remarking.remark(quiz, question, "leave_out", by=teacher)
    assert scored(attempt)[:2] == (1, 1)
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert scored(attempt)[:2] == (4, 4)


def test_the_only_question_left_out_leaves_nothing_to_pass(question, teacher):
    quiz = make_quiz(question, pass_mark=50)
    attempt = take(quiz, "amal", 1)
    seen = remarking.preview(quiz, question, "leave_out")
    assert (seen.worse, seen.newly_failed) == (1, 1)
    remarking.remark(quiz, question, "leave_out", by=teacher)
    assert scored(attempt) == (0, 0, None)


@pytest.mark.parametrize("policy", Policy.values)
def test_the_same_again_finds_nothing_to_change_and_is_not_logged(quiz, question, teacher, policy):
    take(quiz, "amal", 2, 1)
    correct(question, "b")
    remarking.remark(quiz, question, policy, by=teacher)
    assert refused(remarking.remark, quiz, question, policy, by=teacher) == "unchanged"
    assert Remarking.objects.count() == 1


def test_a_quiz_that_nobody_took_has_nothing_to_change(quiz, question, teacher):
    assert remarking.asked_in(quiz) == []
    assert remarking.preview(quiz, question, "full_marks").asked == 0
    assert refused(remarking.remark, quiz, question, "full_marks", by=teacher) == "unchanged"


# What is stored -------------------------------------------------------------------------------------------------


def test_it_is_logged_with_what_held_before(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    old = answer_of(attempt)
    correct(question, "b")
    record = remarking.remark(quiz, question, "new_key", by=teacher, reason=" The key was wrong. ")
    record.refresh_from_db()
    assert (record.quiz, record.question, record.policy, record.by) == (quiz, question, "new_key", teacher)
    assert (record.reason, record.undone_at) == ("The key was wrong.", None)
    assert [choice["right"] for choice in record.version.content["choices"]] == [False, True, False]
    one = record.remarks.get()
    assert (one.answer, one.old_fraction, one.old_marked_with) == (old, old.fraction, old.marked_with)
    assert (one.old_score, one.new_score, one.old_maximum, one.new_maximum) == (1, 4, 4, 4)
    assert one.revision == answer_of(attempt).revision == old.revision + 1
    assert str(record) == "Which?: Mark by the new key"


def test_the_review_shows_the_new_key_to_all_whose_answer_fits_it(quiz, question, teacher):
    attempts = [take(quiz, "old", 1, 1), take(quiz, "wrong", 3, 1), take(quiz, "skipped", None, 1)]
    correct(question, "b")
    remarking.remark(quiz, question, "either_key", by=teacher)
    for attempt in attempts:
        answer = Answer.objects.select_related("version", "marked_with", "attempt__quiz").get(
            attempt=attempt, position=1
        )
        assert [choice.right for choice in answer.shown] == [False, True, False]
    assert answer_of(attempts[2]).state == "open"


def test_the_review_shows_the_new_key_though_a_choice_that_was_shown_is_gone(quiz, question, teacher):
    attempt = take(quiz, "amal", 1, 1)
    question.choices.filter(key="c").delete()
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    answer = answer_of(attempt)
    assert answer.state == "wrong"
    told = [(choice.text.plain, choice.right, choice.state) for choice in answer.shown]
    assert told == [("Right", False, "wrong"), ("Wrong", True, "right"), ("Worse", False, "")]


def test_other_rules_leave_the_key_as_it_was_asked(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    correct(question, "b")
    remarking.remark(quiz, question, "full_marks", by=teacher)
    assert answer_of(attempt).marked_with_id == answer_of(attempt).version_id


def test_nothing_is_changed_if_the_world_is_not_what_was_previewed(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    correct(question, "b")
    seen = remarking.preview(quiz, question, "new_key").fingerprint
    take(quiz, "badr", 1, 1)
    assert refused(remarking.remark, quiz, question, "new_key", by=teacher, expected=seen) == "changed"
    seen = remarking.preview(quiz, question, "new_key").fingerprint
    correct(question, "c")
    assert refused(remarking.remark, quiz, question, "new_key", by=teacher, expected=seen) == "changed"
    seen = remarking.preview(quiz, question, "leave_out").fingerprint
    assert refused(remarking.remark, quiz, question, "full_marks", by=teacher, expected=seen) == "changed"
    assert (scored(attempt)[0], Remarking.objects.count()) == (1, 0)


def test_pressing_twice_does_it_once(quiz, question, teacher):
    take(quiz, "amal", 2, 1)
    seen = remarking.preview(quiz, question, "full_marks").fingerprint
    remarking.remark(quiz, question, "full_marks", by=teacher, expected=seen)
    assert refused(remarking.remark, quiz, question, "full_marks", by=teacher, expected=seen) == "changed"
    assert Remarking.objects.count() == 1


def test_the_question_is_read_as_it_is_stored_not_as_it_was_fetched(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    list(question.choices.all())
    stale = type(question).objects.prefetch_related("choices").get(pk=question.pk)
    correct(question, "b")
    remarking.remark(quiz, stale, "new_key", by=teacher)
    assert scored(attempt)[0] == 4


# A question that was deleted ------------------------------------------------------------------------------------


@pytest.fixture
def deleted(quiz, question):
    """A version of the question, asked as it was first, then edited, then deleted."""
    take(quiz, "first", 2, 1)
    question.prompt_en = "Which, edited?"
    question.save()
    take(quiz, "second", 1, 1)
    question.delete()
    return remarking.asked_in(quiz)[-1].subject


def test_without_its_question_it_is_given_or_left_out_for_all_its_versions(quiz, deleted, teacher):
    assert remarking.policies_for(deleted) == [Policy.FULL_MARKS, Policy.LEAVE_OUT]
    assert [seen.policy for seen in remarking.previews(quiz, deleted)] == [Policy.FULL_MARKS, Policy.LEAVE_OUT]
    for policy in ("new_key", "either_key"):
        assert refused(remarking.preview, quiz, deleted, policy) == "no_key"
        assert refused(remarking.remark, quiz, deleted, policy, by=teacher) == "no_key"
    given = remarking.remark(quiz, deleted, "full_marks", by=teacher)
    assert [scored(one)[:2] for one in Attempt.objects.all()] == [(4, 4), (4, 4)]
    left = remarking.remark(quiz, deleted, "leave_out", by=teacher)
    assert [scored(one)[:2] for one in Attempt.objects.all()] == [(1, 1), (1, 1)]
    assert (left.question, left.version) == (None, deleted)
    assert refused(remarking.undo, given, by=teacher) == "not_newest"
    remarking.undo(left, by=teacher)
    remarking.undo(given, by=teacher)
    assert sorted(scored(one)[:2] for one in Attempt.objects.all()) == [(1, 4), (4, 4)]


def test_a_version_whose_question_is_there_stands_for_it(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    correct(question, "b")
    record = remarking.remark(quiz, QuestionVersion.objects.filter(question=question).first(), "new_key", by=teacher)
    assert (record.question, scored(attempt)[0]) == (question, 4)


def test_a_question_that_was_deleted_after_it_was_fetched_is_told(quiz, question, teacher):
    take(quiz, "amal", 2, 1)
    stale = type(question).objects.get(pk=question.pk)
    question.delete()
    assert refused(remarking.remark, quiz, stale, "full_marks", by=teacher) == "changed"


def test_what_was_marked_anew_before_the_question_was_deleted_can_be_undone(quiz, question, teacher):
    attempt = take(quiz, "amal", 2, 1)
    record = remarking.remark(quiz, question, "full_marks", by=teacher)
    question.delete()
    record.refresh_from_db()
    assert remarking.undo(record, by=teacher).put_back == 1
    assert scored(attempt)[:2] == (1, 4)


# Undoing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", Policy.values)
def test_undoing_puts_back_all_that_held(quiz, question, teacher, policy):
    attempts = [take(quiz, "old", 1, 1), take(quiz, "new", 2, 1), take(quiz, "no", None, 2)]
    columns = ("pk", "fraction", "awarded", "left_out", "marked_with", "marked_at", "given", "answered_at")
    before = list(Answer.objects.values_list(*columns).order_by("pk"))
    sums = [scored(attempt) for attempt in attempts]
    correct(question, "b")
    record = remarking.remark(quiz, question, policy, by=teacher)
    assert list(Answer.objects.values_list(*columns).order_by("pk")) != before
    other = make_user("other")
    done = remarking.undo(record, by=other)
    assert list(Answer.objects.values_list(*columns).order_by("pk")) == before
    assert [scored(attempt) for attempt in attempts] == sums
    assert (done.put_back, done.kept) == (2 if policy == "full_marks" else 3, [])
    record.refresh_from_db()
    assert (record.undone_by, record.by) == (other, teacher)
    assert not record.remarks.filter(put_back=False).exists()
    assert record.undone_at is not None


def test_what_was_marked_since_is_left_alone_and_told(teacher):
    essay = make_essay()
    quiz = make_quiz(essay, make_question())
    quiz.places.filter(question=essay).update(points=3)
    touched, other = take(quiz, "amal", "Because.", 1), take(quiz, "badr", "So.", 1)
    record = remarking.remark(quiz, essay, "full_marks", by=teacher)
    touched.mark_by_hand(1, Decimal(2), by=teacher)
    done = remarking.undo(record, by=teacher)
    assert (done.put_back, done.kept) == (1, [answer_of(touched)])
    assert (scored(touched)[0], scored(other)[0]) == (3, 1)
    assert [one.put_back_at is None for one in remarking.history(touched)] == [True]
    assert [one.put_back_at is None for one in remarking.history(other)] == [False]


def test_the_newest_is_undone_first(quiz, question, teacher):
    attempts = [take(quiz, "amal", 1, 1), take(quiz, "badr", 3, 1)]
    first = remarking.remark(quiz, question, "full_marks", by=teacher)
    correct(question, "b")
    second = remarking.remark(quiz, question, "new_key", by=teacher)
    third = remarking.remark(quiz, question, "leave_out", by=teacher)
    with pytest.raises(Refusal) as caught:
        remarking.undo(first, by=teacher)
    assert caught.value.code == "not_newest"
    assert "Leave the question out" in str(caught.value.message)
    assert refused(remarking.undo, second, by=teacher) == "not_newest"
    first.refresh_from_db()
    assert (first.undone_at, first.undone_by) == (None, None)
    assert remarking.later_than(first) == third
    for record, sums in ((third, [1, 1]), (second, [4, 4]), (first, [4, 1])):
        assert remarking.undo(record, by=teacher).kept == []
        assert [scored(attempt)[0] for attempt in attempts] == sums


def test_an_answer_marked_between_two_re_markings_is_kept_by_the_older(teacher):
    essay = make_essay()
    quiz = make_quiz(essay, make_question())
    attempt = take(quiz, "amal", "Because.", 1)
    first = remarking.remark(quiz, essay, "full_marks", by=teacher)
    attempt.mark_by_hand(1, Decimal("0.25"), by=teacher)
    second = remarking.remark(quiz, essay, "leave_out", by=teacher)
    assert remarking.undo(second, by=teacher).kept == []
    assert remarking.undo(first, by=teacher).put_back == 0
    assert scored(attempt)[:2] == (Decimal("1.25"), 2)


def test_re_markings_of_other_questions_and_quizzes_do_not_stand_in_the_way(quiz, question, teacher):
    elsewhere = make_quiz(question, slug="elsewhere")
    take(elsewhere, "other", 2)
    attempt = take(quiz, "amal", 2, 2)
    first = remarking.remark(quiz, question, "full_marks", by=teacher)
    remarking.remark(quiz, quiz.questions.get(prompt_en="Other?"), "full_marks", by=teacher)
    remarking.remark(elsewhere, question, "full_marks", by=teacher)
    remarking.undo(first, by=teacher)
    assert scored(attempt)[:2] == (1, 4)


def test_it_is_undone_once(quiz, question, teacher):
    take(quiz, "amal", 2, 1)
    record = remarking.remark(quiz, question, "full_marks", by=teacher)
    remarking.undo(record, by=teacher)
    assert refused(remarking.undo, record, by=teacher) == "undone"
    again = remarking.remark(quiz, question, "full_marks", by=teacher)
    assert again.pk != record.pk


def test_attempts_that_are_gone_keep_nothing_from_being_undone(quiz, question, teacher):
    gone, left = take(quiz, "amal", 2, 1), take(quiz, "badr", 2, 1)
    record = remarking.remark(quiz, question, "full_marks", by=teacher)
    gone.delete()
    assert remarking.undo(record, by=teacher).put_back == 1
    assert scored(left)[0] == 1


# What learners and hosts are told -------------------------------------------------------------------------------


def test_a_learner_sees_what_it_was_what_it_is_and_why(quiz, question, teacher, django_assert_num_queries):
    attempt = take(quiz, "amal", 2, 1)
    correct(question, "b")
    record = remarking.remark(quiz, question, "new_key", by=teacher, reason="The key was wrong.")
    with django_assert_num_queries(1):
        (one,) = remarking.history(attempt)
    assert (one.old_score, one.old_maximum, one.new_score, one.new_maximum) == (1, 4, 4, 4)
    assert (one.reason, one.put_back_at) == ("The key was wrong.", None)
    remarking.undo(record, by=teacher)
    (one,) = remarking.history(attempt)
    assert one.put_back_at is not None


def test_a_learner_whose_score_stayed_is_told_nothing(quiz, question, teacher):
    attempt = take(quiz, "amal", 3, 1)
    correct(question, "b")
    remarking.remark(quiz, question, "new_key", by=teacher)
    assert answer_of(attempt).remarks.exists()
    assert remarking.history(attempt) == []


@pytest.fixture
def heard():
    found = []

    def remarked(sender, attempt, remarking, **kwargs):
        found.append((attempt.user.username, attempt.score, remarking.undone_at is not None))

    signals.attempt_remarked.connect(remarked)
    yield found
    signals.attempt_remarked.disconnect(remarked)


def test_hosts_hear_of_each_score_that_changed(quiz, question, teacher, heard, django_capture_on_commit_callbacks):
    take(quiz, "amal", 2, 1)
    take(quiz, "badr", 3, 1)
    correct(question, "b")
    with django_capture_on_commit_callbacks(execute=True):
        record = remarking.remark(quiz, question, "new_key", by=teacher)
        assert heard == []
    assert heard == [("amal", 4, False)]
    with django_capture_on_commit_callbacks(execute=True):
        remarking.undo(record, by=teacher)
    assert heard == [("amal", 4, False), ("amal", 1, True)]


def test_a_host_that_fails_keeps_nothing_from_being_stored(
    quiz, question, teacher, heard, caplog, django_capture_on_commit_callbacks
):
    def fail(sender, **kwargs):
        raise RuntimeError("the host's mistake")

    attempts = [take(quiz, "amal", 2, 1), take(quiz, "badr", 2, 1)]
    signals.attempt_remarked.connect(fail)
    try:
        with caplog.at_level(logging.ERROR), django_capture_on_commit_callbacks(execute=True):
            remarking.remark(quiz, question, "full_marks", by=teacher)
    finally:
        signals.attempt_remarked.disconnect(fail)
    assert [scored(attempt)[0] for attempt in attempts] == [4, 4]
    assert len(heard) == 2
    assert "the host's mistake" in caplog.text


# What it costs --------------------------------------------------------------------------------------------------


def queries_of(call, *args, **kwargs):
    with CaptureQueriesContext(connection) as queries:
        call(*args, **kwargs)
    return len(queries)


def test_a_preview_takes_six_queries_however_many_attempts(quiz, question):
    make_question()  # so that no query is left out for want of rows
    for number in range(3):
        take(quiz, f"few-{number}", number % 3 + 1, 1)
    few = [
        queries_of(remarking.preview, quiz, question, "new_key"),
        queries_of(remarking.previews, quiz, question),
        queries_of(remarking.asked_in, quiz),
    ]
    for number in range(30):
        take(quiz, f"many-{number}", number % 3 + 1, 1)
    many = [
        queries_of(remarking.preview, quiz, question, "new_key"),
        queries_of(remarking.previews, quiz, question),
        queries_of(remarking.asked_in, quiz),
    ]
    assert few == many
    assert few[:2] == [6, 6]
    assert few[2] <= 4


def test_marking_anew_and_undoing_take_as_many_queries_for_thirty_as_for_three(quiz, question, teacher):
    for number in range(3):
        take(quiz, f"few-{number}", number % 3 + 1, 1)
    correct(question, "b")
    few = queries_of(remarking.remark, quiz, question, "new_key", by=teacher)
    few_undone = queries_of(remarking.undo, Remarking.objects.latest("pk"), by=teacher)
    for number in range(30):
        take(quiz, f"many-{number}", number % 3 + 1, 1)
    assert queries_of(remarking.remark, quiz, question, "new_key", by=teacher) <= few
    assert queries_of(remarking.undo, Remarking.objects.latest("pk"), by=teacher) <= few_undone


def test_undoing_that_is_rolled_back_and_done_anew_is_not_taken_to_be_done(quiz, question, teacher, monkeypatch):
    attempt = take(quiz, "amal", 2)
    record = remarking.remark(quiz, question, "full_marks", by=teacher)
    errors, sum_up = [IntegrityError("another was first")], undoing.sum_up

    def raced(attempts):
        if errors:
            raise errors.pop()
        return sum_up(attempts)

    monkeypatch.setattr(undoing, "sum_up", raced)
    assert remarking.undo(record, by=teacher).put_back
    assert not errors
    assert fresh(attempt).score == 0
