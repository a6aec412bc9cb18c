"""Moodle XML as questions whose every element knows its line, one at a time.

Nothing is expanded: a document type, an entity or a reference to elsewhere is refused as soon as it is met, and
depth and number of elements are bounded.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from defusedxml import DefusedXmlException, DTDForbidden
from defusedxml.ElementTree import DefusedXMLParser, ParseError
from django.utils.translation import gettext as _

from ...exceptions import FormatError
from ..report import Log
from ..source import decode

DEEPEST = 40
MOST_ELEMENTS = 20_000
"""In one question; Moodle's longest have some hundreds."""

_DECLARED = re.compile(r"<\?xml\b[^<>]{0,200}?\?>")
_ENCODING = re.compile(r"""\bencoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']""")
_CHARACTER_SETS = re.compile(r"(utf-?8|us-ascii|iso-8859-\d+|windows-\d+|cp\d+|koi8-[ru]|mac[a-z-]*)", re.I)
_SPACE = re.compile(r"\s*")
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class Element:
    """An element with the text that stands right in it."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    children: "list[Element]" = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def child(self, tag: str) -> "Element | None":
        """The first child of that name."""
        return next(self.all(tag), None)

    def all(self, tag: str) -> "Iterator[Element]":
        return (child for child in self.children if child.tag == tag)

    def value(self, tag: str) -> str:
        """The trimmed text of a child, "" where there is none."""
        found = self.child(tag)
        return "" if found is None else found.text.strip()


def read(data: bytes, log: Log, each: Callable[[Element], None], *, encoding: str | None = None) -> None:
    """Calls ``each`` with every question of a file, in its order.

    Raises FormatError where the file cannot be read on: it is no XML, no quiz, or meant to harm.
    """
    text = _undeclared(_decoded(data, log, encoding), log)
    if found := _UNREADABLE.search(text):
        message = _("A control character (U+%(code)04X) stands here. Take it out.") % {"code": ord(found[0])}
        raise FormatError(message, _line_at(text, found.start()))
    target = _Target(log, each)
    parser = DefusedXMLParser(target=target, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    target.expat = parser.parser
    try:
        # All at once: expat would go over a long token anew for every piece.
        parser.feed(text)
        parser.close()
    except DefusedXmlException as error:
        raise FormatError(_forbidden(error), parser.parser.CurrentLineNumber) from error
    except ParseError as error:
        message = _("This is not well-formed XML: %(problem)s.") % {"problem": str(error).split(":")[0]}
        raise FormatError(message, error.position[0]) from error


def _forbidden(error: DefusedXmlException) -> str:
    if isinstance(error, DTDForbidden):
        return _("The file has a document type (<!DOCTYPE …>), which is not read: it can hold entities. Take it out.")
    return _("The file has entities or refers to another file, which is not read. Take them out.")


# Encodings -----------------------------------------------------------------------------------------------------


def _decoded(data: bytes, log: Log, encoding: str | None) -> str:
    """The text in the encoding that was chosen, else by its byte order mark, else as it declares itself."""
    if encoding or data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return decode(data, encoding)
    head = data[:4000].decode("ascii", "replace")
    declared = _DECLARED.search(head)
    named = _ENCODING.search(declared[0]) if declared else None
    if named is None or _CHARACTER_SETS.fullmatch(named[1]):
        return decode(data, None if named is None or named[1].lower() in ("utf-8", "utf8") else named[1])
    message = _("The file says that it is in %(encoding)s; it was read as UTF-8.")
    log.warn(message % {"encoding": named[1]}, head.count("\n", 0, declared.start() if declared else 0) + 1)
    return decode(data)


def _undeclared(text: str, log: Log) -> str:
    """The text with blanks for the XML declaration: it says nothing any more, and need not come first."""
    start = _after_space_and_comments(text)
    found = _DECLARED.match(text, start)
    if found is None:
        return text
    if start:
        log.warn(_("Something stands before the XML declaration, which other programs refuse."), 1)
    return text[:start] + "\n" * found[0].count("\n") + text[found.end() :]


def _after_space_and_comments(text: str) -> int:
    place = 0
    while True:
        place = _SPACE.match(text, place).end()  # type: ignore[union-attr]
        end = text.find("-->", place) if text.startswith("<!--", place) else -1
        if end < 0:
            return place
        place = end + len("-->")


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


# Elements ------------------------------------------------------------------------------------------------------


class _Target:
    """What expat's events are told to. Only questions are kept, and each only until its end."""

    expat: Any

    def __init__(self, log: Log, each: Callable[[Element], None]) -> None:
        self.log = log
        self.each = each
        self.depth = 0
        self.elements = 0
        self.open: list[Element] = []
        self.unknown: set[str] = set()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.expat.CurrentLineNumber
        self.depth += 1
        if self.depth == 1 and tag != "quiz":
            message = _("Moodle’s questions are in an element “quiz”, and this file begins with “%(name)s”.")
            raise FormatError(message % {"name": tag[:40]}, line)
        if self.depth > DEEPEST:
            raise FormatError(_("This is nested too deep."), line)
        if self.open or (self.depth == 2 and tag == "question"):
            self._open(Element(tag, line, attributes))
        elif self.depth == 2 and tag not in self.unknown and len(self.unknown) < DEEPEST:
            self.unknown.add(tag)
            self.log.warn(_("“%(name)s” is left out: only questions are read.") % {"name": tag[:40]}, line)

    def _open(self, element: Element) -> None:
        self.elements = self.elements + 1 if self.open else 1
        if self.elements > MOST_ELEMENTS:
            raise FormatError(_("This question has too many parts."), element.line)
        if self.open:
            self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.open:
            element = self.open.pop()
            if not self.open:
                self.each(element)

    def data(self, text: str) -> None:
        if self.open:
            self.open[-1].pieces.append(text)
