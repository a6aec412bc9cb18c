"""What learners own: attempts and their answers, over question contents that never change.

The first statement of whatever changes an attempt is an UPDATE of its row that also checks ``open``: lock and check
in one, on every database. Reading first and writing then loses answers on PostgreSQL and fails with "database is
locked" on SQLite.
"""

import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, NoReturn

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Cast, Now, NullIf
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

_CLAIM_TRIES = 5  # a claim meets a start of the same user at most once or twice


def fingerprint(content: QuestionContent) -> str:
    """A keyed fingerprint of what a learner sees of a question before answering. Tells nothing of the key."""
    return salted_hmac("mpquiz.seen", digest(content.visible), algorithm="sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to question 1 that starts an attempt, with the fingerprint of the question it was given to."""

    given: object
    seen: str


class QuestionVersionQuerySet(models.QuerySet["QuestionVersion"]):
    def freeze(self, contents: Mapping[int, QuestionContent]) -> "dict[int, QuestionVersion]":
        """The versions of ``{question id: content}``, stored where they are new: one query, three if any is."""
        wanted = {question: content.digest for question, content in contents.items()}
        found = self._stored(wanted)
        new = [question for question in wanted if question not in found]
        if new:
            rows = [
                self.model(question_id=question, digest=wanted[question], content=contents[question].to_json())
                for question in new
            ]
            self.bulk_create(rows, ignore_conflicts=True)  # somebody else may store the same at this moment
            found |= self._stored({question: wanted[question] for question in new})
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

    objects = QuestionVersionQuerySet.as_manager()

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


_SHARE = Cast("score", models.FloatField()) / NullIf(Cast("maximum", models.FloatField()), 0.0)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def of(self, learner: Learner) -> "AttemptQuerySet":
        """The attempts that are a learner's own; none for a visitor who started nothing."""
        return self.filter(**learner.owner) if learner else self.none()

    def unfinished(self) -> "AttemptQuerySet":
        """The attempts that can still be answered."""
        return self.filter(open=True).exclude(deadline__lte=Now())

    def finished(self) -> "AttemptQuerySet":
        """The attempts that can no longer be answered, those past their deadline too."""
        return self.filter(models.Q(open=None) | models.Q(deadline__lte=Now()))

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
        return {quiz: int(round((share or 0) * 100, 6)) for quiz, share in shares}

    def with_id(self, text: str) -> "Attempt":
        """The attempt of a public id as an address has it. Raises Attempt.DoesNotExist, also for no id at all."""
        try:
            return self.get(public_id=uuid.UUID(text))
        except ValueError as error:
            raise self.model.DoesNotExist from error

    @transaction.atomic
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
        standing = self._standing(quiz, learner, number)
        if standing is not None:
            return standing.landed(first, language)
        if refusal := quiz.refusal(learner):
            raise refusal
        attempt = Attempt(quiz=quiz, retry_of=retry_of, trial=not quiz.offered or quiz.archived, **learner.owner)
        answers = attempt.prepare()
        if first is not None:
            answers[0].take_first(first, language)
        attempt.settle(answers)
        attempt.number = self._next_number(quiz, learner)
        try:
            with transaction.atomic():
                attempt.save(force_insert=True)
        except IntegrityError:
            # Another press of the same button was faster.
            other = self._standing(quiz, learner, attempt.number)
            if other is None:
                raise
            return other.landed(first, language)
        Answer.objects.bulk_create(answers)
        attempt.announce(signals.attempt_started)
        if first is not None:
            attempt.announce(signals.question_answered, answer=answers[0])
        return attempt

    def _standing(self, quiz: Quiz, learner: Learner, number: int | None) -> "Attempt | None":
        """The attempt of the expected number, else the open one."""
        wanted = models.Q(open=True) if number is None else models.Q(open=True) | models.Q(number=number)
        found = list(self.of(learner).filter(wanted, quiz=quiz))
        return next((attempt for attempt in found if attempt.number == number), found[0] if found else None)

    def _next_number(self, quiz: Quiz, learner: Learner) -> int:
        last = self.of(learner).filter(quiz=quiz).aggregate(last=models.Max("number"))["last"]
        return (last or 0) + 1

    def claim(self, guest: str, user: Any) -> int:
        """Make a guest's attempts a user's, numbered after the user's own; how many there were.

        Of two open ones of a quiz the newer stays open, the other is closed as abandoned with its answers.
        """
        for left in range(_CLAIM_TRIES, 0, -1):
            try:
                with transaction.atomic():
                    return self._claim(guest, user)
            except IntegrityError:
                # The user started an attempt in another tab between our reading and our writing.
                if left == 1:
                    raise
        raise AssertionError("unreachable")

    def _claim(self, guest: str, user: Any) -> int:
        theirs = self.filter(guest=guest)
        if not guest or not theirs.update(revision=models.F("revision") + 1):
            return 0
        moving = list(theirs.order_by("number"))
        own = self.filter(user=user, quiz__in={attempt.quiz_id for attempt in moving})
        own.update(revision=models.F("revision") + 1)
        numbers: dict[int, int] = {}
        standing: dict[int, Attempt] = {}
        for attempt in own:
            numbers[attempt.quiz_id] = max(attempt.number, numbers.get(attempt.quiz_id, 0))
            if attempt.open:
                standing[attempt.quiz_id] = attempt
        for attempt in moving:
            rival = standing.get(attempt.quiz_id)
            if attempt.open and rival is not None:
                older = attempt if attempt.started_at <= rival.started_at else rival
                older.close(Ended.ABANDONED)
                older.save(update_fields=["open", "ended", "finished_at"])
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
    score = models.DecimalField(_("score"), max_digits=15, decimal_places=9, default=Decimal(0))
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    ended = models.CharField(_("how it ended"), max_length=20, blank=True, choices=Ended.choices)
    trial = models.BooleanField(_("trial"), default=False)
    retry_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="retries", verbose_name=_("retry of")
    )
    revision = models.PositiveIntegerField(default=0)

    objects = AttemptQuerySet.as_manager()

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
        return int(self.score * 100 / self.maximum) if self.maximum else 0

    @property
    def pass_mark(self) -> Decimal | None:
        """The pass mark in percent that held at the start; None: neither passed nor failed."""
        value = self.rules.get("pass_mark")
        return None if value is None else Decimal(value)

    @property
    def passed(self) -> bool | None:
        """Whether the exact score reaches the pass mark; None where there is none, or for a retry of missed ones."""
        if self.pass_mark is None or self.retry_of_id is not None:
            return None
        return self.score * 100 >= self.pass_mark * self.maximum

    @property
    def duration(self) -> timedelta | None:
        """From start to finish, never below zero; None while it is open."""
        end = self.finished_at or (None if self.is_open else self.deadline)
        return None if end is None else max(end - self.started_at, timedelta(0))

    # What a learner does ----------------------------------------------------------------------------------

    @transaction.atomic
    def answer(self, position: int, given: object, *, language: str | None = None) -> "Answer":
        """Take and mark the answer to the question at ``position`` (from 1); the same again changes nothing.

        ``given`` is the raw value, in terms of what was shown; ``language`` the one it was read in (the active one by
        default). The last answer finishes the attempt.

        Raises Refusal: ``not_in_attempt``, ``bad_answer``, ``answered`` (otherwise), ``finished``, ``time_up``.
        """
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
            self._refuse_closed()
        answer.take(value, language)
        answer.save(update_fields=Answer.TAKEN)
        self.settle(answers)
        self.save(update_fields=["score", "open", "ended", "finished_at"])
        self.announce(signals.question_answered, answer=answer)
        return answer

    @transaction.atomic
    def finish(self) -> None:
        """Finish it with what was answered; what was not counts nothing. Finishing again changes nothing."""
        if not self._lock():
            self.refresh_from_db()
            return
        self.settle(self.answers.all())
        self.close(Ended.FINISHED)
        self.save(update_fields=["score", "open", "ended", "finished_at"])

    @transaction.atomic
    def abandon(self) -> None:
        """Close it unfinished: it keeps its answers and counts for nothing. On a closed attempt nothing happens."""
        if self._lock():
            self.settle(self.answers.all())
            self.close(Ended.ABANDONED)
            self.save(update_fields=["score", "open", "ended", "finished_at"])

    @transaction.atomic
    def start_over(self, learner: Learner, *, number: int) -> "Attempt":
        """Abandon this attempt if it is open and start the next; ``number`` as in ``start``. Raises Refusal."""
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

    def _lock(self) -> bool:
        """Lock the row until the transaction ends; whether the attempt can still be answered."""
        rows = Attempt.objects.filter(pk=self.pk).unfinished()
        return bool(rows.update(revision=models.F("revision") + 1))

    def _refuse_closed(self) -> NoReturn:
        self.refresh_from_db(fields=["open", "deadline", "ended"])
        if self.ended == Ended.TIME_UP or (self.open and not self.is_open):
            raise Refusal("time_up", _("The time is up. This answer came too late and was not taken."))
        raise Refusal("finished", _("This attempt is finished. The answer was not taken."))

    def prepare(self) -> "list[Answer]":
        """Freeze title, rules and questions into this attempt, not stored yet, and return its empty answers."""
        asked = self.quiz.placed() if self.retry_of is None else self.retry_of.missed()
        if not asked and self.retry_of is None:
            raise Refusal("closed", _("This quiz has no questions yet."))
        if not asked:
            raise Refusal("closed", _("None of the questions missed is in the quiz any more."))
        self.title = words.of(self.quiz, "title")
        self.rules = {
            "feedback": "at_once",
            "limits": {},
            "pass_mark": None if self.quiz.pass_mark is None else str(self.quiz.pass_mark),
            "shuffle_choices": self.quiz.shuffle_choices,
        }
        self.maximum = sum((one.points for one in asked if kinds.get(one.content.kind).scores), Decimal(0))
        versions = QuestionVersion.objects.freeze({one.question_id: one.content for one in asked})
        return [self._question(position, one, versions[one.question_id]) for position, one in enumerate(asked, 1)]

    def _question(self, position: int, place: QuizQuestion, version: QuestionVersion) -> "Answer":
        """An empty answer, not stored yet, that knows its content without asking the database."""
        answer = Answer(
            attempt=self,
            position=position,
            points=place.points,
            version=version,
            question_id=place.question_id,
            order=self._order(place.content),
        )
        answer.content = place.content
        return answer

    def _order(self, content: QuestionContent) -> list[str]:
        keys = [choice.key for choice in content.choices]
        return random.sample(keys, len(keys)) if self.rules["shuffle_choices"] else keys

    def missed(self) -> list[QuizQuestion]:
        """The quiz's questions that were not wholly right here, in the quiz's order, as they are now."""
        missed = {answer.question_id for answer in self.answers.all() if answer.fraction != 1}
        return [place for place in self.quiz.placed() if place.question_id in missed]

    def landed(self, first: FirstAnswer | None, language: str | None) -> "Attempt":
        """This attempt, which was there already, with the first answer taken if it is still wanted."""
        if first is None or not self.is_open:
            return self
        asked = self.answers.with_content_at(1).get(position=1)
        if asked.answered_at is None and constant_time_compare(fingerprint(asked.content), first.seen):
            self.answer(1, first.given, language=language)
        return self

    def settle(self, answers: "Iterable[Answer]") -> None:
        """Set the score to the exact sum of the answers; the last answer finishes the attempt. Does not save."""
        answers = list(answers)
        self.score = sum((answer.mark for answer in answers), Decimal(0))
        if self.open and all(answer.answered_at is not None for answer in answers):
            self.close(Ended.FINISHED)

    def close(self, ended: Ended) -> None:
        """Close it. Does not save."""
        self.open, self.ended = None, ended
        self.finished_at = max(timezone.now(), self.started_at)
        self.announce(signals.attempt_finished)

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
    given = models.JSONField(null=True)
    language = models.CharField(_("language"), max_length=20, blank=True)
    # The share of the points that was earned; NULL until marked.
    fraction = models.DecimalField(
        _("fraction"), max_digits=FRACTION_PLACES + 1, decimal_places=FRACTION_PLACES, null=True
    )
    marked_with = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="marked_answers")
    answered_at = models.DateTimeField(_("answered"), null=True)
    marked_at = models.DateTimeField(_("marked"), null=True)
    revision = models.PositiveIntegerField(default=0)

    objects = AnswerQuerySet.as_manager()

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
        return kinds.get(self.content.kind)

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

    def cleaned(self, given: object) -> Any:
        """A raw value (or a form that holds it) as it is stored. Raises Refusal("bad_answer")."""
        if isinstance(given, kinds.Submitted):
            given = self.kind.given_in(given.data)
        return self.kind.clean(given, self.content, self.order)

    def take(self, value: Any, language: str | None) -> None:
        """Take a cleaned value and mark it. Does not save."""
        now = timezone.now()
        self.given, self.answered_at = value, now
        self.language = language or words.current_language()
        self.fraction = self.kind.mark(self.content, value)
        self.marked_with_id, self.marked_at = self.version_id, now
        self.revision += 1

    def take_first(self, first: FirstAnswer, language: str | None) -> None:
        """Take the answer that starts the attempt, if it was given to this very question. Does not save."""
        if not constant_time_compare(fingerprint(self.content), first.seen):
            raise Refusal("changed", _("This question was changed after you opened the page. Here it is anew."))
        self.take(self.cleaned(first.given), language)

    @property
    def shown(self) -> Any:
        """What the kind's template lays out: the right answer only where ``reveals`` lets it."""
        if self.reveals:
            return self.kind.answered(self.content, self.order, self.given)
        return self.kind.asked(self.content, self.order)

    @property
    def reveals(self) -> bool:
        """Whether the learner may see the right answer and the explanation. Whatever shows one asks this."""
        return self.answered_at is not None or not self.attempt.is_open
