"""A question is marked anew: answers, scores and the record of it, in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, connections, models, router, transaction
from django.db.models.functions import Cast
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from .. import signals
from ..batches import ROWS, batches
from ..exceptions import Refusal
from ..models import Answer, Attempt, Policy, Question, QuestionVersion, Quiz, Remark, Remarking
from ..models.racing import anew_when_raced
from ..models.record import Ended
from .asking import Asked, Subject, changed, checked, closed_ids, key_of, stored
from .keys import Key

MARKED = ("fraction", "awarded", "left_out", "marked_with_id")
"""What of an answer is changed, and put back."""
_RECKONED = ("score", "maximum", "waiting")
_SUMMED = ("attempt", "asks", "points", "fraction", "awarded", "left_out", "answered_at", "draft")


def remark(
    quiz: Quiz, question: Subject, policy: str, *, by: Any, reason: str = "", expected: str | None = None
) -> Remarking:
    """Mark a question anew in all ended attempts of a quiz; hosts hear of each whose score or maximum changed.

    ``by`` is the user who does it; learners whose score changes read the ``reason``. ``expected`` is the fingerprint
    of the preview that was seen. Attempts past their deadline are closed on the way.

    Raises Refusal: ``no_key`` (the question was deleted before), ``unchanged`` (there is nothing to change, and
    nothing is logged), ``changed`` (it is not what was previewed: an attempt ended, an answer was marked, the
    question was edited or deleted).
    """
    checked(policy, stored(question))
    for attempt in Attempt.objects.filter(quiz=quiz).overdue():
        attempt.close_overdue()
    try:
        return _remark(Remarking(quiz=quiz, policy=policy, reason=reason.strip(), by=by), question, expected)
    except IntegrityError as error:  # the question was deleted at this very moment
        raise changed() from error


@anew_when_raced
def _remark(wanted: Remarking, question: Subject, expected: str | None) -> Remarking:
    """Mark anew as is ``wanted``, once the question is looked up again."""
    subject, record = stored(question), copy(wanted)
    checked(record.policy, subject)
    key = key_of(subject)
    record.question = subject if isinstance(subject, Question) else None
    record.version = _frozen(subject, key)
    # Looked up before the transaction, the first statement of which is the lock.
    _store(record, subject, key, closed_ids(record.quiz, subject), expected)
    return record


@transaction.atomic
def _store(
    record: Remarking, subject: Subject, key: Key | None, attempts: Sequence[int], expected: str | None
) -> None:
    locked = Attempt.objects.lock(attempts)
    # Before any answer, as a deletion of the question does: the other way round the two would wait for each other.
    QuestionVersion.objects.select_for_update().filter(pk=record.version.pk).first()
    asked = Asked.of(record.quiz, subject, key, only=locked)
    policy = Policy(record.policy)
    if expected is not None and not constant_time_compare(asked.fingerprint(policy), expected):
        raise changed()
    marks = [mark for mark in asked.marks(policy) if mark.differs]
    if not marks:
        stored(subject)  # which was deleted meanwhile, perhaps: then its answers no longer name it
        raise Refusal("unchanged", _("There is nothing to change by this rule."))
    remarks = [_remembered(mark.answer) for mark in marks]
    for mark in marks:
        mark.take(record.version)
    answers = [mark.answer for mark in marks]
    store(answers, MARKED, revision=models.F("revision") + 1)
    moved = sum_up([answer.attempt for answer in answers])
    record.save()
    for one, answer in zip(remarks, answers, strict=True):
        one.remarking, one.revision = record, answer.revision
        one.new_score, one.new_maximum = answer.attempt.score, answer.attempt.maximum
    Remark.objects.bulk_create(remarks, batch_size=ROWS)
    announce(moved, record)


def _frozen(subject: Subject, key: Key | None) -> QuestionVersion:
    """The version whose key is used. Raises IntegrityError where the question was deleted meanwhile."""
    if isinstance(subject, QuestionVersion):
        return subject
    contents = {} if key is None else {subject.pk: key.content}
    with transaction.atomic():
        return QuestionVersion.objects.freeze(contents)[subject.pk]


def _remembered(answer: Answer) -> Remark:
    """What holds of an answer before it is marked anew."""
    return Remark(
        answer=answer,
        old_fraction=answer.fraction,
        old_awarded=answer.awarded,
        old_left_out=answer.left_out,
        old_marked_with_id=answer.marked_with_id,
        old_score=answer.attempt.score,
        old_maximum=answer.attempt.maximum,
    )


def sum_up(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Store the exact sums of the answers as attempts' scores and maxima; those in which one of them changed."""
    moved: list[Attempt] = []
    for some in batches(attempts):
        answers: dict[int, list[Answer]] = defaultdict(list)
        rows: Any = Answer.objects.filter(attempt__in=[one.pk for one in some]).only(*_SUMMED)
        for answer in rows:
            answers[answer.attempt_id].append(answer)
        moved += [attempt for attempt in some if _reckon(attempt, answers[attempt.pk])]
        store(some, _RECKONED)
    return moved


def _reckon(attempt: Attempt, answers: Iterable[Answer]) -> bool:
    """Set the sums, and how many answers wait; whether score or maximum is another than before."""
    before = (attempt.score, attempt.maximum)
    answers = list(answers)
    attempt.score = sum((answer.mark for answer in answers), Decimal(0))
    attempt.maximum = sum((answer.worth for answer in answers), Decimal(0))
    waiting = sum(answer.state == "waiting" or answer.is_drafted for answer in answers)
    attempt.waiting = 0 if attempt.ended == Ended.ABANDONED else waiting
    return before != (attempt.score, attempt.maximum)


def announce(attempts: Iterable[Attempt], remarking: Remarking) -> None:
    """Tell hosts, once the transaction is through, of attempts whose score or maximum changed."""
    for attempt in attempts:
        attempt.announce(signals.attempt_remarked, remarking=remarking)


def store(rows: Sequence[Any], columns: Iterable[str], **more: Any) -> None:
    """Save these columns of rows of one model, and ``more`` as ``update`` takes it.

    Few values are shared by many rows: a branch for each value, where ``bulk_update`` has one for each row and
    column, is several times as fast.
    """
    for some in batches(rows):
        values = {column: _by_row(some, column) for column in columns}
        type(some[0])._default_manager.filter(pk__in=[row.pk for row in some]).update(**values, **more)


def _by_row(rows: Sequence[Any], column: str) -> Any:
    """What ``update`` takes to give each row its own value of a column."""
    field = rows[0]._meta.get_field(column)
    holders: dict[Any, list[int]] = defaultdict(list)
    for row in rows:
        holders[getattr(row, column)].append(row.pk)
    if len(holders) == 1:
        return next(iter(holders))
    cases = [models.When(pk__in=pks, then=models.Value(value, field)) for value, pks in holders.items()]
    chosen = models.Case(*cases, output_field=field)
    # PostgreSQL takes the branches for texts otherwise; MariaDB has no name for the type of every column.
    casts = connections[router.db_for_write(type(rows[0]))].features.requires_casted_case_in_updates
    return Cast(chosen, output_field=field) if casts else chosen
