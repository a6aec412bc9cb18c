"""Answers that a person marks: the queue of them, and how one is marked."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from ..models import Quiz, WaitingAnswer
from ..models.quiz import is_ruled
from ..models.record import Ended
from ..templatetags.mpquiz import points as as_read
from .rows import log


def queue(answers: Any) -> Any:
    """Those that were given; answers of abandoned attempts wait for nobody, nor do those of whoever was erased."""
    given = answers.filter(answered_at__isnull=False)
    return given.exclude(attempt__ended=Ended.ABANDONED).exclude(attempt__user=None, attempt__guest=None)


def queue_of(user: Any) -> Any:
    """The queue of an editor: of the quizzes whose results are theirs, as the host's rule says."""
    answers = WaitingAnswer.objects.all()
    if is_ruled(user):
        theirs = Quiz.objects.all().of_editor(user, doing="results").values("pk")
        answers = answers.filter(attempt__quiz__in=theirs)
    return queue(answers)


def mark(answer: WaitingAnswer, points: Decimal, comment: str, *, by: Any, revision: int | None) -> str:
    """Give points to an answer, and words to its learner; what was done, in words. The same again changes nothing.

    Raises Refusal as ``Attempt.mark_by_hand`` does.
    """
    comment = comment.replace("\r\n", "\n")
    is_repeat = answer.was_awarded(points, comment, by)
    answer.attempt.mark_by_hand(answer.position, points, by=by, comment=comment, revision=revision)
    said = _("Marked: %(points)s of %(most)s.") % {"points": as_read(points), "most": as_read(answer.points)}
    if not is_repeat:
        log(by, answer, said)
    return said
