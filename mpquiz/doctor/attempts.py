"""Ailments of what learners did: what the night should have cleaned up, and promises that were broken."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import connections
from django.db.models import Count, Min
from django.utils import timezone

from ..conf import conf
from ..models import Attempt
from ..models.attempts import AttemptQuerySet
from . import promises
from .finding import Finding, Found, listed

_OVERDUE = timedelta(days=1)
_SILENT: Mapping[str, Callable[[Any, datetime], AttemptQuerySet]] = {
    "guests": AttemptQuerySet.of_guests_silent_since,
    "learners": AttemptQuerySet.of_users_silent_since,
}


def overdue(using: str) -> Found:
    """Attempts past their deadline are open for days."""
    rows = Attempt.objects.using(using).filter(open=True, deadline__lte=timezone.now() - _OVERDUE)
    found = rows.aggregate(count=Count("*"), since=Min("deadline"))
    if found["count"]:
        yield Finding(
            "overdue",
            f"{found['count']} attempts ended more than a day ago and are not closed: the site was not told.",
            f"the oldest since {found['since']:%Y-%m-%d}",
            "Run manage.py mpquiz_finish_overdue each night, or more often.",
            broken=False,
        )


def kept_too_long(using: str) -> Found:
    """Attempts of guests, or of users, are older than the site says it keeps them."""
    for whom, silent in _SILENT.items():
        days = conf.RETENTION[whom]
        if days is None:
            continue
        count = silent(Attempt.objects.using(using), timezone.now() - timedelta(days=days) - _OVERDUE).count()
        if count:
            yield Finding(
                "retention",
                f"{count} attempts of {whom} are kept longer than the {days} days of your setting.",
                f"MPQUIZ['RETENTION']['{whom}']",
                f"Run manage.py mpquiz_purge_{whom} each night.",
                broken=False,
            )


def promised(using: str) -> Found:
    """Rows say what mpquiz never writes: somebody else wrote, or a copy was brought back in part."""
    for what, ids in promises.broken(connections[using]).items():
        yield Finding(
            "promises",
            f"There is {what}.",
            f"ids: {listed(ids)}",
            "mpquiz never writes this. Look for a script or a partial restore, and bring the rows back from a copy.",
        )
