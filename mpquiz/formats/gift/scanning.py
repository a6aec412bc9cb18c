"""The text of a GIFT file as blocks, and a block as pieces that know their lines.

An escaped sign is stood for by one lone surrogate, which no decoded file holds, so that a piece is searched and cut
without a thought for escapes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OURS = "// mpquiz"
"""What a file begins with that we wrote: what it says is Markdown is ours, and is taken as it stands."""

ESCAPED = "~=#{}:"
"""The signs that a backslash keeps from being read; beside them ``\\n`` is a line break and ``\\\\`` a backslash."""

INVISIBLE = "\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
"""Marks that writers of right-to-left text put before a sign without seeing them."""

_STAND_IN = 0xDC00
_ESCAPE = re.compile(r"\\([\\n~=#{}:])")
_UNKNOWN = re.compile(r"\\(?:[\\n~=#{}:]|(?P<unknown>[^\\\s()\[\]*]))")
_SIGNS = {_STAND_IN + ord(sign): sign for sign in f"{ESCAPED}\n"}
_BLANK = re.compile(rf"[\s{INVISIBLE}]*")
_COMMENT = re.compile(rf"[\s{INVISIBLE}]*//")
_FORM = re.compile(rf"[{INVISIBLE}]*\[(html|moodle|plain|markdown)\]")


def _stand_in(found: re.Match[str]) -> str:
    sign = found[1]
    return sign if sign == "\\" else chr(_STAND_IN + ord("\n" if sign == "n" else sign))


def unescaped(text: str) -> str:
    """The signs in place of what stands for them."""
    return text.translate(_SIGNS)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a block and the line on which it begins."""

    text: str
    line: int

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def shown(self) -> str:
        """The text as it was meant, trimmed."""
        return unescaped(self.text).strip()

    @property
    def bare(self) -> str:
        """The text without marks that nobody sees at its ends, for what must be one of a few words."""
        return self.text.strip().strip(INVISIBLE).strip()

    def after(self, start: int) -> "Piece":
        return Piece(self.text[start:], self.line + self.text.count("\n", 0, start))

    def before(self, end: int) -> "Piece":
        return Piece(self.text[:end], self.line)

    def trimmed(self) -> "Piece":
        """Without the space around it, as the line counts then."""
        start = len(self.text) - len(self.text.lstrip())
        return self.after(start).before(len(self.text.strip()))

    def cut(self, mark: str) -> "tuple[Piece, Piece | None]":
        """What stands before the first ``mark`` and what after it, None where there is none; both trimmed."""
        at = self.text.find(mark)
        if at < 0:
            return self.trimmed(), None
        return self.before(at).trimmed(), self.after(at + len(mark)).trimmed()

    def split(self, marks: str) -> "list[tuple[str, Piece]]":
        """The trimmed parts with the sign from ``marks`` that each begins with, "" for the first."""
        found, sign, start, line = [], "", 0, self.line
        for match in re.finditer(f"[{marks}]", self.text):
            found.append((sign, Piece(self.text[start : match.start()], line).trimmed()))
            line += self.text.count("\n", start, match.start())
            sign, start = match[0], match.end()
        return [*found, (sign, Piece(self.text[start:], line).trimmed())]

    def form(self, default: str) -> "tuple[str, Piece]":
        """The format that the text begins with, and the text without it."""
        found = _FORM.match(self.text)
        return (found[1], self.after(found.end())) if found else (default, self)


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two blank lines: a question or a category. ``comments`` are its comment lines."""

    body: Piece
    comments: str

    def unknown_escape(self) -> Piece | None:
        """The first backslash, with the sign after it, that escapes nothing and therefore stays."""
        found = next((found for found in _UNKNOWN.finditer(self.body.text) if found["unknown"]), None)
        return None if found is None else self.body.after(found.start()).before(2)

    def escaped(self) -> Piece:
        return Piece(_ESCAPE.sub(_stand_in, self.body.text), self.body.line)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a file that hold more than comments."""
    lines: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if not _BLANK.fullmatch(line):
            lines.append(line)
        elif lines:
            block = _block(lines, number - len(lines))
            lines = []
            if block.body:
                yield block


def _block(lines: list[str], first: int) -> Block:
    comments = [line for line in lines if _COMMENT.match(line)]
    body = "\n".join(" " if _COMMENT.match(line) else line for line in lines)
    return Block(Piece(body, first).trimmed(), "\n".join(comments))
