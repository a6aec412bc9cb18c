"""What of a quiz a file cannot hold, in words, for the report of an export."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent, QuizContent

_RULES: Mapping[str, str | Promise] = {
    "publishes_answers": _("that search engines are told the right answers"),
    "shuffle_questions": _("that questions are shuffled"),
    "draw": _("how many questions are drawn"),
    "feedback": _("when feedback is given"),
    "layout": _("that all questions are on one page"),
    "one_way": _("that nobody can go back"),
    "review": _("what learners see when"),
    "time_limit": _("the time limit"),
    "opens_at": _("when it opens"),
    "closes_at": _("when it closes"),
    "runs_past_closing": _("that attempts run past closing"),
    "attempts_allowed": _("how many attempts are allowed"),
    "wait": _("the wait between attempts"),
    "counting": _("which attempt counts"),
    "access": _("who may take it"),
    "pools": _("its pools"),
}
_LEFT_BEHIND: Mapping[str, str | Promise] = {
    "password": _("the password"),
    "groups": _("the groups that may take it"),
    "accommodations": _("what single learners are granted"),
}


def rules(quiz: QuizContent) -> list[str]:
    """What is lost of a quiz in a format that holds questions alone."""
    return [*(str(_RULES[name]) for name in quiz.unusual_rules()), *left_behind(quiz)]


def left_behind(quiz: QuizContent) -> list[str]:
    """What no format holds: it is a secret, or of the people of one site."""
    return [str(_LEFT_BEHIND[name]) for name in quiz.left_behind]


def keep_place(content: QuestionContent) -> bool:
    """Whether a choice stays where it is while others are shuffled."""
    return any(choice.keeps_place for choice in content.choices)
