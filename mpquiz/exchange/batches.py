"""Many rows at once, in statements that every database takes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from django.db import models

ROWS = 500
"""How many rows a statement reads or writes: some databases bound the values, others the bytes of one."""
CHANGED_ROWS = 100
"""How many rows an UPDATE changes: each row walks through the values of all."""

Value = TypeVar("Value")
Row = TypeVar("Row", bound=models.Model)


def batches(values: Iterable[Value], size: int = ROWS) -> Iterator[list[Value]]:
    found = list(values)
    return (found[start : start + size] for start in range(0, len(found), size))


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


def update(model: type[Row], rows: Sequence[Row], columns: Sequence[str]) -> None:
    if rows:
        model._default_manager.bulk_update(rows, columns, batch_size=CHANGED_ROWS)


def fetch_along(rows: Sequence[models.Model], *names: str) -> None:
    """Fetch what belongs to the rows, as ``prefetch_related`` does for all of them at once."""
    for some in batches(rows):
        models.prefetch_related_objects(some, *names)
