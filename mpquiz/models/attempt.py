"""What learners own: attempts, over question contents that never change.

The first statement of whatever changes an attempt is an UPDATE of its row that also checks ``open``: lock and check
in one, on every database. Reading first and writing then loses answers on PostgreSQL and fails with "database is
locked" on SQLite. That UPDATE counts the revision up; so an answer that was reckoned before the lock is stored by it
alone, where the revision is still the one that was read. Marking, which a closed attempt takes too, begins with the
same UPDATE without the check.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models, router, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .. import signals, words
from ..exceptions import Refusal
from ..learners import Learner, name_of
from ..rules import EVERYTHING, Granted, Layout, Rules, Sight, percent, reaches, share
from .answer import Answer, FirstAnswer, fingerprint
from .answering import Answering, answer_at, drafted_in
from .attempts import AttemptQuerySet, last_moment
from .quiz import Quiz
from .racing import anew_when_raced
from .record import Ended
from .starting import Starting
from .version import FromWritten, QuestionVersionQuerySet

__all__ = ["Answer", "Attempt", "AttemptQuerySet", "Ended", "FirstAnswer", "QuestionVersionQuerySet", "fingerprint"]

_RECKONED = ("score", "waiting")
_SETTLED = (*_RECKONED, "open", "ended", "finished_at")
_OWNED = ("user_id", "guest", "number")  # whose it is, which a sign-in changes
_MOVING = ("reached", "deadline", *_OWNED)  # what another request may have moved on


class Attempt(Starting, Answering, models.Model):
    """A learner's way through a quiz, with the rules and the questions as they were at its start."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="mpquiz_attempts",
        verbose_name=_("learner"),
    )
    guest = models.CharField(max_length=64, null=True, blank=True, db_index=True)  # noqa: DJ001 (NULL keeps unique constraints apart)
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="attempts", verbose_name=_("quiz"))
    number = models.PositiveIntegerField(_("number"))
    open = models.BooleanField(_("open"), null=True, default=True)  # True or NULL, for the unique constraints
    title = models.JSONField(default=dict)
    rules = models.JSONField(default=dict)
    maximum = models.DecimalField(_("maximum"), max_digits=10, decimal_places=2)
    score = models.DecimalField(_("score"), max_digits=17, decimal_places=9, default=Decimal(0))
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    ended = models.CharField(_("how it ended"), max_length=20, blank=True, choices=Ended.choices)
    trial = models.BooleanField(_("trial"), default=False)
    retry_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="retries", verbose_name=_("retry of")
    )
    waiting = models.PositiveIntegerField(_("waiting to be marked"), default=0)  # answers that a person must mark
    reached = models.PositiveIntegerField(default=1)  # the position at which it stands, where it goes one way only
    revision = models.PositiveIntegerField(default=0)

    objects = FromWritten.from_queryset(AttemptQuerySet)()

    _OF_QUIZ = ("last_closing", "in_group", "offered")

    is_new = False
    """Whether ``start`` has just made it, and did not land in one that was there."""

    for_editor = False
    """Whether it was fetched for somebody who may read attempts, and sees all of it. Never on a learner's page."""

    turned_down = ""
    """The code of the refusal where ``start`` landed here and did not take the first answer."""

    class Meta:
        base_manager_name = "objects"
        # NULLs do the work of conditional constraints, which MariaDB lacks.
        constraints = [
            models.UniqueConstraint(fields=["quiz", "user", "number"], name="mpquiz_user_number"),
            models.UniqueConstraint(fields=["quiz", "guest", "number"], name="mpquiz_guest_number"),
            models.UniqueConstraint(fields=["quiz", "user", "open"], name="mpquiz_user_open"),
            models.UniqueConstraint(fields=["quiz", "guest", "open"], name="mpquiz_guest_open"),
        ]
        indexes = [models.Index(fields=["waiting"], name="mpquiz_waiting")]
        ordering = ["-started_at", "-pk"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return f"{self.title_text.plain} #{self.number}"

    # What it is -------------------------------------------------------------------------------------------

    @property
    def title_text(self) -> words.Text:
        """The quiz's title as it was at the start."""
        return words.pick(self.title)

    @property
    def learner_name(self) -> str:
        """Who took it, in words for staff. The user is to be fetched along."""
        if self.user is not None:
            return name_of(self.user)
        return gettext("Guest") if self.guest else gettext("Erased")

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered: past its deadline, and the grace after it, it reads as finished."""
        return bool(self.open) and (self.deadline is None or last_moment() < self.deadline)

    @cached_property
    def runs_by(self) -> Rules:
        """The rules of its start."""
        return Rules.from_json(self.rules)

    @property
    def changeable(self) -> bool:
        """Whether its answers can be changed for as long as it is open."""
        return self.runs_by.changeable and self.retry_of_id is None

    @property
    def on_one_page(self) -> bool:
        """Whether all its questions stand on one page."""
        return self.runs_by.layout == Layout.ALL and self.retry_of_id is None

    @property
    def in_order(self) -> bool:
        """Whether its questions come one after the other and none a second time."""
        return self.runs_by.in_order and self.retry_of_id is None

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds to the deadline as it is shown, never below 0; None where there is none."""
        if self.deadline is None:
            return None
        return max(int((self.deadline - timezone.now()).total_seconds()), 0)

    @property
    def percent(self) -> int:
        """The score in percent of the maximum, rounded down, for display only."""
        return percent(self.score, self.maximum)

    @property
    def pass_mark(self) -> Decimal | None:
        """The pass mark in percent that held at the start; None: neither passed nor failed."""
        return self.runs_by.pass_mark

    @property
    def passed(self) -> bool | None:
        """Whether the exact score reaches the pass mark.

        None where that says nothing: no pass mark, no points to earn, not finished, abandoned, a retry, or not
        reached while answers wait to be marked.
        """
        nothing = self.is_open or self.ended == Ended.ABANDONED or self.retry_of_id is not None
        reached = share(self.score, self.maximum)
        if self.pass_mark is None or reached is None or nothing:
            return None
        passed = reaches(reached, self.pass_mark)
        return None if self.waiting and not passed else passed

    @property
    def counts(self) -> bool:
        """Whether it counts as a result, once it is closed: no trial, no retry of missed questions, not abandoned."""
        return not (self.is_open or self.trial or self.retry_of_id is not None or self.ended == Ended.ABANDONED)

    @property
    def ended_at(self) -> datetime | None:
        """When it ended; None while it is open."""
        return self.finished_at or (None if self.is_open else self.deadline)

    @property
    def duration(self) -> timedelta | None:
        """From start to finish, never below zero; None while it is open."""
        end = self.ended_at
        return None if end is None else max(end - self.started_at, timedelta(0))

    def tell_quiz(self) -> None:
        """Hand to the quiz what the query fetched along with this attempt for it."""
        for name in self._OF_QUIZ:
            if (column := f"quiz_{name}") in self.__dict__:
                self.quiz.__dict__[name] = self.__dict__[column]
        self.quiz.__dict__.update(
            {name: value for name, value in self.__dict__.items() if name.startswith("granted_")}
        )

    # What its learner may see of it -----------------------------------------------------------------------

    def sight_of(self, *, answered: bool) -> Sight:
        """What may be seen of an answer, given for good or not. Everything that shows a learner anything asks this.

        While it is open the rules of its start hold; afterwards what the quiz says to this day, so that an editor
        can release results, or hold them back.
        """
        if self.for_editor:
            return EVERYTHING
        if self.is_open:
            answered = answered and not self.changeable
            return self.runs_by.review.sight(answered=answered, finished=False, closed=False)
        return self.quiz.review.sight(answered=answered, finished=True, closed=self.quiz.closed_for_all)

    @property
    def sight(self) -> Sight:
        """What may be seen of the attempt as a whole."""
        return self.sight_of(answered=False)

    # What a learner does ----------------------------------------------------------------------------------

    @transaction.atomic
    def finish(self) -> None:
        """Finish it with what was answered; what was not counts nothing. Finishing again changes nothing."""
        if not self._end(Ended.FINISHED):
            self.close_overdue()

    @transaction.atomic
    def abandon(self) -> None:
        """Close it unfinished: it keeps its answers and counts for nothing. On a closed attempt nothing happens."""
        if not self._end(Ended.ABANDONED):
            self.close_overdue()

    @transaction.atomic
    def close_overdue(self) -> bool:
        """Close the row of an attempt past its deadline, which reads as finished already. Returns whether it did."""
        if self._end(Ended.TIME_UP):
            return True
        self._reread()
        return False

    @anew_when_raced
    def discard(self) -> None:
        """Throw a trial away with its answers. Raises Refusal("not_allowed") for an attempt in earnest."""
        if not self.trial:
            raise Refusal("not_allowed", _("Only a trial can be thrown away."))
        trial_and_retries = Attempt.objects.filter(models.Q(pk=self.pk) | models.Q(retry_of=self.pk))
        ids = list(trial_and_retries.values_list("pk", flat=True))
        with transaction.atomic():
            Attempt.objects.lock(ids)  # without which an answer on its way would meet the deletion
            self.delete()

    def lengthen(self, granted: Granted) -> bool:
        """Set the deadline that somebody is granted, where it is later. Does not save. Returns whether it is."""
        deadline = granted.deadline(self.runs_by, self.started_at)
        if self.deadline is None or (deadline is not None and deadline <= self.deadline):
            return False
        self.deadline = deadline
        return True

    @transaction.atomic
    def start_over(self, learner: Learner, *, number: int) -> "Attempt":
        """Abandon this attempt if it is open and start the next; ``number`` as in ``start``. Raises Refusal."""
        if number != self.number:
            self.abandon()
        return Attempt.objects.start(self.quiz, learner, number=number, trial=self.trial)

    @transaction.atomic
    def retry(self, learner: Learner, *, number: int) -> "Attempt":
        """Practise the questions missed here, as they are now; ``number`` as in ``start``.

        Another attempt that is open is abandoned, unless it is the one of that number. Raises Refusal.
        """
        for standing in Attempt.objects.of(learner).filter(quiz=self.quiz, open=True).exclude(number=number):
            standing.abandon()
        return Attempt.objects.start(self.quiz, learner, number=number, retry_of=self)

    # What whoever marks does -------------------------------------------------------------------------------

    def mark_by_hand(
        self, position: int, points: Decimal, *, by: Any, comment: str = "", revision: int | None = None
    ) -> "Answer":
        """Give points to an answer that a person marks; the same again changes nothing, others replace the mark.

        ``by`` is the user who marks, ``comment`` is for the learner. ``revision`` is that of the answer as the marker
        saw it. An open attempt stays open, a closed one keeps its end.

        Raises Refusal: ``not_in_attempt``, ``not_by_hand``, ``bad_mark``, ``marked`` (by somebody else meanwhile).
        """
        with transaction.atomic():
            Attempt.objects.filter(pk=self.pk).update(revision=models.F("revision") + 1)  # the lock
            answers = list(self.answers.with_content_at(position))
            answer = answer_at(position, answers)
            if not answer.by_hand:
                raise Refusal("not_by_hand", _("This answer is not one that a person marks."))
            if answer.was_awarded(points, comment, by):
                return answer
            if revision not in (None, answer.revision):
                raise Refusal("marked", _("Somebody else has marked this answer after you opened the page."))
            answer.award(points, comment, by)
            answer.save(update_fields=Answer.MARKED)
            self._reread()
            self._reckon(answers)
            self._save_reckoned()
            self.announce(signals.answer_marked, answer=answer)
            return answer

    # How it does it ---------------------------------------------------------------------------------------

    def _lock(self, *, overdue: bool = False) -> bool:
        """Lock the row until the transaction ends; whether it can still be answered, or is open but ``overdue``."""
        self.judged_at = timezone.now()  # whether an answer is in time is asked now, however long the lock takes
        row = Attempt.objects.filter(pk=self.pk)
        rows = row.overdue() if overdue else row.unfinished()
        return bool(rows.update(revision=models.F("revision") + 1))

    def _read(self, answers: "models.QuerySet[Answer]") -> "list[Answer]":
        """The answers, once the row is locked; with them, in one query, where the attempt stands and ends by now."""
        columns = {f"attempts_{name}": models.F(f"attempt__{name}") for name in _MOVING}
        found: list[Answer] = list(answers.annotate(**columns))
        for name in _MOVING if found else ():
            setattr(self, name, found[0].__dict__[f"attempts_{name}"])
        return found

    def _end(self, ended: Ended) -> bool:
        """Lock and close it; False, with nothing changed, where it is closed, or not in time for this end."""
        if not self._lock(overdue=ended == Ended.TIME_UP):
            return False
        answers = self._read(self.answers.with_content_of_drafts())
        drafted, end = drafted_in(answers), self._end_of(ended)
        self._store([one for one in answers if ended != Ended.ABANDONED and one.hand_in_draft(end)], drafted)
        self.settle(answers, ended)
        self._save_settled()
        return True

    def as_ended(self, answers: "Iterable[Answer]") -> None:
        """Have the answers of an attempt past its deadline be what they are once its row is closed. Does not save."""
        if self.open and not self.is_open:
            for answer in answers:
                answer.hand_in_draft(self._end_of(Ended.TIME_UP))

    def _reread(self) -> None:
        """What another request may have changed. A trial that was thrown away meanwhile is closed."""
        try:
            self.refresh_from_db(using=router.db_for_write(Attempt), fields=["deadline", *_OWNED, *_SETTLED])
        except Attempt.DoesNotExist:
            self.open, self.ended, self.finished_at = None, Ended.ABANDONED, self._end_of(Ended.ABANDONED)

    def _closed(self) -> Refusal:
        """Why it takes no answer any more."""
        self._reread()
        if self.ended == Ended.TIME_UP or (self.open and not self.is_open):
            return Refusal("time_up", _("The time is up. This answer came too late and was not taken."))
        return Refusal("finished", _("This attempt is finished. The answer was not taken."))

    def settle(self, answers: "Iterable[Answer]", ended: Ended | None = None) -> None:
        """Set the score to the exact sum of the answers; close it as told, or with its last answer. Does not save."""
        answers = list(answers)
        complete = all(answer.answered_at is not None for answer in answers if answer.asks)
        if ended is None and complete and not self.changeable:
            ended = Ended.FINISHED
        if ended is not None:
            self._close(ended)
        self._reckon(answers)

    def _reckon(self, answers: "Iterable[Answer]") -> None:
        """Set the score, and how many answers wait to be marked: none of an abandoned attempt."""
        answers = list(answers)
        self.score = sum((answer.mark for answer in answers), Decimal(0))
        waiting = sum(answer.state == "waiting" or answer.is_drafted for answer in answers)
        self.waiting = 0 if self.ended == Ended.ABANDONED else waiting

    def _end_of(self, ended: Ended) -> datetime:
        """When it ends that way, never before its start: a server's clock may have been set back."""
        end = self.deadline if ended == Ended.TIME_UP and self.deadline else timezone.now()
        return max(end, self.started_at)

    def _close(self, ended: Ended) -> None:
        self.open, self.ended, self.finished_at = None, ended, self._end_of(ended)
        if ended == Ended.ABANDONED:
            self.waiting = 0

    def _save_reckoned(self) -> None:
        self.save(update_fields=_RECKONED)

    def _noted(self) -> dict[str, Any]:
        """What ``settle`` may set, as it stands."""
        return {name: self.__dict__[name] for name in (*_SETTLED, "reached")}

    def _save_as_read(self) -> bool:
        """Store what ``settle`` set, and have the row be locked so, if the attempt is open and as it was read."""
        row = Attempt.objects.filter(pk=self.pk, revision=self.revision).unfinished()
        stored = bool(row.update(**self._noted(), revision=models.F("revision") + 1))
        self.revision += stored
        return stored

    def _save_settled(self) -> None:
        """Store what ``settle`` set, of an attempt that was open until now."""
        self.save(update_fields=[*_SETTLED, "reached"])
        self._tell_closed()

    def _tell_closed(self) -> None:
        if not self.open:
            self.count_answers()
            self.announce(signals.attempt_finished)

    def count_answers(self) -> None:
        """Have the answers of a closed attempt count in the statistics of first attempts, where it is one.

        The first is the one of the lowest number among those that count; one that was counted before it, since a
        sign-in brought it while this one ran, gives way. One statement where it is the only one, as nearly all are.
        """
        if not self.counts:
            return
        answers = self.answers.filter(asks=True)
        if self.user_id is None and self.guest is None:  # of somebody erased, whose others are not known
            answers.filter(attempt__number=1).update(counted_in=self.quiz_id)
            return
        same = {"user": self.user_id} if self.user_id is not None else {"guest": self.guest}
        others = Attempt.objects.filter(**same, quiz=self.quiz_id, open=None).exclude(pk=self.pk).counted()
        if self.number == 1 and answers.filter(~models.Exists(others)).update(counted_in=self.quiz_id):
            return
        numbers = dict(others.values_list("pk", "number"))
        if all(self.number < number for number in numbers.values()):
            Answer.objects.filter(attempt__in=list(numbers)).update(counted_in=None)
            answers.update(counted_in=self.quiz_id)

    def outdo(self, other: "Attempt") -> None:
        """Of two open attempts at a quiz close the older, after what is past its deadline. Both are locked."""
        for attempt in (self, other):
            attempt.close_overdue()
        if self.open and other.open:
            min(self, other, key=lambda attempt: attempt.started_at).abandon()

    def announce(self, signal: Signal, **kwargs: Any) -> None:
        """Tell the host once the transaction is through: a receiver that fails loses no answer."""
        transaction.on_commit(lambda: _send(signal, attempt=self, **kwargs))


def _send(signal: Signal, **kwargs: Any) -> None:
    signal.send_robust(Attempt, **kwargs)  # logs what a receiver raises
