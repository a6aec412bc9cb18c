"""How answers are taken: one or all of a page, for good or until they are changed, and while they are written."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import signals, words
from ..exceptions import Refusal
from .answer import Answer, is_empty
from .record import Ended


class Answering:
    """The part of an attempt that takes answers. ``self`` is an Attempt, which mypy takes for no mixin's own."""

    answers_read: Sequence[Answer] = ()
    """Its answers as ``answer`` has read and changed them."""

    def answer(
        self: Any,
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
        asked = (position, given, language, revision, flagged, move_on)
        try:
            return self._answer_as_read(*asked) or self._answer(*asked)
        except Refusal as refusal:
            if refusal.code == "time_up":
                self.close_overdue()
            raise

    def _answer_as_read(
        self: Any,
        position: int,
        given: object,
        language: str | None,
        revision: int | None,
        flagged: bool | None,
        move_on: bool,
    ) -> "Answer | None":
        """Take an answer by what was read before the lock: one UPDATE is lock, check and score.

        None, with nothing changed, where there is nothing to store, something is to be refused, or the attempt was
        changed since it was read: under the lock it is looked at again.
        """
        if not self.is_open:
            return None
        before, answers = self._noted(), list(self.answers.with_content_at(position))
        self.judged_at = timezone.now()
        try:
            answer, expected = answer_at(position, answers), self.current(answers)
            if not self._give(answer, given, language, revision=revision, locked=True, expected=expected):
                return None
        except Refusal:
            return None
        self.settle(answers)
        if move_on and expected == position:
            self.reached = position + 1
        answer.flagged = answer.flagged if flagged is None else flagged
        with transaction.atomic():
            if self._save_as_read():
                self.answers_read = answers
                answer.save(update_fields=[*Answer.TAKEN, "flagged"])
                self.announce(signals.question_answered, answer=answer)
                self._tell_closed()
                return answer
        self.__dict__.update(before)
        return None

    @transaction.atomic
    def _answer(
        self: Any,
        position: int,
        given: object,
        language: str | None,
        revision: int | None,
        flagged: bool | None,
        move_on: bool,
    ) -> "Answer":
        locked = self._lock()
        self.answers_read = answers = self._read(self.answers.with_content_at(position))
        answer = answer_at(position, answers)
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
        self: Any,
        answer: "Answer",
        given: object,
        language: str | None,
        *,
        revision: int | None,
        locked: bool,
        expected: int | None,
    ) -> bool:
        """Have an answer take a value, not saved yet; False where it is the one that it has. Raises Refusal."""
        free = locked and _is_at_its_turn(answer, expected) and (self.changeable or answer.answered_at is None)
        if not free and not _was_at_its_turn(answer, expected):  # errors tell the question
            raise self._taken_no_more(answer, locked=locked)
        nothing = self.changeable and answer.asks and is_empty(given)
        value = None if nothing else answer.cleaned(given, partly=self.changeable)  # a page takes none
        if answer.given == value and (answer.answered_at is not None or nothing):
            return False
        if not free:
            raise self._taken_no_more(answer, locked=locked)
        if self.changeable and revision not in (None, answer.revision):
            more = {"given": answer.sendable, "revision": answer.revision}
            message = _("This answer was changed in another window after you opened this page.")
            raise Refusal("stale", message, more=more)
        if nothing:
            answer.take_back()
        else:
            answer.take(value, language, at=self.judged_at)
        return True

    def _taken_no_more(self: Any, answer: "Answer", *, locked: bool) -> Refusal:
        """Why a question takes no answer now."""
        if answer.answered_at is not None and not self.changeable:
            return _answered()
        if not locked:
            closed: Refusal = self._closed()
            return closed
        return Refusal("not_in_order", _("The questions come one after the other. This one is not at its turn."))

    def current(self: Any, answers: "Iterable[Answer]") -> int | None:
        """The position that can be answered now, where its questions come one after the other; None: any."""
        if not self.in_order:
            return None
        if self.changeable:
            return self.reached
        return next((one.position for one in answers if one.asks and one.answered_at is None), 0)

    def hand_in(
        self: Any,
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
        self: Any, given: Mapping[int, object], language: str | None, revisions: Mapping[int, int], finish: bool
    ) -> dict[int, Refusal]:
        if not self._lock():
            raise self._closed()
        answers = self._read(self.answers.select_related("version"))
        drafted = drafted_in(answers)
        refused: dict[int, Refusal] = {}
        taken: list[Answer] = []
        expected = self.current(answers)
        for position, value in given.items():
            answer = answer_at(position, answers)
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

    def _store(self: Any, taken: "Iterable[Answer]", drafted: Container[int]) -> None:
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
    def clear(self: Any, position: int, *, revision: int | None = None) -> "Answer":
        """Take an answer back that can still be changed. Raises Refusal as ``answer`` does."""
        return self.answer(position, None, revision=revision)

    @transaction.atomic
    def keep(self: Any, position: int, given: object, *, language: str | None = None) -> "Answer":
        """Keep a long text while it is written: it becomes the answer if the attempt ends before it is handed in.

        Raises Refusal: ``not_in_attempt``, ``bad_answer``, ``answered``, ``finished``, ``time_up``, ``not_in_order``;
        ``not_kept`` for an answer that is marked at once, which nobody but the learner can mean.
        """
        locked = self._lock()
        answers = self._read(self.answers.with_content_at(position))
        answer = answer_at(position, answers)
        if answer.answered_at is not None:
            raise _answered()
        if not locked or not _is_at_its_turn(answer, self.current(answers)):
            raise self._taken_no_more(answer, locked=locked)
        draft = None if is_empty(given) else answer.cleaned(given, partly=True)
        if draft is not None and answer.kind.mark(answer.content, draft) is not None:
            raise Refusal("not_kept", _("This answer is stored when you hand it in."))
        answer.draft, answer.language = draft, language or words.current_language()
        answer.save(update_fields=["draft", "language"])
        self._reread()
        self._reckon(answers)
        self._save_reckoned()
        return answer

    @transaction.atomic
    def flag(self: Any, position: int, *, flagged: bool) -> None:
        """Mark a question to come back to it, or no longer.

        Raises Refusal: ``finished``, ``time_up``, ``not_in_attempt``.
        """
        if not self._lock():
            raise self._closed()
        if not self.answers.filter(position=position).update(flagged=flagged):
            raise not_in_attempt()

    @transaction.atomic
    def move_on(self: Any, position: int) -> None:
        """Leave a question, or a page, for good where they come one after the other. Again changes nothing.

        Raises Refusal: ``finished``, ``time_up``, ``not_in_attempt``.
        """
        if not self._lock():
            raise self._closed()
        if not self.answers.filter(position=position).exists():
            raise not_in_attempt()
        type(self).objects.filter(pk=self.pk, reached=position).update(reached=position + 1)


def _is_at_its_turn(answer: Answer, expected: int | None) -> bool:
    return expected in (None, answer.position)


def _was_at_its_turn(answer: Answer, expected: int | None) -> bool:
    """Whether the learner has had the question before, so that reading an answer to it tells nothing new."""
    return answer.answered_at is not None or expected is None or answer.position < expected


def _answered() -> Refusal:
    return Refusal("answered", _("You have answered this question already. Your first answer counts."))


def not_in_attempt() -> Refusal:
    return Refusal("not_in_attempt", _("That question is not in this attempt."))


def answer_at(position: int, answers: Iterable[Answer]) -> Answer:
    """The answer at a position. Raises Refusal("not_in_attempt")."""
    answer = next((one for one in answers if one.position == position), None)
    if answer is None:
        raise not_in_attempt()
    return answer


def drafted_in(answers: Iterable[Answer]) -> set[int]:
    """The ids of those of which a text was kept."""
    return {answer.pk for answer in answers if answer.draft is not None}
