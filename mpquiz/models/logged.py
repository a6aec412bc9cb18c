"""What Django's admin has noted of rows that held words or a name of somebody who is erased.

We write neither there. What older versions wrote, and a host's own code may write, goes with the person.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db import models
from django.utils.translation import gettext

from ..batches import batches

_LONGEST = 200  # characters that a note takes


def take_names_out(model: type[models.Model], ids: Iterable[Any]) -> None:
    """Let the notes of these rows call none of them by its text. A query for each 500."""
    for some in batches(str(pk) for pk in ids):
        _rename(model, models.Q(object_id__in=some))


def take_name_out(model: type[models.Model], name: str) -> None:
    """The same for rows, which may be gone by now, whose text began with a name. One query."""
    _rename(model, models.Q(object_repr__startswith=name[:_LONGEST]))


def _rename(model: type[models.Model], meant: models.Q) -> None:
    if not apps.is_installed("django.contrib.admin"):
        return
    from django.contrib.admin.models import LogEntry
    from django.contrib.contenttypes.models import ContentType

    notes = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model, for_concrete_model=False))
    notes.filter(meant).update(object_repr=gettext("Erased"))
