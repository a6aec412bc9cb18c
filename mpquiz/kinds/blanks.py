"""Where the gaps of a prompt stand: ``[[1]]``, ``[[name]]``. One that is meant literally is written ``\\[\\[1]]``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from ..words import to_html

NAME = "[a-z0-9]{1,20}"
_WRITTEN = re.compile(rf"\\.|\[\[({NAME})\]\]", re.DOTALL)

# Two characters of private use stand around a name while Markdown is rendered: they mean nothing to it.
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKED = re.compile(f"{_OPEN}({NAME}){_CLOSE}")
_TAG_OR_TEXT = re.compile(r'<(?:[^"<>]|"[^"]*")*>|[^<]+|<')
_TAG_NAME = re.compile(r"</?([a-z0-9]+)")
_CLOSED = {"a", "math"}
"""Within these nothing can be filled in."""


@dataclass(frozen=True, slots=True)
class Blank:
    """The place of a gap in the text."""

    name: str


def names(source: str) -> list[str]:
    """The names of the gaps in a prompt's Markdown, in the order in which they are written."""
    return [found[1] for found in _WRITTEN.finditer(source) if found[1]]


def emptied(source: str) -> str:
    """A prompt's Markdown with dots in place of its gaps."""
    return _WRITTEN.sub(lambda found: "…" if found[1] else found[0], source)


def visible_names(source: str) -> list[str]:
    """The names of the gaps that something can be filled in, in the order in which they are read."""
    return [piece.name for piece in pieces(source) if isinstance(piece, Blank)]


def pieces(source: str) -> list[SafeString | Blank]:
    """A prompt's Markdown as the safe HTML around its gaps, which may open in one piece and close in a later one."""
    parts: list[str | Blank] = [""]
    for part in _parts(to_html(_marked(source))):
        if isinstance(part, str) and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    # What to_html has sanitised is cut at its texts alone, and stays whole when put together again.
    return [mark_safe(part) if isinstance(part, str) else part for part in parts]  # noqa: S308


def _marked(source: str) -> str:
    plain = source.replace(_OPEN, "\N{REPLACEMENT CHARACTER}").replace(_CLOSE, "\N{REPLACEMENT CHARACTER}")
    return _WRITTEN.sub(lambda found: f"{_OPEN}{found[1]}{_CLOSE}" if found[1] else found[0], plain)


def _parts(html: str) -> Iterator[str | Blank]:
    closed = 0
    for found in _TAG_OR_TEXT.finditer(html):
        token = found[0]
        if token.startswith("<"):
            closed = max(closed + _step(token), 0)
        if token.startswith("<") or closed:
            yield _MARKED.sub(r"[[\1]]", token)
            continue
        for place, text in enumerate(_MARKED.split(token)):
            yield Blank(text) if place % 2 else text


def _step(tag: str) -> int:
    """1 where something opens in which nothing can be filled in, -1 where it closes."""
    name = _TAG_NAME.match(tag)
    if name is None or name[1] not in _CLOSED:
        return 0
    return -1 if tag.startswith("</") else 1
