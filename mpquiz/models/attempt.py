"""What learners own: attempts, over question contents that never change.

The first statement of whatever changes an attempt is an UPDATE of its row that also checks ``open``: lock and check
in one, on every database. Reading first and writing then loses answers on PostgreSQL and fails with "database is
locked" on SQLite. Marking, which a closed attempt takes too, begins with the same UPDATE without the check.
"""

import uuid
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models, router, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .. import kinds, signals, words
from ..content import QuestionContent
from ..exceptions import Refusal
from ..learners import Learner
from ..rules import NOTHING_GRANTED, Granted, Layout, Rules, Sight, percent, reaches, share
from .answer import AllAnswers, Answer, FirstAnswer, fingerprint, is_empty
from .attempts import AttemptQuerySet, last_moment
from .drawing import drawn, placed_again
from .quiz import Quiz, QuizQuestion
from .record import Ended
from .version import FromWritten, QuestionVersion, QuestionVersionQuerySet

__all__ = ["Answer", "Attempt", "AttemptQuerySet", "Ended", "FirstAnswer", "QuestionVersionQuerySet", "fingerprint"]

_RECKONED = ("score", "waiting")
_SETTLED = (*_RECKONED, "open", "ended", "finished_at")
_MOVING = ("reached", "deadline")  # what another request may have moved on


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

    _OF_QUIZ = ("last_closing", "in_group", "offered")

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
        if self.is_open:
            answered = answered and not self.changeable
            return self.runs_by.review.sight(answered=answered, finished=False, closed=False)
        return self.quiz.review.sight(answered=answered, finished=True, closed=self.quiz.closed_for_all)

    @property
    def sight(self) -> Sight:
        """What may be seen of the attempt as a whole."""
        return self.sight_of(answered=False)

    # What a learner does ----------------------------------------------------------------------------------

    def answer(
        self,
        position: int,
        given: object,
        *,
        language: str | None = None,
        revision: int | None = None,
        flagged: bool | None = None,
        move_on: bool = False,
    ) -> "Answer":
        """Take and mark the answer to the question at ``position`` (from 1); the same again changes nothing.

        ``given`` is the raw value, in terms of what was shown; ``language`` the one it was read in (the active one by
        default). The last answer finishes the attempt, unless answers can be changed: then nothing (no choice, no
        text) takes an answer back, and ``revision`` is that of the answer as the page showed it. ``flagged`` marks
        the question to come back to it, or no longer; ``move_on`` leaves it for good where questions come one after
        the other.

        Raises Refusal: ``not_in_attempt``, ``bad_answer``, ``answered`` (otherwise), ``stale`` (changed meanwhile),
        ``not_in_order``, ``finished``, ``time_up``.
        """
        try:
            return self._answer(position, given, language, revision, flagged, move_on)
        except Refusal as refusal:
            if refusal.code == "time_up":
                self.close_overdue()
            raise

    @transaction.atomic
    def _answer(
        self,
        position: int,
        given: object,
        language: str | None,
        revision: int | None,
        flagged: bool | None,
        move_on: bool,
    ) -> "Answer":
        locked = self._lock()
        answers = self._read(self.answers.with_content_at(position))
        answer = _at(position, answers)
        expected = self.current(answers)
        changed = self._give(answer, given, language, revision=revision, locked=locked, expected=expected)
        if changed:
            self.announce(signals.question_answered, answer=answer)
            self.settle(answers)
        if changed or flagged not in (None, answer.flagged):
            answer.flagged = answer.flagged if flagged is None else flagged
            answer.save(update_fields=[*Answer.TAKEN, "flagged"])
        moved = move_on and expected == position and locked
        if moved:
            self.reached = position + 1
        if changed:
            self._save_settled()
        elif moved:
            self.save(update_fields=["reached"])
        return answer

    def _give(
        self,
        answer: "Answer",
        given: object,
        language: str | None,
        *,
        revision: int | None,
        locked: bool,
        expected: int | None,
    ) -> bool:
        """Have an answer take a value, not saved yet; False where it is the one that it has. Raises Refusal."""
        nothing = self.changeable and answer.asks and is_empty(given)
        value = None if nothing else answer.cleaned(given, partly=self.changeable)  # a page takes none
        if answer.given == value and (answer.answered_at is not None or nothing):
            return False
        if answer.answered_at is not None and not self.changeable:
            raise Refusal("answered", _("You have answered this question already. Your first answer counts."))
        if not locked:
            raise self._closed()
        if expected not in (None, answer.position):
            raise Refusal("not_in_order", _("The questions come one after the other. This one is not at its turn."))
        if self.changeable and revision not in (None, answer.revision):
            raise Refusal("stale", _("This answer was changed in another window after you opened this page."))
        if nothing:
            answer.take_back()
        else:
            answer.take(value, language)
        return True

    def current(self, answers: "Iterable[Answer]") -> int | None:
        """The position that can be answered now, where its questions come one after the other; None: any."""
        if not self.in_order:
            return None
        if self.changeable:
            return self.reached
        return next((one.position for one in answers if one.asks and one.answered_at is None), 0)

    def hand_in(
        self,
        given: Mapping[int, object],
        *,
        language: str | None = None,
        revisions: Mapping[int, int] | None = None,
        finish: bool = True,
    ) -> dict[int, Refusal]:
        """Take the answers of one page, by position, and finish; in seven queries, however many there are.

        What is refused keeps the attempt open, and keeps no other answer from being stored. Returns the refusals by
        position. ``revisions`` are those of the answers as the page showed them.

        Raises Refusal: ``finished``, ``time_up``, ``not_in_attempt``.
        """
        try:
            return self._hand_in(given, language, revisions or {}, finish)
        except Refusal as refusal:
            if refusal.code == "time_up":
                self.close_overdue()
            raise

    @transaction.atomic
    def _hand_in(
        self, given: Mapping[int, object], language: str | None, revisions: Mapping[int, int], finish: bool
    ) -> dict[int, Refusal]:
        if not self._lock():
            raise self._closed()
        answers = self._read(self.answers.select_related("version"))
        drafted = _drafted(answers)
        refused: dict[int, Refusal] = {}
        taken: list[Answer] = []
        expected = self.current(answers)
        for position, value in given.items():
            answer = _at(position, answers)
            revision = revisions.get(position)
            try:
                changed = self._give(answer, value, language, revision=revision, locked=True, expected=expected)
            except Refusal as refusal:
                refused[position] = refusal
                continue
            taken += [answer] if changed else []
        self._store(taken, drafted)
        self.settle(answers, Ended.FINISHED if finish and not refused else None)
        self._save_settled()
        return refused

    def _store(self, taken: "Iterable[Answer]", drafted: Container[int]) -> None:
        """Save answers that were given or taken back: those given in one statement.

        The others in another, since a bulk update would store JSON's null for what is nothing at all; so would it for
        the drafts of those that were ``drafted`` (ids of answers), in a third.
        """
        taken = list(taken)
        given = [answer for answer in taken if answer.answered_at is not None]
        self.answers.bulk_update(given, [name for name in Answer.TAKEN if name != "draft"])
        if written := [answer.pk for answer in given if answer.pk in drafted]:
            self.answers.filter(pk__in=written).update(draft=None)
        if gone := [answer.pk for answer in taken if answer.answered_at is None]:
            blank = Answer()
            blank.take_back()
            values = {name: getattr(blank, name) for name in Answer.TAKEN if name not in ("marked_with", "revision")}
            self.answers.filter(pk__in=gone).update(**values, marked_with=None, revision=models.F("revision") + 1)
        for answer in taken:
            self.announce(signals.question_answered, answer=answer)

    @transaction.atomic
    def clear(self, position: int, *, revision: int | None = None) -> "Answer":
        """Take an answer back that can still be changed. Raises Refusal as ``answer`` does."""
        return self.answer(position, None, revision=revision)

    @transaction.atomic
    def keep(self, position: int, given: object, *, language: str | None = None) -> "Answer":
        """Keep a long text while it is written: it becomes the answer if the attempt ends before it is handed in.

        Raises Refusal: ``not_in_attempt``, ``bad_answer``, ``answered``, ``finished``, ``time_up``, ``not_in_order``;
        ``not_kept`` for an answer that is marked at once, which nobody but the learner can mean.
        """
        locked = self._lock()
        answers = self._read(self.answers.with_content_at(position))
        answer = _at(position, answers)
        draft = None if is_empty(given) else answer.cleaned(given, partly=True)
        if draft is not None and answer.kind.mark(answer.content, draft) is not None:
            raise Refusal("not_kept", _("This answer is stored when you hand it in."))
        if answer.answered_at is not None:
            raise Refusal("answered", _("You have answered this question already. Your first answer counts."))
        if not locked:
            raise self._closed()
        if self.current(answers) not in (None, position):
            raise Refusal("not_in_order", _("The questions come one after the other. This one is not at its turn."))
        answer.draft, answer.language = draft, language or words.current_language()
        answer.save(update_fields=["draft", "language"])
        self._reread()
        self._reckon(answers)
        self.save(update_fields=_RECKONED)
        return answer

    @transaction.atomic
    def flag(self, position: int, *, flagged: bool) -> None:
        """Mark a question to come back to it, or no longer.

        Raises Refusal: ``finished``, ``time_up``, ``not_in_attempt``.
        """
        if not self._lock():
            raise self._closed()
        if not self.answers.filter(position=position).update(flagged=flagged):
            raise _not_in_attempt()

    @transaction.atomic
    def move_on(self, position: int) -> None:
        """Leave a question, or a page, for good where they come one after the other. Again changes nothing.

        Raises Refusal: ``finished``, ``time_up``.
        """
        if not self._lock():
            raise self._closed()
        Attempt.objects.filter(pk=self.pk, reached=position).update(reached=position + 1)

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

    @transaction.atomic
    def discard(self) -> None:
        """Throw a trial away with its answers. Raises Refusal("not_allowed") for an attempt in earnest."""
        if not self.trial:
            raise Refusal("not_allowed", _("Only a trial can be thrown away."))
        Attempt.objects.filter(models.Q(pk=self.pk) | models.Q(retry_of=self.pk)).update(
            revision=models.F("revision") + 1  # the lock, without which an answer on its way would meet the deletion
        )
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
            answer = _at(position, answers)
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
        drafted, end = _drafted(answers), self._end_of(ended)
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
            self.refresh_from_db(using=router.db_for_write(Attempt), fields=["deadline", *_SETTLED])
        except Attempt.DoesNotExist:
            self.open, self.ended, self.finished_at = None, Ended.ABANDONED, self._end_of(Ended.ABANDONED)

    def _closed(self) -> Refusal:
        """Why it takes no answer any more."""
        self._reread()
        if self.ended == Ended.TIME_UP or (self.open and not self.is_open):
            return Refusal("time_up", _("The time is up. This answer came too late and was not taken."))
        return Refusal("finished", _("This attempt is finished. The answer was not taken."))

    def prepare(
        self, learner: Learner, first: FirstAnswer | AllAnswers | None, language: str | None
    ) -> "list[Answer]":
        """Freeze title, rules and questions into this attempt, not stored yet, and return its answers.

        The first one, or all, are taken along. Nothing is written where one is refused. Raises Refusal.
        """
        asked = drawn(self.quiz, learner) if self.retry_of is None else self.retry_of.missed()
        if not any(kinds.get(place.content.kind).asks for place in asked) and self.retry_of is None:
            raise Refusal("closed", _("This quiz has no questions yet."))
        if not asked:
            raise Refusal("closed", _("None of the questions missed is in the quiz any more."))
        given = _cleaned_first(first, [place.content for place in asked])
        self._freeze_rules(learner)
        versions = QuestionVersion.objects.freeze({one.question_id: one.content for one in asked})
        answers = [self._question(position, one, versions[one.question_id]) for position, one in enumerate(asked, 1)]
        for answer in answers:
            if answer.position in given:
                answer.take(given[answer.position], language)
        self.maximum = sum((answer.points for answer in answers), Decimal(0))
        whole = isinstance(first, AllAnswers) and first.is_whole
        self.settle(answers, Ended.FINISHED if whole else None)
        return answers

    def _freeze_rules(self, learner: Learner) -> None:
        """Take over the title and the rules of the quiz, and reckon when the attempt ends. A retry is practice."""
        rules = self.quiz.rules
        if self.retry_of_id is not None:
            rules = replace(Rules(), shuffle_choices=rules.shuffle_choices, pass_mark=rules.pass_mark)
        self.title = words.of(self.quiz, "title")
        self.rules = rules.to_json()
        self.started_at = timezone.now()
        self.deadline = self.quiz.granted(learner).deadline(rules, self.started_at)
        if self.trial and rules.closes_at is not None and rules.closes_at <= self.started_at:
            self.deadline = NOTHING_GRANTED.deadline(replace(rules, closes_at=None), self.started_at)

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
        missed = [answer for answer in self.answers.select_related("version") if answer.missed]
        return placed_again(self.quiz, {one.question_id: self._place_of(one) for one in missed if one.question_id})

    def _place_of(self, answer: "Answer") -> QuizQuestion:
        return QuizQuestion(quiz=self.quiz, question_id=answer.question_id, points=answer.points)

    def refuses_retry(self, learner: Learner) -> Refusal | None:
        """Why what was missed cannot be practised: practice tells right answers at once."""
        if self.quiz.hidden_from(learner) or self.is_open:
            return Refusal("closed", _("This quiz is not open."))
        if not self.sight.everything:
            return Refusal("closed", _("The right answers are not shown now, so they cannot be practised."))
        return None

    def landed(self, first: FirstAnswer | AllAnswers | None, language: str | None) -> "Attempt":
        """This attempt, which was there already, with the first answer taken if it is still wanted.

        Raises Refusal("bad_answer").
        """
        if first is None or not self.is_open:
            return self
        try:
            if isinstance(first, FirstAnswer):
                self.answer(1, first, language=language)
            else:
                self.turned_down = "changed"  # what was answered belongs to a page that is no more
        except Refusal as refusal:
            if refusal.code == "bad_answer":
                raise
            self.turned_down = refusal.code
        return self

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

    def _save_settled(self) -> None:
        """Store what ``settle`` set, of an attempt that was open until now."""
        self.save(update_fields=[*_SETTLED, "reached"])
        if not self.open:
            self.announce(signals.attempt_finished)

    def outdo(self, other: "Attempt") -> None:
        """Of two open attempts at a quiz close the older, after what is past its deadline. Both are locked."""
        for attempt in (self, other):
            attempt.close_overdue()
        if self.open and other.open:
            min(self, other, key=lambda attempt: attempt.started_at).abandon()

    def announce(self, signal: Signal, **kwargs: Any) -> None:
        """Tell the host once the transaction is through: a receiver that fails loses no answer."""
        transaction.on_commit(lambda: _send(signal, attempt=self, **kwargs))


def _not_in_attempt() -> Refusal:
    return Refusal("not_in_attempt", _("That question is not in this attempt."))


def _drafted(answers: "Iterable[Answer]") -> set[int]:
    """The ids of those of which a text was kept."""
    return {answer.pk for answer in answers if answer.draft is not None}


def _at(position: int, answers: "Iterable[Answer]") -> "Answer":
    """The answer at a position. Raises Refusal("not_in_attempt")."""
    answer = next((one for one in answers if one.position == position), None)
    if answer is None:
        raise _not_in_attempt()
    return answer


def _cleaned_first(first: FirstAnswer | AllAnswers | None, contents: Sequence[QuestionContent]) -> dict[int, Any]:
    """{position: value} of what came along with the start. Raises Refusal."""
    if first is None:
        return {}
    return first.cleaned(contents) if isinstance(first, AllAnswers) else {1: first.cleaned(contents[0])}


def _send(signal: Signal, **kwargs: Any) -> None:
    signal.send_robust(Attempt, **kwargs)  # logs what a receiver raises
