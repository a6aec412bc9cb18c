"""Who a request's learner is: a user, a guest by the token in the session, or nobody yet."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import RequestFactory
from django.utils import timezone

from mpquiz import learners
from mpquiz.learners import Learner
from mpquiz.models import Attempt
from tests.factories import learner, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def visit():
    """A request of a browser, with a session that nothing was stored in."""
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    return request


def test_reading_who_it_is_writes_nothing(visit):
    assert not Learner.of(visit)
    assert not (visit.session.modified or Session.objects.exists())


def test_a_visitor_who_starts_becomes_the_guest_that_the_page_named(visit):
    nonce = learners.new_nonce()
    one = Learner.starting(visit, nonce)
    assert one == Learner.of(visit) == Learner(guest=nonce.split(":")[0])
    assert learners.guest_of(visit) == one.guest


def test_two_presses_of_one_button_are_one_guest_though_there_was_no_session(visit):
    nonce = learners.new_nonce()
    one = Learner.starting(visit, nonce)
    visit.session = SessionStore()
    assert Learner.starting(visit, nonce) == one


def test_each_page_names_a_guest_of_its_own():
    assert len({learners.new_nonce() for _ in range(50)}) == 50


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "x",
        "victim",
        "victim:1tQ2:forged",
        ":",
        "\x00",
        "x" * 10_000,
        pytest.param(signing.TimestampSigner(salt="other").sign("victim"), id="signed for something else"),
    ],
)
def test_a_forged_nonce_names_nobody_s_token(visit, forged):
    one = Learner.starting(visit, forged)
    assert one.guest
    assert "victim" not in one.guest
    assert 20 <= len(one.guest) <= 64


def test_a_nonce_of_yesterday_is_too_old(visit, monkeypatch):
    nonce = learners.new_nonce()
    later = timezone.now().timestamp() + timedelta(days=1, seconds=5).total_seconds()
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    assert Learner.starting(visit, nonce).guest not in nonce


def test_who_is_known_already_stays_whatever_the_form_says(visit):
    one = Learner.starting(visit, learners.new_nonce())
    assert Learner.starting(visit, learners.new_nonce()) == one
    visit.user = make_user()
    assert Learner.starting(visit, learners.new_nonce()) == Learner.of(visit) == learner(visit.user)


def test_a_nonce_replayed_after_sign_in_finds_nothing_of_what_was_claimed(visit):
    nonce, quiz, user = learners.new_nonce(), make_quiz(), make_user()
    claimed = Attempt.objects.start(quiz, Learner.starting(visit, nonce))
    Attempt.objects.claim(learners.guest_of(visit), user)
    visit.session = SessionStore()
    replayed = Attempt.objects.start(quiz, Learner.starting(visit, nonce), number=1)
    assert replayed != claimed
    assert list(Attempt.objects.of(learner(user))) == [claimed]


def test_a_guest_who_is_forgotten_is_nobody(visit):
    Learner.starting(visit, learners.new_nonce())
    learners.forget_guest(visit)
    learners.forget_guest(visit)
    assert not Learner.of(visit)


def test_a_learner_owns_by_user_or_by_token_never_by_both():
    user = make_user()
    assert learner(user).owner == {"user_id": user.pk}
    assert learner(user, guest="token").owner == {"user_id": user.pk}
    assert learner(guest="token").owner == {"guest": "token"}
