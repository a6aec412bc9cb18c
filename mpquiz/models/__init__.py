"""Editors own the rows of ``quiz``, learners those of ``attempt``."""

from .attempt import Answer, Attempt, AttemptQuerySet, FirstAnswer, QuestionVersion
from .importing import PendingImport
from .quiz import Choice, Guide, Question, Quiz, QuizLanguage, QuizQuerySet, QuizQuestion, Tag

__all__ = [
    "Answer",
    "Attempt",
    "AttemptQuerySet",
    "Choice",
    "FirstAnswer",
    "Guide",
    "PendingImport",
    "Question",
    "QuestionVersion",
    "Quiz",
    "QuizLanguage",
    "QuizQuerySet",
    "QuizQuestion",
    "Tag",
]
