"""What reading a file comes to: its content, or everything that is wrong with it, each with its line."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ..content import QuizContent
from ..exceptions import FormatError, Message

MOST_ERRORS = 1000
"""Nobody reads more, and a hostile file shall not make us write more."""

MOST_KEYS = 10
"""How many questions are named beside what concerns them all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to tell whoever wrote the file; ``line`` counts from 1, None where no line can be named."""

    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """An error keeps the file out; a warning says what was left out or understood in one way of several."""

    warnings: tuple[Entry, ...] = ()
    errors: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """``quiz`` is None where the report has errors.

    ``lines`` tells where the file names a thing: ``{("question", "handbook/floats"): 12}``; the others are
    ``"quiz"`` and ``"guide"`` with their slugs. ``files`` are the bytes of the files that the texts refer to, by the
    names that ``mpquiz.files`` gives them.
    """

    quiz: QuizContent | None
    report: Report
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


class Log:
    """Collects what a parser finds. Raises FormatError where a file has too many errors to go on."""

    def __init__(self) -> None:
        self.warnings: list[Entry] = []
        self.errors: list[Entry] = []

    def warn(self, message: Message, line: int | None = None) -> None:
        self.warnings.append(Entry(str(message), line))

    def error(self, message: Message, line: int | None = None) -> None:
        if len(self.errors) >= MOST_ERRORS:
            raise FormatError(_("There are more errors than these; mend these first."), line)
        self.errors.append(Entry(str(message), line))

    def report(self) -> Report:
        """All there is, in the order of the lines."""
        return Report(_by_line(self.warnings), _by_line(self.errors))


@dataclass
class Losses:
    """What a format could not hold, each sort once with the keys of the questions."""

    found: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: Message, key: str = "") -> None:
        keys = self.found.setdefault(str(what), [])
        if key and key not in keys[-1:]:
            keys.append(key)

    def tell(self, log: Log) -> None:
        for what, keys in self.found.items():
            named = ", ".join(keys[:MOST_KEYS]) + (" …" if len(keys) > MOST_KEYS else "")
            log.warn(f"{what} ({named})" if keys else what)


def _by_line(entries: list[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.line or 0))
