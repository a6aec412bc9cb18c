"""One text from or to another markup."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ... import markdown as own
from .escaping import escaped, line_escaped
from .foreign import as_html
from .pieces import Block, Code, Image, Math
from .reading import Address, Page
from .writing import written

OWN = "own"
"""The form of texts that are our Markdown already, in files that we wrote."""


@dataclass(frozen=True, slots=True)
class Converted:
    """Markdown, and what it does not hold: ``left_out`` names elements (“iframe”), ``remote`` the addresses of images
    that do not come with the text and are not shown to readers.
    """

    text: str
    left_out: tuple[str, ...] = ()
    remote: tuple[str, ...] = ()


def converted(text: str, form: str = "html", *, language: str = "", address: Address | None = None) -> Converted:
    """A text in Moodle's format ``form``: html, moodle, plain or markdown; or ``OWN``.

    ``language`` is what the words are in, where known. ``address`` maps what an image or a link names.
    """
    if form == OWN:
        return Converted(text)
    if form == "plain":
        return Converted(from_plain(text))
    page = Page(_AS_HTML[form](text), language=language, address=address)
    found = written(page.blocks)
    if form == "markdown" and own.to_html(text) == own.to_html(found):
        found = text  # it reads here as it did there, so the writer's own spelling stays
    return Converted(found, tuple(page.left_out), tuple(page.remote))


def from_plain(text: str) -> str:
    """Markdown that shows exactly this text; its line breaks are kept."""
    paragraphs = re.split(r"\n[ \t]*\n\s*", text.replace("\r\n", "\n").replace("\r", "\n").strip())
    return "\n\n".join(filter(None, map(_plain_paragraph, paragraphs)))


def _plain_paragraph(text: str) -> str:
    lines = (line.strip(" \t") for line in text.split("\n"))
    return "\\\n".join(line_escaped(escaped(line)) for line in lines if line)


def from_html(html: str, *, language: str = "", address: Address | None = None) -> str:
    """Markdown for HTML. What Markdown has no words for stays as HTML that our renderer keeps."""
    return converted(html, language=language, address=address).text


def from_moodle(text: str, *, language: str = "", address: Address | None = None) -> str:
    """Markdown for Moodle's auto-format: HTML in which bare line breaks count."""
    return converted(text, "moodle", language=language, address=address).text


def from_markdown(text: str, *, language: str = "", address: Address | None = None) -> str:
    """Our Markdown for Markdown from outside, with its HTML, tables and formulas between TeX's delimiters."""
    return converted(text, "markdown", language=language, address=address).text


_BESIDE_TAG = re.compile(r"(?<=>)[ \t]*\n[ \t]*|[ \t]*\n[ \t]*(?=</?[a-zA-Z])")


def _moodle(text: str) -> str:
    """Moodle's text_to_html: a line break beside a tag is none, an empty line parts paragraphs."""
    pieces = re.split(r"(<pre\b[^<>]*>|</pre\s*>)", text.replace("\r\n", "\n").replace("\r", "\n"), flags=re.I)
    inside = False
    for place, piece in enumerate(pieces):
        if place % 2:
            inside = not piece.startswith("</")
        elif not inside:
            pieces[place] = _broken(piece)
    return "".join(pieces)


def _broken(text: str) -> str:
    lines = _BESIDE_TAG.sub(" ", text.strip("\n"))
    return re.sub(r"\n[ \t\n]*\n", "<p>", lines).replace("\n", "<br>")


_AS_HTML: dict[str, Callable[[str], str]] = {"html": str, "moodle": _moodle, "markdown": as_html}


def as_text(html: str) -> str:
    """The plain text of HTML, on one line."""
    if "<" not in html and "&" not in html:
        return " ".join(html.split())
    return " ".join(" ".join(map(_block_text, Page(html).blocks)).split())


def _block_text(block: Block) -> str:
    if block.blocks:
        return " ".join(map(_block_text, block.blocks))
    return "".join(map(_piece_text, block.pieces))


def _piece_text(piece: object) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Code):
        return piece.text
    if isinstance(piece, Math):
        return piece.tex
    return piece.alt if isinstance(piece, Image) else ("" if hasattr(piece, "opens") else " ")


def to_html(markdown: str) -> str:
    """HTML for other systems: formulas between TeX's delimiters, references to files as they stand."""
    return own.to_foreign_html(markdown)
