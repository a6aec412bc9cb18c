"""Exams under pressure: the last attempt allowed, the last second, two windows of one learner, a grant on its way."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from mpquiz.exceptions import Refusal
from mpquiz.models import Accommodation, AllAnswers, Answer, Attempt, FirstAnswer, Quiz
from mpquiz.models.answer import fingerprint, fingerprint_of_all
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race

MANY = 50  # starts at once, as the plan of faults has it
SOON = 0.004  # seconds until the time of an attempt is up: within the reach of the jitter


@pytest.fixture(autouse=True)
def no_grace(settings):
    """A deadline is met within milliseconds."""
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 0}


def tab(attempt: Attempt) -> Attempt:
    """The attempt as another request has fetched it."""
    return Attempt.objects.get(pk=attempt.pk)


def at(attempt: Attempt, position: int) -> Answer:
    return Answer.objects.get(attempt=attempt, position=position)


def started(number: int, quiz: Quiz, **fields: Any) -> Attempt:
    """A new learner's attempt, of which some columns are changed."""
    attempt = Attempt.objects.start(quiz, learner(make_user(f"learner-{quiz.slug}-{number}")))
    if fields:
        Attempt.objects.filter(pk=attempt.pk).update(**fields)
    return tab(attempt)


def runs_out(number: int, quiz: Quiz) -> Attempt:
    """A new learner's attempt whose time is up in a moment, started long enough ago."""
    now = timezone.now()
    attempt = started(number, quiz, started_at=now - timedelta(minutes=1))
    Attempt.objects.filter(pk=attempt.pk).update(deadline=timezone.now() + timedelta(seconds=SOON))
    return attempt


# Starts -------------------------------------------------------------------------------------------------------


def test_two_tabs_that_start_at_once_use_up_one_attempt(rounds):
    """F1: one attempt; the second tab lands in it; the limit is used once."""
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", feedback="at_end", attempts_allowed=2, time_limit=30)
        amal = learner(make_user(f"learner-{number}"))
        found = together(*(lambda: Attempt.objects.start(quiz, amal, number=1) for _ in range(2)), jitter=jitter)
        assert found[0] == found[1]
        assert Attempt.objects.of(amal).record(quiz).left(quiz, quiz.granted(amal)) == 1
        assert found[0].deadline == found[1].deadline == quiz.attempts.get().deadline


@pytest.mark.parametrize("numbered", [True, False], ids=["with the number of the page", "without a number"])
def test_of_many_starts_of_the_last_attempt_one_is_new(rounds, numbered):
    """F2: the last attempt allowed, started fifty times at once."""
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1, feedback="at_end", attempts_allowed=2)
        amal = learner(make_user(f"learner-{number}"))
        Attempt.objects.start(quiz, amal).finish()
        expected = 2 if numbered else None
        starts = [lambda: Attempt.objects.start(quiz, amal, number=expected)] * (MANY if number % 5 == 0 else 5)
        found = together(*starts, jitter=jitter)
        assert set(found) == {quiz.attempts.get(number=2)}
        assert quiz.attempts.count() == 2


@pytest.mark.parametrize("layout", ["one", "all"])
def test_of_starts_that_finish_with_their_answer_the_others_are_told(rounds, layout):
    """F2: the one that gets the last attempt also ends it; whoever comes later is told that there is none left."""
    for number, jitter in rounds:
        quiz = make_quiz(slug=f"quiz-{number}", count=1, layout=layout, attempts_allowed=1)
        amal = learner(make_user(f"learner-{number}"))
        contents = [place.content for place in quiz.placed()]
        first: Any = FirstAnswer(1, fingerprint(contents[0]))
        if layout == "all":
            first = AllAnswers({1: 1}, fingerprint_of_all(contents))
        starts = [lambda: Attempt.objects.start(quiz, amal, first=first)] * (MANY if number % 5 == 0 else 5)
        found = together(*starts, jitter=jitter)
        assert codes(found) == ["no_attempts_left"] * (len(starts) - 1) + ["ok"]
        assert (quiz.attempts.get().score, quiz.attempts.get().ended) == (1, "finished")


