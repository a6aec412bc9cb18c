"""Editors own the rows of ``quiz``, learners those of ``attempt``."""

from .answer import Answer, FirstAnswer, WaitingAnswer
from .attempt import Attempt
from .attempts import AttemptQuerySet
from .importing import PendingImport
from .quiz import Choice, Guide, Question, Quiz, QuizLanguage, QuizQuerySet, QuizQuestion, Tag
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
