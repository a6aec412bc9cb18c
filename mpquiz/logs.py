"""What was refused, told to the logger ``mpquiz.refusals``: never an answer, a password or a guest's token."""

import logging
from typing import Any

from .exceptions import Refusal
from .learners import Learner

_logger = logging.getLogger("mpquiz.refusals")
_WARNED_OF = frozenset({"throttled", "password"})  # what somebody who guesses meets


def refused(
    refusal: Refusal, learner: Learner, *, quiz: Any = None, attempt: Any = None, position: int | None = None
) -> None:
    """Log a refusal that a learner was told, by page or API, once for each time it was told.

    The record is a line of ``code=… quiz=… attempt=… position=… learner=…`` and has these as ``record.refusal`` too:
    the quiz's slug, the attempt's public id, and the user's primary key, ``guest`` or ``visitor``. The level is INFO,
    WARNING for ``throttled`` and ``password``. ``quiz`` may be left out where the attempt knows it.
    """
    level = logging.WARNING if refusal.code in _WARNED_OF else logging.INFO
    if not _logger.isEnabledFor(level):
        return
    quiz = attempt.quiz if quiz is None and attempt is not None else quiz
    told = {
        "code": refusal.code,
        "quiz": quiz.slug if quiz is not None else "-",
        "attempt": str(attempt.public_id) if attempt is not None else "-",
        "position": position if position is not None else "-",
        "learner": _name_of(learner),
    }
    line = " ".join(f"{name}=%({name})s" for name in told)
    _logger.log(level, line, told, extra={"refusal": told})


def _name_of(learner: Learner) -> str:
    """Who it was, without what a guest could be impersonated by."""
    if learner.user is not None:
        return str(learner.user.pk)
    return "guest" if learner else "visitor"