# Two windows --------------------------------------------------------------------------------------------------


def test_two_tabs_that_answer_one_question_differently(rounds):
    """F3: the first to be stored wins, where an answer stands once it is given, timed and one way too."""
    quizzes = [make_quiz(slug="one-way", one_way=True), make_quiz(slug="timed", time_limit=5)]
    for number, jitter in rounds:
        attempt = started(number, quizzes[number % 2])
        tabs = [tab(attempt), tab(attempt)]
        found = together(lambda: tabs[0].answer(1, 1), lambda: tabs[1].answer(1, 2), jitter=jitter)
        assert codes(found) == ["answered", "ok"]
        assert tab(attempt).score == (0 if isinstance(found[0], Refusal) else 1)


def test_of_two_windows_that_save_different_values_one_is_told(rounds):
    """One wins, the other is stale, and what is stored is whole: value, mark and score of one of them."""
    quiz = make_quiz(make_essay(), make_question(), feedback="at_end")
    for number, jitter in rounds:
        attempt = started(number, quiz)
        position, values = (1, ("Mine.", "Yours.")) if number % 2 else (2, (1, 2))
        if number % 3 == 0:
            attempt.answer(position, "Before." if position == 1 else 3)
        seen = at(attempt, position).revision
        tabs = [tab(attempt), tab(attempt)]
        found = together(
            lambda: tabs[0].answer(position, values[0], revision=seen),
            lambda: tabs[1].answer(position, values[1], revision=seen, flagged=True),
            jitter=jitter,
        )
        stored = at(attempt, position)
        assert codes(found) == ["ok", "stale"]
        won = found.index(next(one for one in found if not isinstance(one, Refusal)))
        told = stored.kind.in_words(stored.content, stored.given)[0].source
        assert told == (values[won] if position == 1 else ("Right", "Wrong")[won])
        assert (stored.revision, stored.flagged) == (seen + 1, won == 1)
        assert tab(attempt).score == (1 if position == 2 and won == 0 else 0)


def test_of_two_windows_that_hand_in_different_pages_one_counts(rounds):
    """All on one page: the one that comes second finds the attempt handed in, and nothing of it is mixed in."""
    quiz = make_quiz(layout="all", count=5)
    for number, jitter in rounds:
        attempt = started(number, quiz)
        pages = [dict.fromkeys(range(1, 6), 1), dict.fromkeys(range(1, 6), 2)]
        tabs = [tab(attempt), tab(attempt)]
        found = together(lambda: tabs[0].hand_in(pages[0]), lambda: tabs[1].hand_in(pages[1]), jitter=jitter)
        assert codes(found) == ["finished", "ok"]
        assert tab(attempt).score == (0 if isinstance(found[0], Refusal) else 5)


def test_of_two_windows_that_save_a_page_the_second_is_told_at_each_question(rounds):
    quiz = make_quiz(layout="all", count=4)
    for number, jitter in rounds:
        attempt = started(number, quiz)
        seen = dict.fromkeys(range(1, 5), 0)
        tabs = [tab(attempt), tab(attempt)]
        found = together(
            lambda: tabs[0].hand_in(dict.fromkeys(range(1, 5), 1), revisions=seen, finish=False),
            lambda: tabs[1].hand_in(dict.fromkeys(range(1, 5), 2), revisions=seen, finish=False),
            jitter=jitter,
        )
        refused = sorted(found, key=len)
        assert refused[0] == {}
        assert {position: one.code for position, one in refused[1].items()} == dict.fromkeys(range(1, 5), "stale")
        assert tab(attempt).score == (4 if found[0] == {} else 0)


def test_a_flag_and_an_answer_at_once_are_both_kept(rounds):
    quiz = make_quiz(feedback="at_end")
    for number, jitter in rounds:
        attempt = started(number, quiz)
        tabs = [tab(attempt), tab(attempt)]
        found = together(lambda: tabs[0].flag(1, flagged=True), lambda: tabs[1].answer(1, 1), jitter=jitter)
        assert codes(found) == ["ok", "ok"]
        assert (at(attempt, 1).flagged, at(attempt, 1).given, tab(attempt).score) == (True, "a", 1)


