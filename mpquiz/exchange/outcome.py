"""What storing a content comes to."""

from dataclasses import dataclass
from typing import Literal

from ..models import Quiz

What = Literal["quiz", "question", "guide", "tag"]


@dataclass(frozen=True, slots=True)
class Item:
    """A quiz or a guide by its slug, a question by its full key, a tag by its name."""

    what: What
    name: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why nothing was stored, and about which item of the content."""

    item: Item
    message: str


class Raced(Exception):
    """What was to be amended reads otherwise by now."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What ``load`` did, or would do.

    ``filled`` got texts where it had none, from a file that was joined to it. ``kept`` was changed in admin since the
    last import and stays as it is there. ``removed`` questions are no longer in the quiz, but stay. With ``errors``
    nothing was stored. ``quiz`` is None then, and after a dry run.
    """

    quiz: Quiz | None = None
    created: tuple[Item, ...] = ()
    updated: tuple[Item, ...] = ()
    filled: tuple[Item, ...] = ()
    unchanged: tuple[Item, ...] = ()
    kept: tuple[Item, ...] = ()
    removed: tuple[Item, ...] = ()
    errors: tuple[Mistake, ...] = ()
