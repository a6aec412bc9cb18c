"""A few rows at a time: some databases bound the values of a statement, others its bytes."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

ROWS = 500
"""How many rows a statement reads or writes."""

Value = TypeVar("Value")


def batches(values: Iterable[Value], size: int = ROWS) -> Iterator[list[Value]]:
    """All values in order, in lists of ``size`` of which the last is what is left."""
    found = list(values)
    return (found[start : start + size] for start in range(0, len(found), size))
