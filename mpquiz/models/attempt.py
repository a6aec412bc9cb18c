"""What learners own: attempts and their answers, over question contents that never change.

The first statement of whatever changes an attempt is an UPDATE of its row that also checks ``open``: lock and check
in one, on every database. Reading first and writing then loses answers on PostgreSQL and fails with "database is
locked" on SQLite.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import IntegrityError, models, router, transaction
from django.db.models.functions import Cast, NullIf
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .. import kinds, signals, words
from ..content import QuestionContent, digest
from ..exceptions import Refusal
from ..kinds.base import FRACTION_PLACES
from ..learners import Learner
from .quiz import Question, Quiz, QuizQuestion

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


class FromWritten(models.Manager[models.Model]):
    """Reads from the database that is written: a replica may not know yet what the learner has just done."""

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        return rows if self._db else rows.using(router.db_for_write(self.model))


def fingerprint(content: QuestionContent) -> str:
    """A keyed fingerprint of what a learner sees of a question before answering. Tells nothing of the key."""
    return salted_hmac(
        "mpquiz.seen", digest(kinds.kept(content.kind).visible(content)), algorithm="sha256"
    ).hexdigest()


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to question 1 that starts an attempt, with the fingerprint of the question it was given to."""

    given: object
    seen: str

    def cleaned(self, content: QuestionContent) -> Any:
        """The value to store as the answer to this very question, in whose own order the choices were seen.

        Raises Refusal: ``changed``, ``bad_answer``.
        """
        if not constant_time_compare(fingerprint(content), self.seen):
            raise Refusal("changed", _("This question was changed after you opened the page. Here it is anew."))
        return _cleaned(self.given, content, kinds.kept(content.kind).order(content, shuffle=False))


def _cleaned(given: object, content: QuestionContent, order: Sequence[str]) -> Any:
    """A raw value, or a form that holds it, as it is stored. Raises Refusal("bad_answer")."""
    kind = kinds.kept(content.kind)
    if isinstance(given, kinds.Submitted):
        given = kind.given_in(given.data)
    return kind.clean(given, content, order)


class QuestionVersionQuerySet(models.QuerySet["QuestionVersion"]):
    def freeze(self, contents: Mapping[int, QuestionContent]) -> "dict[int, QuestionVersion]":
        """The versions of ``{question id: content}``, stored where they are new: one query, three if any is.

        Raises IntegrityError where a question was deleted meanwhile.
        """
        wanted = {question: content.digest for question, content in contents.items()}
        found = self._stored(wanted)
        new = [question for question in wanted if question not in found]
        if new:
            rows = [
                self.model(question_id=question, digest=wanted[question], content=contents[question].to_json())
                for question in sorted(new)  # in one order, so that two quizzes that share them do not lock crosswise
            ]
            self.bulk_create(rows, ignore_conflicts=True)  # somebody else may store the same at this moment
            found |= self._stored({question: wanted[question] for question in new})
        if len(found) < len(wanted):
            raise IntegrityError("A question was deleted while its content was being stored.")
        return found

    def _stored(self, wanted: Mapping[int, str]) -> "dict[int, QuestionVersion]":
        rows = self.filter(question_id__in=wanted.keys(), digest__in=wanted.values()).defer("content")
        return {row.question_id: row for row in rows if row.question_id and wanted[row.question_id] == row.digest}


class QuestionVersion(models.Model):
    """What a question was when somebody was asked it. Never changed; outlives the question."""

    question = models.ForeignKey(Question, models.SET_NULL, null=True, related_name="versions")
    digest = models.CharField(max_length=64)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = FromWritten.from_queryset(QuestionVersionQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "digest"], name="mpquiz_version_once")]
        verbose_name = _("version of a question")
        verbose_name_plural = _("versions of questions")

    def __str__(self) -> str:
        return words.pick(self.content["prompt"]).plain[:120]


class Ended(models.TextChoices):
    FINISHED = "finished", _("Finished")
    TIME_UP = "time_up", _("Time was up")
    ABANDONED = "abandoned", _("Abandoned")


