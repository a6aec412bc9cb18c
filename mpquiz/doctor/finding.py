"""What an examination finds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TOLD = 5  # names of rows that a sentence has


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: ``what``, ``where``, and the ``remedy``, in sentences.

    ``broken``: learners or editors meet it, or will. Otherwise it is worth a look.
    """

    ailment: str
    what: str
    where: str
    remedy: str
    broken: bool = True


Found = Iterator[Finding]


def listed(names: Iterable[object]) -> str:
    """The first names, and how many more there are."""
    every = [str(name) for name in names]
    more = len(every) - _TOLD
    return ", ".join(every[:_TOLD]) + (f" and {more} more" if more > 0 else "")
