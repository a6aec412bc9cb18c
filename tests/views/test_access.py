"""Whose page is whose: every address of an attempt, for everybody who might ask."""

import pytest
from django.test import Client
from django.urls import get_resolver

from mpquiz import urls
from mpquiz.models import Attempt
from tests.factories import learner
from tests.views.conftest import hidden, url

pytestmark = pytest.mark.django_db

ADDRESSES = [
    ("get", ""),
    ("get", 1),
    ("post", 1),
    ("post", "finish"),
    ("post", "start-over"),
    ("post", "retry"),
    ("get", "summary"),
    ("get", "seconds"),
    ("post", "discard"),
    ("post", "1/report"),
]
OPEN = {"quiz_list", "my_quizzes", "quiz", "start", "embedded"}
OWN = {"result", "question", "finish", "start_over", "retry", "summary", "seconds", "discard", "report"}


@pytest.fixture
def guest(quiz):
    """A browser with a guest's attempt in it."""
    client = Client()
    client.post("/en/quizzes/floats/start/", hidden(client.get("/en/quizzes/floats/")) | {"given": "1"})
    client.attempt = Attempt.objects.get(user=None)
    return client


def ask(client, method, attempt, tail):
    return getattr(client, method)(url(attempt, tail), {"given": "1"} if method == "post" else {})


def is_sign_in(response):
    return response.status_code == 303 and response["Location"].startswith("/accounts/login/?next=/en/quizzes/")


def test_every_address_is_in_this_file():
    names = {pattern.name for pattern in get_resolver("mpquiz.urls").url_patterns}
    assert names == OPEN | OWN
    assert urls.app_name == "mpquiz"


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_the_owner_gets_an_answer_that_is_not_kept(amal, attempt, method, tail):
    response = ask(amal, method, attempt, tail)
    # No trial can be thrown away, and nothing be reported before it was answered.
    assert response.status_code in {"discard": (403,), "1/report": (409,)}.get(tail, (200, 302, 303))
    assert not is_sign_in(response)
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_another_learner_gets_404(stranger, attempt, method, tail):
    assert ask(stranger, method, attempt, tail).status_code == 404


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_staff_have_no_other_way_in(admin_client, attempt, method, tail):
    assert ask(admin_client, method, attempt, tail).status_code == 404


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_a_guest_gets_a_guest_s_own(guest, method, tail):
    assert not is_sign_in(ask(guest, method, guest.attempt, tail))


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_a_guest_gets_the_sign_in_page_for_another_guest_s(guest, quiz, method, tail):
    other = Attempt.objects.start(quiz, learner(guest="another"))
    assert is_sign_in(ask(guest, method, other, tail))


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_a_user_gets_404_for_a_guest_s(amal, quiz, method, tail):
    assert ask(amal, method, Attempt.objects.start(quiz, learner(guest="another")), tail).status_code == 404


@pytest.mark.parametrize(("method", "tail"), ADDRESSES)
def test_nobody_learns_from_the_sign_in_page_which_attempts_there_are(client, attempt, method, tail):
    real = ask(client, method, attempt, tail)
    attempt.public_id = "00000000-0000-4000-8000-000000000000"
    made_up = ask(client, method, attempt, tail)
    assert is_sign_in(real)
    assert is_sign_in(made_up)
    attempt.refresh_from_db()
    assert attempt.open
    assert not attempt.answers.exclude(answered_at=None).exists()


@pytest.mark.parametrize("name", ["x", "1", "None", "..", "0" * 500, "%00", "ا"])
def test_an_id_that_is_none_is_not_there(amal, client, quiz, name):
    assert amal.get(f"/en/quizzes/attempts/{name}/1/").status_code == 404
    assert amal.post(f"/en/quizzes/attempts/{name}/finish/").status_code == 404
    assert client.get(f"/en/quizzes/attempts/{name}/1/").status_code in (303, 404)


def test_a_guest_loses_the_attempts_of_another_browser_only(guest):
    assert is_sign_in(Client().get(url(guest.attempt, 1)))
