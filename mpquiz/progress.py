"""How far a learner has got through several quizzes, as far as they may know it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self

from .learners import Learner
from .models import Attempt, Quiz
from .models.quiz import QuizQuerySet
from .models.record import Standing


@dataclass(frozen=True, slots=True)
class _Taken:
    """What counts of a learner's attempts: the quizzes that were finished, and the results that may be seen."""

    finished: frozenset[int] = frozenset()
    standings: Mapping[int, Standing] = field(default_factory=dict)

    @classmethod
    def of(cls, quizzes: Any, learner: Learner) -> Self:
        """Two queries, none for a visitor."""
        if not learner:
            return cls()
        counted = Attempt.objects.of(learner).counted().filter(quiz__in=quizzes)
        return cls(frozenset(counted.values_list("quiz", flat=True)), counted.with_score_shown().results())

    def is_done(self, quiz: int, pass_mark: Decimal | None) -> bool:
        """Passed where there is a pass mark, else finished. What is passed counts once the score is shown."""
        if pass_mark is None:
            return quiz in self.finished
        return quiz in self.standings and bool(self.standings[quiz].passed)


@dataclass(frozen=True, slots=True)
class Progress:
    """So many quizzes done of so many: passed where there is a pass mark, else finished."""

    done: int
    count: int

    @classmethod
    def of(cls, quizzes: QuizQuerySet, learner: Learner) -> Self:
        """In three queries, one for a visitor. What is passed counts from the moment on that the score is shown."""
        pass_marks = dict(quizzes.order_by().values_list("pk", "pass_mark"))
        taken = _Taken.of(pass_marks, learner) if pass_marks else _Taken()
        return cls(sum(taken.is_done(*one) for one in pass_marks.items()), len(pass_marks))


@dataclass(frozen=True, slots=True)
class InQuiz:
    """How far a learner is in one quiz: ``attempt`` can be gone on with, ``standing`` is the result that is shown."""

    quiz: Quiz
    attempt: Attempt | None
    standing: Standing | None
    finished: bool
    completed: bool

    @property
    def state(self) -> str:
        """ "open" (an attempt waits to be gone on with), "finished" or "new"."""
        return "open" if self.attempt is not None else "finished" if self.finished else "new"


def in_each(quizzes: Sequence[Quiz], learner: Learner) -> list[InQuiz]:
    """How far a learner is in each of these quizzes. Three queries."""
    taken = _Taken.of([quiz.pk for quiz in quizzes], learner)
    mine = Attempt.objects.of(learner).filter(quiz__in=[quiz.pk for quiz in quizzes])
    unfinished = {attempt.quiz_id: attempt for attempt in mine.unfinished()}
    return [
        InQuiz(
            quiz,
            unfinished.get(quiz.pk),
            taken.standings.get(quiz.pk),
            quiz.pk in taken.finished,
            taken.is_done(quiz.pk, quiz.pass_mark),
        )
        for quiz in quizzes
    ]
