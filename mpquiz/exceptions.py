"""The ways in which mpquiz says no."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import ngettext

Message = str | Promise


class Refusal(Exception):
    """A rule says no to what a learner asked for.

    ``code`` is one of ``closed``, ``sign_in``, ``not_allowed``, ``password``, ``no_attempts_left``, ``wait``,
    ``time_up``, ``finished``, ``answered``, ``stale``, ``not_in_order``, ``changed``, ``throttled``,
    ``not_in_attempt``, ``bad_answer``, or a host's own; pages word it by ``message``, tests and scripts match the
    code. ``parts`` names the parts of an answer that are to be mended, where it has several; ``more`` is what else a
    script should know, as plain JSON.
    """

    def __init__(
        self, code: str, message: Message, *, parts: Collection[str] = (), more: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.parts = parts
        self.more = dict(more or {})


class ManyRefused(Refusal):
    """Several answers were given at once and some were refused: ``by_position`` says which, and why."""

    def __init__(self, by_position: Mapping[int, Refusal]) -> None:
        count = len(by_position)
        message = ngettext(
            "%(count)s answer was not taken: see what is said beside it.",
            "%(count)s answers were not taken: see what is said beside them.",
            count,
        )
        super().__init__("bad_answer", message % {"count": count})
        self.by_position = by_position


_STATUS: Mapping[str, int] = {
    "bad_answer": 400,
    "bad_mark": 400,
    "bad_note": 400,
    "cut": 400,
    "not_in_attempt": 404,
    "closed": 403,
    "sign_in": 403,
    "not_allowed": 403,
    "password": 403,
    "no_attempts_left": 403,
    "wait": 403,
    "throttled": 429,
}


def status_of(refusal: Refusal) -> int:
    """The HTTP status of an answer that says why something was refused; what is not listed is a conflict."""
    return _STATUS.get(refusal.code, 409)


DATABASE_DOWN = (OperationalError, InterfaceError, InternalError)
"""What the database raises that is gone, restarting, locked, read-only or full."""


class FormatError(Exception):
    """A file cannot be read; ``line`` counts from 1 and is None where no line can be named."""

    def __init__(self, message: Message, line: int | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line
