"""Which answers the statistics of first attempts count, and as what."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from mpquiz.models import AllAnswers, Answer, Attempt, Choice
from mpquiz.models.answer import fingerprint_of_all
from tests import invariants
from tests.factories import learner, make_page, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


def taken(quiz, who, answers=(1, 1, 1)):
    """A whole attempt of somebody's."""
    attempt = Attempt.objects.start(quiz, who)
    for position, given in enumerate(answers, 1):
        attempt.answer(position, given)
    return attempt


def counted(attempt):
    return list(attempt.answers.values_list("counted_in", flat=True))


def test_an_attempt_of_somebody_erased_counts_whatever_users_did(quiz, amal):
    taken(quiz, amal)
    nobody = Attempt.objects.start(quiz, learner(make_user("gone")))
    Attempt.objects.filter(pk=nobody.pk).update(user=None)
    nobody = Attempt.objects.get(pk=nobody.pk)
    nobody.finish()
    assert counted(nobody) == [quiz.pk] * 3


def test_the_answers_of_a_first_attempt_count_once_it_is_finished(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    assert counted(attempt) == [None] * 3
    attempt.answer(2, 1)
    attempt.finish()
    assert counted(attempt) == [quiz.pk] * 3


def test_of_two_attempts_the_first_counts(quiz, amal):
    first, second = taken(quiz, amal), taken(quiz, amal)
    assert (counted(first), counted(second)) == ([quiz.pk] * 3, [None] * 3)


def test_an_abandoned_attempt_leaves_its_place_to_the_next(quiz, amal):
    abandoned = Attempt.objects.start(quiz, amal)
    abandoned.answer(1, 1)
    abandoned.abandon()
    later = taken(quiz, amal)
    assert (counted(abandoned), counted(later)) == ([None] * 3, [quiz.pk] * 3)


def test_every_learner_has_a_first_attempt(quiz, amal):
    other = learner(make_user("basma"))
    assert counted(taken(quiz, amal)) == counted(taken(quiz, other)) == [quiz.pk] * 3
    assert counted(taken(quiz, learner(guest="g1"))) == counted(taken(quiz, learner(guest="g2"))) == [quiz.pk] * 3


def test_neither_trials_nor_retries_count(quiz):
    staff = make_user("staff", is_staff=True, is_superuser=True)
    trial = Attempt.objects.start(quiz, learner(staff), trial=True)
    trial.finish()
    amal = learner(make_user())
    first = taken(quiz, amal, (2, 1, 1))
    retry = first.retry(amal, number=2)
    retry.finish()
    assert (counted(trial), counted(retry)) == ([None] * 3, [None])


def test_an_attempt_whose_time_is_up_counts_once_its_row_is_closed(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    late = timezone.now() - timedelta(minutes=1)
    Attempt.objects.update(started_at=late - timedelta(minutes=9), deadline=late)
    assert counted(attempt) == [None] * 3
    Attempt.objects.get().close_overdue()
    assert counted(attempt) == [quiz.pk] * 3


def test_pages_to_read_count_nowhere(amal):
    quiz = make_quiz(make_question(), make_page())
    assert counted(taken(quiz, amal, (1,))) == [quiz.pk, None]


def test_an_attempt_finished_by_its_start_counts(amal):
    quiz = make_quiz(layout="all", feedback="at_end", count=2)
    contents = [place.content for place in quiz.placed()]
    attempt = Attempt.objects.start(quiz, amal, first=AllAnswers({1: 1, 2: 2}, fingerprint_of_all(contents)))
    assert not attempt.is_open
    assert counted(attempt) == [quiz.pk] * 2


def test_a_guests_attempt_that_becomes_a_users_second_one_counts_no_more(quiz):
    user = make_user()
    own, guests = taken(quiz, learner(user)), taken(quiz, learner(guest="token"))
    other = make_quiz(slug="other")
    only = taken(other, learner(guest="token"))
    Attempt.objects.claim("token", user)
    assert (counted(own), counted(guests), counted(only)) == ([quiz.pk] * 3, [None] * 3, [other.pk] * 3)


@pytest.fixture
def running(quiz):
    """A user's own attempt that runs, after whose start they finished one as a guest and signed in; with that one."""
    user = make_user()
    own = Attempt.objects.start(quiz, learner(user))
    guests = taken(quiz, learner(guest="token"))
    Attempt.objects.claim("token", user)
    return own, guests


def test_what_was_finished_as_a_guest_counts_while_the_users_earlier_one_runs(quiz, running):
    own, guests = running
    assert (counted(own), counted(guests)) == ([None] * 3, [quiz.pk] * 3)


@pytest.mark.parametrize("end", ["answer", "answer anew", "finish", "overdue", "hand in"])
def test_what_was_finished_as_a_guest_gives_way_to_the_users_earlier_one_once_that_ends(quiz, running, end):
    own, guests = running
    own = own if end == "answer anew" else Attempt.objects.get(pk=own.pk)
    if end.startswith("answer"):
        for position in (1, 2, 3):
            own.answer(position, 1)
    elif end == "finish":
        own.finish()
    elif end == "hand in":
        own.hand_in({1: 1, 2: 1})
    else:
        past = timezone.now() - timedelta(hours=1)
        Attempt.objects.filter(pk=own.pk).update(deadline=past, started_at=past - timedelta(hours=1))
        Attempt.objects.get(pk=own.pk).close_overdue()
    assert (counted(own), counted(guests)) == ([quiz.pk] * 3, [None] * 3)
    assert invariants.violations(connection) == {}


def test_an_earlier_attempt_that_is_abandoned_takes_no_place(quiz, running):
    own, guests = running
    own.abandon()
    assert (counted(own), counted(guests)) == ([None] * 3, [quiz.pk] * 3)


def test_the_users_earlier_one_counts_before_a_guests_though_it_is_not_their_first(quiz):
    user = make_user()
    Attempt.objects.start(quiz, learner(user)).abandon()
    own, guests = Attempt.objects.start(quiz, learner(user)), taken(quiz, learner(guest="token"))
    Attempt.objects.claim("token", user)
    own.finish()
    assert (own.number, counted(own), counted(guests)) == (2, [quiz.pk] * 3, [None] * 3)


def test_of_a_guest_whose_first_attempt_was_let_go_of_the_next_counts_after_the_sign_in(quiz):
    guest, user = learner(guest="token"), make_user()
    first, second, third = (taken(quiz, guest) for _number in range(3))
    Attempt.objects.filter(pk=first.pk).erase(delete=True)
    Attempt.objects.claim("token", user)
    assert (counted(second), counted(third)) == ([quiz.pk] * 3, [None] * 3)
    assert invariants.violations(connection) == {}


@pytest.mark.parametrize("end", ["answer", "finish", "overdue"])
def test_a_request_that_read_the_attempt_before_the_sign_in_does_not_count_it_as_the_first(end):
    """Another tab signs in while it answers: whose the attempt is, and its number, are read under the lock."""
    user, quiz = make_user(), make_quiz(make_question())
    taken(quiz, learner(user), answers=(1,))
    Attempt.objects.start(quiz, learner(guest="token"))
    read_before = Attempt.objects.get(guest="token")
    Attempt.objects.claim("token", user)
    if end == "answer":
        read_before.answer(1, 1)
    elif end == "finish":
        read_before.finish()
    else:
        Attempt.objects.filter(pk=read_before.pk).update(deadline=timezone.now() - timedelta(hours=1))
        read_before.close_overdue()
    assert (read_before.user, read_before.guest, read_before.number) == (user, None, 2)
    assert counted(read_before) == [None]


def test_a_choice_is_counted_by_its_key_whatever_order_it_was_shown_in(amal):
    quiz = make_quiz(make_question(("One", True), "Two"), shuffle_choices=True)
    attempt = Attempt.objects.start(quiz, amal)
    place = attempt.answers.get().order.index("b") + 1
    attempt.answer(1, place)
    assert Answer.objects.get().tally == Choice.objects.get(text_en="Two").key == "b"


def test_several_choices_are_counted_by_their_keys_in_the_editors_order(amal):
    quiz = make_quiz(make_question(("One", True), "Two", ("Three", True), kind="multiple"))
    Attempt.objects.start(quiz, amal).answer(1, [3, 1])
    assert Answer.objects.get().tally == "a c"


@pytest.mark.parametrize(
    ("kind", "choice", "given", "tally"),
    [
        ("text", {"text": "Paris", "right": True}, "  PARIS  x ", "paris x"),
        ("text", {"text": "Paris", "right": True}, "ب" * 200, "ب" * 200),
        ("number", {"value": "3.5", "right": True}, "٣٫٥", "3.5"),
    ],
)
def test_what_is_typed_is_counted_by_what_it_comes_to(amal, kind, choice, given, tally):
    Attempt.objects.start(make_quiz(make_question(choice, kind=kind)), amal).answer(1, given)
    assert Answer.objects.get().tally == tally


def test_an_answer_taken_back_is_counted_as_nothing(amal):
    quiz = make_quiz(feedback="at_end", count=2)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.clear(1)
    assert attempt.answers.get(position=1).tally == ""


@pytest.mark.parametrize("count", [1, 2])
def test_the_last_answer_takes_as_many_queries_whichever_attempt_it_is(amal, django_assert_num_queries, quiz, count):
    for _before in range(count - 1):
        taken(quiz, amal)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.answer(2, 1)
    with django_assert_num_queries(6):  # two of them savepoints
        attempt.answer(3, 1)


def test_a_site_that_was_there_before_counts_as_a_new_one_would(quiz, amal):
    user = make_user("basma")
    for who in (amal, learner(user), learner(guest="token")):
        taken(quiz, who, (2, 1, 1))
        taken(quiz, who)
    Attempt.objects.start(quiz, learner(make_user("open")))
    taken(
        make_quiz(make_question(("One", True), "Two", ("Three", True), kind="multiple"), slug="other"),
        amal,
        ([1, 3],),
    )
    before = list(Answer.objects.order_by("pk").values_list("pk", "counted_in", "tally"))
    Answer.objects.update(counted_in=None, tally="")
    migration = import_module("mpquiz.migrations.0006_counted_answers").Migration
    for operation in migration.operations:
        operation.code(apps, SimpleNamespace(connection=connection))
    assert list(Answer.objects.order_by("pk").values_list("pk", "counted_in", "tally")) == before
