"""Markdown as others write it, as HTML: with HTML in it, tables, and formulas between TeX's delimiters."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

LONGEST = 50_000
"""Characters; what is longer is no text that a person wrote, and is taken as it stands."""

_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?>")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", r"\\(": r"\\)", r"\\[": r"\\]", "$$": "$$"}


def as_html(markdown: str) -> str:
    if len(markdown) > LONGEST:
        return "<p>" + markdown.replace("&", "&amp;").replace("<", "&lt;") + "</p>"
    return str(_markdown.render(markdown))


def _tag(state: StateInline, silent: bool) -> bool:
    found = _TAG.match(state.src, state.pos) if state.src[state.pos] == "<" else None
    if found is None:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _comment(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("<!--", state.pos):
        return False
    end = _found(state, "-->", state.pos + 4)
    if end >= 0:
        state.pos = end + 3
    return end >= 0


def _math(state: StateInline, silent: bool) -> bool:
    """Formulas stay as they are for whoever reads the HTML; what looks like Markdown in them is none."""
    opening = next((one for one in _CLOSING if state.src.startswith(one, state.pos)), None)
    if opening is None:
        return False
    start = state.pos + len(opening)
    end = _found(state, _CLOSING[opening], start)
    if end < 0:
        return False
    if not silent:
        display = opening.endswith("[") or opening == "$$"
        signs = ("$$", "$$") if opening == "$$" else ((r"\[", r"\]") if display else (r"\(", r"\)"))
        state.push("text", "", 0).content = state.src[start:end].strip().join(signs)
    state.pos = end + len(opening)
    return True


def _found(state: StateInline, end: str, start: int) -> int:
    """Where an end is, -1 where there is none: that is searched for once, or the time would grow as a square."""
    lacking = state.env.setdefault("lacking", set())
    place = -1 if (end, state.src) in lacking else state.src.find(end, start)
    if place < 0:
        lacking.add((end, state.src))
    return place


def _made() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    made.disable(["html_inline", "html_block"])
    made.inline.ruler.before("escape", "formula", _math)
    made.inline.ruler.push("tag", _tag)
    made.inline.ruler.push("comment", _comment)
    return made


_markdown = _made()
