"""Formulas between TeX's delimiters, as MathJax finds them in words."""

import re
from collections.abc import Iterator

from .pieces import Break, Math, Piece

_OPENING = re.compile(r"\\\(|\\\[|\$\$")
_DOLLAR = re.compile(r"(?<!\\)\$")
_TWO_DOLLARS = re.compile(r"\$\$|^\$|(?<!\\)\$$")
_CLOSING = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}


def with_math(text: str) -> Iterator[Piece]:
    """Words, and the formulas between their delimiters. ``$$`` stands for a formula of its own line only alone."""
    done, searched = 0, 0
    lacking: set[str] = set()
    while found := _OPENING.search(text, searched):
        opening, searched = found[0], found.end()
        end = -1 if opening in lacking else text.find(_CLOSING[opening], searched)
        if end < 0:
            lacking.add(opening)
        elif tex := sound(text[searched:end]):
            yield text[done : found.start()]
            dollar = bool(_DOLLAR.search(tex))
            yield Math(tex, display=dollar or opening == "\\[", alone=opening == "$$" and not dollar)
            done = searched = end + 2
    yield text[done:]


def placed(pieces: list[Piece]) -> list[Piece]:
    """The formulas between ``$$`` displayed where nothing else shares their line."""
    return [
        Math(piece.tex, display=_ends(pieces[max(0, place - 1) : place]) and _ends(pieces[place + 1 : place + 2]))
        if isinstance(piece, Math) and piece.alone
        else piece
        for place, piece in enumerate(pieces)
    ]


def _ends(beside: list[Piece]) -> bool:
    return not beside or isinstance(beside[0], Break)


def sound(tex: str) -> str:
    """A formula as it may stand between dollars, two of them where it has one itself; "" where it may not."""
    tex = " ".join(tex.split())
    if (len(tex) - len(tex.rstrip("\\"))) % 2:
        tex = tex[:-1].rstrip()
    return "" if _TWO_DOLLARS.search(tex) else tex
