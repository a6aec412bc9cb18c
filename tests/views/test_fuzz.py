"""Addresses and parameters of pages that nobody means: not found, or as if they were not there; never a failure."""

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.access import wild
from tests.access.asking import SENT, address_of
from tests.access.routes import routes_of
from tests.access.world import make_world

pytestmark = pytest.mark.django_db
ROUTES = [route for route in routes_of(get_resolver().url_patterns) if route.name.startswith("mpquiz:")]
READ = ("page", "q", "lang", "notice", "given", "revision", "to", "next", "level", "guide", "ordering", "embedded")
IN_PLACE = {"HX-Request": "true"}


@pytest.fixture
def site(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": dict.fromkeys(("start", "answer", "report", "password"))}
    return make_world()


def asked(world, method, address, data, **headers):
    client = Client(raise_request_exception=False)
    client.cookies.update(world.clients["learner"].cookies)
    return getattr(client, method.lower())(address, data, headers=headers).status_code


def test_an_address_of_a_page_that_is_none_is_not_found(site):
    wrong = []
    for number, route in enumerate(one for one in ROUTES if one.parameters):
        for method in route.methods:
            for address in wild.addresses(route, site, wild.some(wild.QUOTED, number)):
                status = asked(
                    site, method, address, SENT.get(route.name, _nothing)(site) if method == "POST" else {}
                )
                sent_on = (method, route.name, status) == (
                    "GET",
                    "mpquiz:start",
                    302,
                )  # to the quiz, which is not there
                if status not in (404, 405) and not sent_on:
                    wrong.append((status, method, route.name, address[:200]))
    assert wrong == []


@pytest.mark.parametrize("headers", [{}, IN_PLACE], ids=["page", "in place"])
def test_a_parameter_of_a_page_that_is_none_changes_nothing_of_how_it_is_answered(site, headers):
    wrong = []
    for number, route in enumerate(ROUTES):
        address = address_of(route, site)
        proper = asked(site, "GET", address, {}, **headers)
        for value in ("", ["1", "x"], *wild.some(wild.VALUES, number)):
            status = asked(site, "GET", address, dict.fromkeys((*READ, *wild.LOOKUPS), value), **headers)
            if status != proper:
                wrong.append((status, proper, route.name, value))
    assert wrong == []


def _nothing(world):
    return {}
