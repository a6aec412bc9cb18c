"""Which questions and reports are an editor's, where the host's rule ``MAY_EDIT`` says which quizzes are."""

from typing import Any

from django.db import models

from .editing import Report
from .placing import QuizQuestion
from .question import Question
from .quiz import Quiz, is_ruled


def questions_of(
    user: Any, questions: "models.QuerySet[Question]", *, doing: str | None = None
) -> "models.QuerySet[Question]":
    """Those that an editor may see, or with ``doing="change"`` change.

    They see what stands in one of their quizzes, or in none at all, and change what stands in no quiz of another.
    """
    if not is_ruled(user):
        return questions
    places = QuizQuestion.objects.filter(question=models.OuterRef("pk"))
    theirs = Quiz.objects.all().of_editor(user, doing=doing).values("pk")
    if doing == "change":
        return questions.exclude(models.Exists(places.exclude(quiz__in=theirs)))
    return questions.filter(models.Exists(places.filter(quiz__in=theirs)) | ~models.Exists(places))


def reports_of(user: Any, reports: Any, *, named: bool) -> "models.QuerySet[Report]":
    """Those from quizzes that an editor may change; where the quiz is gone, of questions that they may change.

    With ``named``, for whoever may see attempts, each has ``names``: whether its quiz's results are theirs.
    """
    if is_ruled(user):
        theirs = models.Q(quiz__in=Quiz.objects.all().of_editor(user, doing="change").values("pk"))
        questions = questions_of(user, Question.objects.all(), doing="change").values("pk")
        reports = reports.filter(theirs | models.Q(quiz=None, question__in=questions))
    seen = Quiz.objects.all().of_editor(user, doing="results").filter(pk=models.OuterRef("quiz"))
    found: models.QuerySet[Report] = reports.annotate(names=models.Exists(seen)) if named else reports
    return found
