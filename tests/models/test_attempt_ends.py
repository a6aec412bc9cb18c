"""How attempts end: finished, past their deadline, abandoned, and what is left once people or kinds are gone."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from mpquiz.exceptions import Refusal
from mpquiz.kinds.single import Single
from mpquiz.learners import Learner
from mpquiz.models import Answer, Attempt, FirstAnswer
from mpquiz.models.attempt import fingerprint
from tests.factories import learner, make_question, make_quiz, make_user
from tests.models.asking import refused

pytestmark = pytest.mark.django_db


class Survey(Single):
    """A host's kind that asks for an opinion."""

    name = "survey"
    scores = False


SURVEY = {"KINDS": {"survey": "tests.models.test_attempt_ends.Survey"}}


def overdue(attempt):
    """The attempt, of which the deadline passed a minute ago."""
    deadline = timezone.now() - timedelta(minutes=1)
    Attempt.objects.filter(pk=attempt.pk).update(started_at=deadline - timedelta(minutes=10), deadline=deadline)
    attempt.refresh_from_db()
    return attempt


# Deadlines ----------------------------------------------------------------------------------------------------


def test_an_attempt_past_its_deadline_reads_as_finished_before_any_job_ran(amal):
    attempt = Attempt.objects.start(make_quiz(pass_mark=Decimal(30)), amal)
    attempt.answer(1, 1)
    assert attempt.passed is None
    overdue(attempt)
    mine = Attempt.objects.of(amal)
    assert (attempt.is_open, attempt.open, attempt.passed, attempt.percent) == (False, True, True, 33)
    assert (list(mine.finished()), list(mine.counted()), list(mine.unfinished())) == ([attempt], [attempt], [])
    assert mine.counted().percents() == {attempt.quiz_id: 33}
    assert all(answer.reveals for answer in attempt.answers.all())
    assert attempt.duration == timedelta(minutes=10)


