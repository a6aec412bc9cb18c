"""Stands in for ``mpquiz.importing`` until that is there."""

from dataclasses import dataclass, replace

from .. import exchange
from ..content import QuizContent
from ..formats import FORMATS, Entry


@dataclass(frozen=True, slots=True)
class Brought:
    content: QuizContent | None
    warnings: tuple[Entry, ...]
    errors: tuple[Entry, ...]
    loaded: exchange.Loaded | None = None


def bring(
    data: bytes,
    *,
    name: str = "",
    format: str,
    language: str,
    encoding: str | None = None,
    into: str | None = None,
    dry_run: bool = False,
    force: bool = False,
) -> Brought:
    parsed = FORMATS[format].parse(data, language=language, encoding=encoding or None)
    if parsed.quiz is None:
        return Brought(None, parsed.report.warnings, parsed.report.errors)
    content = replace(parsed.quiz, slug=into) if into else parsed.quiz
    loaded = exchange.load(content, force=force, dry_run=dry_run)
    errors = tuple(Entry(e.message, parsed.lines.get((e.item.what, e.item.name))) for e in loaded.errors)
    return Brought(content, parsed.report.warnings, errors, loaded)
