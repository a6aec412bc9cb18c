"""What becomes of attempts once their learner is erased.

They stay for the statistics, nobody's from then on: both user and guest are empty, the address is another, and what
was typed by hand is gone from them: texts that no key has, drafts, comments of whoever marked, notes of reports. What
was chosen stays, with all marks and times.
"""

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import models, transaction

from ..batches import ROWS, batches
from ..kinds.base import ERASED
from .answer import Answer
from .editing import Report
from .logged import take_names_out
from .racing import anew_when_raced

if TYPE_CHECKING:
    from .attempt import Attempt


class Erasing:
    """The part of a set of attempts that takes its learners out. ``self`` is an AttemptQuerySet."""

    @anew_when_raced
    def erase(self: Any, *, delete: bool = False) -> int:
        """Take their learners out of these attempts, for good; how many attempts there were. Again changes nothing.

        What is open is closed first, and a request that is on its way is refused. With ``delete`` they are deleted
        wholly, as are in any case trials, and attempts in which an answer waits: nobody could mark it any more.
        """
        return self._erase(list(self.values_list("pk", flat=True)), delete)

    @transaction.atomic
    def _erase(self: Any, ids: "Sequence[int]", delete: bool) -> int:
        attempts: list[Attempt] = list(self.filter(pk__in=self.model.objects.lock(ids)).order_by("pk"))
        for attempt in attempts:
            if attempt.open and not (delete or attempt.trial):
                attempt.abandon()
            attempt.user = attempt.guest = None  # what hosts hear of its end names nobody
        for some in batches(attempts):
            reports = Report.objects.filter(answer__attempt__in=some)
            take_names_out(Report, reports.values_list("pk", flat=True))
            reports.update(note="", user=None)
        gone = [one for one in attempts if delete or one.trial or one.waiting]
        for some in batches(gone):
            self.model.objects.filter(pk__in=[one.pk for one in some]).delete()
        kept = [one for one in attempts if not (delete or one.trial or one.waiting)]
        for some in batches(kept):
            _take_words_out(some)
        for attempt in kept:
            attempt.public_id = uuid.uuid4()  # the old one stands in logs, beside whose it was
        self.model.objects.bulk_update(kept, ["user", "guest", "public_id"], batch_size=ROWS)
        return len(attempts)


def _take_words_out(attempts: "Sequence[Attempt]") -> None:
    """Take out of attempts, whose rows are locked, what somebody typed."""
    answers = Answer.objects.filter(attempt__in=attempts)
    answers.filter(~models.Q(comment="") | models.Q(draft__isnull=False)).update(comment="", draft=None)
    given: Any = answers.filter(answered_at__isnull=False).select_related("version", "marked_with").order_by("pk")
    typed = [answer.pk for answer in given.iterator(chunk_size=ROWS) if not answer.is_impersonal]
    for some in batches(typed):
        Answer.objects.filter(pk__in=some).update(given=ERASED, tally="")
