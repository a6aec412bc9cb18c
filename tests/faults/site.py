"""A site that faults befall: its database, its server, its quizzes, and learners who come to it."""

import itertools
import os
import secrets
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import override_settings

from mpquiz.models import Answer, Attempt
from tests import invariants
from tests.factories import make_essay, make_question, make_quiz, make_user
from tests.load.browser import Browser, Fields, Page
from tests.load.course import questions
from tests.load.database import fresh
from tests.load.figures import Figures
from tests.load.learners import Learner
from tests.load.ledger import Ledger
from tests.load.noting import noted
from tests.load.server import Server

from . import hooks

PATIENCE = 30  # seconds until a request is taken to hang


class Site:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.figures = Figures()
        self.ledger = Ledger()
        self.pool = ThreadPoolExecutor(16)
        self.numbers = itertools.count()
        asked = questions()
        exam = {"feedback": "at_end", "shuffle_choices": True}
        make_quiz(*asked, slug="steady")
        make_quiz(*asked, slug="exam", **exam)
        make_quiz(make_question(), slug="short")
        make_quiz(make_question(("seven", True), kind="text"), make_essay(), slug="typed")

    def learner(self, *, guest: bool = False) -> Learner:
        """A new one: a signed-in user, or a guest at an address of their own."""
        number = next(self.numbers)
        browser = Browser(self.server.address, self.figures, home=f"10.1.{number // 250}.{number % 250 + 1}")
        if not guest:
            browser.sign_in(make_user(f"learner-{number}").username)
        return Learner(browser, self.ledger, number=number, think=0, language=("en", "ar")[number % 2])

    def stopped(self, learner: Learner, place: str, address: str, fields: Fields) -> "tuple[Future[Page], int]":
        """Send a form that stops "before" or "after" its commit; the answer to come, and the worker that stands."""
        token = secrets.token_hex(8)
        fault = f"{place} stop {token}"
        sent = self.pool.submit(learner.browser.post, address, fields, "POST stopped", X_Fault=fault)
        sign = hooks.sign_of(token)
        wait_for(sign.exists, "the request does not reach its commit")
        return sent, int(sign.read_text())

    def kill(self, sent: "Future[Page]", worker: int) -> BaseException | None:
        """Kill a worker; what became of the request that it was at (None: it was answered)."""
        self.server.kill_worker(worker)
        return sent.exception(PATIENCE)

    def told_of_ends(self) -> str:
        """How many attempts ended, and of how many of these the host was told."""
        ended = {str(one) for one in Attempt.objects.filter(open=None).values_list("public_id", flat=True)}
        return f"{len(ended)} attempts ended, the host was told of {len(ended & noted(settings.NOTES).keys())}"

    def broken(self) -> dict[str, list[Any]]:
        """What must never be, and is."""
        found = invariants.violations(connection)
        if lost := self.ledger.violations():
            found["an acknowledged answer that is not there (I8)"] = lost
        twice = [attempt for attempt, count in noted(settings.NOTES).items() if count > 1]
        return found | ({"an end that was told twice": twice} if twice else {})


def wait_for(ready: Any, complaint: str, seconds: float = PATIENCE) -> float:
    """The seconds until it is so. Raises RuntimeError where it never is."""
    begun = time.monotonic()
    while not ready():
        if time.monotonic() - begun > seconds:
            raise RuntimeError(complaint)
        time.sleep(0.002)
    return time.monotonic() - begun


@contextmanager
def site(*options: str, workers: int = 4, environment: dict[str, str] | None = None) -> Iterator[Site]:
    """A site of its own until the end of the block; ``options`` are gunicorn's."""
    with tempfile.TemporaryDirectory() as folder, fresh():
        given = {"MPQUIZ_FAULTS": folder, "MPQUIZ_LOAD_NOTES": str(Path(folder) / "notes"), **(environment or {})}
        server = Server("tests.faults.settings", *options, workers=workers, environment={**os.environ, **given})
        with override_settings(FAULTS=folder, NOTES=given["MPQUIZ_LOAD_NOTES"]), server:
            yield Site(server)


def attempt_in(address: str) -> str:
    """The public id in the address of an attempt's page."""
    return address.split("/attempts/")[1].split("/")[0]


def stored(attempt: str, position: int) -> Answer:
    """An answer as it is stored now."""
    return Answer.objects.get(attempt__public_id=uuid.UUID(attempt), position=position)


def row(attempt: str) -> Attempt:
    return Attempt.objects.get(public_id=uuid.UUID(attempt))
