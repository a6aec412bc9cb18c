"""The results of many users in many quizzes at once, as each quiz counts its attempts.

book = gradebook.of(users, Quiz.objects.of_editor(request.user, doing="results"))
for row in book.rows: row.user, row.name, row.results, row.completed
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .learners import name_of
from .models import Attempt, Quiz
from .models.record import Standing


@dataclass(frozen=True, slots=True)
class Result:
    """A user's result in a quiz; ``standing`` is None where no attempt of theirs counts there.

    Trials, practice, abandoned attempts and those that can still be answered do not count.
    """

    user: Any
    quiz: Quiz
    standing: Standing | None = None

    @property
    def percent(self) -> int | None:
        """Rounded down, for display; None without a result, or where there was no point to earn."""
        return None if self.standing is None else self.standing.percent

    @property
    def passed(self) -> bool | None:
        """None where that says nothing: no result, no pass mark, or not reached while answers wait."""
        return None if self.standing is None else self.standing.passed

    @property
    def waiting(self) -> int:
        """How many answers wait to be marked by a person: the result is not final before that."""
        return 0 if self.standing is None else self.standing.waiting

    @property
    def completed(self) -> bool:
        """As ``quiz.completed_by(user)`` says."""
        return self.standing is not None and self.standing.completes(self.quiz)


@dataclass(frozen=True, slots=True)
class Row:
    """A user with their results, in the order of the quizzes."""

    user: Any
    results: Sequence[Result]

    @property
    def name(self) -> str:
        """As MPQUIZ["LEARNER_NAME"] has it."""
        return name_of(self.user)

    @property
    def completed(self) -> list[Quiz]:
        return [result.quiz for result in self.results if result.completed]


@dataclass(frozen=True, slots=True)
class Gradebook:
    quizzes: Sequence[Quiz]
    rows: Sequence[Row]


def of(users: Iterable[Any], quizzes: Iterable[Quiz]) -> Gradebook:
    """The results of users in quizzes, a row for each user in the order given.

    One query beside those of what is given, however many there are. Whose results somebody may see is asked when the
    quizzes are chosen: ``Quiz.objects.of_editor(user, doing="results")``.
    """
    users, quizzes = list(users), list(quizzes)
    taken = _taken(users, quizzes)

    def result(user: Any, quiz: Quiz) -> Result:
        return Result(user, quiz, Standing.of(taken.get((user.pk, quiz.pk), ()), quiz.counting))

    return Gradebook(quizzes, [Row(user, [result(user, quiz) for quiz in quizzes]) for user in users])


def _taken(users: Sequence[Any], quizzes: Sequence[Quiz]) -> dict[tuple[Any, Any], list[Attempt]]:
    """{(user's key, quiz's key): the attempts that count}. One query."""
    found: dict[tuple[Any, Any], list[Attempt]] = defaultdict(list)
    attempts = Attempt.objects.counted().filter(user__in=users, quiz__in=quizzes)
    for attempt in attempts.only("user", "quiz", "number", "score", "maximum", "waiting", "rules").order_by():
        found[attempt.user_id, attempt.quiz_id].append(attempt)
    return found
