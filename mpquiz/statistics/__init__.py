"""What attempts tell of a quiz and of its questions, and what answers tell of a guide.

    numbers = statistics.of(quiz, which="first", language=None)
    numbers.mean;  numbers.questions[0].facility;  numbers.questions[0].flags
    statistics.over_time(quiz).periods
    statistics.of_guides(guides);  statistics.missed_of(guide)

Answers are never loaded: the database groups them, and all formulas follow from the groups. What is counted, and
what is left out, is told in ``population``; the formulas and their sources stand in ``quizzes``, ``questions``,
``moments`` and ``chance``.
"""

from .flags import MINIMUM, Flag
from .guides import GuideMisses, MissedQuestion, missed_of, of_guides, shown_to
from .population import LeftOut, Which
from .questions import ChoiceCount, LanguageNumbers, QuestionStatistics, TypedCount
from .quizzes import QuizStatistics, of
from .times import OverTime, Period, over_time

__all__ = [
    "MINIMUM",
    "ChoiceCount",
    "Flag",
    "GuideMisses",
    "LanguageNumbers",
    "LeftOut",
    "MissedQuestion",
    "OverTime",
    "Period",
    "QuestionStatistics",
    "QuizStatistics",
    "TypedCount",
    "Which",
    "missed_of",
    "of",
    "of_guides",
    "over_time",
    "shown_to",
]
