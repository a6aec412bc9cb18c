"""The learner pages: each view fetches, calls one verb and answers."""

from .attempts import discard, finish, question, result, retry, start_over
from .exams import seconds, summary
from .quizzes import embedded, my_quizzes, quiz, quiz_list, start
from .reports import report

__all__ = [
    "discard",
    "embedded",
    "finish",
    "my_quizzes",
    "question",
    "quiz",
    "quiz_list",
    "report",
    "result",
    "retry",
    "seconds",
    "start",
    "start_over",
    "summary",
]
