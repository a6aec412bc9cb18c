"""A question is marked anew, or that is undone, by somebody of whom the history tells; and the log of both."""

from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from .. import remarking
from ..models import Policy, Quiz, Remark, Remarking
from .rows import log

LONGEST_REASON = 1000
"""Characters of a reason, which learners read."""


def mark_anew(
    quiz: Quiz, question: remarking.Subject, policy: str, *, by: Any, reason: str, expected: str
) -> Remarking:
    """As ``remarking.remark``, which says what is refused."""
    done = remarking.remark(quiz, question, policy, by=by, reason=reason, expected=expected)
    log(by, quiz, _("Marked a question anew: %(rule)s.") % {"rule": Policy(policy).label})
    return done


def undo(row: Remarking, *, by: Any) -> remarking.Undone:
    """As ``remarking.undo``, which says what is refused."""
    undone = remarking.undo(row, by=by)
    log(by, row.quiz, _("Undid a re-marking."))
    return undone


def log_of(quizzes: Any, rows: Any) -> "models.QuerySet[Remarking]":
    """The re-markings of some quizzes, each with ``changed_count``: how many answers it changed."""
    changed: Any = Remark.objects.filter(remarking=models.OuterRef("pk")).order_by().values("remarking")
    count = models.Subquery(changed.annotate(count=models.Count("*")).values("count"))
    found: models.QuerySet[Remarking] = rows.filter(quiz__in=quizzes.order_by().values("pk"))
    return found.annotate(changed_count=count)
