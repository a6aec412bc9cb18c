"""Where data about a person stand."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from ..learners import Learner
from ..models import Accommodation, Answer, Attempt, PendingImport, Remarking, Report, Revision

TRACES: Mapping[str, tuple[type[models.Model], str]] = {
    "marked": (Answer, "marked_by"),
    "remarkings": (Remarking, "by"),
    "remarkings_undone": (Remarking, "undone_by"),
    "revisions": (Revision, "by"),
    "reports_settled": (Report, "settled_by"),
}
"""What somebody did as staff: it stays when they are erased, and says no more who did it."""

OWN: Mapping[str, tuple[type[models.Model], str]] = {
    "attempts": (Attempt, "user"),
    "reports": (Report, "user"),
    "accommodations": (Accommodation, "user"),
    "imports": (PendingImport, "user"),
}
"""What is somebody's own. A guest's attempts and reports are found by the token in ``Attempt.guest``."""


def rows_of(learner: Learner) -> dict[str, Any]:
    """{name of a holding: its rows about a person}, each a query that has not been asked yet.

    Raises ValueError for a visitor who is neither a user nor a guest, and for a user who was deleted.
    """
    if not learner:
        raise ValueError("Name a user who is stored, or a guest's token.")
    attempts = Attempt.objects.of(learner)
    if learner.user is None:
        return {"attempts": attempts, "reports": Report.objects.filter(answer__attempt__guest=learner.guest)}
    user = learner.user.pk
    # A guest's report names nobody, also when the guest has become a user since.
    reports = Report.objects.filter(models.Q(user=user) | models.Q(answer__attempt__user=user))
    found: dict[str, Any] = {"attempts": attempts, "reports": reports}
    for name, (model, column) in {**OWN, **TRACES}.items():
        found.setdefault(name, model._default_manager.filter(**{column: user}))
    return found


def held(learner: Learner) -> dict[str, int]:
    """{name of a holding: how many rows there are about a person}. A query for each. Raises ValueError."""
    return {name: rows.count() for name, rows in rows_of(learner).items()}