def test_a_text_that_is_kept_beside_its_handing_in_changes_nothing(rounds):
    """What is kept while it is written may arrive after what was handed in, and is no draft beside it."""
    quiz = make_quiz(make_essay(), make_question())
    for number, jitter in rounds:
        attempt = started(number, quiz)
        tabs = [tab(attempt), tab(attempt)]
        found = together(lambda: tabs[0].keep(1, "Half of"), lambda: tabs[1].answer(1, "Half of it."), jitter=jitter)
        assert codes(found) in (["ok", "ok"], ["answered", "ok"])
        assert (at(attempt, 1).given, at(attempt, 1).draft, tab(attempt).waiting) == ("Half of it.", None, 1)


# One way ------------------------------------------------------------------------------------------------------


def test_a_double_press_that_moves_on_skips_no_question(rounds):
    quiz = make_quiz(feedback="at_end", one_way=True)
    for number, jitter in rounds:
        attempt = started(number, quiz)
        tabs = [tab(attempt) for _ in range(3)]
        given = 1 if number % 2 else []
        found = together(*(lambda one=one: one.answer(1, given, move_on=True) for one in tabs), jitter=jitter)
        assert codes(found) == ["ok", "ok", "ok"]
        assert tab(attempt).reached == 2


def test_a_text_saved_while_its_page_is_left_does_not_lead_back(rounds):
    """What a script saves while the button is pressed was fetched before, and must not undo the step."""
    quiz = make_quiz(make_essay(), make_question(), make_question(), feedback="at_end", one_way=True)
    for number, jitter in rounds:
        attempt = started(number, quiz)
        saving, leaving = tab(attempt), tab(attempt)
        found = together(
            lambda: saving.answer(1, "Half of"), lambda: leaving.answer(1, "Whole.", move_on=True), jitter=jitter
        )
        assert codes(found) in (["ok", "ok"], ["not_in_order", "ok"])
        assert (at(attempt, 1).given, tab(attempt).reached) == ("Whole.", 2)


def test_a_window_left_behind_leads_nobody_back(rounds):
    """Fetched at question 1, it writes when the learner stands at question 3."""
    quiz = make_quiz(feedback="at_end", one_way=True, count=4)
    for number, jitter in rounds:
        attempt = started(number, quiz)
        old = tab(attempt)
        tab(attempt).answer(1, 1, move_on=True)
        own = tab(attempt)
        found = together(
            lambda: own.answer(2, 1, move_on=True), lambda: old.answer(1, 2, move_on=True), jitter=jitter
        )
        assert codes(found) == ["not_in_order", "ok"]
        assert (tab(attempt).reached, at(attempt, 1).given, tab(attempt).score) == (3, "a", 2)


# The last second ----------------------------------------------------------------------------------------------


def test_a_page_handed_in_beside_the_job_that_closes_is_in_or_out_whole(rounds):
    """F27: the close job runs twice at once, and together with the learner's own last post."""
    quiz = make_quiz(layout="all", count=6)
    for number, jitter in rounds:
        attempt = runs_out(number, quiz)
        tabs = [tab(attempt) for _ in range(3)]
        found = together(
            lambda: tabs[0].hand_in(dict.fromkeys(range(1, 7), 1)),
            tabs[1].close_overdue,
            tabs[2].close_overdue,
            jitter=jitter,
        )
        taken = not isinstance(found[0], Refusal)
        assert taken or found[0].code == "time_up"
        tab(attempt).close_overdue()
        done = tab(attempt)
        assert (done.score, done.ended) == ((6, "finished") if taken else (0, "time_up"))
        assert done.answers.exclude(answered_at=None).count() == (6 if taken else 0)


