"""Many attempts: whose, which of them count, and how one is started, granted more time or given to a user."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django.db import models, transaction
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Round
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import signals, words
from ..batches import batches
from ..conf import conf
from ..exceptions import Refusal
from ..kinds.base import FRACTION_PLACES
from ..learners import Learner
from ..rules import NOTHING_GRANTED
from . import accommodation
from .answer import AllAnswers, Answer, FirstAnswer
from .erasing import Erasing
from .placing import QuizLanguage
from .quiz import Quiz, is_ruled
from .racing import anew_when_raced
from .record import Ended, Record, Standing, best_of

if TYPE_CHECKING:
    from .attempt import Attempt

DURATION = models.ExpressionWrapper(
    models.F("finished_at") - models.F("started_at"), output_field=models.DurationField()
)
"""From start to finish; NULL where the row is not closed."""


def last_moment() -> datetime:
    """A deadline at or before this is past: an answer that was on its way has had its grace."""
    return timezone.now() - timedelta(seconds=conf.GRACE)


def _begin_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(max(day, date(1900, 1, 1)), time.min))


class AttemptQuerySet(Erasing, models.QuerySet["Attempt"]):
    def of(self, learner: Learner) -> "AttemptQuerySet":
        """The attempts that are a learner's own; none for a visitor who started nothing."""
        return self.filter(**learner.owner) if learner else self.none()

    def of_editor(self, user: Any) -> "AttemptQuerySet":
        """Those at quizzes whose results an editor may see, as the host's rule says."""
        if not is_ruled(user):
            return self
        return self.filter(quiz__in=Quiz.objects.all().of_editor(user, doing="results").values("pk"))

    def unfinished(self) -> "AttemptQuerySet":
        """The attempts that can still be answered."""
        return self.filter(open=True).exclude(deadline__lte=last_moment())

    def overdue(self) -> "AttemptQuerySet":
        """The attempts past their deadline whose rows are still open; ``close_overdue`` closes one."""
        return self.filter(open=True, deadline__lte=last_moment())

    def of_guests_silent_since(self, moment: datetime) -> "AttemptQuerySet":
        """The guests' attempts in which nothing was started or answered since a moment."""
        heard = Answer.objects.filter(attempt=models.OuterRef("pk"), answered_at__gte=moment)
        return self.filter(guest__isnull=False, started_at__lt=moment).exclude(models.Exists(heard))

    def of_users_silent_since(self, moment: datetime) -> "AttemptQuerySet":
        """The users' attempts at quizzes in which they neither started nor answered anything since a moment."""
        heard = Answer.objects.filter(attempt=models.OuterRef("pk"), answered_at__gte=moment)
        theirs = self.model.objects.filter(quiz=models.OuterRef("quiz"), user=models.OuterRef("user"))
        loud = theirs.filter(models.Q(started_at__gte=moment) | models.Exists(heard))
        return self.filter(user__isnull=False, started_at__lt=moment).exclude(models.Exists(loud))

    def finished(self) -> "AttemptQuerySet":
        """The attempts that can no longer be answered, those past their deadline too."""
        return self.filter(models.Q(open=None) | models.Q(deadline__lte=last_moment()))

    def counted(self) -> "AttemptQuerySet":
        """The finished attempts that count as a result: no trials, no retries of missed questions, none abandoned."""
        return self.finished().filter(trial=False, retry_of=None).exclude(ended=Ended.ABANDONED)

    def in_state(self, state: str) -> "AttemptQuerySet":
        """Those that can still be answered ("open"), or ended in a way; one past its deadline ended as that is up."""
        if state == "open":
            return self.unfinished()
        late = models.Q(open=True, deadline__lte=last_moment())
        return self.filter(models.Q(ended=state) | late if state == Ended.TIME_UP else models.Q(ended=state))

    def started_between(self, first: date | None, last: date | None) -> "AttemptQuerySet":
        """Those that were started from a day on, and up to a day, in the current time zone."""
        found = self if first is None else self.filter(started_at__gte=_begin_of(first))
        if last is None or last == date.max:
            return found
        return found.filter(started_at__lt=_begin_of(last + timedelta(days=1)))

    def reaching_pass_mark(self, reached: bool) -> "AttemptQuerySet":
        """Those that passed by the pass mark of their start, or did not: as ``passed`` says of each."""
        mark = Cast(KeyTextTransform("pass_mark", "rules"), models.DecimalField(max_digits=5, decimal_places=2))
        # Rounded to the places that there are: SQLite reckons in binary.
        above = Round(models.F("score") * 100 - models.F("maximum") * mark, precision=FRACTION_PLACES)
        said = self.finished().filter(retry_of=None, maximum__gt=0).exclude(ended=Ended.ABANDONED)
        said = said.exclude(rules__pass_mark=None).annotate(above_pass_mark=above)
        return said.filter(above_pass_mark__gte=0) if reached else said.filter(above_pass_mark__lt=0, waiting=0)

    def read_in(self, language: str) -> "AttemptQuerySet":
        """Those of which an answer was given in a language."""
        answers = Answer.objects.filter(attempt=models.OuterRef("pk"), language=language)
        return self.filter(models.Exists(answers))

    def with_score_shown(self) -> "AttemptQuerySet":
        """Of finished attempts, those whose learner may see the score."""
        return self.filter(accommodation.score_shown(timezone.now()))

    def record(self, quiz: Quiz) -> Record:
        """What a learner, whose attempts these are, did in a quiz. One query; of each attempt all but its title."""
        return Record(list(self.filter(quiz=quiz).defer("title").order_by("number")))

    def refusal(self, quiz: Quiz, learner: Learner) -> Refusal | None:
        """Why a learner cannot start a quiz now; None where nothing is against it but, perhaps, a password."""
        if refused := quiz.refusal(learner):
            return refused
        if quiz.attempts_allowed is None and not quiz.wait:
            return None
        return self.of(learner).record(quiz).refusal(quiz, quiz.granted(learner))

    def best(self) -> "Attempt | None":
        """The attempt that reached the highest share of its maximum; of equal ones the latest."""
        attempts = list(self.order_by("number"))
        return best_of(attempts) if attempts else None

    def results(self) -> "dict[int, Standing]":
        """{quiz id: the result there}, reckoned as each quiz counts its attempts. One query."""
        attempts: dict[int, list[Attempt]] = defaultdict(list)
        counting = {}
        for attempt in self.defer("title").annotate(counting=models.F("quiz__counting")):
            attempts[attempt.quiz_id].append(attempt)
            counting[attempt.quiz_id] = attempt.counting  # type: ignore[attr-defined]  # annotated
        results = {quiz: Standing.of(some, counting[quiz]) for quiz, some in attempts.items()}
        return {quiz: standing for quiz, standing in results.items() if standing is not None}

    def percents(self) -> dict[int, int]:
        """{quiz id: the result there in percent} of the quizzes in which there were points to earn. One query."""
        return {quiz: one.percent for quiz, one in self.results().items() if one.percent is not None}

    def completed(self, quiz: Quiz, learner: Learner) -> bool:
        """Whether a learner has completed a quiz: passed it where it has a pass mark, else finished it. One query."""
        standing = Standing.of(self.of(learner).counted().filter(quiz=quiz).defer("title"), quiz.counting)
        return standing is not None and standing.completes(quiz)

    def fetched(self) -> "AttemptQuerySet":
        """With the quiz of each, and what decides what of the attempt may be seen. For a page of one question."""
        closing = accommodation.last_closing(quiz="quiz_id")
        return self.select_related("quiz").annotate(quiz_last_closing=closing)

    def fetched_with_rights(self, learner: Learner) -> "AttemptQuerySet":
        """With all that decides whether the learner may start the quiz of each again. For the page of a result."""
        rows = QuizLanguage.objects.filter(quiz=models.OuterRef("quiz"), language=words.current_language())
        return self.fetched().annotate(
            **accommodation.granted_columns(learner, quiz="quiz_id"),
            quiz_in_group=accommodation.in_group(learner, quiz="quiz_id"),
            quiz_offered=models.Exists(rows),
        )

    def with_id(self, text: str) -> "Attempt":
        """The attempt of a public id as an address has it, with its quiz knowing what was fetched along.

        Raises Attempt.DoesNotExist, also for no id at all.
        """
        try:
            attempt = self.get(public_id=uuid.UUID(text))
        except ValueError as error:
            raise self.model.DoesNotExist from error
        attempt.tell_quiz()
        return attempt

    @anew_when_raced
    @transaction.atomic
    def start(
        self,
        quiz: Quiz,
        learner: Learner,
        *,
        number: int | None = None,
        first: FirstAnswer | AllAnswers | None = None,
        language: str | None = None,
        retry_of: "Attempt | None" = None,
        trial: bool = False,
        password: str = "",
    ) -> "Attempt":
        """Start the learner's attempt, or land in the one that is open.

        ``number`` is the one the page expected the new attempt to get: a replay lands in the attempt of that number,
        whatever became of it. With ``first``, question 1 (or every question) is answered along the way (``language``:
        the one it was read in). With ``retry_of``, only the questions missed there are asked. Staff get a ``trial``
        when they ask for one, and where a learner would be refused.

        Raises Refusal: ``closed``, ``sign_in``, ``not_allowed``, ``no_attempts_left``, ``wait``, ``password``, what
        the host's rule says; ``changed`` (the questions are not the ones that were seen), ``bad_answer``.
        """
        if not learner:
            raise ValueError("A visitor who is neither a user nor a guest cannot own an attempt.")
        quiz = quiz.as_written()
        # All in one look: whoever starts after it takes the next number, and the constraint tells.
        record = self.of(learner).record(quiz)
        if (expected := record.numbered(number)) is not None:
            return expected.landed(first, language)
        # Practice tells right answers and how many were missed: staff who may not see that here are refused as well.
        staff = retry_of is None and quiz.may_be_tried_by(learner)
        refused = None if trial and staff else self._refused(record, quiz, learner, retry_of, password)
        trial = staff and (trial or (refused is not None and refused.code != "password"))
        standing = self._standing(record, in_earnest=not trial and refused is None)
        if standing is not None:
            return standing.landed(first, language)
        if refused is not None and not trial:
            raise refused
        attempt = self.model(quiz=quiz, number=record.last_number + 1, retry_of=retry_of, **learner.owner)
        attempt.trial = trial or (retry_of is not None and retry_of.trial)
        answers = attempt.prepare(learner, first, language)
        attempt.save(force_insert=True)
        attempt.is_new = True
        Answer.objects.bulk_create(answers)
        if not attempt.open:
            attempt.count_answers()
        attempt.announce(signals.attempt_started)
        for answer in answers:
            if answer.answered_at is not None:
                attempt.announce(signals.question_answered, answer=answer)
        if not attempt.open:
            attempt.announce(signals.attempt_finished)
        return attempt

    def _standing(self, record: Record, *, in_earnest: bool) -> "Attempt | None":
        """The open attempt; one that has had its time is closed on the way.

        An open trial gives way to an attempt in earnest.
        """
        standing = record.unclosed
        if standing is None:
            return None
        if standing.trial and in_earnest:
            standing.discard()
            return None
        if standing.is_open:
            return standing
        standing.close_overdue()
        return None

    def _refused(
        self, record: Record, quiz: Quiz, learner: Learner, retry_of: "Attempt | None", password: str
    ) -> Refusal | None:
        """Why a learner cannot start now, everything considered."""
        if retry_of is not None:
            return retry_of.refuses_retry(learner)
        if refused := quiz.refusal(learner) or record.refusal(quiz, quiz.granted(learner)):
            return refused
        if not quiz.admits(password):
            message = (
                _("This is not the password of this quiz.") if password else _("Give the password of this quiz.")
            )
            return Refusal("password", message)
        return None

    @anew_when_raced
    def lengthen(self, quiz: Quiz) -> int:
        """Give the running attempts at a quiz the time that their learners are granted by now; never less.

        Returns how many got a later deadline.
        """
        running = self.filter(quiz=quiz, user__isnull=False).unfinished().exclude(deadline=None)
        ids = list(running.values_list("pk", flat=True))
        return self._lengthen(running, quiz, ids) if ids else 0

    @transaction.atomic
    def _lengthen(self, running: "AttemptQuerySet", quiz: Quiz, ids: "Sequence[int]") -> int:
        locked = set(self.lock(ids))
        attempts = {attempt: attempt.user_id or 0 for attempt in running if attempt.pk in locked}
        granted = quiz.accommodations.granted_each(attempts.values())
        later: list[Any] = [one for one, user in attempts.items() if one.lengthen(granted.get(user, NOTHING_GRANTED))]
        self.bulk_update(later, ["deadline"], batch_size=500)
        return len(later)

    def lock(self, ids: "Sequence[int]") -> list[int]:
        """Lock the rows of attempts until the transaction ends; those of the ids, in order, that are still there.

        The first statement writes, as SQLite wants it: look the ids up before the transaction. Locking in one order
        keeps two requests from waiting for each other: an UPDATE of many rows locks them as it meets them.
        """
        self.filter(pk=min(ids, default=None)).update(revision=models.F("revision") + 1)
        locked: list[int] = []
        for some in batches(sorted(ids)):
            rows = self.filter(pk__in=some).order_by("pk").select_for_update()
            locked += rows.values_list("pk", flat=True)
        for some in batches(locked):  # whoever has read one of them before must look again
            self.filter(pk__in=some).update(revision=models.F("revision") + 1)
        return locked

    @anew_when_raced
    def claim(self, guest: str, user: Any) -> int:
        """Make a guest's attempts a user's, numbered after the user's own; how many there were.

        Of two open ones of a quiz the newer stays open, the other is closed as abandoned with its answers.
        """
        theirs = self.filter(guest=guest)
        moving = dict(theirs.values_list("pk", "quiz")) if guest else {}
        if not moving:
            return 0
        own = self.filter(user=user, quiz__in=set(moving.values()))
        return self._claim(theirs, user, [*moving, *own.values_list("pk", flat=True)])

    @transaction.atomic
    def _claim(self, theirs: "AttemptQuerySet", user: Any, ids: "Sequence[int]") -> int:
        locked = self.lock(ids)
        moving: list[Any] = list(theirs.filter(pk__in=locked).order_by("quiz", "number"))
        # One that was started since has the number that is given here, and the constraint tells.
        own: list[Any] = list(self.filter(user=user, pk__in=locked).order_by("quiz", "number"))
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
        _count_first([*own, *moving])
        return len(moving)


def _count_first(attempts: "Iterable[Attempt]") -> None:
    """Have the first of a learner's attempts at each quiz, which come in order and are locked, count there alone."""
    first: dict[int, Attempt] = {}
    closed = [attempt for attempt in attempts if not attempt.open and attempt.counts]
    later = [one.pk for one in closed if first.setdefault(one.quiz_id, one) is not one]
    answers = Answer.objects.filter(counted_in__isnull=False)
    answers.filter(attempt__in=later).update(counted_in=None)
    # The one that was first is gone, perhaps: of guests each attempt is let go of by itself.
    counted = set(answers.filter(attempt__in=[one.pk for one in first.values()]).values_list("attempt", flat=True))
    for attempt in first.values():
        if attempt.pk not in counted:
            attempt.count_answers()
