"""What was silent for long is let go of, some at a time, so that the commands of each night can stop anywhere."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from ..models import Attempt
from ..models.attempts import AttemptQuerySet
from ..models.racing import anew_when_raced

_ATTEMPTS = 500  # of guests, in one transaction
_USERS = 100  # in one transaction, with all their attempts


def let_go_of_guests(since: datetime) -> int:
    """Delete the attempts of guests who neither started nor answered anything since a moment; how many."""
    silent = Attempt.objects.all().of_guests_silent_since(since)
    return sum(_erased(some, silent, delete=True) for some in _pages(silent))


def let_go_of_learners(since: datetime) -> int:
    """Make the attempts at quizzes in which their users were silent since a moment nobody's; how many.

    The attempts of one user go together: what is left of a learner always has its first attempt.
    """
    silent = Attempt.objects.all().of_users_silent_since(since)
    return sum(_erased(some, silent, delete=False) for some in _pages_of_users(silent))


def _pages(silent: AttemptQuerySet) -> Iterator[list[int]]:
    last = 0
    while some := list(silent.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_ATTEMPTS]):
        yield some
        last = some[-1]


def _pages_of_users(silent: AttemptQuerySet) -> Iterator[list[int]]:
    beyond: dict[str, Any] = {}
    while True:
        users = silent.filter(**beyond).order_by("user_id").values_list("user_id", flat=True).distinct()[:_USERS]
        if not (some := list(users)):
            return
        yield list(silent.filter(user_id__in=some).values_list("pk", flat=True))
        beyond = {"user_id__gt": some[-1]}


@anew_when_raced
@transaction.atomic
def _erased(ids: Sequence[int], silent: AttemptQuerySet, *, delete: bool) -> int:
    """Erase those of some attempts that are still silent once they are locked."""
    still = list(silent.filter(pk__in=Attempt.objects.lock(ids)).values_list("pk", flat=True))
    return Attempt.objects.filter(pk__in=still).erase(delete=delete)
