"""Many rows at once, in statements that every database takes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from django.db import models

from ..batches import ROWS, batches
from ..models import staleness

CHANGED_ROWS = 100
"""How many rows an UPDATE changes: each row walks through the values of all."""

Row = TypeVar("Row", bound=models.Model)


def matching(rows: "models.QuerySet[Row]", name: str, values: Iterable[Any]) -> Iterator[Row]:
    """The rows whose ``name`` is one of the values."""
    for some in batches(values):
        yield from rows.filter(**{f"{name}__in": some})


def delete(rows: "models.QuerySet[Any]", name: str, values: Iterable[Any]) -> None:
    for some in batches(values):
        rows.filter(**{f"{name}__in": some}).delete()


def create(model: type[Row], rows: Iterable[Row], *, again: bool = False) -> None:
    """Insert the rows; with ``again``, those that are there already are left alone."""
    model._default_manager.bulk_create(rows, batch_size=ROWS, ignore_conflicts=again)


class Changes:
    """Rows that get other values, and the columns in which any of them does.

    Where texts are stored, those of other languages are marked as to be checked.
    """

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self.rows: list[models.Model] = []
        self.columns: set[str] = set()
        self.edited: list[staleness.Edited] = []

    def put(self, row: models.Model, values: Mapping[str, Any]) -> bool:
        """Give the row these values; whether any is another than before."""
        changed = {name: value for name, value in values.items() if getattr(row, name) != value}
        self.edited.append(staleness.Edited(row, {name: getattr(row, name) for name in changed}))
        for name, value in changed.items():
            setattr(row, name, value)
        if changed:
            self.rows.append(row)
            self.columns |= changed.keys()
        return bool(changed)

    def store(self) -> None:
        for some in batches(self.rows, CHANGED_ROWS):
            self.model._default_manager.bulk_update(some, sorted(self.columns))
        staleness.record(self.edited)


def fetch_along(rows: Sequence[models.Model], *names: str) -> None:
    """Fetch what belongs to the rows, as ``prefetch_related`` does for all of them at once."""
    for some in batches(rows):
        models.prefetch_related_objects(some, *names)
