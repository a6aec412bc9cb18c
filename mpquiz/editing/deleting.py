"""Deleting quizzes: what was done in them stays whole. One that a learner took is archived instead.

Trials of staff are nothing to keep: they go with their quiz.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from ..models import Attempt, Quiz, Remarking


@dataclass(frozen=True, slots=True)
class Taken:
    """What was done in a quiz, in numbers. ``attempts`` are those of learners, retries among them; trials are not."""

    quiz: Quiz
    attempts: int = 0
    learners: int = 0
    running: int = 0
    counted: int = 0
    retries: int = 0
    trials: int = 0


def taken(quizzes: Iterable[Quiz]) -> dict[int, Taken]:
    """{quiz id: what was done in it}. Three queries."""
    quizzes = list(quizzes)
    rows = Attempt.objects.filter(quiz__in=quizzes)
    earnest = models.Q(trial=False)
    numbers = counts_of(
        rows,
        "quiz",
        attempts=models.Count("pk", filter=earnest),
        retries=models.Count("pk", filter=earnest & models.Q(retry_of__isnull=False)),
        trials=models.Count("pk", filter=~earnest),
        users=models.Count("user", filter=earnest, distinct=True),
        guests=models.Count("guest", filter=earnest, distinct=True),
    )
    running = counts_of(rows.filter(trial=False).unfinished(), "quiz")
    counted = counts_of(rows.counted(), "quiz")
    return {quiz.pk: _taken(quiz, numbers.get(quiz.pk, {}), running, counted) for quiz in quizzes}


def _taken(quiz: Quiz, numbers: dict[str, int], running: Mapping[int, Any], counted: Mapping[int, Any]) -> Taken:
    learners = numbers.pop("users", 0) + numbers.pop("guests", 0)
    return Taken(
        quiz,
        learners=learners,
        running=running.get(quiz.pk, {}).get("count", 0),
        counted=counted.get(quiz.pk, {}).get("count", 0),
        **numbers,
    )


def counts_of(rows: models.QuerySet[Any], owner: str, **counts: Any) -> dict[int, dict[str, int]]:
    """{owner's id: {name: how many}}. One query."""
    found = rows.order_by().values(owner).annotate(**counts or {"count": models.Count("pk")})
    return {row.pop(owner): row for row in found}


@transaction.atomic
def delete_quizzes(quizzes: models.QuerySet[Quiz]) -> None:
    """Delete quizzes in which there is nothing but trials. Raises ProtectedError where somebody took one."""
    ids = list(quizzes.values_list("pk", flat=True))
    Remarking.objects.filter(quiz__in=ids).delete()
    Attempt.objects.filter(quiz__in=ids, trial=True).delete()
    Quiz.objects.filter(pk__in=ids).delete()
