"""A person marks: what is taken, what it does to the attempt, and who is told."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz import signals
from mpquiz.models import Answer, Attempt, WaitingAnswer
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user
from tests.models.asking import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher():
    return make_user("teacher")


@pytest.fixture
def quiz():
    """An essay for three points and a question for one."""
    quiz = make_quiz(make_essay(), make_question(), pass_mark=50)
    quiz.places.filter(place=1).update(points=3)
    return quiz


@pytest.fixture
def handed_in(quiz, amal):
    """A finished attempt of which the essay waits."""
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    attempt.answer(2, 1)
    attempt.refresh_from_db()
    return attempt


def stored(attempt, position=1):
    return attempt.answers.get(position=position)


# Waiting --------------------------------------------------------------------------------------------------------


def test_an_essay_waits_and_the_attempt_goes_on(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    answer = attempt.answer(1, "Because.")
    assert (answer.state, answer.fraction, answer.marked_at, answer.mark) == ("waiting", None, None, 0)
    attempt.refresh_from_db()
    assert (attempt.waiting, attempt.is_open, attempt.ended) == (1, True, "")


def test_a_finished_attempt_says_how_many_answers_wait(handed_in):
    assert (handed_in.ended, handed_in.waiting, handed_in.score, handed_in.percent) == ("finished", 1, 1, 25)
    assert list(Answer.objects.waiting()) == [stored(handed_in)]


def test_an_essay_that_was_not_written_waits_for_nobody(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(2, 1)
    attempt.finish()
    assert (attempt.waiting, attempt.passed) == (0, False)


def test_an_abandoned_attempt_waits_for_nobody(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    attempt.start_over(amal, number=2)
    attempt.refresh_from_db()
    assert attempt.waiting == 0
    assert not Answer.objects.waiting().exists()


def test_an_attempt_that_a_claim_closes_waits_for_nobody(quiz, amal):
    mine = Attempt.objects.start(quiz, amal)
    mine.answer(1, "Because.")
    Attempt.objects.start(quiz, learner(guest="token"))
    Attempt.objects.claim("token", amal.user)
    mine.refresh_from_db()
    assert (mine.ended, mine.waiting) == ("abandoned", 0)


@pytest.mark.parametrize(("pass_mark", "before", "after"), [(20, True, True), (50, None, True), (99, None, False)])
def test_while_an_answer_waits_nobody_has_failed(quiz, amal, teacher, pass_mark, before, after):
    quiz.pass_mark = pass_mark
    quiz.save()
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    attempt.answer(2, 1)
    assert attempt.passed is before
    attempt.mark_by_hand(1, Decimal(1), by=teacher)
    assert attempt.passed is after


def test_a_waiting_answer_is_not_missed(handed_in, amal):
    assert not stored(handed_in).missed
    assert refused(handed_in.retry, amal, number=2) == "closed"


def test_a_finished_attempt_is_finished_with_pages_unread(amal):
    quiz = make_quiz(make_page(), make_essay(), make_page())
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(2, "Because.")
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.maximum, attempt.waiting) == ("finished", 1, 1)
    assert [answer.state for answer in attempt.answers.all()] == ["page", "waiting", "page"]


# Marking --------------------------------------------------------------------------------------------------------


def test_a_mark_counts_and_says_whose_it_is(handed_in, teacher):
    ended = handed_in.finished_at
    answer = handed_in.mark_by_hand(1, Decimal("2.5"), by=teacher, comment="Well argued.")
    for one in (answer, stored(handed_in)):
        assert (one.state, one.mark, one.fraction) == ("partly", Decimal("2.5"), Decimal("0.8333333"))
        assert (one.marked_by, one.comment, one.marked_with_id) == (teacher, "Well argued.", one.version_id)
        assert one.marked_at > one.answered_at
    for one in (handed_in, Attempt.objects.get()):
        assert (one.score, one.waiting, one.ended, one.finished_at) == (Decimal("3.5"), 0, "finished", ended)


@pytest.mark.parametrize("points", ["1", "0.01", "2.99", "3", "0"])
def test_the_points_given_are_the_points_that_count_to_the_last_place(handed_in, teacher, points):
    """A third of the points is no decimal fraction, and yet one of three is one."""
    handed_in.mark_by_hand(1, Decimal(points), by=teacher)
    assert (stored(handed_in).mark, handed_in.score) == (Decimal(points), 1 + Decimal(points))


@pytest.mark.parametrize("points", ["-0.01", "3.01", "NaN", "Infinity", "1.001", "1E+9"])
def test_points_that_are_none_are_refused(handed_in, teacher, points):
    assert refused(handed_in.mark_by_hand, 1, Decimal(points), by=teacher) == "bad_mark"
    assert stored(handed_in).state == "waiting"


@pytest.mark.parametrize(("position", "code"), [(2, "not_by_hand"), (3, "not_in_attempt"), (0, "not_in_attempt")])
def test_what_a_person_does_not_mark_is_refused(handed_in, teacher, position, code):
    assert refused(handed_in.mark_by_hand, position, Decimal(1), by=teacher) == code
    assert stored(handed_in, 2).revision == 1


def test_what_was_not_answered_is_not_marked(quiz, amal, teacher):
    attempt = Attempt.objects.start(quiz, amal)
    assert refused(attempt.mark_by_hand, 1, Decimal(1), by=teacher) == "not_by_hand"


def test_an_open_attempt_stays_open_and_finishes_with_its_last_answer(quiz, amal, teacher):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    Attempt.objects.get().mark_by_hand(1, Decimal(3), by=teacher)
    attempt.refresh_from_db()
    assert (attempt.is_open, attempt.score, attempt.waiting) == (True, 3, 0)
    attempt.answer(2, 1)
    assert (attempt.ended, attempt.score) == ("finished", 4)


def test_an_abandoned_attempt_that_is_marked_all_the_same_stays_abandoned(quiz, amal, teacher):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    attempt.abandon()
    attempt.mark_by_hand(1, Decimal(3), by=teacher)
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.score, attempt.waiting, attempt.passed) == ("abandoned", 3, 0, None)


def test_marking_again_changes_the_mark(handed_in, teacher):
    handed_in.mark_by_hand(1, Decimal(3), by=teacher, comment="Whole.")
    other = make_user("other")
    handed_in.mark_by_hand(1, Decimal(1), by=other)
    answer = stored(handed_in)
    assert (answer.mark, answer.comment, answer.marked_by, handed_in.score) == (1, "", other, 2)


def test_of_two_markers_the_second_is_told_and_may_mark_anew(handed_in, teacher):
    seen = stored(handed_in).revision
    handed_in.mark_by_hand(1, Decimal(3), by=teacher, revision=seen)
    other = make_user("other")
    assert refused(handed_in.mark_by_hand, 1, Decimal(1), by=other, revision=seen) == "marked"
    assert stored(handed_in).mark == 3
    handed_in.mark_by_hand(1, Decimal(1), by=other, revision=stored(handed_in).revision)
    assert stored(handed_in).mark == 1


def test_the_same_mark_again_changes_nothing(handed_in, teacher):
    seen = stored(handed_in).revision
    before = handed_in.mark_by_hand(1, Decimal(2), by=teacher, comment="Good.", revision=seen)
    again = handed_in.mark_by_hand(1, Decimal("2.00"), by=teacher, comment="Good.", revision=seen)
    assert (again.revision, again.marked_at) == (before.revision, before.marked_at)


def test_an_essay_without_points_gets_words_alone(amal, teacher):
    quiz = make_quiz(make_essay(), make_question())
    quiz.places.filter(place=1).update(points=0)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, "Because.")
    attempt.answer(2, 1)
    assert attempt.waiting == 1
    assert refused(attempt.mark_by_hand, 1, Decimal(1), by=teacher) == "bad_mark"
    attempt.mark_by_hand(1, Decimal(0), by=teacher, comment="Thank you.")
    answer = stored(attempt)
    assert (answer.state, answer.fraction, answer.missed) == ("marked", None, False)
    assert (attempt.waiting, attempt.score, attempt.percent) == (0, 1, 100)


def test_a_mark_outlives_whoever_gave_it(handed_in, teacher):
    handed_in.mark_by_hand(1, Decimal(2), by=teacher)
    teacher.delete()
    answer = stored(handed_in)
    assert (answer.mark, answer.marked_by) == (2, None)
    assert list(Answer.objects.marked_by_hand()) == [answer]


def test_a_mark_begins_with_the_lock_and_takes_five_queries(handed_in, teacher):
    with CaptureQueriesContext(connection) as queries:
        handed_in.mark_by_hand(1, Decimal(2), by=teacher)
    frame = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    statements = [one["sql"] for one in queries if not one["sql"].startswith(frame)]
    assert len(statements) == 5
    assert statements[0].startswith("UPDATE")


@pytest.mark.django_db(transaction=True)
def test_a_host_hears_of_each_mark_and_of_the_finish_only_once(quiz, amal, teacher):
    heard = []

    def marked(sender, attempt, answer, **kwargs):
        heard.append(("marked", answer.position, attempt.waiting))

    def finished(sender, attempt, **kwargs):
        heard.append(("finished", attempt.waiting))

    signals.answer_marked.connect(marked)
    signals.attempt_finished.connect(finished)
    try:
        attempt = Attempt.objects.start(quiz, amal)
        attempt.answer(1, "Because.")
        attempt.answer(2, 1)
        for _press in range(2):
            attempt.mark_by_hand(1, Decimal(2), by=teacher)
    finally:
        signals.answer_marked.disconnect(marked)
        signals.attempt_finished.disconnect(finished)
    assert heard == [("finished", 1), ("marked", 1, 0)]


def test_an_answer_to_be_marked_is_named_by_its_prompt(handed_in):
    assert str(WaitingAnswer.objects.waiting().get()) == "Why?"
