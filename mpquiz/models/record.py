"""What a learner did in a quiz so far, and what of it is their result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from .. import words
from ..exceptions import Refusal
from ..rules import Counting, Granted, reaches, share
from .quiz import Quiz

if TYPE_CHECKING:
    from .attempt import Attempt


class Ended(models.TextChoices):
    FINISHED = "finished", _("Finished")
    TIME_UP = "time_up", _("Time was up")
    ABANDONED = "abandoned", _("Abandoned")


@dataclass(frozen=True, slots=True)
class Standing:
    """A learner's result in a quiz: the exact share of the points, and how many answers wait to be marked.

    ``passed`` is None where that says nothing: no pass mark, no points to earn, or not reached while answers wait.
    """

    share: Fraction | None
    waiting: int
    passed: bool | None = None

    @property
    def percent(self) -> int | None:
        """Rounded down, for display; None where there was no point to earn."""
        return None if self.share is None else int(self.share * 100)

    def completes(self, quiz: Quiz) -> bool:
        """Whether it completes a quiz: passed where that has a pass mark, else finished."""
        return bool(self.passed) if quiz.pass_mark is not None else True

    @classmethod
    def of(cls, attempts: "Iterable[Attempt]", counting: str) -> "Standing | None":
        """The result that attempts which count make; None without any."""
        attempts = sorted(attempts, key=lambda attempt: attempt.number)
        if not attempts:
            return None
        taken = _counting(attempts, counting)
        shares = [one for one in (share(attempt.score, attempt.maximum) for attempt in taken) if one is not None]
        reached = sum(shares, Fraction(0)) / len(shares) if shares else None
        waiting = sum(attempt.waiting for attempt in attempts)
        pass_mark = taken[-1].pass_mark
        if pass_mark is None or reached is None:
            return cls(reached, waiting)
        passed = reaches(reached, pass_mark)
        return cls(reached, waiting, None if waiting and not passed else passed)


def _counting(attempts: "Sequence[Attempt]", counting: str) -> "Sequence[Attempt]":
    """Those of attempts, in order, that make the result."""
    if counting == Counting.FIRST:
        return attempts[:1]
    if counting == Counting.LAST:
        return attempts[-1:]
    return attempts if counting == Counting.AVERAGE else [best_of(attempts)]


def best_of(attempts: "Sequence[Attempt]") -> "Attempt":
    """The attempt that reached the highest share of its maximum; of equal ones the latest."""
    return max(attempts, key=lambda one: (share(one.score, one.maximum) or Fraction(-1), one.number))


@dataclass(frozen=True, slots=True)
class Record:
    """All attempts of a learner at a quiz, by number."""

    attempts: "Sequence[Attempt]"

    @property
    def last_number(self) -> int:
        return max((attempt.number for attempt in self.attempts), default=0)

    @property
    def unclosed(self) -> "Attempt | None":
        """The attempt whose row is open, past its deadline or not."""
        return next((attempt for attempt in self.attempts if attempt.open), None)

    @property
    def last_ended(self) -> "Attempt | None":
        """The latest that came to its end, whatever it counts for; one that was left before it has no result."""
        ended = [one for one in self.attempts if not one.is_open and one.ended != Ended.ABANDONED]
        return max(ended, key=lambda one: one.number, default=None)

    def numbered(self, number: int | None) -> "Attempt | None":
        return next((attempt for attempt in self.attempts if attempt.number == number), None)

    @property
    def used(self) -> "list[Attempt]":
        """Those that use up the number allowed: abandoned ones too, else nobody would ever run out."""
        return [attempt for attempt in self.attempts if not attempt.trial and attempt.retry_of_id is None]

    @property
    def counted(self) -> "list[Attempt]":
        """Those that count towards the result."""
        return [one for one in self.used if not one.is_open and one.ended != Ended.ABANDONED]

    def left(self, quiz: Quiz, granted: Granted) -> int | None:
        """How many more may be started; None: as many as the learner likes."""
        if quiz.attempts_allowed is None:
            return None
        return max(quiz.attempts_allowed + granted.extra_attempts - len(self.used), 0)

    def refusal(self, quiz: Quiz, granted: Granted) -> Refusal | None:
        """Why no further attempt can be started for what was done before; None: one can."""
        if self.left(quiz, granted) == 0:
            message = ngettext(
                "You have used the attempt that you had.", "You have used all %(count)s attempts.", len(self.used)
            )
            return Refusal("no_attempts_left", message % {"count": len(self.used)})
        until = self._waits_until(quiz)
        if until is not None and timezone.now() < until:
            return Refusal("wait", _("You can start again from %(when)s on.") % {"when": words.when(until)})
        return None

    def _waits_until(self, quiz: Quiz) -> datetime | None:
        ends = [end for end in (attempt.ended_at for attempt in self.used) if end is not None]
        return max(ends) + timedelta(minutes=quiz.wait) if ends and quiz.wait else None
