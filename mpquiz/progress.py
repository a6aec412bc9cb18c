"""How far a learner has got through several quizzes, as far as they may know it."""

from dataclasses import dataclass
from typing import Self

from .learners import Learner
from .models import Attempt
from .models.quiz import QuizQuerySet


@dataclass(frozen=True, slots=True)
class Progress:
    """So many quizzes done of so many: passed where there is a pass mark, else finished."""

    done: int
    count: int

    @classmethod
    def of(cls, quizzes: QuizQuerySet, learner: Learner) -> Self:
        """In three queries, one for a visitor. What is passed counts from the moment on that the score is shown."""
        pass_marks = dict(quizzes.order_by().values_list("pk", "pass_mark"))
        if not learner or not pass_marks:
            return cls(0, len(pass_marks))
        counted = Attempt.objects.of(learner).counted().filter(quiz__in=pass_marks)
        finished = set(counted.values_list("quiz", flat=True))
        passed = {quiz for quiz, standing in counted.with_score_shown().results().items() if standing.passed}
        done = (quiz in (finished if mark is None else passed) for quiz, mark in pass_marks.items())
        return cls(sum(done), len(pass_marks))
