"""The guide's side: which of the questions that are linked to a guide are missed, so that it can be mended."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models

from ..models import Answer, Guide, Question, Quiz
from ..models.editors import questions_of
from ..models.quiz import is_ruled


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A question of a guide: how many learners were asked it in a first attempt, and how many missed points of it."""

    question: Question
    n: int
    missed: int

    @property
    def share(self) -> float | None:
        """Of those who were asked, 0 to 1; None where nobody was."""
        return self.missed / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class GuideMisses:
    """A guide with its questions, the most often missed first, those that nobody was asked last."""

    guide: Guide
    questions: tuple[MissedQuestion, ...] = ()

    @property
    def n(self) -> int:
        return sum(one.n for one in self.questions)

    @property
    def missed(self) -> int:
        return sum(one.missed for one in self.questions)

    @property
    def share(self) -> float | None:
        return self.missed / self.n if self.n else None


def of_guides(
    guides: Iterable[Guide],
    *,
    quizzes: "models.QuerySet[Quiz] | None" = None,
    questions: "models.QuerySet[Question] | None" = None,
) -> tuple[GuideMisses, ...]:
    """The guides, in the order given. Three queries, however many guides, questions and answers.

    Counted are first attempts; ``quizzes`` says in which, ``questions`` of which (None: all). A question is missed
    where not all its points were earned, also where it was skipped. What waits for a person, was left out, or is
    worth nothing is not counted.
    """
    guides = list(guides)
    links = Question.guides.through.objects.filter(guide__in=guides).values_list("guide", "question")
    linked: dict[int, list[int]] = defaultdict(list)
    for guide, question in links:
        linked[guide].append(question)
    ids = {question for some in linked.values() for question in some}
    found = (Question.objects.all() if questions is None else questions).in_bulk(ids)
    counts = _counts(found, quizzes)
    return tuple(_misses(guide, [found[one] for one in linked[guide.pk] if one in found], counts) for guide in guides)


def missed_of(
    guide: Guide,
    *,
    quizzes: "models.QuerySet[Quiz] | None" = None,
    questions: "models.QuerySet[Question] | None" = None,
) -> GuideMisses:
    """One guide. Three queries."""
    return of_guides([guide], quizzes=quizzes, questions=questions)[0]


def _misses(guide: Guide, questions: Iterable[Question], counts: dict[int, tuple[int, int]]) -> GuideMisses:
    rows = [MissedQuestion(question, *counts.get(question.pk, (0, 0))) for question in questions]
    rows.sort(key=lambda one: (one.share is None, -(one.share or 0), -one.n, one.question.pk))
    return GuideMisses(guide, tuple(rows))


def _counts(ids: Iterable[int], quizzes: Any) -> dict[int, tuple[int, int]]:
    """{question: (asked, missed)}. One query."""
    answers = Answer.objects.filter(question__in=list(ids), left_out=False, points__gt=0).order_by()
    answers = answers.filter(counted_in__isnull=False) if quizzes is None else answers.filter(counted_in__in=quizzes)
    skipped = models.Q(answered_at=None)
    marked = models.Q(fraction__isnull=False) | models.Q(awarded__isnull=False)
    rows = answers.filter(skipped | marked).values("question")
    missed = models.Count("question", filter=skipped | models.Q(fraction__lt=1))
    return {row["question"]: (row["n"], row["missed"]) for row in rows.annotate(n=models.Count("*"), missed=missed)}


def shown_to(user: Any) -> dict[str, Any]:
    """What of guides an editor sees, as ``of_guides`` takes it: answers in their results, their questions."""
    if not is_ruled(user):
        return {}
    quizzes = Quiz.objects.all().of_editor(user, doing="results")
    return {"quizzes": quizzes, "questions": questions_of(user, Question.objects.all())}
