"""A person's data are taken out, by their wish, by the host's or with their account."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from .. import drafts, learners
from ..learners import Learner
from ..models import Attempt
from ..models.logged import take_name_out, take_names_out
from ..models.racing import anew_when_raced
from .holdings import TRACES, rows_of


@anew_when_raced
def erase(learner: Learner, *, delete: bool = False) -> dict[str, int]:
    """Take a person out of all that is stored, for good: {name of a holding: how many rows there were}.

    Attempts stay for the statistics, as ``AttemptQuerySet.erase`` says, or are deleted too (``delete``). Reports stay
    without their words, or are deleted; accommodations and uploads are deleted; what was done as staff stays and is
    nobody's. Again finds nothing. The user's own row is the host's. Raises ValueError where it is nobody.
    """
    return _erase(learner, list(rows_of(learner)["attempts"].values_list("pk", flat=True)), delete)


@transaction.atomic
def _erase(learner: Learner, attempts: Sequence[int], delete: bool) -> dict[str, int]:
    Attempt.objects.lock(attempts)  # before anything is read
    rows = rows_of(learner)
    reports = list(rows["reports"].values_list("pk", flat=True))
    told = {"attempts": rows["attempts"].erase(delete=delete), "reports": len(reports)}
    take_names_out(rows["reports"].model, reports)
    reported = rows["reports"].model.objects.filter(pk__in=reports)
    if delete:
        reported.delete()
    else:
        reported.update(note="", user=None)
    if learner.user is None:
        return told
    for name, (_model, column) in TRACES.items():
        told[name] = rows[name].update(**{column: None})
    granted = rows["accommodations"]
    take_names_out(granted.model, granted.values_list("pk", flat=True))
    take_name_out(granted.model, f"{learners.name_of(learner.user)}: ")
    told["accommodations"] = granted.delete()[0]
    uploads = list(rows["imports"])
    for upload in uploads:
        upload.discard()
    return told | {"imports": len(uploads)}


def before_deletion(sender: Any, *, instance: Any, **kwargs: Any) -> None:
    """Receiver of ``pre_delete`` of the user model: no words are left behind by a user who is deleted."""
    erase(Learner(user=instance))


def forget_session(request: HttpRequest) -> None:
    """Take what we keep in a visitor's session out of it: the guest's token and the drafts."""
    learners.forget_guest(request)
    drafts.forget_all(request)
