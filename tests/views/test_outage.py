"""While the database does not answer, a learner gets the answer back and a button to send it again."""

import io
import logging
import re

import pytest
from django.db import InternalError, OperationalError
from django.test import Client

from mpquiz.models import Attempt
from tests.views.conftest import hidden, text, url


@pytest.fixture
def down(monkeypatch):
    def fail(*args, **kwargs):
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(Attempt, "answer", fail)


def test_what_was_sent_is_on_the_page_and_can_be_sent_again(amal, attempt, down, monkeypatch, caplog):
    response = amal.post(url(attempt, 1) + "?x=1", {"given": ["1"], "given-a": "<b> ≤ \n 3"})
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (503, "10", "no-store")
    page = text(response)
    assert re.findall(r'name="(given[^"]*)" value="([^"]*)"', page) == [
        ("given", "1"),
        ("given-a", "&lt;b&gt; ≤ \n 3"),
    ]
    assert f'action="{url(attempt, 1)}?x=1"' in page
    assert [record.levelno for record in caplog.records if record.name == "mpquiz.outage"] == [logging.ERROR]
    monkeypatch.undo()
    assert amal.post(url(attempt, 1), {"given": "1"}).status_code == 303


def test_in_place_the_form_stays_where_it_is(amal, attempt, down):
    response = amal.post(url(attempt, 1), {"given": "1"}, headers={"HX-Request": "true"})
    assert response.status_code == 503
    assert "HX-Push-Url" not in response  # by which our script knows its own parts


def test_a_page_that_cannot_be_read_says_so_in_the_reader_s_language(amal, attempt, monkeypatch):
    def fail(*args, **kwargs):
        raise InternalError("cannot execute in a read-only transaction")

    monkeypatch.setattr("mpquiz.pages.stage_at", fail)
    response = amal.get(url(attempt, 1, "ar"))
    assert response.status_code == 503
    assert '<html lang="ar" dir="rtl">' in text(response)
    assert f'href="{url(attempt, 1, "ar")}"' in text(response)


@pytest.mark.django_db
def test_the_page_asks_no_database(monkeypatch, django_assert_num_queries):
    def fail(*args, **kwargs):
        raise OperationalError("no")

    monkeypatch.setattr("mpquiz.learners.Learner.of", fail)
    with django_assert_num_queries(0):
        assert Client().get("/en/quizzes/").status_code == 503


def test_a_fault_of_the_program_is_no_outage(amal, attempt, monkeypatch):
    def fail(*args, **kwargs):
        raise ValueError("a mistake")

    monkeypatch.setattr(Attempt, "answer", fail)
    with pytest.raises(ValueError, match="a mistake"):
        amal.post(url(attempt, 1), {"given": "1"})


def test_half_a_form_is_no_answer(amal, attempt):
    """F25: the line broke, and the server handed on what had arrived."""
    body, form = b"given=1", "application/x-www-form-urlencoded"
    broken = {"CONTENT_LENGTH": len(body) + 9, "wsgi.input": io.BytesIO(body)}
    response = amal.generic("POST", url(attempt, 1), body, content_type=form, **broken)
    assert response.status_code == 400
    assert "did not arrive whole" in text(response)
    assert attempt.answers.get(position=1).answered_at is None
    whole = amal.generic("POST", url(attempt, 1), body, content_type=form)
    assert whole.status_code == 303


def test_a_cache_that_is_down_keeps_nobody_from_a_quiz(client, quiz, monkeypatch, caplog):
    """F12: whoever is not signed in is counted in the cache, and nothing else is kept there."""

    def fail(*args, **kwargs):
        raise ConnectionError("no cache")

    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.cache.get", fail)
    form = hidden(client.get("/en/quizzes/floats/")) | {"given": "1"}
    assert client.post("/en/quizzes/floats/start/", form).status_code == 303
    assert [record.name for record in caplog.records] == ["mpquiz.throttling"]
