"""A question as its texts are read: prose by paragraphs, with what is code, a formula or isolated taken out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.functional import Promise, lazy
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _
from markdown_it.token import Token

from .. import kinds
from ..content import QuestionContent, Where, clean
from ..kept_html import IN_TABLES
from ..kinds.accepted import AcceptedKind
from ..kinds.base import ChoiceKind
from ..kinds.gaps import Gaps
from ..markdown import parsed

THING = "\ufffc"
"""Stands in the prose for code, a formula, a picture or what is isolated: no letter, and of no direction."""

_CODE = {"code_inline", "code_block", "fence"}
_FORMULAS = {"math_inline": False, "math_inline_double": True, "math_block": True}
_STRESSES = {"strong", "em", "b", "i", "u"}
_IN_BLOCKS = ("prompt", "explanation")


def told(message: str | Promise, **quoted: str) -> Promise:
    """The message with what it quotes, each in a direction of its own whatever surrounds it."""
    isolated = {name: f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" for name, text in quoted.items()}
    filled_in: Any = _filled_in(message, isolated)
    return filled_in


def _percent(message: str | Promise, values: Mapping[str, str]) -> str:
    return str(message) % values


_filled_in = lazy(_percent, str)


@dataclass(frozen=True, slots=True)
class Warning:
    """What an editor may want to look at: never an error, and nothing is refused for it.

    ``field`` and ``choice`` (from 0) say where, as a kind's ``Problem`` does; ``language`` is that of the text, ""
    where all are meant. ``message`` is translated when it is read.
    """

    message: str | Promise
    field: str = ""
    choice: int | None = None
    language: str = ""
    code: str = ""

    @property
    def where(self) -> list[str]:
        """What a person calls the place, from the choice to the language, in the active language."""
        parts = [] if self.choice is None else [_("choice %(number)d") % {"number": self.choice + 1}]
        parts += [str(_FIELDS[self.field])] if self.field in _FIELDS else []
        return parts + ([_own_name(self.language)] if self.language else [])


_FIELDS: Mapping[str, str | Promise] = {
    "prompt": gettext_lazy("prompt"),
    "explanation": gettext_lazy("explanation"),
    "choices": gettext_lazy("choices"),
    "text": gettext_lazy("text"),
    "match": gettext_lazy("match"),
    "feedback": gettext_lazy("feedback"),
    "settings": gettext_lazy("settings"),
    "guides": gettext_lazy("guides"),
}


def _own_name(language: str) -> str:
    try:
        return get_language_info(language)["name_local"]
    except KeyError:
        return language


@dataclass(frozen=True, slots=True)
class Passage:
    """A text in one language. ``calm`` are the paragraphs with what is emphasised taken out, too."""

    field: str
    choice: int | None
    language: str
    source: str
    paragraphs: tuple[str, ...] = ()
    calm: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    formulas: tuple[tuple[str, bool], ...] = ()
    links: tuple[str, ...] = ()

    @property
    def prose(self) -> str:
        return "\n".join(self.paragraphs)

    @property
    def letters(self) -> str:
        return "".join(filter(str.isalpha, self.prose))

    def warning(self, message: str | Promise, field: str = "") -> Warning:
        return Warning(message, field or self.field, self.choice, self.language)


@dataclass(frozen=True)
class Question:
    """What the rules read. ``guides`` are the addresses of guides by their slugs, None where nobody looked."""

    content: QuestionContent
    shuffles: bool | None = None
    guides: Mapping[str, str] | None = None

    @cached_property
    def kind(self) -> kinds.Kind:
        return kinds.kept(self.content.kind)

    @cached_property
    def passages(self) -> list[Passage]:
        return list(_passages(self.content, self.kind))

    @property
    def offers_choices(self) -> bool:
        """Whether learners choose among the choices."""
        return isinstance(self.kind, ChoiceKind)

    @property
    def is_shuffled(self) -> bool:
        """Whether choices may stand in another order than the editor's."""
        return self.shuffles is not False and not self.content.settings.get("keep_order")

    def of(self, *fields: str) -> list[Passage]:
        return [passage for passage in self.passages if passage.field in fields]

    def by_language(self, *fields: str) -> dict[str, list[Passage]]:
        found: dict[str, list[Passage]] = {}
        for passage in self.of(*fields):
            found.setdefault(passage.language, []).append(passage)
        return found


def _passages(content: QuestionContent, kind: kinds.Kind) -> Iterator[Passage]:
    # What is accepted of typed answers is no Markdown: ``*`` stands for any letters.
    is_typed = isinstance(kind, AcceptedKind | Gaps)
    for where, texts in content.words().items():
        if where[0] == "title" or (is_typed and where[-1] in ("text", "match")):
            continue
        for language, source in clean(texts).items():
            yield _passage(where, language, source)


def _passage(where: Where, language: str, source: str) -> Passage:
    field, choice = str(where[0]), None
    if field == "choices":
        field, choice = str(where[2]), int(where[1])
    reading = _Reading()
    reading.read(parsed(source, line=field not in _IN_BLOCKS))
    return Passage(
        field,
        choice,
        language,
        source,
        tuple(reading.paragraphs),
        tuple(reading.calm),
        tuple(reading.code),
        tuple(reading.formulas),
        tuple(reading.links),
    )


@dataclass(slots=True)
class _Reading:
    paragraphs: list[str] = field(default_factory=list)
    calm: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    formulas: list[tuple[str, bool]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    stressed: int = 0
    opened: list[bool] = field(default_factory=list)

    def read(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            if token.type == "inline":
                self._lines(token.children or ())
            else:
                self._thing(token)

    def _lines(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            self._within(token)
        self._end()
        self.stressed, self.opened = 0, []

    def _end(self) -> None:
        if self.pieces:
            self.paragraphs.append("".join(text for text, _stressed in self.pieces))
            self.calm.append("".join(THING if stressed else text for text, stressed in self.pieces))
            self.pieces = []

    def _within(self, token: Token) -> None:
        if token.type == "kept_html":
            self._tag(token)
        elif token.type == "hardbreak":
            self._end()
        elif token.type == "softbreak":
            self._say(" ")
        elif token.type == "text":
            self._say(token.content)
        elif token.type == "link_open":
            self.links.append(str(token.attrGet("href") or ""))
        elif token.tag in _STRESSES:
            self.stressed += token.nesting
        elif token.nesting == 0:
            self._thing(token)
            self._say(THING)

    def _thing(self, token: Token) -> None:
        if token.type in _CODE:
            self.code.append(token.content)
        elif token.type in _FORMULAS:
            self.formulas.append((token.content, _FORMULAS[token.type]))

    def _tag(self, token: Token) -> None:
        """Tags are in pairs by now. Those that give what they hold a direction are a thing as a whole."""
        if token.tag == "br" or token.tag in IN_TABLES:
            self._end()
        elif token.tag in ("bdi", "span"):
            self._isolate(token)
        elif token.tag in _STRESSES:
            self.stressed += -1 if token.markup else 1

    def _isolate(self, token: Token) -> None:
        if token.markup:
            if self.opened:
                self.opened.pop()
            return
        isolates = "dir=" in token.content or token.tag == "bdi"
        if isolates:
            self._say(THING)
        self.opened.append(isolates)

    def _say(self, text: str) -> None:
        if text != THING and any(self.opened):
            return
        self.pieces.append((text, self.stressed > 0))
