"""Deleting quizzes: what was done in them stays whole. One that a learner took is archived instead.

Trials of staff are nothing to keep: they go with their quiz.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..exceptions import Refusal
from ..models import Attempt, Quiz, Remarking
from .quizzes import read, revision
from .rows import lock, log, refuse_stale


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
    found = rows.order_by().values(owner).annotate(**counts or {"count": models.Count("*")})
    return {row.pop(owner): row for row in found}


@transaction.atomic
def delete_quizzes(quizzes: models.QuerySet[Quiz]) -> None:
    """Delete quizzes in which there is nothing but trials. Raises ProtectedError where somebody took one."""
    ids = list(quizzes.values_list("pk", flat=True))
    Remarking.objects.filter(quiz__in=ids).delete()
    Attempt.objects.filter(quiz__in=ids, trial=True).delete()
    Quiz.objects.filter(pk__in=ids).delete()


@transaction.atomic
def delete_quiz(quiz: Quiz, *, by: Any, seen: str | None = None) -> None:
    """Delete a quiz that no learner took.

    Raises Refusal: ``taken``; ``not_allowed`` for what was granted in it; ``stale``, ``gone``.
    """
    lock(quiz)
    refuse_stale(revision(read(Quiz.objects.all()).get(pk=quiz.pk)), seen)
    _refuse_taken(taken([quiz])[quiz.pk].attempts)
    if quiz.accommodations.exists() and not by.has_perm("mpquiz.delete_accommodation"):
        raise Refusal("not_allowed", _("Learners are granted exceptions in it, and you may not delete those."))
    try:
        with transaction.atomic():
            log(by, quiz, deleted=True)
            delete_quizzes(Quiz.objects.filter(pk=quiz.pk))
    except IntegrityError:  # somebody took it at this moment
        _refuse_taken(1)


def _refuse_taken(attempts: int) -> None:
    message = ngettext(
        "%(count)d attempt was made at this quiz, and stays. Archive the quiz instead.",
        "%(count)d attempts were made at this quiz, and stay. Archive the quiz instead.",
        attempts,
    )
    if attempts:
        raise Refusal("taken", message % {"count": attempts})
