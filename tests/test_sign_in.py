"""At sign-in what a guest did becomes the user's, and nothing that fails there keeps anybody out."""

import logging
from datetime import timedelta

import pytest
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in
from django.db import DatabaseError
from django.test import Client, RequestFactory
from django.utils import timezone

from mpquiz import sign_in
from mpquiz.models import Attempt
from mpquiz.models.attempt import AttemptQuerySet
from tests.factories import learner, make_quiz, make_user
from tests.views.conftest import hidden

pytestmark = pytest.mark.django_db

PAGE = "/en/quizzes/floats/"


@pytest.fixture
def quiz():
    return make_quiz()


@pytest.fixture
def amal():
    return make_user()


@pytest.fixture
def guest(quiz):
    """The browser of a guest who answered question 1."""
    client = Client()
    client.post(f"{PAGE}start/", {**hidden(client.get(PAGE)), "given": "1"})
    assert Attempt.objects.get().guest
    return client


def mine(user):
    return Attempt.objects.of(learner(user)).order_by("number")


def test_what_a_guest_began_goes_on_after_sign_in(guest, amal):
    attempt = Attempt.objects.get()
    guest.force_login(amal)
    attempt.refresh_from_db()
    assert (attempt.user, attempt.guest, attempt.score, attempt.is_open) == (amal, None, 1, True)
    assert guest.post(f"/en/quizzes/attempts/{attempt.public_id}/2/", {"given": "1"}).status_code == 303
    assert "mpquiz_guest" not in guest.session


def test_the_claimed_attempts_are_numbered_after_the_user_s_own(quiz, amal):
    for number in (1, 2):
        Attempt.objects.start(quiz, learner(amal), number=number).finish()
    for number in (1, 2):
        Attempt.objects.start(quiz, learner(guest="token"), number=number).finish()
    elsewhere = Attempt.objects.start(make_quiz(slug="other"), learner(guest="token"))
    assert Attempt.objects.claim("token", amal) == 3
    assert list(mine(amal).filter(quiz=quiz).values_list("number", flat=True)) == [1, 2, 3, 4]
    elsewhere.refresh_from_db()
    assert (elsewhere.number, elsewhere.is_open) == (1, True)


@pytest.mark.parametrize("newer", ["guest's", "user's"])
def test_of_two_open_attempts_the_newer_stays_open(quiz, amal, newer):
    own = Attempt.objects.start(quiz, learner(amal))
    theirs = Attempt.objects.start(quiz, learner(guest="token"))
    theirs.answer(1, 1)
    if newer == "user's":
        Attempt.objects.filter(pk=own.pk).update(started_at=timezone.now())
    Attempt.objects.claim("token", amal)
    stays, goes = (theirs, own) if newer == "guest's" else (own, theirs)
    stays.refresh_from_db()
    goes.refresh_from_db()
    assert (stays.open, stays.ended) == (True, "")
    assert (goes.open, goes.ended, goes.finished_at is None) == (None, "abandoned", False)
    assert (theirs.number, theirs.score, theirs.answers.exclude(answered_at=None).count()) == (2, 1, 1)


def test_of_two_open_attempts_one_past_its_deadline_is_finished_not_abandoned(quiz, amal):
    own = Attempt.objects.start(quiz, learner(amal))
    past = timezone.now() - timedelta(minutes=1)
    Attempt.objects.update(deadline=past, started_at=past - timedelta(minutes=5))
    theirs = Attempt.objects.start(quiz, learner(guest="token"))
    Attempt.objects.claim("token", amal)
    own.refresh_from_db()
    theirs.refresh_from_db()
    assert (own.ended, own.finished_at) == ("time_up", past)
    assert theirs.is_open


def test_an_answer_sent_again_after_the_claim_is_the_one_given_before(quiz, amal):
    attempt = Attempt.objects.start(quiz, learner(guest="token"))
    before = attempt.answer(1, 1)
    Attempt.objects.claim("token", amal)
    again = attempt.answer(1, 1)
    assert (again.pk, again.answered_at) == (before.pk, before.answered_at)
    attempt.answer(2, 1)
    attempt.refresh_from_db()
    assert (attempt.user, attempt.guest, attempt.score) == (amal, None, 2)


def test_nobody_s_attempts_are_claimed_without_a_token(quiz, amal):
    Attempt.objects.start(quiz, learner(make_user("stranger")))
    Attempt.objects.update(user=None)
    assert Attempt.objects.claim("", amal) == 0
    assert not mine(amal).exists()


def test_a_stranger_who_signs_in_at_the_same_browser_gets_nothing_of_it(guest, amal):
    guest.force_login(amal)
    guest.logout()
    stranger = make_user("stranger")
    guest.force_login(stranger)
    assert not mine(stranger).exists()
    assert mine(amal).count() == 1


@pytest.mark.parametrize("failure", [DatabaseError("gone"), RuntimeError("a mistake")])
def test_a_failure_keeps_nobody_from_signing_in_and_is_made_good_the_next_time(
    guest, amal, monkeypatch, caplog, failure
):
    def fail(*args):
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(AttemptQuerySet, "claim", fail)
        patch.setattr(Attempt.objects, "claim", fail)
        with caplog.at_level(logging.ERROR):
            guest.force_login(amal)
    assert "could not be given" in caplog.text
    assert guest.get("/en/quizzes/").wsgi_request.user == amal
    assert not mine(amal).exists()
    guest.force_login(amal)
    assert mine(amal).count() == 1


def test_after_a_failure_another_user_of_the_browser_does_not_get_it(guest, amal, monkeypatch):
    def fail(*args):
        raise DatabaseError

    with monkeypatch.context() as patch:
        patch.setattr(Attempt.objects, "claim", fail)
        guest.force_login(amal)
    request = RequestFactory().get("/")
    request.session = guest.session
    stranger = make_user("stranger")
    login(request, stranger, backend="django.contrib.auth.backends.ModelBackend")
    assert not mine(stranger).exists()


def test_half_a_claim_is_none(quiz, amal, monkeypatch):
    for number in (1, 2):
        Attempt.objects.start(quiz, learner(guest="token"), number=number).finish()
    save, saved = Attempt.save, []

    def fail_second(self, *args, **kwargs):
        saved.append(self)
        if len(saved) == 2:
            raise DatabaseError
        save(self, *args, **kwargs)

    monkeypatch.setattr(Attempt, "save", fail_second)
    with pytest.raises(DatabaseError):
        Attempt.objects.claim("token", amal)
    assert not mine(amal).exists()
    assert Attempt.objects.filter(guest="token").count() == 2


def test_signing_in_without_a_request_or_a_session_is_none_of_ours(amal):
    user_logged_in.send(type(amal), request=None, user=amal)
    sign_in.claim_attempts(type(amal), request=RequestFactory().get("/"), user=amal)
