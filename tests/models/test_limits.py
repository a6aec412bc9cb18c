"""Who may start a quiz, when, how often, with what granted to them; and which attempt counts."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from mpquiz.exceptions import Refusal
from mpquiz.models import Accommodation, Attempt, Quiz
from tests.factories import learner, make_quiz, make_user
from tests.models.asking import refused
from tests.models.test_attempt_ends import overdue

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def staff():
    user = make_user("staff", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_quiz"))
    return learner(user)


def start(quiz, who, **how):
    """A start as of a request of its own, which knows the quiz as it is now."""
    return Attempt.objects.start(Quiz.objects.get(pk=quiz.pk), who, **how)


def taken(quiz, who, right=0):
    """A finished attempt with so many right answers."""
    attempt = start(quiz, who)
    for position in range(1, attempt.answers.count() + 1):
        attempt.answer(position, 1 if position <= right else 2)
    attempt.finish()
    return attempt


# Times --------------------------------------------------------------------------------------------------------


def test_before_it_opens_and_after_it_closed_nobody_starts(amal):
    now = timezone.now()
    assert refused(start, make_quiz(slug="early", opens_at=now + HOUR), amal) == "closed"
    assert refused(start, make_quiz(slug="late", closes_at=now - HOUR), amal) == "closed"
    assert start(make_quiz(slug="open", opens_at=now - HOUR, closes_at=now + HOUR), amal).is_open


def test_the_time_limit_and_the_closing_make_the_deadline(amal):
    closes = timezone.now() + HOUR
    timed = start(make_quiz(slug="timed", time_limit=10), amal)
    assert timed.deadline == timed.started_at + timedelta(minutes=10)
    assert start(make_quiz(slug="closing", closes_at=closes), amal).deadline == closes
    assert start(make_quiz(slug="both", time_limit=90, closes_at=closes), amal).deadline == closes
    running_on = start(make_quiz(slug="on", time_limit=90, closes_at=closes, runs_past_closing=True), amal)
    assert running_on.deadline == running_on.started_at + timedelta(minutes=90)
    assert start(make_quiz(slug="practice"), amal).deadline is None


def test_an_answer_that_was_on_its_way_at_the_deadline_is_taken(amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 30}
    attempt = start(make_quiz(time_limit=10), amal)
    late = timezone.now() - timedelta(seconds=20)
    Attempt.objects.update(deadline=late, started_at=late - HOUR)
    attempt.refresh_from_db()
    attempt.answer(1, 1)
    assert attempt.seconds_left == 0
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 10}
    assert refused(attempt.answer, 2, 1) == "time_up"
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.finished_at, attempt.score) == ("time_up", attempt.deadline, 1)


@pytest.mark.parametrize(("name", "elsewhere"), [("_save_as_read", False), ("_lock", True)])
def test_an_answer_is_dated_when_it_was_judged_to_be_in_time(amal, monkeypatch, name, elsewhere):
    """I6: however long the lock took, no answer is dated after the deadline and its grace."""
    attempt = start(make_quiz(time_limit=10), amal)
    if elsewhere:  # another request changes the attempt in the meantime
        Attempt.objects.get().answer(2, 1)
    judged = []
    lock = getattr(Attempt, name)

    def slow(self, **kwargs):
        locked = lock(self, **kwargs)
        judged.append(timezone.now())
        return locked

    monkeypatch.setattr(Attempt, name, slow)
    assert attempt.answer(1, 1).answered_at <= judged[0]


def test_another_time_limit_touches_no_attempt_that_runs(amal):
    quiz = make_quiz(time_limit=10, pass_mark=50)
    attempt = start(quiz, amal)
    Quiz.objects.update(time_limit=1, pass_mark=90, attempts_allowed=1, closes_at=timezone.now())
    again = Attempt.objects.get(pk=attempt.pk)
    assert again.deadline == attempt.deadline
    assert again.pass_mark == 50
    again.answer(1, 1)


def test_a_server_s_clock_that_was_set_back_gives_no_time_below_zero(amal):
    attempt = start(make_quiz(), amal)
    Attempt.objects.update(started_at=timezone.now() + timedelta(minutes=10))
    attempt.refresh_from_db()
    attempt.finish()
    assert attempt.duration == timedelta(0)
    assert attempt.finished_at == attempt.started_at


# Number of attempts, and the wait between them ----------------------------------------------------------------


def test_when_all_attempts_are_used_no_other_starts(amal):
    quiz = make_quiz(attempts_allowed=2)
    taken(quiz, amal)
    start(quiz, amal).abandon()  # it is used all the same
    assert refused(start, quiz, amal) == "no_attempts_left"
    assert Attempt.objects.refusal(quiz, amal).code == "no_attempts_left"
    assert Attempt.objects.count() == 2


def test_a_replay_of_the_last_start_lands_where_it_did(amal):
    quiz = make_quiz(attempts_allowed=1)
    first = start(quiz, amal, number=1)
    assert start(quiz, amal, number=1) == first
    first.finish()
    assert start(quiz, amal, number=1) == first


def test_practice_of_what_was_missed_uses_no_attempt_up(amal):
    quiz = make_quiz(attempts_allowed=2)
    first = taken(quiz, amal)
    first.retry(amal, number=2).finish()
    assert start(quiz, amal).number == 3
    assert Attempt.objects.of(amal).record(quiz).left(quiz, quiz.granted(amal)) == 0


def test_starting_over_with_none_left_leaves_the_open_attempt_alone(amal):
    attempt = start(make_quiz(attempts_allowed=1), amal)
    assert refused(attempt.start_over, amal, number=2) == "no_attempts_left"
    attempt.refresh_from_db()
    assert attempt.is_open


def test_between_two_attempts_there_is_a_wait(amal):
    quiz = make_quiz(wait=30)
    attempt = taken(quiz, amal)
    assert refused(start, quiz, amal) == "wait"
    Attempt.objects.filter(pk=attempt.pk).update(finished_at=timezone.now() - timedelta(minutes=31))
    assert start(quiz, amal).is_open


def test_the_wait_counts_from_the_deadline_of_an_attempt_that_no_job_closed(amal):
    quiz = make_quiz(wait=2, time_limit=10)
    overdue(start(quiz, amal))  # a minute ago
    assert refused(start, quiz, amal) == "wait"


def test_the_limit_counts_what_a_guest_did_before_signing_in(amal):
    quiz = make_quiz(attempts_allowed=1)
    taken(quiz, learner(guest="token"))
    Attempt.objects.claim("token", amal.user)
    assert refused(start, quiz, amal) == "no_attempts_left"


# Who ----------------------------------------------------------------------------------------------------------


def test_who_is_not_signed_in_is_asked_to(amal):
    quiz = make_quiz(access="signed_in")
    assert refused(start, quiz, learner(guest="token")) == "sign_in"
    assert start(quiz, amal).is_open


def test_a_quiz_for_groups_is_for_their_members(amal):
    group = Group.objects.create(name="Year 1")
    quiz = make_quiz(access="groups")
    quiz.groups.add(group)
    assert refused(start, quiz, learner(guest="token")) == "sign_in"
    assert refused(start, quiz, amal) == "not_allowed"
    amal.user.groups.add(group)
    assert start(quiz, amal).is_open


def test_a_quiz_for_groups_without_any_is_for_nobody(amal):
    assert refused(start, make_quiz(access="groups"), amal) == "not_allowed"


def only_on_mondays(learner, quiz):
    if quiz.slug == "mondays":
        return Refusal("only_on_mondays", "Come on Monday.")
    return None


def test_a_host_s_own_rule_is_asked(amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_TAKE": "tests.models.test_limits.only_on_mondays"}
    assert refused(start, make_quiz(slug="mondays"), amal) == "only_on_mondays"
    assert start(make_quiz(slug="any-day"), amal).is_open


def test_a_password_is_asked_at_the_start(amal):
    quiz = make_quiz(password="سرّ")
    assert refused(start, quiz, amal) == "password"
    assert refused(start, quiz, amal, password="wrong") == "password"
    attempt = start(quiz, amal, password=" سرّ ")
    assert start(quiz, amal) == attempt  # who is in is in


# What is granted ----------------------------------------------------------------------------------------------


def test_extra_time_attempts_and_dates_are_granted_to_a_learner(amal):
    now = timezone.now()
    quiz = make_quiz(time_limit=1, attempts_allowed=1, closes_at=now - HOUR)
    assert refused(start, quiz, amal) == "closed"
    Accommodation.objects.create(
        quiz=quiz, user=amal.user, time_factor=Decimal(10), extra_attempts=1, closes_at=now + HOUR
    )
    attempt = start(quiz, amal)
    assert attempt.deadline - attempt.started_at == timedelta(seconds=600)
    attempt.finish()
    start(quiz, amal).finish()
    assert refused(start, quiz, amal) == "no_attempts_left"
    assert refused(start, quiz, learner(make_user("other"))) == "closed"


def test_what_is_granted_to_a_group_holds_for_its_members(amal):
    group = Group.objects.create(name="Evening")
    amal.user.groups.add(group)
    quiz = make_quiz(time_limit=10)
    Accommodation.objects.create(quiz=quiz, group=group, no_time_limit=True)
    assert start(quiz, amal).deadline is None
    other = start(quiz, learner(make_user("other")))
    assert other.deadline is not None


def test_the_columns_that_are_fetched_along_say_the_same(amal):
    group = Group.objects.create(name="Evening")
    amal.user.groups.add(group)
    quiz = make_quiz(time_limit=10, access="groups")
    quiz.groups.add(group)
    opens = timezone.now() - HOUR
    Accommodation.objects.create(quiz=quiz, user=amal.user, time_factor=2, closes_at=opens + 5 * HOUR)
    Accommodation.objects.create(quiz=quiz, group=group, extra_attempts=3, opens_at=opens, no_time_limit=True)
    fetched = Quiz.objects.for_learner(amal).get()
    assert fetched.granted(amal) == Quiz.objects.get().granted(amal)
    assert fetched.granted(amal).extra_attempts == 3
    assert fetched.refusal(amal) is None
    assert fetched.last_closing == Quiz.objects.get().last_closing == opens + 5 * HOUR
    stranger = learner(make_user("stranger"))
    assert Quiz.objects.for_learner(stranger).get().granted(stranger) == Quiz.objects.get().granted(stranger)
    assert Quiz.objects.for_learner(stranger).get().refusal(stranger).code == "not_allowed"


def test_time_that_is_granted_reaches_an_attempt_that_runs(amal):
    quiz = make_quiz(time_limit=10)
    attempt = start(quiz, amal)
    other = start(quiz, learner(make_user("other")))
    Accommodation.objects.create(quiz=quiz, user=amal.user, time_factor=2)
    assert Attempt.objects.lengthen(quiz) == 1
    before = attempt.deadline
    attempt.refresh_from_db()
    assert attempt.deadline == before + timedelta(minutes=10)
    Accommodation.objects.update(time_factor=1)
    assert Attempt.objects.lengthen(quiz) == 0  # never less
    assert Attempt.objects.get(pk=other.pk).deadline == other.deadline


def test_time_that_is_granted_does_not_open_what_is_over(amal):
    quiz = make_quiz(time_limit=10)
    attempt = overdue(start(quiz, amal))
    Accommodation.objects.create(quiz=quiz, user=amal.user, no_time_limit=True)
    assert Attempt.objects.lengthen(quiz) == 0
    assert not attempt.is_open


def test_a_quiz_has_closed_for_all_once_the_last_grant_is_past(amal):
    now = timezone.now()
    quiz = make_quiz(closes_at=now - HOUR, show_right_answer="close")
    assert Quiz.objects.get().closed_for_all
    Accommodation.objects.create(quiz=quiz, user=amal.user, closes_at=now + HOUR)
    assert not Quiz.objects.get().closed_for_all
    assert not Quiz.objects.for_learner(learner(guest="x")).get().closed_for_all
    assert not make_quiz(slug="never").closed_for_all


# Staff --------------------------------------------------------------------------------------------------------


def test_staff_try_any_quiz_and_the_trial_counts_for_nothing(staff):
    quiz = make_quiz(published=[], attempts_allowed=1, closes_at=timezone.now() - HOUR, password="x")
    attempt = start(quiz, staff)
    assert attempt.trial
    assert attempt.is_open  # though the quiz has closed
    attempt.finish()
    assert start(quiz, staff).trial
    assert not Attempt.objects.counted().exists()
    assert not quiz.completed_by(staff.user)


def test_staff_take_a_quiz_in_earnest_or_as_a_trial(staff):
    quiz = make_quiz()
    trial = start(quiz, staff, trial=True)
    assert trial.trial
    assert start(quiz, staff, trial=True) == trial
    earnest = start(quiz, staff)  # the open trial gives way
    assert not earnest.trial
    assert not Attempt.objects.filter(pk=trial.pk).exists()
    assert start(quiz, staff, trial=True) == earnest


def test_nobody_else_gets_a_trial(amal):
    assert not start(make_quiz(), amal, trial=True).trial
    assert refused(start, make_quiz(slug="draft", published=[]), amal, trial=True) == "closed"


def test_a_trial_can_be_thrown_away_and_nothing_else(staff, amal):
    quiz = make_quiz()
    start(quiz, staff, trial=True).discard()
    assert not Attempt.objects.exists()
    assert refused(start(quiz, amal).discard) == "not_allowed"


# Which attempt counts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counting", "share", "passed"),
    [
        ("best", Fraction(3, 3), True),
        ("last", Fraction(1, 3), False),
        ("first", Fraction(0), False),
        ("average", Fraction(4, 9), False),
    ],
)
def test_the_result_is_that_of_the_attempt_that_counts(amal, counting, share, passed):
    quiz = make_quiz(counting=counting, pass_mark=50)
    for right in (0, 3, 1):
        taken(quiz, amal, right)
    start(quiz, amal).abandon()
    start(quiz, amal)
    result = Attempt.objects.of(amal).counted().results()[quiz.pk]
    assert (result.share, result.passed) == (share, passed)
    assert quiz.completed_by(amal.user) is passed


def test_a_quiz_without_a_pass_mark_is_completed_when_it_is_finished(amal):
    quiz = make_quiz()
    attempt = start(quiz, amal)
    assert not quiz.completed_by(amal.user)
    attempt.finish()
    assert quiz.completed_by(amal.user)
    assert not quiz.completed_by(make_user("other"))


def test_an_average_is_exact(amal):
    quiz = make_quiz(counting="average", pass_mark=Decimal("66.67"), count=3)
    for _time in range(3):
        taken(quiz, amal, 2)
    assert Attempt.objects.counted().results()[quiz.pk].passed is False
    assert Attempt.objects.counted().percents() == {quiz.pk: 66}


def test_completion_is_asked_in_one_query(amal, django_assert_num_queries):
    quiz = make_quiz(pass_mark=50)
    taken(quiz, amal, 3)
    with django_assert_num_queries(1):
        assert quiz.completed_by(amal.user)
