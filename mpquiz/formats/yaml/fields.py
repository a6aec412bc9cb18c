"""Reading the values of a mapping: each wrong one is reported with its line, and reading goes on."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from difflib import get_close_matches
from math import inf, isfinite
from typing import Any

from django.utils.translation import gettext as _

from ... import words
from ...content import clean
from ..report import Log
from ..source import LONGEST_NAME, NAME, SLUG
from .tree import Broken, List, Map, Node, Scalar

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")
_NUMBER = re.compile(r"[+-]?\d{1,20}(\.\d{1,20})?")
_WHOLE = re.compile(r"[+-]?\d{1,20}")
_OFFSET = r"Z|[+-]\d{2}:?\d{2}(:\d{2})?"
_MOMENT = re.compile(rf"\d{{4}}-\d{{2}}-\d{{2}}[T ]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d{{1,6}})?)?({_OFFSET})?", re.ASCII)
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,300})")
_FLOAT = re.compile(r"-?[0-9]{1,300}(\.[0-9]{0,300})?([eE][+-]?[0-9]{1,3})?")
_YES = {"true", "yes", "on"}
_NO = {"false", "no", "off"}
_NOTHING = {"", "~", "null"}
_EXAMPLE = "2026-01-31T08:00+03:00"
_CALENDAR = (datetime(1900, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
"""Beyond it a moment may be no date any more in the time zone of a reader."""


@dataclass(frozen=True, slots=True)
class Range:
    """What a number may be: its bounds, and the places after the point that the database keeps."""

    lowest: Decimal
    highest: Decimal
    places: int


class Languages:
    """Which languages a file's texts may be in. Those that the host lacks are warned of once each."""

    def __init__(self, log: Log, language: str) -> None:
        self.log = log
        self.known = words.languages()
        self.own = self._nearest(language.lower().replace("_", "-"))
        self.warned: set[str] = set()

    def _nearest(self, code: str) -> str:
        """The language of plain strings: the host's ``ar`` serves for ``ar-eg``, but its ``en`` not for ``fr``."""
        nearest = words.nearest(code)
        return nearest if nearest.split("-")[0] == code.split("-")[0] else code

    def keeps(self, code: str, line: int) -> bool:
        """Whether the host has this language."""
        if code in self.known:
            return True
        if code not in self.warned:
            self.warned.add(code)
            message = _("What is in “%(language)s” is left out: the languages of this site are %(known)s.")
            self.log.warn(message % {"language": code, "known": self.listed}, line)
        return False

    @property
    def listed(self) -> str:
        return ", ".join(self.known)


