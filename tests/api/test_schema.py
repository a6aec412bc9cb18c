"""Every address answers as the schema says, whatever it is sent: to a visitor, a guest, a learner and staff.

``MPQUIZ_SCHEMA_EXAMPLES``: how many requests are drawn of each operation; ten times as many stand at edges of values.
"""

import os
import re
import zlib
from contextlib import contextmanager

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import resolve
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.failures import AcceptedNegativeData, FailureGroup

from mpquiz.api.schema.views import Generator
from tests.access.asking import SENT, SOUGHT, value_of
from tests.access.world import make_world
from tests.api.conftest import JSON

EXAMPLES = int(os.environ.get("MPQUIZ_SCHEMA_EXAMPLES", "2"))
EDGES = 10 * EXAMPLES
AS_MANY = settings(
    max_examples=EXAMPLES,
    derandomize=EXAMPLES < 100,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
CONFIG = {
    "generation": {"with-security-parameters": False},  # who asks is who is signed in
    "checks": {
        "ignored_auth": {"enabled": False},  # tests/access asks every route as everybody
        "positive_data_acceptance": {"enabled": False},  # no schema tells which names there are
    },
}
UNTHROTTLED = dict.fromkeys(("api", "start", "answer", "report", "password"))
DOOR = "/api/v1/quizzes/noura-1/start/"
REFUSED = {"POST /api/v1/attempts/{attempt}/discard/": 403, "DELETE /api/v1/staff/quizzes/{slug}/": 409}
"""The others go well as ``tests/access`` asks them."""


@pytest.fixture(scope="module")
def schema():
    config = schemathesis.Config.from_dict(CONFIG)
    made = schemathesis.openapi.from_dict(Generator().get_schema(None, public=True), config=config)
    made.app = get_wsgi_application()
    return made


@contextmanager
def one_connection():
    """A request leaves the test's connection open, as one of Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


class Person:
    """Somebody with a browser, in a world of rows: of two attempts that are their own one is over."""

    def __init__(self, role):
        self.world, self.client = make_world(), Client()
        self.attempts = [self.world.rows[name].public_id for name in ("attempt", "finished")]
        if role == "guest":
            self.attempts = [self._started(1), self._started(2)]
        elif role != "visitor":
            self.client.cookies.update(self.world.clients[role].cookies)
        self.token = self.client.get(DOOR).json()["csrf"]
        self.cookies = {name: cookie.value for name, cookie in self.client.cookies.items()}

    def _started(self, number):
        """The id of a guest's attempt; the first one is handed in."""
        told = self.client.post(DOOR, {"number": number}, content_type="application/json").json()
        if number == 1:
            self.client.post(f"{told['url']}finish/", {}, content_type="application/json")
        return told["id"]

    def ask(self, case):
        """The status of the answer; what came of it is undone. Raises FailureGroup."""
        with one_connection(), transaction.atomic():
            response = case.call(headers={"X-CSRFToken": self.token}, cookies=self.cookies)
            transaction.set_rollback(True)
        case.validate_response(response)
        return response.status_code

    def ask_of_rows(self, case):
        """The same, mostly about rows that are there."""
        drawn = zlib.crc32(repr(case).encode())
        if case.path_parameters and not case.meta.is_negative_at("path") and drawn % 8:
            found = self._rows(case.operation)
            own = {"attempt": str(self.attempts[drawn % 2]), "position": 1 + drawn % 3}
            case.path_parameters = {name: own.get(name, value) for name, value in found.items()}
        return self.ask(case)

    def ask_properly(self, operation):
        """The same, of a request as ``tests/access`` sends it."""
        name = _route(operation)
        body = {"body": SENT.get(name, _nothing)(self.world), "media_type": JSON} if operation.body else {}
        query = SOUGHT.get(name, _nothing)(self.world)
        return self.ask(operation.Case(path_parameters=self._rows(operation), query=query, **body))

    def _rows(self, operation):
        names = {one.name: "pk" if one.name == "id" else one.name for one in operation.path_parameters}
        return {name: str(value_of(known, _route(operation), self.world)) for name, known in names.items()}


def _route(operation):
    return resolve(re.sub(r"\{\w+\}", "1", operation.path)).view_name


def _nothing(world):
    return {}


def is_read_leniently(failure, case):
    """Whether a value of a body was taken for the one that it plainly means: ``"no"`` for false, 5 for "5"."""
    names = re.findall(r"in body - (\w+): Incorrect type", str(failure))
    return isinstance(failure, AcceptedNegativeData) and any(
        not isinstance(case.body.get(name), list | dict) for name in names
    )


def cases(schema, operation):
    """Requests at the edges of each value, evenly taken from all of them."""
    config = schema.config.generation_for(operation=operation, phase="coverage")
    found = list(
        schema.iter_coverage_cases(operation, generation_modes=list(GenerationMode), generation_config=config)
    )
    return found[:: -(-len(found) // EDGES)]


@pytest.mark.parametrize("role", ["visitor", "guest", "learner", "super"])
def test_what_comes_is_what_the_schema_says(schema, role, db, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": UNTHROTTLED}
    person, wrong, asked = Person(role), {}, set()

    def ask(case):
        asked.add(case.operation.label)
        try:
            person.ask_of_rows(case)
        except FailureGroup as group:
            for one in group.exceptions:
                if not is_read_leniently(one, case):
                    wrong[case.operation.label, type(one).__name__] = f"{one}\n{case.as_curl_command()}"

    found = [one.ok() for one in schema.get_all_operations()]
    operations = [one for one in found if ("/staff/" in one.path) == (role == "super")]
    for operation in operations:
        for case in cases(schema, operation):
            ask(case)
        for mode in GenerationMode:
            AS_MANY(given(operation.as_strategy(generation_mode=mode))(lambda case: ask(case)))()
    assert "\n\n".join(f"{name}: {told}" for name, told in wrong.items()) == ""
    assert asked == {one.label for one in operations}


@pytest.mark.parametrize("role", ["learner", "super"])
def test_what_is_asked_properly_goes_well_and_as_the_schema_says(schema, role, db):
    person = Person(role)
    found = [one.ok() for one in schema.get_all_operations()]
    asked = {one.label: person.ask_properly(one) for one in found if ("/staff/" in one.path) == (role == "super")}
    assert {label: status for label, status in asked.items() if status >= 300} == {
        label: status for label, status in REFUSED.items() if label in asked
    }
