"""What differs between two answers to one browser by chance stands still: masks of the token, nonces, the clock."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from django.http import response as django_response
from django.middleware import csrf
from django.test import Client

from mpquiz import learners


@pytest.fixture(autouse=True)
def fixed_secrets(monkeypatch):
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret * 2)
    monkeypatch.setattr(csrf, "_unmask_cipher_token", lambda token: token[:32])
    monkeypatch.setattr(learners, "new_nonce", lambda: "nonce")
    monkeypatch.setattr(django_response.time, "time", lambda *_: 1_800_000_000.0)


@pytest.fixture
def browser(clock, settings):
    """A browser that has our cookie already, at a moment that does not pass."""
    rates = dict.fromkeys(("api", "start", "answer", "password", "report"))
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": rates}
    client = Client()
    client.cookies["csrftoken"] = "a" * 32
    return client


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done within is as if it had not been."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