def test_a_text_kept_beside_the_job_that_closes_is_in_or_out_whole(rounds):
    """F27, F28: what was kept by then is the answer, once, whoever closes it."""
    quiz = make_quiz(make_essay(), make_question())
    for number, jitter in rounds:
        attempt = started(number, quiz, started_at=timezone.now() - timedelta(minutes=1))
        attempt.keep(1, "First.")
        Attempt.objects.filter(pk=attempt.pk).update(deadline=timezone.now() + timedelta(seconds=SOON))
        tabs = [tab(attempt) for _ in range(3)]
        found = together(
            lambda: tabs[0].keep(1, "First and second."),
            tabs[1].close_overdue,
            tabs[2].close_overdue,
            jitter=jitter,
        )
        tab(attempt).close_overdue()
        done, kept = tab(attempt), not isinstance(found[0], Refusal)
        assert (done.ended, done.waiting, done.finished_at) == ("time_up", 1, done.deadline)
        assert at(attempt, 1).given == ("First and second." if kept else "First.")
        assert at(attempt, 1).revision == 1


def test_time_granted_in_the_last_second_counts_or_comes_too_late(rounds):
    """A grant beside the end of the time: the attempt runs on, or has ended at its old deadline, never both."""
    quiz = make_quiz(time_limit=1)
    for number, jitter in rounds:
        attempt = runs_out(number, quiz)
        old = tab(attempt).deadline
        Accommodation.objects.create(quiz=quiz, user=attempt.user, time_factor=Decimal(10))
        answering, closing = tab(attempt), tab(attempt)
        found = together(
            lambda: Attempt.objects.lengthen(quiz),
            closing.close_overdue,
            lambda: answering.answer(1, 1),
            jitter=jitter,
        )
        done, taken = tab(attempt), not isinstance(found[2], Refusal)
        if found[0]:
            assert (done.open, done.deadline > old) == (True, True)
            assert taken or found[2].code == "time_up"
        else:
            done.close_overdue()
            assert (done.ended, done.deadline, done.finished_at) == ("time_up", old, old)
        assert done.score == (1 if taken else 0)


def test_time_granted_twice_at_once_is_granted_once(rounds):
    quiz = make_quiz(time_limit=10)
    group = [started(number, quiz) for number in range(5)]
    for number, jitter in rounds:
        Accommodation.objects.filter(quiz=quiz).delete()
        for attempt in group:
            factor = Decimal("1.25") + number % 3
            Accommodation.objects.create(quiz=quiz, user=attempt.user, time_factor=factor)
        found = together(*(lambda: Attempt.objects.lengthen(quiz) for _ in range(3)), jitter=jitter)
        assert sorted(found)[:2] == [0, 0]
    assert len({tab(attempt).deadline - attempt.started_at for attempt in group}) == 1


# Trials -------------------------------------------------------------------------------------------------------


def test_a_trial_thrown_away_beside_an_answer_is_gone_whole(rounds):
    quiz = make_quiz(feedback="at_end", published=())
    for number, jitter in rounds:
        staff = make_user(f"staff-{number}", is_staff=True, is_superuser=True)
        attempt = Attempt.objects.start(quiz, learner(staff), trial=True)
        tabs = [tab(attempt) for _ in range(4)]
        found = together(
            lambda: tabs[0].answer(1, 1),
            tabs[1].discard,
            lambda: tabs[2].hand_in({2: 1, 3: 1}),
            tabs[3].finish,
            jitter=jitter,
        )
        for refused in (one for one in found if isinstance(one, Refusal)):
            assert refused.code in ("not_in_attempt", "finished")
        assert not Attempt.objects.filter(pk=attempt.pk).exists()
        assert not Answer.objects.filter(attempt=attempt.pk).exists()


def test_an_attempt_in_earnest_beside_an_answer_to_the_trial_takes_its_place(rounds):
    quiz = make_quiz(feedback="at_end")
    for number, jitter in rounds:
        staff = learner(make_user(f"staff-{number}", is_staff=True, is_superuser=True))
        trial = Attempt.objects.start(quiz, staff, trial=True)
        own = tab(trial)
        together(lambda: own.answer(1, 1), lambda: Attempt.objects.start(quiz, staff), jitter=jitter)
        left = Attempt.objects.of(staff).get()
        assert (left.trial, left.is_open, left.score) == (False, True, 0)
