"""Editors own the rows of ``quiz``, learners those of ``attempt``."""

from .attempt import Answer, Attempt, AttemptQuerySet, FirstAnswer, QuestionVersion
from .quiz import Choice, Guide, Question, Quiz, QuizLanguage, QuizQuerySet, QuizQuestion

__all__ = [
    "Answer",
    "Attempt",
    "AttemptQuerySet",
    "Choice",
    "FirstAnswer",
    "Guide",
    "Question",
    "QuestionVersion",
    "Quiz",
    "QuizLanguage",
    "QuizQuerySet",
    "QuizQuestion",
]
