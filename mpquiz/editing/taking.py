"""Quizzes and questions taken out as files, with what their format cannot hold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .. import files
from ..content import QuizContent
from ..formats import FORMATS
from ..formats.report import Entry, Log

_TEXT = "text/plain; charset=utf-8"
_FILES: Mapping[str, tuple[str, str]] = {
    "yaml": ("yaml", _TEXT),
    "gift": ("gift", _TEXT),
    "moodle_xml": ("xml", "application/xml"),
}
_OTHER = ("txt", _TEXT)


def writers() -> list[str]:
    """The formats that can be written."""
    return [name for name, module in FORMATS.items() if hasattr(module, "render")]


def type_of(format: str) -> str:
    """The media type of a file."""
    return _FILES.get(format, _OTHER)[1]


@dataclass(frozen=True, slots=True)
class Taken:
    """The bytes of each file by its name, and what was lost on the way."""

    files: Mapping[str, bytes]
    losses: list[Entry]


def take(contents: Iterable[QuizContent], format: str, *, language: str | None = None) -> Taken:
    """Write contents in a format that ``writers`` names, a file each; in one ``language``, or all of them."""
    log, render = Log(), FORMATS[format].render
    ending = _FILES.get(format, _OTHER)[0]
    written = {
        f"{content.slug}.{ending}": render(content, language=language, log=log, files=files.read)
        for content in contents
    }
    return Taken(written, log.warnings)
