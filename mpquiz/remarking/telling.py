"""What learners are told of re-markings."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import models

from ..models import Attempt, Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A change of an attempt's score by a re-marking; ``put_back_at`` is when it was taken back, None: it holds."""

    old_score: Decimal
    old_maximum: Decimal
    new_score: Decimal
    new_maximum: Decimal
    at: datetime
    reason: str
    put_back_at: datetime | None


def history(attempt: Attempt) -> list[Correction]:
    """How re-markings changed the score of an attempt, the oldest first. To be shown only where its score is.

    One query.
    """
    unchanged = models.Q(old_score=models.F("new_score"), old_maximum=models.F("new_maximum"))
    remarks: Any = Remark.objects.filter(answer__attempt=attempt).exclude(unchanged).select_related("remarking")
    return [_correction(one) for one in remarks.order_by("pk")]


def _correction(one: Remark) -> Correction:
    return Correction(
        old_score=one.old_score,
        old_maximum=one.old_maximum,
        new_score=one.new_score,
        new_maximum=one.new_maximum,
        at=one.remarking.at,
        reason=one.remarking.reason,
        put_back_at=one.remarking.undone_at if one.put_back else None,
    )
