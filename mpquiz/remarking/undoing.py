"""A re-marking is undone: what held before is put back, and the record of it stays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import words
from ..batches import batches
from ..exceptions import Refusal
from ..models import Answer, Attempt, Remark, Remarking
from ..models.racing import anew_when_raced
from .storing import MARKED, announce, store, sum_up


@dataclass(frozen=True, slots=True)
class Undone:
    """How many answers are again what they were; ``kept`` are those that were marked since, and stay as they are."""

    put_back: int
    kept: Sequence[Answer]


def later_than(remarking: Remarking) -> Remarking | None:
    """The newest re-marking of the same question in the same quiz that stands on this one; None where none does."""
    same: Any = Remarking.objects.filter(
        quiz=remarking.quiz_id,
        question=remarking.question_id,
        version__content__key=remarking.version.content["key"],
        undone_at=None,
    )
    return same.filter(pk__gt=remarking.pk).order_by("-pk").first()


def refuses_undo(remarking: Remarking) -> Refusal | None:
    """Why it cannot be undone: it was, or another one stands on it, which is named; None where it can."""
    if remarking.undone_at is not None:
        return _undone()
    if (later := later_than(remarking)) is None:
        return None
    told = {"rule": later.get_policy_display(), "when": words.when(later.at)}
    return Refusal("not_newest", _("Undo the later re-marking first: %(rule)s, %(when)s.") % told)


def _undone() -> Refusal:
    return Refusal("undone", _("This was undone already."))


@anew_when_raced
def undo(remarking: Remarking, *, by: Any) -> Undone:
    """Put back what held before; hosts hear of each attempt whose score or maximum changed.

    Raises Refusal: ``undone`` (it was undone already), ``not_newest`` (another one stands on it, and is named).
    """
    attempts = set(remarking.remarks.values_list("answer__attempt", flat=True))
    return _undo(remarking, by, sorted(attempts))


@transaction.atomic
def _undo(remarking: Remarking, by: Any, attempts: Sequence[int]) -> Undone:
    Attempt.objects.lock(attempts)  # first, as erasing does
    row = Remarking.objects.filter(pk=remarking.pk, undone_at=None)
    if not row.update(undone_at=timezone.now(), undone_by=by):
        raise _undone()
    remarking.undone_at = None  # a try that was rolled back has set it
    if (refused := refuses_undo(remarking)) is not None:
        raise refused
    remarking.refresh_from_db()
    remarks = list(remarking.remarks.select_related("answer__attempt"))
    returning = [one for one in remarks if one.answer.revision == one.revision]
    for one in returning:
        _put_back(one, remarking)
    answers = [one.answer for one in returning]
    store(answers, MARKED, revision=models.F("revision") + 1)
    store(returning, ["put_back"])
    _tell_earlier(remarking, answers)
    announce(sum_up([answer.attempt for answer in answers]), remarking)
    return Undone(len(returning), [one.answer for one in remarks if not one.put_back])


def _put_back(one: Remark, remarking: Remarking) -> None:
    one.put_back = True
    answer = one.answer
    answer.attempt.quiz = remarking.quiz
    answer.fraction, answer.awarded, answer.left_out = one.old_fraction, one.old_awarded, one.old_left_out
    answer.marked_with_id = one.old_marked_with_id


def _tell_earlier(remarking: Remarking, answers: Iterable[Answer]) -> None:
    """Have earlier re-markings know the answers again: they were written twice since, and are as they were then."""
    earlier = list(Remarking.objects.filter(quiz=remarking.quiz_id, pk__lt=remarking.pk, undone_at=None))
    if not earlier:
        return
    for some in batches([answer.pk for answer in answers]):
        rows = Remark.objects.filter(remarking__in=earlier, answer__in=some)
        rows.update(revision=models.F("revision") + 2)
