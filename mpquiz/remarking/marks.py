"""What a rule makes of one answer, and so of the score of its attempt."""

from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from ..models import Answer, Attempt, QuestionVersion
from ..models.record import Ended
from ..rules import share


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule does to the score of one attempt."""

    attempt: Attempt
    old_score: Decimal
    old_maximum: Decimal
    new_score: Decimal
    new_maximum: Decimal
    passed_before: bool | None
    passed_after: bool | None

    @property
    def direction(self) -> int:
        """1 where the share of the points rises, -1 where it falls, 0 where it stays though the points change."""
        old = share(self.old_score, self.old_maximum) or Fraction(0)
        new = share(self.new_score, self.new_maximum) or Fraction(0)
        return (new > old) - (new < old)

    @property
    def newly_passed(self) -> bool:
        return bool(self.passed_after) and not self.passed_before

    @property
    def newly_failed(self) -> bool:
        """Whether it is passed no longer, or is failed where that was not decided before."""
        no_longer = bool(self.passed_before) and not self.passed_after
        return no_longer or (self.passed_after is False and self.passed_before is None)


@dataclass(frozen=True, slots=True)
class Mark:
    """How an answer is to be marked. ``rekeyed``: the key shown beside it becomes another.

    ``fits`` is False where it cannot be marked by the key; ``by_hand`` where a person marks it, whose mark stays.
    """

    answer: Answer
    fraction: Decimal | None
    awarded: Decimal | None
    left_out: bool
    rekeyed: bool = False
    fits: bool = True
    by_hand: bool = False

    @property
    def differs(self) -> bool:
        """Whether there is anything to store."""
        answer = self.answer
        so_far = (answer.fraction, answer.awarded, answer.left_out)
        return self.rekeyed or so_far != (self.fraction, self.awarded, self.left_out)

    @property
    def counts(self) -> bool:
        """Whether its attempt counts as a result."""
        attempt = self.answer.attempt
        return not attempt.trial and attempt.retry_of_id is None and attempt.ended != Ended.ABANDONED

    @property
    def change(self) -> Change | None:
        """What it does to its attempt's score, which is the sum of all answers; None where that stays."""
        attempt, old, new = self.answer.attempt, self.answer, self._marked()
        after = copy(attempt)
        after.score = attempt.score - old.mark + new.mark
        after.maximum = attempt.maximum - old.worth + new.worth
        if (after.score, after.maximum) == (attempt.score, attempt.maximum):
            return None
        if attempt.ended != Ended.ABANDONED:  # else none of it waits
            after.waiting += (new.state == "waiting") - (old.state == "waiting")
        before = (attempt.score, attempt.maximum)
        return Change(attempt, *before, after.score, after.maximum, attempt.passed, after.passed)

    def _marked(self) -> Answer:
        answer = copy(self.answer)
        answer.fraction, answer.awarded, answer.left_out = self.fraction, self.awarded, self.left_out
        return answer

    def take(self, version: QuestionVersion) -> None:
        """Have the answer be marked so; ``version`` is the question whose key is used. Does not save."""
        answer = self.answer
        answer.fraction, answer.awarded, answer.left_out = self.fraction, self.awarded, self.left_out
        if self.rekeyed:
            answer.marked_with = version
        answer.revision += 1


def full(answer: Answer) -> Mark:
    """All the points, given by whoever marked it where somebody did."""
    if answer.awarded is None:
        return Mark(answer, Decimal(1), None, left_out=False)
    return Mark(answer, Decimal(1) if answer.points else None, answer.points, left_out=False)


def left_out(answer: Answer) -> Mark:
    return Mark(answer, answer.fraction, answer.awarded, left_out=True)


def kept(answer: Answer, *, rekeyed: bool = False, fits: bool = True, by_hand: bool = False) -> Mark:
    """The mark that it has; it counts, if it was left out before."""
    return Mark(answer, answer.fraction, answer.awarded, False, rekeyed, fits, by_hand)
