"""A markdown-it plugin: a few tags of HTML, where they are closed; all else shows as it is written.

Within a line: sub, sup, u, s, del, b, i, strong, em, br, ruby, span and bdi. A table stands for itself, from a line
that begins with ``<table`` to the one with ``</table>``, no empty line within, and its cells are Markdown.
The attributes are left to whoever sanitises the HTML.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

IN_LINES = {"sub", "sup", "u", "s", "del", "b", "i", "strong", "em", "span", "bdi", "ruby", "rt", "rp"}
IN_TABLES = {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "ul", "ol", "li", "p"}
DEEPEST = 100

_TAG = re.compile(
    rf"<(?P<closes>/?)(?P<name>{'|'.join(sorted(IN_LINES | IN_TABLES))}|br)"
    r"""(?:\s+[a-z]+=(?:"[^"<>]*"|'[^'<>]*'))*\s*/?>"""
)
_TABLE = re.compile(r"<table[\s>]")
# A table within a line can be no table: its cells become words, its rows lines.
_IN_A_LINE = {"</td>": " ", "</th>": " ", "</tr>": "<br>", "</caption>": "<br>", "</p>": " ", "</li>": " "}


def kept_html(md: MarkdownIt) -> None:
    md.inline.ruler.before("autolink", "kept_html", _inline)
    md.block.ruler.before("fence", "kept_table", _table, {"alt": ["paragraph", "blockquote", "list"]})
    md.core.ruler.after("inline", "kept_html", _paired)


def _inline(state: StateInline, silent: bool) -> bool:
    found = _TAG.match(state.src, state.pos) if state.src[state.pos] == "<" else None
    if found is None:
        return False
    if not silent:
        token = state.push("kept_html", found["name"], 0)
        token.content = found[0]
        token.markup = found["closes"]
    state.pos = found.end()
    return True


def _table(state: StateBlock, start: int, last: int, silent: bool) -> bool:
    if state.is_code_block(start) or not _TABLE.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    end = _end(state, start, last)
    if end is None:
        return False
    if not silent:
        token = state.push("inline", "", 0)
        token.content = state.getLines(start, end, state.blkIndent, False).strip()
        token.map = [start, end]
        token.children = []
        token.meta["table"] = True
        state.line = end
    return True


def _end(state: StateBlock, start: int, last: int) -> int | None:
    """The line after the table's; None where an empty line or the end comes first."""
    if start < state.env.get("no table ends before", 0):
        return None
    indent = min(state.blkIndent, state.sCount[start])
    for line in range(start, last):
        if state.isEmpty(line) or state.sCount[line] < indent:
            break
        if "</table>" in state.src[state.bMarks[line] : state.eMarks[line]]:
            return line + 1
    else:
        line = last
    state.env["no table ends before"] = line
    return None


def _paired(state: StateCore) -> None:
    """Tags without their other half become words, so that none reaches beyond its line or crosses another."""
    for token in state.tokens:
        if token.type == "inline" and token.children:
            pairs = _Pairs(token.children, tables=bool(token.meta.get("table")), line=state.inlineMode)
            pairs.settle()


@dataclass(slots=True)
class _Frame:
    """What was opened within one element of Markdown."""

    opened: list[Token] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)


class _Pairs:
    def __init__(self, tokens: list[Token], *, tables: bool, line: bool) -> None:
        self.tokens = tokens
        self.known = IN_LINES | IN_TABLES if tables or line else IN_LINES
        self.line = line
        self.frames = [_Frame()]
        self.depth = 0

    def settle(self) -> None:
        for token in self.tokens:
            if token.type == "kept_html" and token.tag != "br":
                self._tag(token)
            elif token.nesting > 0:
                self.frames.append(_Frame())
            elif token.nesting < 0 and len(self.frames) > 1:
                self._drop(self.frames.pop().opened)
        for frame in self.frames:
            self._drop(frame.opened)

    def _tag(self, token: Token) -> None:
        frame = self.frames[-1]
        if token.tag not in self.known or (not token.markup and self.depth >= DEEPEST):
            _as_words(token)
        elif not token.markup:
            self.depth += 1
            frame.opened.append(token)
            frame.names[token.tag] += 1
        elif not frame.names[token.tag]:
            _as_words(token)
        else:
            self._close(frame, token)

    def _close(self, frame: _Frame, token: Token) -> None:
        for opened in self._unwound(frame, token.tag):
            self._drop([opened])
        opening = frame.opened.pop()
        frame.names[token.tag] -= 1
        self.depth -= 1
        if self.line and token.tag in IN_TABLES:
            opening.content, token.content = "", _IN_A_LINE.get(f"</{token.tag}>", "")

    def _unwound(self, frame: _Frame, name: str) -> Iterator[Token]:
        while frame.opened[-1].tag != name:
            opened = frame.opened.pop()
            frame.names[opened.tag] -= 1
            yield opened

    def _drop(self, tokens: list[Token]) -> None:
        self.depth -= len(tokens)
        for token in tokens:
            _as_words(token)


def _as_words(token: Token) -> None:
    token.type, token.tag, token.markup = "text", "", ""
