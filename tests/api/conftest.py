"""A quiz, its learners, and short ways to the API."""

from typing import Any

import pytest
from django.test import Client

from mpquiz.models import Attempt, Quiz
from tests.factories import learner, make_quiz, make_user

JSON = "application/json"


class Api:
    """A browser, or a program, that speaks JSON."""

    def __init__(self, user: Any = None, *, checks_csrf: bool = False) -> None:
        self.client = Client(enforce_csrf_checks=checks_csrf)
        if user is not None:
            self.client.force_login(user)

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(address(path), query)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        sent = {} if body is None else body
        return self.client.post(address(path), sent, content_type=JSON, headers=headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.patch(address(path), body, content_type=JSON, headers=headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.client.delete(address(path), headers=headers)


def address(path: Any) -> str:
    return path if str(path).startswith(("/", "http://")) else f"/api/v1/{path}"


def of(attempt: Attempt, tail: str = "") -> str:
    return f"attempts/{attempt.public_id}/{tail}"


def at(attempt: Attempt, position: int, tail: str = "") -> str:
    return of(attempt, f"questions/{position}/{tail}")


@pytest.fixture
def quiz(db: Any) -> Quiz:
    return make_quiz()


@pytest.fixture
def user(db: Any) -> Any:
    return make_user()


@pytest.fixture
def amal(user: Any) -> Api:
    return Api(user)


@pytest.fixture
def stranger(db: Any) -> Api:
    return Api(make_user("stranger"))


@pytest.fixture
def visitor(db: Any) -> Api:
    return Api()


@pytest.fixture
def attempt(quiz: Quiz, user: Any) -> Attempt:
    return Attempt.objects.start(quiz, learner(user))
