"""Who may do what by the API: strangers, visitors, guests with CSRF, whoever has a token of the host's."""

import uuid

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.settings import api_settings

from mpquiz.api import urls
from mpquiz.api.base import ApiView
from mpquiz.models import Attempt
from tests.api.conftest import Api, at, of
from tests.factories import learner, make_user

pytestmark = pytest.mark.django_db

READ = ["", "result/", "questions/1/"]
WRITTEN = [
    "finish/",
    "start-over/",
    "retry/",
    "discard/",
    "hand-in/",
    "questions/1/answer/",
    "questions/1/draft/",
    "questions/1/flag/",
    "questions/1/leave/",
    "questions/1/report/",
]
BODY = {"given": 1, "flagged": True, "note": "Wrong."}


def test_every_address_of_an_attempt_is_tried_here():
    def tails(patterns, before=""):
        for one in patterns:
            path = before + str(one.pattern).replace("<mpquiz_number:position>", "1")
            yield from tails(one.url_patterns, path) if hasattr(one, "url_patterns") else [path]

    assert sorted(tails(urls._attempt)) == sorted([*READ, *WRITTEN])


def asked(api, attempt, tail):
    return api.get(of(attempt, tail)) if tail in READ else api.post(of(attempt, tail), BODY)


@pytest.mark.parametrize("tail", [*READ, *WRITTEN])
def test_an_attempt_is_its_learner_s_alone(attempt, stranger, visitor, tail):
    before = list(Attempt.objects.values())
    there, not_there = attempt, Attempt(public_id=uuid.uuid4())
    for one in (there, not_there):
        assert (asked(stranger, one, tail).status_code, asked(stranger, one, tail).json()["code"]) == (
            404,
            "not_found",
        )
        refused = asked(visitor, one, tail)
        assert (refused.status_code in (401, 403), refused.json()["code"]) == (True, "sign_in")
    guest = Api()
    assert guest.post("quizzes/floats/start/").status_code == 201
    assert asked(guest, there, tail).json()["code"] == "sign_in"
    assert list(Attempt.objects.filter(pk=attempt.pk).values()) == before


@pytest.mark.parametrize("tail", [*READ, *WRITTEN])
@pytest.mark.parametrize("word", ["x", "1", "00000000-0000-0000-0000-00000000000g", "%00"])
def test_what_is_no_id_is_as_one_that_nobody_has(stranger, visitor, tail, word):
    ask = "get" if tail in READ else "post"
    sent = () if tail in READ else (BODY,)
    assert getattr(stranger, ask)(f"attempts/{word}/{tail}", *sent).json()["code"] == "not_found"
    assert getattr(visitor, ask)(f"attempts/{word}/{tail}", *sent).json()["code"] == "sign_in"


@pytest.mark.parametrize("tail", [*READ, *WRITTEN])
def test_nothing_of_an_attempt_is_kept_anywhere(amal, attempt, tail):
    assert asked(amal, attempt, tail)["Cache-Control"] == "no-store"
    for path in ("attempts/", "progress/", "quizzes/floats/start/"):
        assert amal.get(path)["Cache-Control"] == "no-store"


def test_reading_writes_nothing(amal, attempt):
    attempt.finish()
    with CaptureQueriesContext(connection) as captured:
        for path in ("quizzes/", "quizzes/floats/", "quizzes/floats/start/", "attempts/", "progress/"):
            assert amal.get(path).status_code == 200
        for tail in READ:
            assert amal.get(of(attempt, tail)).status_code == 200
    assert all(query["sql"].startswith("SELECT") for query in captured)


# Guests -----------------------------------------------------------------------------------------------------


def test_a_guest_starts_answers_and_reads_with_the_token_of_csrf(quiz):
    guest = Api(checks_csrf=True)
    door = guest.get("quizzes/floats/start/").json()
    token = {"X-CSRFToken": door["csrf"]}
    start = {"number": door["number"], "guest": door["guest"]}
    told = guest.post("quizzes/floats/start/", start, **token).json()
    assert guest.post("quizzes/floats/start/", start, **token).json() == told
    answered = guest.post(f"{told['url']}questions/1/answer/", {"given": 1}, **token)
    assert answered.json()["question"]["state"] == "right"
    assert guest.get("attempts/").json()["count"] == 1
    assert guest.get("progress/").json()["results"][0]["state"] == "open"
    assert Attempt.objects.get().user is None