class Fields:
    """A mapping under the names that it may have. ``failed`` holds the names of those that were reported."""

    def __init__(self, log: Log, languages: Languages, node: Node, where: str, names: Sequence[str]) -> None:
        self.log = log
        self.languages = languages
        self.where = where
        self.line = node.line
        self.failed: set[str] = set()
        self.nodes: dict[str, Node] = {}
        self._lines: dict[str, int] = {}
        if isinstance(node, Map):
            self._fill(node, names)
        elif not isinstance(node, Broken):
            self.failed.update(names)
            self.error(_("names with values are expected here, such as %(name)s: …") % {"name": names[0]})
        else:
            self.failed.update(names)

    def _fill(self, node: Map, names: Sequence[str]) -> None:
        for key, value in node.pairs:
            name = self.key(key)
            if name is None:
                continue
            if name not in names:
                self.error(_unknown(name, names), key.line)
            elif name in self.nodes:
                self.error(_("“%(name)s” stands here twice.") % {"name": name}, key.line)
            else:
                self.nodes[name] = value
                self._lines[name] = key.line

    def key(self, node: Node) -> str | None:
        """The name that a key of a mapping is; None once it was reported."""
        if isinstance(node, Scalar):
            return node.text
        if not isinstance(node, Broken):
            self.error(_("a name is expected before the colon."), node.line)
        return None

    # Reporting -----------------------------------------------------------------------------------------------

    def error(self, message: str, line: int | None = None, *, name: str = "") -> None:
        if name:
            self.failed.add(name)
        self.log.error(f"{self.where}: {message}" if self.where else message, line or self.line)

    def warn(self, message: str, line: int) -> None:
        self.log.warn(f"{self.where}: {message}" if self.where else message, line)

    def line_of(self, name: str) -> int:
        """The line of a value's name, or of the mapping where it has none."""
        return self._lines.get(name, self.line)

    def expected(self, name: str, what: str) -> None:
        self.error(f"{name}: {what}", self.line_of(name), name=name)

    def missing(self, name: str) -> None:
        if name not in self.failed:
            self.error(_("“%(name)s” is missing.") % {"name": name}, name=name)

    # Values --------------------------------------------------------------------------------------------------

    def node(self, name: str, *, required: bool = False) -> Node | None:
        """The value, None where there is none."""
        node = self.nodes.get(name)
        if isinstance(node, Broken):
            self.failed.add(name)
            return None
        if node is None or (isinstance(node, Scalar) and node.empty):
            if required:
                self.missing(name)
            return None
        return node

    def scalar(self, name: str, what: str, *, required: bool = False) -> str | None:
        """A value's text; ``what`` says what is expected where it is a list or a mapping."""
        node = self.node(name, required=required)
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.expected(name, what)
            return None
        return node.text.strip()

    def name(self, name: str, *, pattern: re.Pattern[str] = NAME, required: bool = True) -> str:
        """A slug or key; "" where it is missing or wrong."""
        text = self.scalar(name, _name_expected(), required=required)
        return "" if text is None else self._checked(name, text, pattern, self.line_of(name))

    def _checked(self, name: str, text: str, pattern: re.Pattern[str], line: int) -> str:
        if not pattern.fullmatch(text):
            message = _("%(name)s: “%(text)s” is no name: small Latin letters, digits and hyphens only.")
        elif len(text) > LONGEST_NAME:
            message = _("%(name)s: “%(text)s” is longer than 80 characters.")
        else:
            return text
        self.error(message % {"name": name, "text": text[:LONGEST_NAME]}, line, name=name)
        return ""

    def names(self, name: str, pattern: re.Pattern[str] = SLUG) -> list[tuple[str, int]]:
        """A list of slugs with their lines, each once; a single one may stand without the brackets."""
        found: dict[str, int] = {}
        for node in self._list(name):
            if not isinstance(node, Scalar):
                self.expected(name, _name_expected())
            elif text := self._checked(name, node.text.strip(), pattern, node.line):
                found.setdefault(text, node.line)
        return list(found.items())

    def texts(self, name: str, *, longest: int) -> tuple[str, ...]:
        """A list of plain texts, each once; a single one may stand without the brackets."""
        found: dict[str, None] = {}
        for node in self._list(name):
            text = " ".join(node.text.split()) if isinstance(node, Scalar) else ""
            if not text or len(text) > longest:
                message = _("a text of at most %(longest)d characters is expected, or a list of them.")
                self.error(f"{name}: {message % {'longest': longest}}", node.line, name=name)
            else:
                found[text] = None
        return tuple(found)

    def published(self, name: str) -> tuple[str, ...]:
        """A list of the host's languages."""
        found = []
        for node in self._list(name):
            code = _code(node.text) if isinstance(node, Scalar) else ""
            if not _LANGUAGE.fullmatch(code):
                self.error(_not_a_language(name, code, self.languages), node.line, name=name)
            elif self.languages.keeps(code, node.line):
                found.append(code)
        return tuple(dict.fromkeys(found))

    def _list(self, name: str) -> list[Node]:
        node = self.node(name)
        if node is None:
            return []
        return [item for item in node.items if not isinstance(item, Broken)] if isinstance(node, List) else [node]

    def items(self, name: str, *, required: bool = False) -> list[Node]:
        """The members of a list of mappings."""
        node = self.node(name, required=required)
        if node is None:
            return []
        if not isinstance(node, List):
            self.expected(name, _("a list is expected, each member after a dash."))
            return []
        return node.items

    def one_of(self, name: str, options: Sequence[str], *, required: bool = False) -> str:
        text = self.scalar(
            name, _("one of %(options)s is expected.") % {"options": ", ".join(options)}, required=required
        )
        if text is None or text in options:
            return text or ""
        self.expected(name, _unknown(text, options))
        return ""

    def flag(self, name: str, *, default: bool) -> bool:
        text = (self.scalar(name, _("true or false is expected.")) or "").lower()
        if text in _YES | _NO:
            return text in _YES
        if text:
            self.expected(name, _("true or false is expected, not “%(text)s”.") % {"text": text[:40]})
        return default

    def number(self, name: str, allowed: Range) -> Decimal | None:
        text = self.scalar(name, _("a number is expected."))
        if text is None or text.lower() in _NOTHING:
            return None
        if not _NUMBER.fullmatch(text):
            self.expected(name, _("a number is expected, such as 1 or 0.5, not “%(text)s”.") % {"text": text[:40]})
            return None
        number = Decimal(text) + 0  # there is no number -0
        if not allowed.lowest <= number <= allowed.highest:
            message = _("the number lies between %(lowest)s and %(highest)s, and this is %(number)s.")
            values = {"lowest": allowed.lowest, "highest": allowed.highest, "number": text}
            self.expected(name, message % values)
        elif number != round(number, allowed.places):
            self.expected(name, _("at most %(places)d digits after the point are kept.") % {"places": allowed.places})
        return number

    def whole(self, name: str, lowest: int, highest: int) -> int | None:
        text = self.scalar(name, _("a whole number is expected."))
        if text is None or text.lower() in _NOTHING:
            return None
        number = int(text) if _WHOLE.fullmatch(text) else None
        if number is None or not lowest <= number <= highest:
            message = _("a whole number from %(lowest)d to %(highest)d is expected, not “%(text)s”.")
            self.expected(name, message % {"lowest": lowest, "highest": highest, "text": text[:40]})
            return None
        return number

    def moment(self, name: str) -> datetime | None:
        """A point in time by ISO 8601, with its offset from UTC: a file is read in other time zones too."""
        text = self.scalar(name, _moment_expected())
        if text is None or text.lower() in _NOTHING:
            return None
        moment = _moment(text)
        if moment is None:
            self.expected(name, _moment_expected(text))
        elif moment.tzinfo is None:
            message = _("the offset from UTC is missing: write %(example)s, or Z at the end for UTC itself.")
            self.expected(name, message % {"example": _EXAMPLE})
        elif not _CALENDAR[0] <= moment < _CALENDAR[1]:
            self.expected(name, _("a year from 1900 to 9998 is expected."))
        else:
            return moment
        return None

    def words(self, name: str, *, longest: int = 0, required: bool = False) -> dict[str, str]:
        """A text per language, trimmed; a plain string is in the file's own language."""
        node = self.node(name, required=required)
        if node is None:
            return {}
        written = self._texts(name, node)
        texts = clean({code: scalar.text for code, scalar in written.items()})
        kept = {code: text for code, text in texts.items() if self.languages.keeps(code, written[code].line)}
        if texts and not kept:
            message = _("the text is only in %(languages)s, and the languages of this site are %(known)s.")
            self.expected(name, message % {"languages": ", ".join(texts), "known": self.languages.listed})
        if required and not texts and name not in self.failed:
            self.expected(name, _("write it in at least one language."))
        for code, text in kept.items():
            if longest and len(text) > longest:
                message = _("the text in “%(language)s” is longer than %(longest)d characters.")
                values = {"language": code, "longest": longest}
                self.error(f"{name}: {message % values}", written[code].line, name=name)
        return kept

    def _texts(self, name: str, node: Node) -> dict[str, Scalar]:
        if isinstance(node, Scalar):
            return {self.languages.own: node}
        if not isinstance(node, Map):
            self.expected(name, _("a text or a text for each language is expected, not a list."))
            return {}
        found: dict[str, Scalar] = {}
        for key, value in node.pairs:
            code = _code(self.key(key) or "")
            if not _LANGUAGE.fullmatch(code):
                self.error(_not_a_language(name, code, self.languages), key.line, name=name)
            elif code in found:
                self.error(f"{name}: " + _("“%(name)s” stands here twice.") % {"name": code}, key.line, name=name)
            elif isinstance(value, Scalar):
                found[code] = value
            else:
                self.failed.add(name)
                if not isinstance(value, Broken):
                    self.error(f"{name}.{code}: " + _("a text is expected here."), value.line)
        return found

    def json(self, name: str) -> dict[str, Any]:
        """A mapping of plain JSON values: the settings of a kind."""
        node = self.node(name)
        if node is None:
            return {}
        if not isinstance(node, Map):
            self.expected(name, _("names with values are expected here, such as {size: 3}."))
            return {}
        return self._json(name, node)

    def _json(self, name: str, node: Node) -> Any:
        if isinstance(node, List):
            return [self._json(name, item) for item in node.items]
        if isinstance(node, Scalar):
            return _plain(node.text) if node.plain else node.text
        found: dict[str, Any] = {}
        for key, value in node.pairs if isinstance(node, Map) else ():
            text = self.key(key)
            if text in found:
                self.error(f"{name}: " + _("“%(name)s” stands here twice.") % {"name": text}, key.line, name=name)
            elif text is not None:
                found[text] = self._json(name, value)
        return found


