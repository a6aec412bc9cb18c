"""What nobody means, sent to every route: refused for a few queries, never a failure; and what no body may change."""

import json
import random
import uuid

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from mpquiz.api import urls
from tests.access import wild
from tests.access.asking import SENT, SOUGHT, address_of
from tests.access.routes import routes_of
from tests.access.world import make_world
from tests.api.conftest import JSON

pytestmark = pytest.mark.django_db
ROUTES = [route for route in routes_of(urls.urlpatterns, "mpquiz-api:", "api/") if not route.name.endswith(":schema")]
READ = [route for route in ROUTES if "GET" in route.methods]
WRITTEN = [(method, route) for route in ROUTES for method in route.methods if method in ("POST", "PATCH")]
FRAME = ("SAVEPOINT", "RELEASE", "ROLLBACK")
UNTHROTTLED = dict.fromkeys(("api", "start", "answer", "report", "password"))


@pytest.fixture
def site(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": UNTHROTTLED}
    ContentType.objects.get_for_models(*apps.get_models())  # which each process asks once
    return Site()


class Site:
    """A world of rows, in which a learner asks the learners' routes, and whoever may everything asks the staff's."""

    def __init__(self):
        self.world = make_world()
        self.clients = {}
        for role in ("learner", "super"):
            self.clients[role] = Client(raise_request_exception=False)
            self.clients[role].cookies.update(self.world.clients[role].cookies)

    def client(self, route):
        return self.clients["super" if ":staff_" in route.name else "learner"]

    def sought(self, route):
        return SOUGHT.get(route.name, _nothing)(self.world)

    def sent(self, method, route):
        return SENT.get(route.name, _nothing)(self.world) if method == "POST" else {}

    def ask(self, method, route, address, data=None):
        """The status of an answer, and how many queries it took; what came of it is undone."""
        sent = {"data": data} if method == "GET" else {"data": data, "content_type": JSON}
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            response = getattr(self.client(route), method.lower())(address, **sent)
            if response.streaming:
                response.getvalue()
            transaction.set_rollback(True)
        return response.status_code, sum(not one["sql"].startswith(FRAME) for one in queries)

    def properly(self, method, route):
        """The most queries that the route may take, and its address."""
        address = address_of(route, self.world)
        data = self.sought(route) if method == "GET" else self.sent(method, route)
        return address, self.ask(method, route, address, data)[1]


def _nothing(world):
    return {}


def test_an_address_that_is_none_is_not_there(site):
    wrong = []
    asked = [(method, route) for route in ROUTES if route.parameters for method in route.methods]
    for number, (method, route) in enumerate(asked):
        _, most = site.properly(method, route)
        data = site.sought(route) if method == "GET" else site.sent(method, route)
        for address in wild.addresses(route, site.world, wild.some(wild.QUOTED, number)):
            status, queries = site.ask(method, route, address, data)
            if status not in (400, 404) or queries > most:
                wrong.append((status, queries, most, method, route.name, address[:200]))
    assert wrong == []


def filters_of(route):
    """The names that a route takes in its address."""
    query = getattr(route.view.cls, "query_class", None)
    return [] if query is None else list(query().fields)


def test_a_filter_that_is_none_is_refused_or_finds_nothing_more(site):
    wrong = []
    for route in READ:
        address, most = site.properly("GET", route)
        known, proper = filters_of(route), site.sought(route)
        names = enumerate((*known, "lang"), len(address))
        asked = [(name, value) for number, name in names for value in ("", *wild.some(wild.VALUES, number))]
        asked += [(name, ["1", "x"]) for name in known]
        asked += [("ordering", name) for name in wild.LOOKUPS] if known else []
        for name, value in asked:
            status, queries = site.ask("GET", route, address, {**proper, name: value})
            if status not in (200, 400, 404) or queries > most:
                wrong.append((status, queries, most, route.name, name, value))
        for name in wild.LOOKUPS:
            status, queries = site.ask("GET", route, address, {**proper, name: "1"})
            if status != (400 if known else 200) or queries > most:
                wrong.append((status, queries, most, route.name, name))
    assert wrong == []


BODIES = [
    *(b"", b"{", b"\xff", b"null", b"1", b"[]", b'"x"', b"[{}]", b'{"": 1}', b"NaN", b'{"given": 1e999}', b"{}{}"),
    *(b'{"given": "\\ud800"}', b'{"given": "\\u0000"}', b'{"given": ["\\u0000"]}', b'{"given": {"\\u0000": "x"}}'),
    b'{"given": %s}' % (b"9" * 5000),
    b'{"given": %s%s}' % (b"[" * 500, b"]" * 500),
    b"[" * 100_000,
]


def test_a_body_that_is_none_is_refused_and_breaks_nothing(site):
    wrong = []
    for method, route in WRITTEN:
        address, most = site.properly(method, route)
        for body in BODIES:
            status, queries = site.ask(method, route, address, body)
            if status >= 500 or queries > most + 2:  # what is changed is asked for before what was sent is read
                wrong.append((status, queries, most, method, route.name, body[:80]))
    assert wrong == []


# What no body may change ------------------------------------------------------------------------------------

LONG_AGO = "2001-01-01T00:00:00Z"
OURS_ALONE = {
    **dict.fromkeys(("score", "maximum", "earned", "fraction", "percent", "points_earned", "reached"), "99"),
    **dict.fromkeys(("id", "pk", "user", "user_id", "by", "marked_by", "attempt", "quiz", "quiz_id", "version"), 1),
    **dict.fromkeys(("right", "passed", "is_staff", "is_superuser"), True),
    **dict.fromkeys(("started_at", "finished_at", "ended_at", "answered_at", "created_at", "updated_at"), LONG_AGO),
    **dict.fromkeys(("open", "deadline", "retry_of", "waiting"), None),
    "public_id": str(uuid.UUID(int=7)),
    "guest_token": "x",
    "ended": "finished",
    "state": "right",
}
HANDED_IN = {"answers": [{"position": 2, "given": 1}], "finish": True}


def bodies(site, method, route):
    """What is sent properly, and the same with what is not the sender's to say, of which the route takes none."""
    plain = HANDED_IN if route.name.endswith(":hand_in") else site.sent(method, route)
    taken = getattr(route.view.cls, "body_class", None)
    own = set() if taken is None else {name for name, one in taken().fields.items() if not one.read_only}
    added = {name: value for name, value in OURS_ALONE.items() if name not in own}
    within = {name: [{**one, **added} for one in some] for name, some in plain.items() if name == "answers"}
    return plain, {**plain, **within, **added}, set(taken().fields) - own if taken else set()


def rows(known=None):
    """All rows of ours and of users; of those that were not ``known``, without what each row has for itself."""
    found = {}
    for model in (*apps.get_app_config("mpquiz").get_models(), *apps.get_app_config("auth").get_models()):
        drawn = [
            one.attname
            for one in model._meta.concrete_fields
            if isinstance(one, models.AutoField | models.UUIDField | models.ForeignKey)
        ]
        kept = None if known is None else {row["id"] for row in known[model]}
        found[model] = [
            row if kept is None or row["id"] in kept else {name: row[name] for name in row if name not in drawn}
            for row in model.objects.order_by("pk").values()
        ]
    return found


def test_what_is_not_the_senders_to_say_changes_nothing(site, clock, monkeypatch):
    wrong, before = [], rows()
    clock.move(minutes=1)
    for method, route in WRITTEN:
        address, after = address_of(route, site.world), {}
        plain, more, shown = bodies(site, method, route)
        only_read = {name: value for name, value in more.items() if name in plain or name in shown}
        staff = ":staff_" in route.name
        for name, body in (("plain", plain), ("more", more), ("only read", only_read)):
            monkeypatch.setattr("secrets.choice", random.Random(7).choice)  # of which keys are made
            with transaction.atomic():
                status = site.client(route).generic(method, address, json.dumps(body), JSON).status_code
                after[name] = status, rows(before)
                transaction.set_rollback(True)
        if after["only read"] != after["plain"]:
            wrong.append(("only read", method, route.name, after["only read"][0], after["plain"][0]))
        expected = [after["plain"], *([(400, before)] if staff else [])]  # the staff's refuse what they do not know
        if after["more"] not in expected:
            wrong.append(("more", method, route.name, after["more"][0], after["plain"][0]))
    assert wrong == []
