"""Editors own the rows of ``quiz``, learners those of ``attempt``."""

from .answer import Answer, FirstAnswer, WaitingAnswer
from .attempt import Attempt
from .attempts import AttemptQuerySet
from .guide import Guide
from .importing import PendingImport
from .question import Choice, Question, Tag
from .quiz import Quiz, QuizLanguage, QuizQuerySet, QuizQuestion
from .version import QuestionVersion

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
    "WaitingAnswer",
]
