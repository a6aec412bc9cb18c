"""What a text is made of, between HTML and Markdown: blocks, and pieces of a line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Attributes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How some words of a line are marked: strong, em, sub … as HTML names them; a link is "a"."""

    name: str
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a style begins or ends."""

    style: Style
    opens: bool


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Math:
    """A formula; ``alone`` where it is to be displayed only if nothing else stands in its line."""

    tex: str
    display: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    alt: str
    address: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """A line ends here."""


Piece = str | Edge | Code | Math | Image | Break


@dataclass(slots=True)
class Block:
    """``name`` as HTML has it ("p", "li", "table" …); a "p" and a "pre" have pieces, all others have blocks.

    ``apart`` tells of a "p" that it was one in the HTML too, not bare words of a list's item.
    """

    name: str
    attributes: Attributes = ()
    blocks: list["Block"] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    apart: bool = False

    @property
    def empty(self) -> bool:
        return not self.blocks and not self.pieces and self.name != "hr"


def tidied(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces as a browser shows them: no space or break at the ends, spaces outside of styles, none empty."""
    tidying = _Tidying()
    for piece in pieces:
        tidying.take(piece)
    return tidying.done


class _Tidying:
    def __init__(self) -> None:
        self.done: list[Piece] = []
        self.opened: list[Edge] = []
        self.breaks = 0
        self.space = False

    def take(self, piece: Piece) -> None:
        if isinstance(piece, str):
            self._words(piece)
        elif isinstance(piece, Break):
            self.breaks += 1
            self.space = False
        elif not isinstance(piece, Edge):
            self._show(piece)
        elif piece.opens:
            self.opened.append(piece)
        elif self.opened:
            self.opened.pop()
        else:
            self.done.append(piece)

    def _words(self, text: str) -> None:
        words = " ".join(_split(text))
        self.space = self.space or text[:1] in _SPACES
        if words:
            self._show(words)
            self.space = text[-1] in _SPACES

    def _show(self, piece: Piece) -> None:
        if self.done:
            self.done += [Break()] * self.breaks
            if self.space and not self.breaks:
                self._add(" ")
        self.done += self.opened
        self._add(piece)
        self.opened, self.breaks, self.space = [], 0, False

    def _add(self, piece: Piece) -> None:
        """Words after words and code after code are one piece: Markdown could not tell two."""
        last = self.done[-1] if self.done else None
        if isinstance(last, str) and isinstance(piece, str):
            self.done[-1] = last + piece
        elif isinstance(last, Code) and isinstance(piece, Code):
            self.done[-1] = Code((last.text + piece.text).replace("  ", " "))
        else:
            self.done.append(piece)


_SPACES = " \t\n\r\f"


def _split(text: str) -> Iterator[str]:
    """The words between the spaces of HTML, which are fewer than Python's."""
    return (word for word in text.translate(_TO_SPACE).split(" ") if word)


_TO_SPACE = str.maketrans(dict.fromkeys(_SPACES, " "))
