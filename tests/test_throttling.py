"""Guests are held back, per address; what they chose is not lost."""

import pytest
from django.test import Client

from mpquiz.models import Attempt, Quiz
from tests.factories import make_quiz, make_user
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"


@pytest.fixture
def rates(settings):
    def rates(**given):
        settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": given}

    make_quiz()
    return rates


def start(client):
    form = hidden(client.get(PAGE)) | {"given": "2"}
    return client.post(f"{PAGE}start/", form)


def test_a_guest_s_start_too_many_is_refused_with_the_choice_kept(rates):
    rates(start="1/min")
    assert start(Client()).status_code == 303
    page = start(Client())
    assert page.status_code == 429
    assert 1 <= int(page["Retry-After"]) <= 61
    assert 'value="2" checked' in text(page)
    assert "Nothing is lost" in text(page)
    assert Attempt.objects.count() == 1


def test_a_guest_s_answer_too_many_is_refused_with_the_choice_kept(rates, client):
    rates(answer="1/min")
    start(client)
    attempt = Attempt.objects.get()
    assert client.post(url(attempt, 2), {"given": "1"}).status_code == 303
    page = client.post(url(attempt, 3), {"given": "3"})
    assert page.status_code == 429
    assert int(page["Retry-After"]) >= 1
    assert 'value="3" checked' in text(page)
    assert attempt.answers.get(position=3).answered_at is None


def test_in_place_too_it_is_said(rates, client):
    rates(answer="0/min")
    start(client)
    part = client.post(url(Attempt.objects.get(), 2), {"given": "1"}, headers={"HX-Request": "true"})
    assert part.status_code == 429
    assert "Nothing is lost" in text(part)


def test_another_address_is_not_held_back(rates):
    rates(start="1/min")
    assert start(Client(REMOTE_ADDR="192.0.2.1")).status_code == 303
    assert start(Client(REMOTE_ADDR="192.0.2.2")).status_code == 303


def test_a_user_is_not_held_back(rates, client):
    rates(start="1/min", answer="1/min")
    client.force_login(make_user())
    start(client)
    attempt = Attempt.objects.get()
    for position in (2, 3):
        assert client.post(url(attempt, position), {"given": "1"}).status_code == 303


def test_no_rate_is_no_limit(rates):
    rates(start=None)
    for _visitor in range(5):
        assert start(Client()).status_code == 303


def test_while_the_cache_is_down_nobody_is_held_back(rates, settings, client):
    rates(start="0/min", answer="0/min", password="0/min", report="0/min")
    Quiz.objects.update(password="open")
    settings.CACHES = {"default": {"BACKEND": "tests.faults.down.DownCache"}}
    assert client.post(f"{PAGE}start/", {"password": "open"}).status_code == 303
    attempt = Attempt.objects.get()
    for position in (1, 2, 3):
        assert client.post(url(attempt, position), {"given": "1"}).status_code == 303
    assert client.post(url(attempt, "1/report"), {"note": "Odd"}).status_code == 303
    assert client.get(url(attempt)).status_code == 200


def test_reading_is_never_held_back(rates, client):
    rates(start="1/min", answer="1/min")
    for _visit in range(5):
        assert client.get(PAGE).status_code == 200
