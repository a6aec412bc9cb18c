"""YAML as a tree whose every node knows its line.

PyYAML's own composer recurses, follows aliases and turns `No` into False. This one goes over the events, so that
depth is bounded, nothing is multiplied and every text is what stands in the file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml
from django.utils.translation import gettext as _
from yaml import events

from ...exceptions import FormatError
from ..report import Log

DEEPEST = 40
MOST_VALUES = 500_000
"""About 5000 questions in two languages; many more would keep a server busy for a minute."""

# libyaml reads 10 MB in seconds, the loader in Python in minutes; both give the same events.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNREADABLE = re.compile("[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_UNSTORABLE = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ud800-\\udfff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """``text`` as it stands in the file; ``plain`` says that it stands there without quotes, on its own."""

    line: int
    text: str
    plain: bool = True

    @property
    def empty(self) -> bool:
        """Whether nothing was written after the colon or the dash."""
        return self.plain and not self.text


@dataclass(frozen=True, slots=True)
class List:
    line: int
    items: "list[Node]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Map:
    line: int
    pairs: "list[tuple[Node, Node]]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Broken:
    """Stands for what was refused and reported already."""

    line: int


Node = Scalar | List | Map | Broken


def compose(text: str, log: Log) -> Node | None:
    """The one document of a file, None where it is empty. Raises FormatError where it cannot be read on."""
    if found := _UNREADABLE.search(text):
        raise FormatError(_control(found[0]), text.count("\n", 0, found.start()) + 1)
    try:
        return _Builder(log).build(yaml.parse(text, Loader=LOADER))
    except yaml.MarkedYAMLError as error:
        problem = error.problem or error.context or ""
        # What is never closed is noticed at the end, but to be mended where it begins.
        begins = error.context_mark if "end of stream" in problem else None
        mark = begins or error.problem_mark or error.context_mark
        message = _("This is not YAML: %(problem)s. Quote a text that holds “: ” or begins with a sign.")
        line = mark.line + 1 if mark else None
        raise FormatError(message % {"problem": problem}, line) from error


def _control(character: str) -> str:
    return _("A control character (U+%(code)04X) stands here. Take it out.") % {"code": ord(character)}


class _Builder:
    """Puts the events of a file together."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.root: Node | None = None
        self.open: list[List | Map] = []
        self.keys: list[Node | None] = []

    def build(self, found: Iterator[events.Event]) -> Node | None:
        documents = 0
        for count, event in enumerate(found):
            if count > MOST_VALUES:
                raise FormatError(_("The file holds more than half a million values. Split it."), _line(event))
            documents += isinstance(event, events.DocumentStartEvent)
            if documents > 1:
                raise FormatError(_("A second document begins here. One file holds one quiz."), _line(event))
            self._take(event)
        empty = self.root is None or (isinstance(self.root, Scalar) and self.root.empty)
        return None if empty else self.root

    def _take(self, event: events.Event) -> None:
        if isinstance(event, events.CollectionEndEvent):
            self.open.pop()
            self.keys.pop()
        elif isinstance(event, events.AliasEvent):
            self.log.error(_("References (*name) are not read. Write it out."), _line(event))
            self._put(Broken(_line(event)))
        elif isinstance(event, events.ScalarEvent):
            self._put(self._scalar(event))
        elif isinstance(event, events.CollectionStartEvent):
            self._begin(event)

    def _begin(self, event: events.CollectionStartEvent) -> None:
        if len(self.open) >= DEEPEST:
            raise FormatError(_("This is nested too deep."), _line(event))
        self._refuse_tag(event)
        node = (List if isinstance(event, events.SequenceStartEvent) else Map)(_line(event))
        self._put(node)
        self.open.append(node)
        self.keys.append(None)

    def _scalar(self, event: events.ScalarEvent) -> Scalar:
        self._refuse_tag(event)
        if found := _UNSTORABLE.search(event.value):
            self.log.error(_control(found[0]), _line(event))
        return Scalar(_line(event), _UNSTORABLE.sub("", event.value), not event.style)

    def _refuse_tag(self, event: events.ScalarEvent | events.CollectionStartEvent) -> None:
        if event.tag not in (None, "!"):
            message = _("Tags (%(tag)s) are not read. Leave it out; a text in quotes is always a text.")
            self.log.error(message % {"tag": event.tag[:80]}, _line(event))

    def _put(self, node: Node) -> None:
        if not self.open:
            self.root = node
        elif isinstance(self.open[-1], List):
            self.open[-1].items.append(node)
        elif (key := self.keys[-1]) is None:
            self.keys[-1] = node
        else:
            self.open[-1].pairs.append((key, node))
            self.keys[-1] = None


def _line(event: events.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
