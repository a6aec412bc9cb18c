"""What editors see: Django's admin over guides, quizzes and questions; attempts to read."""

from . import links  # noqa: F401 (names Django's own models)
from .accommodation import AccommodationAdmin
from .attempt import AttemptAdmin
from .guide import GuideAdmin
from .marking import MarkingAdmin
from .question import QuestionAdmin
from .quiz import QuizAdmin
from .remarking import RemarkingAdmin
from .reports import ReportAdmin
from .stale import StaleTextAdmin
from .tag import TagAdmin

__all__ = [
    "AccommodationAdmin",
    "AttemptAdmin",
    "GuideAdmin",
    "MarkingAdmin",
    "QuestionAdmin",
    "QuizAdmin",
    "RemarkingAdmin",
    "ReportAdmin",
    "StaleTextAdmin",
    "TagAdmin",
]
