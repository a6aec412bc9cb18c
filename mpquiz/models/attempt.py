"""What learners own: attempts, over question contents that never change.

The first statement of whatever changes an attempt is an UPDATE of its row that also checks ``open``: lock and check
in one, on every database. Reading first and writing then loses answers on PostgreSQL and fails with "database is
locked" on SQLite. Marking, which a closed attempt takes too, begins with the same UPDATE without the check.
"""

import uuid
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models, router, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import kinds, signals, words
from ..exceptions import Refusal
from ..learners import Learner
from .answer import Answer, FirstAnswer, fingerprint
from .attempts import AttemptQuerySet, Ended
from .quiz import Quiz, QuizQuestion
from .version import FromWritten, QuestionVersion, QuestionVersionQuerySet

__all__ = ["Answer", "Attempt", "AttemptQuerySet", "Ended", "FirstAnswer", "QuestionVersionQuerySet", "fingerprint"]

_RECKONED = ("score", "waiting")
_SETTLED = (*_RECKONED, "open", "ended", "finished_at")


class Attempt(models.Model):
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

    turned_down = ""
    """The code of the refusal where ``start`` landed here and did not take the first answer."""

    class Meta:
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
    def is_open(self) -> bool:
        """Whether it can still be answered: past its deadline it reads as finished."""
        return bool(self.open) and (self.deadline is None or timezone.now() < self.deadline)

    @property
    def percent(self) -> int:
        """The score in percent of the maximum, rounded down, for display only."""
        return int(self.score * 100 // self.maximum) if self.maximum else 0

    @property
    def pass_mark(self) -> Decimal | None:
        """The pass mark in percent that held at the start; None: neither passed nor failed."""
        value = self.rules.get("pass_mark")
        return None if value is None else Decimal(value)

    @property
    def passed(self) -> bool | None:
        """Whether the exact score reaches the pass mark.

        None where that says nothing: no pass mark, no points to earn, not finished, abandoned, a retry, or not
        reached while answers wait to be marked.
        """
        nothing = self.is_open or self.ended == Ended.ABANDONED or self.retry_of_id is not None or not self.maximum
        if self.pass_mark is None or nothing:
            return None
        reached = self.score * 100 >= self.pass_mark * self.maximum
        return None if self.waiting and not reached else reached

    @property
    def duration(self) -> timedelta | None:
        """From start to finish, never below zero; None while it is open."""
        end = self.finished_at or (None if self.is_open else self.deadline)
        return None if end is None else max(end - self.started_at, timedelta(0))

    # What a learner does ----------------------------------------------------------------------------------

    def answer(self, position: int, given: object, *, language: str | None = None) -> "Answer":
        """Take and mark the answer to the question at ``position`` (from 1); the same again changes nothing.

        ``given`` is the raw value, in terms of what was shown; ``language`` the one it was read in (the active one by
        default). The last answer finishes the attempt.

        Raises Refusal: ``not_in_attempt``, ``bad_answer``, ``answered`` (otherwise), ``finished``, ``time_up``.
        """
        try:
            return self._answer(position, given, language)
        except Refusal as refusal:
            if refusal.code == "time_up":
                self.close_overdue()
            raise

    @transaction.atomic
    def _answer(self, position: int, given: object, language: str | None) -> "Answer":
        locked = self._lock()
        answers = list(self.answers.with_content_at(position))
        answer = next((one for one in answers if one.position == position), None)
        if answer is None:
            raise Refusal("not_in_attempt", _("That question is not in this attempt."))
        value = answer.cleaned(given)  # a page takes none
        if answer.answered_at is not None:
            if answer.given != value:
                raise Refusal("answered", _("You have answered this question already. Your first answer counts."))
            return answer
        if not locked:
            raise self._closed()
        answer.take(value, language)
        answer.save(update_fields=Answer.TAKEN)
        self.announce(signals.question_answered, answer=answer)
        self.settle(answers)
        self._save_settled()
        return answer

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
    def close_overdue(self) -> None:
        """Close the row of an attempt past its deadline, which reads as finished already. Else nothing happens."""
        if not self._end(Ended.TIME_UP):
            self._reread()

    @transaction.atomic
    def start_over(self, learner: Learner, *, number: int) -> "Attempt":
        """Abandon this attempt if it is open and start the next; ``number`` as in ``start``. Raises Refusal."""
        if number != self.number:
            self.abandon()
        return Attempt.objects.start(self.quiz, learner, number=number)

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
            answer = next((one for one in answers if one.position == position), None)
            if answer is None:
                raise Refusal("not_in_attempt", _("That question is not in this attempt."))
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
            self.save(update_fields=_RECKONED)
            self.announce(signals.answer_marked, answer=answer)
            return answer

    # How it does it ---------------------------------------------------------------------------------------

    def _lock(self, *, overdue: bool = False) -> bool:
        """Lock the row until the transaction ends; whether it can still be answered, or is open but ``overdue``."""
        row = Attempt.objects.filter(pk=self.pk)
        rows = row.overdue() if overdue else row.unfinished()
        return bool(rows.update(revision=models.F("revision") + 1))

    def _end(self, ended: Ended) -> bool:
        """Lock and close it; False, with nothing changed, where it is closed, or not in time for this end."""
        if not self._lock(overdue=ended == Ended.TIME_UP):
            return False
        self.settle(self.answers.all(), ended)
        self._save_settled()
        return True

    def _reread(self) -> None:
        """What another request may have changed."""
        self.refresh_from_db(using=router.db_for_write(Attempt), fields=["deadline", *_SETTLED])

    def _closed(self) -> Refusal:
        """Why it takes no answer any more."""
        self._reread()
        if self.ended == Ended.TIME_UP or (self.open and not self.is_open):
            return Refusal("time_up", _("The time is up. This answer came too late and was not taken."))
        return Refusal("finished", _("This attempt is finished. The answer was not taken."))

    def prepare(self, first: FirstAnswer | None, language: str | None) -> "list[Answer]":
        """Freeze title, rules and questions into this attempt, not stored yet, and return its answers.

        The first one is taken along. Nothing is written where it is refused. Raises Refusal.
        """
        asked = self.quiz.placed() if self.retry_of is None else self.retry_of.missed()
        if not any(kinds.get(place.content.kind).asks for place in asked) and self.retry_of is None:
            raise Refusal("closed", _("This quiz has no questions yet."))
        if not asked:
            raise Refusal("closed", _("None of the questions missed is in the quiz any more."))
        given = first.cleaned(asked[0].content) if first is not None else None
        self.title = words.of(self.quiz, "title")
        self.rules = {
            "feedback": "at_once",
            "limits": {},
            "pass_mark": None if self.quiz.pass_mark is None else str(self.quiz.pass_mark),
            "shuffle_choices": self.quiz.shuffle_choices,
        }
        versions = QuestionVersion.objects.freeze({one.question_id: one.content for one in asked})
        answers = [self._question(position, one, versions[one.question_id]) for position, one in enumerate(asked, 1)]
        if first is not None:
            answers[0].take(given, language)
        self.maximum = sum((answer.points for answer in answers), Decimal(0))
        self.settle(answers)
        return answers

    def _question(self, position: int, place: QuizQuestion, version: QuestionVersion) -> "Answer":
        """An empty answer, not stored yet, that knows its content without asking the database."""
        kind = kinds.get(place.content.kind)
        answer = Answer(
            attempt=self,
            position=position,
            points=place.points if kind.scores else Decimal(0),
            asks=kind.asks,
            version=version,
            question_id=place.question_id,
            order=kind.order(place.content, shuffle=self.rules["shuffle_choices"]),
        )
        answer.content = place.content
        return answer

    def missed(self) -> list[QuizQuestion]:
        """The quiz's questions that were not wholly right here, in the quiz's order, as they are now."""
        missed = {answer.question_id for answer in self.answers.select_related("version") if answer.missed}
        return [place for place in self.quiz.placed() if place.question_id in missed]

    def landed(self, first: FirstAnswer | None, language: str | None) -> "Attempt":
        """This attempt, which was there already, with the first answer taken if it is still wanted.

        Raises Refusal("bad_answer").
        """
        if first is None or not self.is_open:
            return self
        try:
            self.answer(1, first, language=language)
        except Refusal as refusal:
            if refusal.code == "bad_answer":
                raise
            self.turned_down = refusal.code
        return self

    def settle(self, answers: "Iterable[Answer]", ended: Ended | None = None) -> None:
        """Set the score to the exact sum of the answers; close it as told, or with its last answer. Does not save."""
        answers = list(answers)
        if ended is None and all(answer.answered_at is not None for answer in answers if answer.asks):
            ended = Ended.FINISHED
        if ended is not None:
            self._close(ended)
        self._reckon(answers)

    def _reckon(self, answers: "Iterable[Answer]") -> None:
        """Set the score, and how many answers wait to be marked: none of an abandoned attempt."""
        answers = list(answers)
        self.score = sum((answer.mark for answer in answers), Decimal(0))
        waiting = sum(answer.state == "waiting" for answer in answers)
        self.waiting = 0 if self.ended == Ended.ABANDONED else waiting

    def _close(self, ended: Ended) -> None:
        end = self.deadline if ended == Ended.TIME_UP and self.deadline else timezone.now()
        self.open, self.ended, self.finished_at = None, ended, max(end, self.started_at)
        if ended == Ended.ABANDONED:
            self.waiting = 0

    def _save_settled(self) -> None:
        """Store what ``settle`` set, of an attempt that was open until now."""
        self.save(update_fields=_SETTLED)
        if not self.open:
            self.announce(signals.attempt_finished)

    def outdo(self, other: "Attempt") -> None:
        """Of two open attempts at a quiz close the older, after what is past its deadline. Both are locked."""
        for attempt in (self, other):
            if not attempt.is_open:
                attempt._close(Ended.TIME_UP)
                attempt._save_settled()
        if self.open and other.open:
            older = min(self, other, key=lambda attempt: attempt.started_at)
            older._close(Ended.ABANDONED)
            older._save_settled()

    def announce(self, signal: Signal, **kwargs: Any) -> None:
        """Tell the host once the transaction is through: a receiver that fails loses no answer."""
        transaction.on_commit(lambda: _send(signal, attempt=self, **kwargs))


def _send(signal: Signal, **kwargs: Any) -> None:
    signal.send_robust(Attempt, **kwargs)  # logs what a receiver raises