@pytest.mark.parametrize("headers", [{}, {"X-CSRFToken": "x" * 32}])
def test_without_that_token_a_guest_changes_nothing(quiz, headers):
    guest = Api(checks_csrf=True)
    token = {"X-CSRFToken": guest.get("quizzes/floats/start/").json()["csrf"]}
    refused = guest.post("quizzes/floats/start/", **headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    assert not Attempt.objects.exists()
    told = guest.post("quizzes/floats/start/", **token).json()
    before = list(Attempt.objects.values())
    for tail in WRITTEN:
        refused = guest.post(told["url"] + tail, BODY, **headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "csrf"), tail
    assert list(Attempt.objects.values()) == before


def test_without_it_a_user_of_a_session_changes_nothing_either(user, attempt):
    amal = Api(user, checks_csrf=True)
    refused = amal.post(at(attempt, 1, "answer/"), {"given": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    token = amal.get("quizzes/floats/start/").json()["csrf"]
    assert amal.post(at(attempt, 1, "answer/"), {"given": 1}, **{"X-CSRFToken": token}).status_code == 200


def test_two_presses_of_a_visitor_make_one_guest(quiz):
    nonce = Api().get("quizzes/floats/start/").json()["guest"]
    for press in (Api(), Api()):
        assert press.post("quizzes/floats/start/", {"number": 1, "guest": nonce}).status_code in (200, 201)
    assert Attempt.objects.count() == 1


def test_guests_are_held_back_and_users_are_not(quiz, amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"start": "1/min", "answer": "1/min"}}
    guest = Api()
    told = guest.post("quizzes/floats/start/").json()
    assert Api().post("quizzes/floats/start/").json()["code"] == "throttled"
    assert guest.post(f"{told['url']}questions/1/answer/", {"given": 1}).status_code == 200
    refused = guest.post(f"{told['url']}questions/2/answer/", {"given": 1})
    assert (refused.status_code, refused.json()["code"], int(refused["Retry-After"]) > 0) == (429, "throttled", True)
    own = amal.post("quizzes/floats/start/").json()
    for position in (1, 2, 3):
        assert amal.post(f"{own['url']}questions/{position}/answer/", {"given": 1}).status_code == 200


# The host's own authentication ------------------------------------------------------------------------------


class Key(BaseAuthentication):
    """A host's: the header says who asks."""

    def authenticate(self, request):
        name = request.headers.get("X-Key")
        return (get_user_model().objects.get(username=name), None) if name else None

    def authenticate_header(self, request):
        return "Key"


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setattr(ApiView, "authentication_classes", [Key, SessionAuthentication])


def test_whoever_has_a_token_of_the_host_needs_none_of_csrf(keys, user, attempt):
    program = Client(enforce_csrf_checks=True, headers={"X-Key": "amal"})
    answer = f"/api/v1/{at(attempt, 1, 'answer/')}"
    told = program.post(answer, {"given": 1}, content_type="application/json")
    assert told.json()["question"]["state"] == "right"
    assert program.get("/api/v1/quizzes/floats/start/").json()["csrf"] == ""
    make_user("stranger")
    other = Client(enforce_csrf_checks=True, headers={"X-Key": "stranger"})
    assert other.post(answer, {"given": 1}, content_type="application/json").status_code == 404


def test_an_unknown_visitor_is_told_how_to_sign_in_where_the_host_says_how(keys, attempt):
    refused = Client().get(f"/api/v1/{of(attempt)}")
    assert (refused.status_code, refused["WWW-Authenticate"], refused.json()["code"]) == (401, "Key", "sign_in")


def test_a_host_whose_visitors_are_nobody_at_all_is_served_too(monkeypatch, quiz):
    monkeypatch.setattr(api_settings, "UNAUTHENTICATED_USER", None)
    assert Api().get("quizzes/").json()["count"] == 1
    assert Api().post("quizzes/floats/start/").status_code == 201


def test_refusals_are_logged_with_what_they_are_about(amal, user, attempt, caplog):
    with caplog.at_level("INFO", logger="mpquiz.refusals"):
        amal.post(at(attempt, 2, "answer/"), {"given": 9})
    (record,) = (one for one in caplog.records if one.name == "mpquiz.refusals")
    told = {"code": "bad_answer", "quiz": "floats", "attempt": str(attempt.public_id), "position": 2}
    assert record.refusal == {**told, "learner": str(user.pk)}


def test_the_attempts_of_a_guest_who_signs_in_are_the_user_s(quiz, user):
    guest = Api()
    guest.post("quizzes/floats/start/")
    guest.client.post("/accounts/login/", {"username": "amal", "password": "secret"})
    assert guest.get("attempts/").json()["count"] == 1
    assert Attempt.objects.of(learner(user)).count() == 1


# The browsable API ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["quizzes/", "quizzes/floats/", "quizzes/floats/start/", "guides/", "attempts/", "progress/"],
)
def test_the_api_opens_in_a_browser(amal, attempt, path):
    page = amal.client.get(f"/api/v1/{path}", headers={"Accept": "text/html"})
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize("tail", [*READ, *WRITTEN])
def test_every_address_of_an_attempt_opens_in_a_browser_with_its_form(amal, attempt, tail):
    attempt.finish()
    page = amal.client.get(f"/api/v1/{of(attempt, tail)}", headers={"Accept": "text/html"})
    assert page.status_code == (200 if tail in READ else 405)
    assert ("<form" in page.content.decode() and 'name="_content"' in page.content.decode()) == (tail in WRITTEN)
    assert "//cdn" not in page.content.decode()


@pytest.mark.parametrize("tail", [*READ, *WRITTEN])
def test_what_an_address_takes_is_told(amal, attempt, tail):
    assert amal.client.options(f"/api/v1/{of(attempt, tail)}").status_code == 200