_SETTLED = ("score", "open", "ended", "finished_at")
_SHARE = Cast("score", models.FloatField()) / NullIf(Cast("maximum", models.FloatField()), 0.0)


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

    def best_percents(self) -> dict[int, int]:
        """{quiz id: the best percent, rounded down, for display}."""
        shares = self.order_by().values_list("quiz_id").annotate(share=models.Max(_SHARE))
        return {quiz: int(round((share or 0) * 100, 9)) for quiz, share in shares}

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
        attempt = Attempt(quiz=quiz, number=next_number, retry_of=retry_of, **learner.owner)
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

        None where that says nothing: no pass mark, no points to earn, not finished, abandoned, or a retry.
        """
        nothing = self.is_open or self.ended == Ended.ABANDONED or self.retry_of_id is not None or not self.maximum
        if self.pass_mark is None or nothing:
            return None
        return self.score * 100 >= self.pass_mark * self.maximum

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
        value = answer.cleaned(given)
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
        if not asked and self.retry_of is None:
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
        answer = Answer(
            attempt=self,
            position=position,
            points=place.points if kinds.get(place.content.kind).scores else Decimal(0),
            version=version,
            question_id=place.question_id,
            order=kinds.get(place.content.kind).order(place.content, shuffle=self.rules["shuffle_choices"]),
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
        self.score = sum((answer.mark for answer in answers), Decimal(0))
        if ended is None and all(answer.answered_at is not None for answer in answers):
            ended = Ended.FINISHED
        if ended is not None:
            self._close(ended)

    def _close(self, ended: Ended) -> None:
        end = self.deadline if ended == Ended.TIME_UP and self.deadline else timezone.now()
        self.open, self.ended, self.finished_at = None, ended, max(end, self.started_at)

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


class AnswerQuerySet(models.QuerySet["Answer"]):
    def with_content_at(self, position: int) -> "AnswerQuerySet":
        """The answers, of which the one at ``position`` carries the content it asks, in one query."""
        at_position = models.When(position=position, then=models.F("version__content"))
        return self.annotate(asked=models.Case(at_position, output_field=models.JSONField()))

    def with_content_of_next(self) -> "AnswerQuerySet":
        """The answers, of which the first one not given yet carries the content it asks, in one query."""
        waiting = self.filter(answered_at=None).order_by("position").values("pk")[:1]
        return self.annotate(
            asked=models.Case(
                models.When(pk=models.Subquery(waiting), then=models.F("version__content")),
                output_field=models.JSONField(),
            )
        )


class Answer(models.Model):
    """What a learner is asked at a position of an attempt, and what was given."""

    TAKEN: Sequence[str] = (
        "given",
        "language",
        "fraction",
        "marked_with",
        "answered_at",
        "marked_at",
        "revision",
    )

    attempt = models.ForeignKey(Attempt, models.CASCADE, related_name="answers")
    position = models.PositiveIntegerField(_("position"))
    points = models.DecimalField(_("points"), max_digits=6, decimal_places=2)
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="answers")
    question = models.ForeignKey(Question, models.SET_NULL, null=True, related_name="answers")
    order = models.JSONField(default=list)  # keys of the choices as shown
    asks = models.BooleanField(default=True)  # False: a page to read, nothing to answer
    given = models.JSONField(null=True)
    language = models.CharField(_("language"), max_length=20, blank=True)
    # The share of the points that was earned; NULL until marked.
    fraction = models.DecimalField(
        _("fraction"), max_digits=FRACTION_PLACES + 1, decimal_places=FRACTION_PLACES, null=True
    )
    marked_with = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="marked_answers")
    answered_at = models.DateTimeField(_("answered"), null=True)
    marked_at = models.DateTimeField(_("marked"), null=True)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("marked by")
    )
    comment = models.TextField(_("comment"), blank=True)  # of whoever marked it, for the learner
    revision = models.PositiveIntegerField(default=0)

    objects = FromWritten.from_queryset(AnswerQuerySet)()

    asked: Any  # the content as JSON, where the query brought it

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "position"], name="mpquiz_one_answer")]
        ordering = ["position"]
        verbose_name = _("answer")
        verbose_name_plural = _("answers")

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.position}"

    @cached_property
    def content(self) -> QuestionContent:
        """The content as it was asked."""
        asked = getattr(self, "asked", None)
        return QuestionContent.from_json(self.version.content if asked is None else asked)

    @property
    def kind(self) -> kinds.Kind:
        return kinds.kept(self.content.kind)

    @property
    def mark(self) -> Decimal:
        """The points earned, exact; 0 while not marked."""
        return self.points * (self.fraction or 0)

    @property
    def state(self) -> str:
        """Either "open" (not answered), "waiting" (for a person to mark it), "right", "partly" or "wrong"."""
        if self.answered_at is None:
            return "open"
        if self.fraction is None:
            return "waiting"
        return {Decimal(1): "right", Decimal(0): "wrong"}.get(self.fraction, "partly")

    @property
    def missed(self) -> bool:
        """Whether it can be practised again: not all points were earned, and the question is still there."""
        there = self.question_id is not None and self.kind.scores
        return there and self.state not in ("right", "waiting")

    def cleaned(self, given: object) -> Any:
        """A raw value (or a form that holds it) as it is stored. Raises Refusal."""
        if isinstance(given, FirstAnswer):
            return given.cleaned(self.content)
        return _cleaned(given, self.content, self.order)

    def take(self, value: Any, language: str | None) -> None:
        """Take a cleaned value and mark it. Does not save."""
        now = timezone.now()
        self.given, self.answered_at = value, now
        self.language = language or words.current_language()
        self.fraction = self.kind.mark(self.content, value)
        self.marked_with_id, self.marked_at = self.version_id, now
        self.revision += 1

    @property
    def shown(self) -> Any:
        """What the kind's template lays out: the right answer only where ``reveals`` lets it."""
        if self.reveals:
            return self.kind.answered(self.content, self.order, self.given)
        return self.kind.asked(self.content, self.order)

    @property
    def said(self) -> list[words.Text]:
        """What the editor says to this answer and to its outcome, only where ``reveals`` lets it."""
        if not self.reveals or self.answered_at is None:
            return []
        outcome = words.pick(self.content.outcome_feedback(self.state))
        return [*self.kind.said(self.content, self.given), *([outcome] if outcome else [])]

    @property
    def reveals(self) -> bool:
        """Whether the learner may see the right answer and the explanation. Whatever shows one asks this."""
        return self.answered_at is not None or not self.attempt.is_open