def test_before_its_deadline_an_attempt_is_open(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    Attempt.objects.update(deadline=timezone.now() + timedelta(minutes=1))
    attempt.refresh_from_db()
    attempt.close_overdue()
    assert attempt.is_open
    assert list(Attempt.objects.unfinished()) == [attempt]
    assert attempt.answer(1, 1).state == "right"


def test_an_answer_after_the_deadline_is_refused_and_closes_the_row_with_its_score(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    overdue(attempt)
    assert refused(attempt.answer, 2, 1) == "time_up"
    attempt.refresh_from_db()
    assert (attempt.open, attempt.ended, attempt.score) == (None, "time_up", 1)
    assert attempt.finished_at == attempt.deadline
    assert refused(attempt.answer, 2, 1) == "time_up"
    assert attempt.answer(1, 1).state == "right"


@pytest.mark.parametrize("verb", ["finish", "abandon", "close_overdue"])
def test_whatever_closes_an_attempt_past_its_deadline_says_that_time_was_up(quiz, amal, verb):
    attempt = overdue(Attempt.objects.start(quiz, amal))
    getattr(attempt, verb)()
    assert (attempt.open, attempt.ended, attempt.finished_at) == (None, "time_up", attempt.deadline)
    assert list(Attempt.objects.overdue()) == []
    getattr(attempt, verb)()
    assert list(Attempt.objects.counted()) == [attempt]


@pytest.mark.parametrize("number", [None, 2, 99])
def test_starting_again_closes_what_is_past_its_deadline_first(quiz, amal, number):
    old = overdue(Attempt.objects.start(quiz, amal))
    first = FirstAnswer(given=1, seen=fingerprint(quiz.placed()[0].content))
    new = Attempt.objects.start(quiz, amal, number=number, first=first)
    old.refresh_from_db()
    assert (old.open, old.ended, old.score) == (None, "time_up", 0)
    assert (new.number, new.open, new.score) == (2, True, 1)


def test_a_replayed_start_lands_in_its_attempt_though_that_is_past_its_deadline(quiz, amal):
    first = FirstAnswer(given=1, seen=fingerprint(quiz.placed()[0].content))
    old = overdue(Attempt.objects.start(quiz, amal, number=1))
    assert Attempt.objects.start(quiz, amal, number=1, first=first) == old
    assert not Answer.objects.exclude(answered_at=None).exists()


def test_starting_over_or_retrying_past_the_deadline_abandons_nothing(quiz, amal):
    old = overdue(Attempt.objects.start(quiz, amal))
    again = old.start_over(amal, number=2)
    overdue(again)
    retry = old.retry(amal, number=3)
    assert [one.ended for one in Attempt.objects.order_by("number")] == ["time_up", "time_up", ""]
    assert retry.retry_of == old


# Finishing, abandoning ------------------------------------------------------------------------------------------


def test_finishing_twice_keeps_the_first_time(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    other = Attempt.objects.get(pk=attempt.pk)
    attempt.finish()
    other.finish()
    assert (other.finished_at, other.ended) == (attempt.finished_at, "finished")


def test_finishing_from_a_page_that_knows_less_loses_no_answer(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    Attempt.objects.get(pk=attempt.pk).answer(1, 1)
    attempt.finish()
    assert (attempt.score, Attempt.objects.get().score) == (1, 1)


def test_an_abandoned_attempt_keeps_its_answers_and_neither_passes_nor_fails(amal):
    attempt = Attempt.objects.start(make_quiz(pass_mark=Decimal(10)), amal)
    attempt.answer(1, 1)
    attempt.abandon()
    assert (attempt.ended, attempt.score, attempt.passed) == ("abandoned", 1, None)
    attempt.finish()
    assert Attempt.objects.get().ended == "abandoned"


def test_starting_over_with_the_number_of_the_attempt_itself_lands_in_it(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    assert attempt.start_over(amal, number=1) == attempt
    assert Attempt.objects.get().is_open


# Scores ---------------------------------------------------------------------------------------------------------


def test_three_thirds_of_which_each_is_stored_inexactly_are_the_whole_mark(amal):
    question = make_question(*[(f"Right {n}", True) for n in range(3)], "Wrong", kind="multiple")
    attempt = Attempt.objects.start(make_quiz(question, pass_mark=Decimal(100)), amal)
    attempt.answer(1, [1, 2, 3])
    assert (attempt.score, attempt.percent, attempt.passed) == (1, 100, True)


@pytest.mark.parametrize(
    ("score", "maximum", "percent"),
    [
        ("0.29", "1", 29),
        ("0.57", "1", 57),
        ("1.15", "100", 1),
        ("2.9999999", "3", 99),
        ("3", "3", 100),
        ("0", "7", 0),
    ],
)
def test_percents_are_rounded_down_and_never_by_a_float(amal, quiz, score, maximum, percent):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.finish()
    Attempt.objects.update(score=Decimal(score), maximum=Decimal(maximum))
    attempt.refresh_from_db()
    assert attempt.percent == percent
    assert Attempt.objects.counted().percents() == {quiz.pk: percent}


def test_the_score_stays_the_exact_sum_over_a_hundred_parts(amal):
    thirds = [(f"Right {n}", True) for n in range(3)]
    quiz = make_quiz(*[make_question(*thirds, "Wrong", kind="multiple") for _ in range(40)])
    quiz.places.update(points=Decimal("0.37"))
    attempt = Attempt.objects.start(quiz, amal)
    for position in range(1, 41):
        attempt.answer(position, [1])
    attempt.refresh_from_db()
    assert attempt.score == 40 * Decimal("0.37") * Decimal("0.3333333")


def test_a_quiz_without_points_is_neither_passed_nor_failed(amal):
    quiz = make_quiz(pass_mark=Decimal(50))
    quiz.places.update(points=0)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.finish()
    assert (attempt.score, attempt.maximum, attempt.percent, attempt.passed) == (0, 0, 0, None)
    assert Attempt.objects.counted().best() == attempt
    assert Attempt.objects.counted().percents() == {}


def test_what_does_not_score_adds_nothing_and_is_not_missed(amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **SURVEY}
    quiz = make_quiz(make_question(kind="survey"), make_question())
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 2)
    attempt.answer(2, 1)
    assert (attempt.score, attempt.maximum, attempt.percent) == (1, 1, 100)
    assert refused(attempt.retry, amal, number=2) == "closed"


# Retries --------------------------------------------------------------------------------------------------------


def test_a_retry_leaves_out_what_was_deleted_emptied_or_taken_out_since(amal):
    quiz = make_quiz(count=5)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.finish()
    deleted, emptied, taken_out = list(quiz.questions.order_by("places__place"))[1:4]
    deleted.delete()
    emptied.choices.all().delete()
    quiz.places.filter(question=taken_out).delete()
    retry = attempt.retry(amal, number=2)
    assert [answer.content.prompt["en"] for answer in retry.answers.all()] == ["Question 5?"]
    assert [answer.missed for answer in attempt.answers.all()] == [False, False, True, True, True]


def test_a_retry_of_nothing_is_refused_and_abandons_nothing(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    for position in (1, 2, 3):
        attempt.answer(position, 1)
    other = Attempt.objects.start(quiz, amal)
    assert refused(attempt.retry, amal, number=3) == "closed"
    other.refresh_from_db()
    assert other.is_open


def test_a_retry_pressed_twice_is_one_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.finish()
    retry = attempt.retry(amal, number=2)
    retry.answer(1, 1)
    assert attempt.retry(amal, number=2) == retry
    retry.refresh_from_db()
    assert (retry.is_open, retry.score) == (True, 1)


# What goes away -------------------------------------------------------------------------------------------------


def test_attempts_of_erased_people_stay_and_are_nobody_s(quiz, amal):
    for one in (amal, learner(make_user("badr"))):
        Attempt.objects.start(quiz, one)
    gone = amal.user
    gone.delete()
    Attempt.objects.update(user=None)
    assert Attempt.objects.filter(user=None, guest=None).count() == 2
    for nobody in (learner(), Learner(user=gone)):
        assert not nobody
        assert not Attempt.objects.of(nobody).exists()


def test_a_kind_that_the_host_took_away_is_named_where_its_question_is_asked_and_only_there(amal, settings):
    with_survey = {**settings.MPQUIZ, **SURVEY}
    without = settings.MPQUIZ
    settings.MPQUIZ = with_survey
    quiz = make_quiz(make_question(kind="survey"), make_question())
    attempt = Attempt.objects.start(quiz, amal)
    settings.MPQUIZ = without
    assert [str(one) for one in Attempt.objects.of(amal)] == ["Floating point #1"]
    assert Attempt.objects.of(amal).percents() == {quiz.pk: 0}
    assert str(attempt.answers.select_related("version").first().version) == "Which is right?"
    assert attempt.answer(2, 1).state == "right"
    with pytest.raises(Refusal, match="can no longer be answered"):
        attempt.answer(1, 1)
    attempt.finish()
    assert (attempt.ended, attempt.score) == ("finished", 1)
