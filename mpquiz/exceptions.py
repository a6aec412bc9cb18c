"""The ways in which mpquiz says no."""

from collections.abc import Collection, Mapping

from django.utils.functional import Promise
from django.utils.translation import ngettext

Message = str | Promise


class Refusal(Exception):
    """A rule says no to what a learner asked for.

    ``code`` is one of ``closed``, ``sign_in``, ``not_allowed``, ``password``, ``no_attempts_left``, ``wait``,
    ``time_up``, ``finished``, ``answered``, ``stale``, ``not_in_order``, ``changed``, ``throttled``,
    ``not_in_attempt``, ``bad_answer``, or a host's own; pages word it by ``message``, tests and scripts match the
    code. ``parts`` names the parts of an answer that are to be mended, where it has several.
    """

    def __init__(self, code: str, message: Message, *, parts: Collection[str] = ()) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.parts = parts


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


class FormatError(Exception):
    """A file cannot be read; ``line`` counts from 1 and is None where no line can be named."""

    def __init__(self, message: Message, line: int | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line
