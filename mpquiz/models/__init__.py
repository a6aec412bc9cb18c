"""Editors own the rows of ``quiz``, learners those of ``attempt``."""

from .accommodation import Accommodation
from .answer import AllAnswers, Answer, FirstAnswer, WaitingAnswer
from .attempt import Attempt
from .attempts import AttemptQuerySet
from .editing import Report, Revision, StaleText
from .guide import Guide
from .importing import PendingImport
from .placing import Pool, QuizLanguage, QuizQuestion
from .question import Choice, Question, Tag
from .quiz import Quiz, QuizQuerySet
from .remarking import Policy, Remark, Remarking
from .version import QuestionVersion

__all__ = [
    "Accommodation",
    "AllAnswers",
    "Answer",
    "Attempt",
    "AttemptQuerySet",
    "Choice",
    "FirstAnswer",
    "Guide",
    "PendingImport",
    "Policy",
    "Pool",
    "Question",
    "QuestionVersion",
    "Quiz",
    "QuizLanguage",
    "QuizQuerySet",
    "QuizQuestion",
    "Remark",
    "Remarking",
    "Report",
    "Revision",
    "StaleText",
    "Tag",
    "WaitingAnswer",
]
