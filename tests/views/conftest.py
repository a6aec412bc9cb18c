"""A quiz, its learner, and short ways to the pages."""

import re
from typing import Any

import pytest
from django.test import Client

from mpquiz.models import Attempt
from tests.factories import learner, make_quiz, make_user


@pytest.fixture
def quiz(db: Any) -> Any:
    return make_quiz()


@pytest.fixture
def user(db: Any) -> Any:
    return make_user()


@pytest.fixture
def amal(user: Any) -> Client:
    """The browser of a signed-in learner."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def stranger(db: Any) -> Client:
    """The browser of another signed-in learner."""
    client = Client()
    client.force_login(make_user("stranger"))
    return client


@pytest.fixture
def attempt(quiz: Any, user: Any) -> Attempt:
    return Attempt.objects.start(quiz, learner(user))


def url(attempt: Attempt, tail: object = "", language: str = "en") -> str:
    return f"/{language}/quizzes/attempts/{attempt.public_id}/" + (f"{tail}/" if tail else "")


def hidden(response: Any) -> dict[str, str]:
    """The hidden fields of a page's forms, as a browser would send them."""
    pairs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', response.content.decode())
    return {name: value for name, value in pairs if name != "csrfmiddlewaretoken"}


def text(response: Any) -> str:
    return response.content.decode()
