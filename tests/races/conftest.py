"""Real parallel connections: what runs them together, and what must hold after each round.

``MPQUIZ_RACE_ROUNDS`` says how often each meeting is arranged.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import translation

from mpquiz.exceptions import Refusal
from tests import invariants

ROUNDS = int(os.environ.get("MPQUIZ_RACE_ROUNDS", "20"))
PATIENCE = 60  # seconds until a thread is taken to hang


def together(*calls: Callable[[], Any], jitter: float = 0.0) -> list[Any]:
    """Call each in a thread with a connection of its own, all at once; what each returned or the Refusal it raised.

    ``jitter``: each waits up to so many seconds more. Whatever else was raised is raised here.
    """
    barrier = threading.Barrier(len(calls), timeout=PATIENCE)
    found: list[Any] = [None] * len(calls)
    language = translation.get_language()

    def run(index: int, call: Callable[[], Any]) -> None:
        translation.activate(language)
        try:
            connection.ensure_connection()
            barrier.wait()
            time.sleep(random.uniform(0, jitter))
            found[index] = call()
        except BaseException as error:
            found[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a request hangs"
    for one in found:
        if isinstance(one, BaseException) and not isinstance(one, Refusal):
            raise one
    return found


def codes(found: list[Any]) -> list[str]:
    """How the calls went: "ok" or the code of the refusal, in alphabetical order."""
    return sorted(one.code if isinstance(one, Refusal) else "ok" for one in found)


@pytest.fixture
def rounds(transactional_db: Any) -> Iterator[Any]:
    """The numbers of the rounds, each with how far its calls are spread; after each the promises are read."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("SQLite has one writer: set DATABASE_URL to a PostgreSQL or MariaDB")

    def numbered() -> Iterator[tuple[int, float]]:
        for number in range(ROUNDS):
            yield number, (0.0, 0.002, 0.01)[number // 2 % 3]
            invariants.check(connection)

    return numbered()
