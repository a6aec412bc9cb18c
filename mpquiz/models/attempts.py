"""Many attempts: whose, which of them count, and how one is started or given to a user."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from django.db import IntegrityError, models, transaction
from django.db.models.functions import Cast, NullIf
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import signals, words
from ..learners import Learner
from .answer import Answer, FirstAnswer
from .quiz import Quiz, QuizLanguage

if TYPE_CHECKING:
    from .attempt import Attempt

_TRIES = 5  # a start or a claim meets another of the same learner once, seldom twice

Args = ParamSpec("Args")
Result = TypeVar("Result")


def _anew_when_raced(verb: Callable[Args, Result]) -> Callable[Args, Result]:
    """Run a verb in a transaction, and anew where another request stored its row first.

    A unique constraint tells; looking again finds what the other one stored. Beginning anew, not going on after the
    failed statement, also lets go of what MariaDB has locked for it.
    """

    @wraps(verb)
    def wrapped(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        for _try in range(_TRIES - 1):
            try:
                with transaction.atomic():
                    return verb(*args, **kwargs)
            except IntegrityError:
                continue
        with transaction.atomic():
            return verb(*args, **kwargs)

    return wrapped


class Ended(models.TextChoices):
    FINISHED = "finished", _("Finished")
    TIME_UP = "time_up", _("Time was up")
    ABANDONED = "abandoned", _("Abandoned")


_SHARE = Cast("score", models.FloatField()) / NullIf(Cast("maximum", models.FloatField()), 0.0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a learner reached in a quiz: the best share of the points, and how many answers wait to be marked."""

    share: float | None
    waiting: int

    @property
    def percent(self) -> int | None:
        """Rounded down, for display; None where there was no point to earn."""
        return None if self.share is None else int(round(self.share * 100, 9))


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def of(self, learner: Learner) -> "AttemptQuerySet":
        """The attempts that are a learner's own; none for a visitor who started nothing."""
        return self.filter(**learner.owner) if learner else self.none()

    def unfinished(self) -> "AttemptQuerySet":
        """The attempts that can still be answered."""
        return self.filter(open=True).exclude(deadline__lte=timezone.now())

    def overdue(self) -> "AttemptQuerySet":
        """The attempts past their deadline whose rows are still open; ``close_overdue`` closes one."""
        return self.filter(open=True, deadline__lte=timezone.now())

    def of_guests_silent_since(self, moment: datetime) -> "AttemptQuerySet":
        """The guests' attempts in which nothing was started or answered since a moment."""
        heard = Answer.objects.filter(attempt=models.OuterRef("pk"), answered_at__gte=moment)
        return self.filter(guest__isnull=False, started_at__lt=moment).exclude(models.Exists(heard))

    def finished(self) -> "AttemptQuerySet":
        """The attempts that can no longer be answered, those past their deadline too."""
        return self.filter(models.Q(open=None) | models.Q(deadline__lte=timezone.now()))

    def counted(self) -> "AttemptQuerySet":
        """The finished attempts that count as a result: no trials, no retries of missed questions, none abandoned."""
        return self.finished().filter(trial=False, retry_of=None).exclude(ended=Ended.ABANDONED)

    def standing(self, quiz: Quiz) -> "Attempt | None":
        """The open attempt at a quiz, else the latest; its ``last_number`` is the highest there is. One query."""
        here = self.filter(quiz=quiz)
        last = here.order_by("-number").values("number")[:1]
        open_first = models.F("open").desc(nulls_last=True)
        return here.annotate(last_number=models.Subquery(last)).order_by(open_first, "-number").first()

    def next_number(self, quiz: Quiz) -> int:
        """The number that the next attempt at a quiz gets."""
        return (self.filter(quiz=quiz).aggregate(last=models.Max("number"))["last"] or 0) + 1

    def best(self) -> "Attempt | None":
        """The attempt that reached the highest share of its maximum; of equal ones the latest."""
        return self.order_by(_SHARE.desc(nulls_last=True), "-pk").first()

    def standings(self) -> "dict[int, Standing]":
        """{quiz id: what was reached there}. One query."""
        reached = {"share": models.Max(_SHARE), "unmarked": models.Sum("waiting")}
        rows = self.order_by().values_list("quiz_id").annotate(**reached)
        return {quiz: Standing(share, unmarked) for quiz, share, unmarked in rows}

    def best_percents(self) -> dict[int, int]:
        """{quiz id: the best percent} of the quizzes in which there were points to earn."""
        return {quiz: one.percent for quiz, one in self.standings().items() if one.percent is not None}

    def with_offered(self) -> "AttemptQuerySet":
        """With ``quiz_offered``: whether the quiz of each is published in the active language."""
        rows = QuizLanguage.objects.filter(quiz=models.OuterRef("quiz"), language=words.current_language())
        return self.annotate(quiz_offered=models.Exists(rows))

    def with_id(self, text: str) -> "Attempt":
        """The attempt of a public id as an address has it. Raises Attempt.DoesNotExist, also for no id at all."""
        try:
            return self.get(public_id=uuid.UUID(text))
        except ValueError as error:
            raise self.model.DoesNotExist from error

    @_anew_when_raced
    def start(
        self,
        quiz: Quiz,
        learner: Learner,
        *,
        number: int | None = None,
        first: FirstAnswer | None = None,
        language: str | None = None,
        retry_of: "Attempt | None" = None,
    ) -> "Attempt":
        """Start the learner's attempt, or land in the one that is open.

        ``number`` is the one the page expected the new attempt to get: a replay lands in the attempt of that number,
        whatever became of it. With ``first``, question 1 is answered along the way (``language``: the one it was read
        in). With ``retry_of``, only the questions missed there are asked.

        Raises Refusal: ``closed``; ``changed`` (question 1 is not the one that was seen), ``bad_answer``.
        """
        if not learner:
            raise ValueError("A visitor who is neither a user nor a guest cannot own an attempt.")
        # Read before the standing: whoever starts after it takes this very number, and the constraint tells.
        next_number = self.of(learner).next_number(quiz)
        standing = self._standing(quiz, learner, number)
        if standing is not None:
            return standing.landed(first, language)
        if refusal := quiz.refusal(learner):
            raise refusal
        attempt = self.model(quiz=quiz, number=next_number, retry_of=retry_of, **learner.owner)
        attempt.trial = quiz.archived or not quiz.offered
        answers = attempt.prepare(first, language)
        attempt.save(force_insert=True)
        Answer.objects.bulk_create(answers)
        attempt.announce(signals.attempt_started)
        if first is not None:
            attempt.announce(signals.question_answered, answer=answers[0])
        if not attempt.open:
            attempt.announce(signals.attempt_finished)
        return attempt

    def _standing(self, quiz: Quiz, learner: Learner, number: int | None) -> "Attempt | None":
        """The attempt of the expected number, else the open one; one past its deadline is closed on the way."""
        wanted = models.Q(open=True) if number is None else models.Q(open=True) | models.Q(number=number)
        found = {attempt.number == number: attempt for attempt in self.of(learner).filter(wanted, quiz=quiz)}
        if True in found:
            return found[True]
        standing = found.get(False)
        if standing is None or standing.is_open:
            return standing
        standing.close_overdue()
        return None

    @_anew_when_raced
    def claim(self, guest: str, user: Any) -> int:
        """Make a guest's attempts a user's, numbered after the user's own; how many there were.

        Of two open ones of a quiz the newer stays open, the other is closed as abandoned with its answers.
        """
        theirs = self.filter(guest=guest)
        if not guest or not theirs.update(revision=models.F("revision") + 1):
            return 0
        moving = list(theirs.order_by("quiz", "number"))  # in one order, lest two claims wait for each other
        own = self.filter(user=user, quiz__in={attempt.quiz_id for attempt in moving})
        own.update(revision=models.F("revision") + 1)
        numbers: dict[int, int] = {}
        rivals: dict[int, Attempt] = {}
        for attempt in own:
            numbers[attempt.quiz_id] = max(attempt.number, numbers.get(attempt.quiz_id, 0))
            if attempt.open:
                rivals[attempt.quiz_id] = attempt
        for attempt in moving:
            if attempt.open and attempt.quiz_id in rivals:
                attempt.outdo(rivals[attempt.quiz_id])
            attempt.user, attempt.guest = user, None
            attempt.number = numbers[attempt.quiz_id] = numbers.get(attempt.quiz_id, 0) + 1
            attempt.save(update_fields=["user", "guest", "number"])
        return len(moving)
