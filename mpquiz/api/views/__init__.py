"""The learners' endpoints: each fetches, calls one verb and answers."""

from .answers import AnswerView, DraftView, FlagView, HandInView, LeaveView, QuestionView, ReportView
from .attempts import AttemptList, AttemptView, DiscardView, FinishView, ResultView, RetryView, StartOverView
from .guides import GuideList, GuideView
from .quizzes import ProgressList, QuizList, QuizView, StartView
from .root import RootView

__all__ = [
    "AnswerView",
    "AttemptList",
    "AttemptView",
    "DiscardView",
    "DraftView",
    "FinishView",
    "FlagView",
    "GuideList",
    "GuideView",
    "HandInView",
    "LeaveView",
    "ProgressList",
    "QuestionView",
    "QuizList",
    "QuizView",
    "ReportView",
    "ResultView",
    "RetryView",
    "RootView",
    "StartOverView",
    "StartView",
]
