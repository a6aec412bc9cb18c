"""What every endpoint shares: refusals, languages, lists, throttles, what may be kept, who asks."""

import pytest
from django.db import OperationalError
from django.test import Client

from mpquiz.api.views import GuideList
from tests.factories import make_guide

pytestmark = pytest.mark.django_db
GUIDES = "/api/v1/guides/"


@pytest.fixture
def guides():
    return [make_guide(f"guide-{n}", {"ar": f"دليل {n}"} if n else {"en": "Guide", "ar": "دليل"}) for n in range(3)]


def test_a_text_says_in_which_language_it_really_is(client, guides):
    rows = client.get(GUIDES, headers={"Accept-Language": "en"}).json()["results"]
    assert rows[0]["title"] == {"text": "Guide", "html": "Guide", "lang": "en", "dir": "ltr", "fallback": False}
    assert rows[1]["title"] == {"text": "دليل 1", "html": "دليل 1", "lang": "ar", "dir": "rtl", "fallback": True}


@pytest.mark.parametrize("ask", [{"data": {"lang": "ar"}}, {"headers": {"Accept-Language": "ar-EG,en;q=0.5"}}])
def test_the_reader_s_language_is_answered_in(client, guides, ask):
    response = client.get(GUIDES, **ask)
    assert response["Content-Language"] == "ar"
    assert response.json()["results"][0]["title"]["lang"] == "ar"
    assert {"Accept-Language", "Cookie", "Authorization"} <= set(response["Vary"].split(", "))


def test_a_language_that_is_asked_for_ends_with_the_request(client, guides, settings):
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if "Locale" not in one]
    assert client.get(GUIDES, {"lang": "ar"})["Content-Language"] == "ar"
    assert client.get(GUIDES)["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"lang": "xx"}, "lang"),
        ({"page": "0"}, "page"),
        ({"page": "x"}, "page"),
        ({"page_size": "101"}, "page_size"),
        ({"ordering": "title"}, "ordering"),
        ({"nothing": "1"}, "nothing"),
        ({"page": "\0"}, "page"),
    ],
)
def test_what_an_address_says_wrongly_is_named(client, guides, query, field):
    response = client.get(GUIDES, query)
    assert response.status_code == 400
    told = response.json()
    assert (told["code"], list(told["fields"])) == ("invalid", [field])
    assert response["Cache-Control"] == "no-store"


def test_pages_of_a_list(client, guides):
    first = client.get(GUIDES, {"page_size": 2, "ordering": "-slug"}).json()
    assert (first["count"], [row["slug"] for row in first["results"]]) == (3, ["guide-2", "guide-1"])
    second = client.get(first["next"]).json()
    assert ([row["slug"] for row in second["results"]], second["next"]) == (["guide-0"], None)
    beyond = client.get(GUIDES, {"page": 99})
    assert (beyond.status_code, beyond.json()["code"]) == (404, "no_such_page")


@pytest.mark.parametrize(
    ("ask", "status", "code"),
    [
        (lambda client: client.get("/api/v1/guides/none/"), 404, "not_found"),
        (lambda client: client.post(GUIDES, {}, content_type="application/json"), 405, "method_not_allowed"),
        (lambda client: client.get(GUIDES, headers={"Accept": "image/png"}), 406, "not_acceptable"),
    ],
)
def test_whatever_says_no_says_it_with_a_code_in_the_reader_s_language(client, guides, ask, status, code):
    response = ask(client)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert set(response.json()) == {"code", "detail"}


def test_what_is_public_may_be_kept_and_is_not_sent_twice(client, guides):
    first = client.get(GUIDES)
    assert first["Cache-Control"] == "public, no-cache"
    again = client.get(GUIDES, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert client.get(GUIDES, {"lang": "ar"})["ETag"] != first["ETag"]
    make_guide("more")
    assert client.get(GUIDES, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_what_is_public_is_the_same_for_everybody(client, guides, admin_client):
    assert client.get(GUIDES).content == admin_client.get(GUIDES).content


def test_requests_too_many_are_refused_and_say_when_to_come_again(client, guides, settings, admin_client):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"api": "2/min"}}
    assert [client.get(GUIDES).status_code for _time in range(3)] == [200, 200, 429]
    refused = client.get(GUIDES)
    assert refused.json()["code"] == "throttled"
    assert 1 <= int(refused["Retry-After"]) <= 61
    assert admin_client.get(GUIDES).status_code == 200
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"api": None}}
    assert client.get(GUIDES).status_code == 200


def test_a_list_opens_in_the_browser(client, guides):
    page = client.get(GUIDES, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "Guide" in page.content.decode()
    assert page["Cache-Control"] == "no-store"


def test_without_the_app_of_the_browsable_api_a_browser_gets_json(guides, settings):
    settings.INSTALLED_APPS = [one for one in settings.INSTALLED_APPS if one != "rest_framework"]
    page = Client().get(GUIDES, headers={"Accept": "text/html,*/*;q=0.8"})
    assert page["Content-Type"] == "application/json"


def test_while_the_database_fails_the_api_says_so(client, monkeypatch):
    def fail(self, request):
        raise OperationalError("gone")

    monkeypatch.setattr(GuideList, "get", fail)
    response = client.get(GUIDES)
    assert (response.status_code, response.json()["code"], response["Retry-After"]) == (503, "unavailable", "10")
