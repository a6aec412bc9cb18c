"""Ailments of what learners did: what the night should have cleaned up, and promises that were broken."""

from datetime import timedelta

from django.db import connections
from django.db.models import Count, Min
from django.utils import timezone

from ..models import Attempt
from . import promises
from .finding import Finding, Found, listed

_OVERDUE = timedelta(days=1)


def overdue(using: str) -> Found:
    """Attempts past their deadline are open for days."""
    rows = Attempt.objects.using(using).filter(open=True, deadline__lte=timezone.now() - _OVERDUE)
    found = rows.aggregate(count=Count("pk"), since=Min("deadline"))
    if found["count"]:
        yield Finding(
            "overdue",
            f"{found['count']} attempts ended more than a day ago and are not closed: the site was not told.",
            f"the oldest since {found['since']:%Y-%m-%d}",
            "Run manage.py mpquiz_finish_overdue each night, or more often.",
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