def twice(name: str) -> str:
    return _("“%(name)s” was given to an earlier one; each needs its own.") % {"name": name}


def _name_expected() -> str:
    return _("a name in small Latin letters, digits and hyphens is expected.")


def _moment(text: str) -> datetime | None:
    """The moment that a text is by ISO 8601, in digits of any script; without an offset where it names none."""
    written = "".join(str(unicodedata.decimal(sign, sign)) for sign in text)
    if not _MOMENT.fullmatch(written):
        return None
    try:
        return datetime.fromisoformat(written)
    except ValueError:  # such as the 30th of February
        return None


def _moment_expected(text: str = "") -> str:
    if not text:
        return _("a moment with its offset from UTC is expected, such as %(example)s.") % {"example": _EXAMPLE}
    message = _("a moment with its offset from UTC is expected, such as %(example)s, not “%(text)s”.")
    return message % {"example": _EXAMPLE, "text": text[:40]}


def _code(text: str) -> str:
    return text.strip().lower().replace("_", "-")


def _not_a_language(name: str, code: str, languages: Languages) -> str:
    message = _("“%(text)s” is not the code of a language; those of this site are %(known)s.")
    return f"{name}: " + message % {"text": code[:40], "known": languages.listed}


def _unknown(text: str, names: Sequence[str]) -> str:
    """An unknown name, with the nearest known one suggested."""
    near = get_close_matches(text[:LONGEST_NAME].lower(), names, n=1)
    if near:
        message = _("“%(text)s” is not known here; did you mean “%(near)s”?")
        return message % {"text": text[:LONGEST_NAME], "near": near[0]}
    message = _("“%(text)s” is not known here; what may stand here: %(names)s.")
    return message % {"text": text[:LONGEST_NAME], "names": ", ".join(names)}


def _plain(text: str) -> Any:
    """What an unquoted value of settings stands for: null, true, false, a number, else a text."""
    if text in _NOTHING:
        return None
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text) if _FLOAT.fullmatch(text) else inf
    return number if isfinite(number) else text
