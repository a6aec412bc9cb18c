"""The texts of Moodle's elements with the files that stand beside them: words that refer to stored files."""

import base64
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from django.utils.translation import gettext as _

from ... import files as stored
from ... import words
from ...content import clean
from ...exceptions import FormatError
from ...words import Words
from .. import markup
from ..report import Log
from .tree import Element

FORMS = {
    "html": "html",
    "moodle_auto_format": "moodle",
    "plain_text": "plain",
    "markdown": "markdown",
    "wiki_like": "html",
}

BESIDE = "@@PLUGINFILE@@"

_INLINE = re.compile(
    r"data:[a-z]{1,20}/[a-z0-9.+-]{1,60};base64,(?P<data>[a-z0-9+/=%]*(?:[\r\n][ \t]*[a-z0-9+/=%]+)*)", re.I
)


@dataclass
class Texts:
    """Reads the words of elements, and collects the files that they refer to by name."""

    log: Log
    language: str
    files: dict[str, bytes] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)

    def words(self, element: Element | None, form: str = "html") -> Words:
        """The text of an element in each of its languages; ``form`` is its format where it names none."""
        if element is None:
            return {}
        beside = self.beside(element)
        found = self.into(beside.text, form_of(element, form), element.line, beside)
        beside.tell_unused()
        return found

    def into(self, text: str, form: str, line: int, beside: "Beside | None" = None) -> Words:
        return markup.into_words(
            text,
            form,
            language=self.language,
            log=self.log,
            line=line,
            known=self.known,
            address=beside.address if beside else None,
        )

    def name(self, element: Element | None) -> Words:
        """A text without markup, such as a title."""
        return {} if element is None else self.into(self.written(element), "plain", element.line)

    def typed(self, text: str, form: str, line: int) -> Words:
        """What is to be typed, per language: no Markdown, the signs as they are."""
        found: dict[str, str] = {}
        for code, part in markup.split(text).items():
            language = words.nearest(code if code not in ("", "other") else self.language)
            if code in ("", "other") or language.split("-")[0] == code.split("-")[0]:
                found.setdefault(language, markup.as_text(part) if form == "html" else part)
            else:
                self.into(text, form, line)  # tells of the language that the host lacks
        return clean(found)

    def written(self, element: Element) -> str:
        """What stands in an element's ``text``, trimmed."""
        inner = element.child("text")
        if inner is None:
            return element.text.strip()
        if inner.children:
            self.log.error(_("Tags stand in this text. Put the text into <![CDATA[ and ]]>."), inner.line)
        return inner.text.strip()

    # Files -----------------------------------------------------------------------------------------------------

    def beside(self, element: Element) -> "Beside":
        """An element's text with the files that stand beside it or in it."""
        beside = Beside(self, element.line)
        for child in element.all("file"):
            name = _path(child)
            beside.found[name] = self._file(child, name)
        beside.text = _INLINE.sub(lambda found: self._inline(found, element.line), self.written(element))
        return beside

    def _file(self, element: Element, name: str) -> stored.File | None:
        text, encoding = element.text, element.attributes.get("encoding", "base64")
        element.pieces.clear()
        if encoding == "base64":
            return self._decoded(text, name, element.line)
        message = _("“%(name)s” is left out: its encoding is %(encoding)s, not base64.")
        self.log.warn(message % {"name": name, "encoding": encoding[:40]}, element.line)
        return None

    def _inline(self, found: re.Match[str], line: int) -> str:
        file = self._decoded(unquote(found["data"]), _("a file within the text"), line)
        return "" if file is None else self.keep(file)

    def _decoded(self, text: str, name: str, line: int) -> stored.File | None:
        """A file, None once it was told why it is refused."""
        try:
            return stored.of(_bytes(text, name), said=name)
        except FormatError as error:
            self.log.warn(_("A file is left out: %(why)s") % {"why": error.message}, line)
            return None

    def keep(self, file: stored.File) -> str:
        """The reference to a file that comes along."""
        self.files[file.name] = file.data
        return stored.reference(file.name)


@dataclass
class Beside:
    """A text and the files beside it by their names in the text, None where one was refused."""

    texts: Texts
    line: int
    text: str = ""
    found: dict[str, stored.File | None] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def address(self, source: str) -> str | None:
        """What becomes of the address of an image or a link; None where its file does not come with the text."""
        if not source.startswith(BESIDE):
            return source
        written = source.removeprefix(BESIDE).removeprefix("/")
        bare = re.split(r"[?#]", written, maxsplit=1)[0]
        names = (written, unquote(written), bare, unquote(bare))
        name = next((name for name in names if name in self.found), None)
        if name is None and bare not in self.met:
            message = _("The file “%(name)s” is missing; the link to it is left out.")
            self.texts.log.warn(message % {"name": unquote(bare)[:100]}, self.line)
        self.met.add(bare if name is None else name)
        file = None if name is None else self.found[name]
        return None if file is None else self.texts.keep(file)

    def tell_unused(self) -> None:
        message = _("Nothing refers to the file “%(name)s”; it is left out.")
        for name, file in self.found.items():
            if file is not None and name not in self.met:
                self.texts.log.warn(message % {"name": name}, self.line)


def form_of(element: Element, default: str = "html") -> str:
    """The format that an element names; what Moodle does not know either is HTML."""
    named = element.attributes.get("format")
    return default if named is None else FORMS.get(named, "html")


def _path(element: Element) -> str:
    folder, name = element.attributes.get("path", "").strip("/"), element.attributes.get("name", "")
    return f"{folder}/{name}" if folder else name


def _bytes(text: str, name: str) -> bytes:
    """Raises FormatError where it is no base64."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except ValueError as error:
        raise FormatError(_("“%(name)s” is damaged: it is no base64.") % {"name": name}) from error
