"""What counting costs whoever answers: the same attempts with the index of choices and without, in turns."""

import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from django.contrib.auth import get_user_model
from django.db import connection

from mpquiz.learners import Learner
from mpquiz.models import Attempt, Quiz

from . import site

_ROUNDS = 12
_ATTEMPTS = 25
_INDEX = "mpquiz_tally"


def report() -> None:
    """Print the median time of an answer and of the one that finishes, in milliseconds, and how they compare."""
    definition = _definition()
    users = _new_learners(_ROUNDS * _ATTEMPTS * 2)
    times: dict[str, list[float]] = {"with": [], "without": []}
    try:
        for round in range(_ROUNDS):
            some = users[round * _ATTEMPTS * 2 : (round + 1) * _ATTEMPTS * 2]
            times["with"] += [_answered(user) for user in some[:_ATTEMPTS]]
            _execute(f"DROP INDEX {_INDEX}")
            with patch.object(Attempt, "count_answers", lambda self: None):
                times["without"] += [_answered(user) for user in some[_ATTEMPTS:]]
            _execute(definition)
    finally:
        _execute(definition.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS"))
    median = {name: statistics.median(some) * 1000 for name, some in times.items()}
    more = 100 * (median["with"] / median["without"] - 1)
    print(
        f"an answer, of {site.ASKED}: {median['with']:.2f} ms counted, {median['without']:.2f} ms not: {more:+.1f} %"
    )


def _new_learners(count: int) -> list[Any]:
    """Users whose attempts count: they have taken nothing yet."""
    model, begun = get_user_model(), time.time_ns()
    return list(model.objects.bulk_create(model(username=f"new-{begun}-{n}", password="!") for n in range(count)))


def _definition() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [_INDEX])
        return str(cursor.fetchone()[0])


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def _answered(user: object) -> float:
    """Seconds per answer of one whole attempt, its end included."""
    attempt = Attempt.objects.start(Quiz.objects.get(slug="quiz-0"), Learner(user=user))
    return _timed(lambda: [attempt.answer(position, 1) for position in range(1, site.ASKED + 1)]) / site.ASKED


def _timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun
