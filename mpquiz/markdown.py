"""Markdown to HTML that is safe to show: CommonMark, formulas between dollars, and a few tags of HTML.

``$x$`` and ``$$x$$`` are TeX. Tags that Markdown has no signs for may be written as HTML (small letters, closed);
all others show as they are written. ``mpquiz:NAME`` in an image or a link is a file of ours (``files``).
"""

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import Any

import nh3
from django.conf import settings
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar

from . import files, formulas
from .kept_html import IN_LINES, IN_TABLES, kept_html

DEEPEST = 60
"""Lists, quotations and so on in each other; what is deeper is not shown."""

_MATH = set(formulas.ATTRIBUTES)
_INLINE_TAGS = {"br", "em", "strong", "code", "img", *IN_LINES, *_MATH}
# A choice stands inside a label and a title inside a link: no link of its own there.
_BLOCK_TAGS = {"p", "hr", "pre", "ul", "ol", "li", "blockquote", "a", *_INLINE_TAGS, *IN_TABLES}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "bdi": {"lang", "dir"},
    "code": {"dir"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "p": {"dir"},
    "pre": {"dir"},
    "span": {"lang", "dir"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    **formulas.ATTRIBUTES,
}
_VALUES = {
    "dir": re.compile(r"ltr|rtl|auto"),
    "lang": re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}"),
    "colspan": re.compile(r"[1-9]\d?"),
    "rowspan": re.compile(r"[1-9]\d?"),
    "scope": re.compile(r"(col|row)(group)?"),
}
_SCHEMES = {"http", "https", "mailto", files.SCHEME.rstrip(":")}
_FILE = re.compile(rf'(<img src|<a href)="{files.SCHEME}({files.NAME})"')
_IMAGE = re.compile(r'<img [^>]*?alt="([^"]*)"[^>]*>')
_GAP = re.compile(r"</(?:t[dhr]|caption|p|li)>|<br>")

Tokens = Sequence[Token]
Env = MutableMapping[str, Any]


class _Renderer(RendererHTML):
    """Code and formulas read from the left whatever surrounds them, with or without a stylesheet.

    A heading in a prompt would tear the outline of the page, so it becomes a bold line.
    """

    def code_inline(self, tokens, idx, options, env):  # type: ignore[no-untyped-def]
        return super().code_inline(tokens, idx, options, env).replace("<code", '<code dir="ltr"', 1)

    def code_block(self, tokens, idx, options, env):  # type: ignore[no-untyped-def]
        return super().code_block(tokens, idx, options, env).replace("<pre", '<pre dir="ltr"', 1)

    def fence(self, tokens, idx, options, env):  # type: ignore[no-untyped-def]
        return super().fence(tokens, idx, options, env).replace("<pre", '<pre dir="ltr"', 1)

    def heading_open(self, tokens, idx, options, env):  # type: ignore[no-untyped-def]
        return "<p><strong>"

    def heading_close(self, tokens, idx, options, env):  # type: ignore[no-untyped-def]
        return "</strong></p>\n"

    def kept_html(self, tokens: Tokens, idx: int, options: Any, env: Env) -> str:
        return tokens[idx].content

    def math_inline(self, tokens: Tokens, idx: int, options: Any, env: Env) -> str:
        return self.formula(tokens[idx].content, display=False)

    def math_inline_double(self, tokens: Tokens, idx: int, options: Any, env: Env) -> str:
        return self.formula(tokens[idx].content, display=not env.get("line"))

    def math_block(self, tokens: Tokens, idx: int, options: Any, env: Env) -> str:
        return f'<p dir="ltr">{self.formula(tokens[idx].content, display=True)}</p>\n'

    def formula(self, tex: str, *, display: bool) -> str:
        tex = " ".join(tex.split())
        math = formulas.mathml(tex, display=display)
        return f'<bdi dir="ltr">{math}</bdi>' if math else f'<code dir="ltr">{escape(tex, quote=False)}</code>'

    def renderInlineAsText(self, tokens, options, env):  # type: ignore[no-untyped-def]
        """The alt text of an image, with the code and the formulas that stand in it."""
        plain = [
            Token("text", "", 0, content=token.content)
            if token.type in ("code_inline", "math_inline", "math_inline_double")
            else token
            for token in tokens or ()
        ]
        return super().renderInlineAsText(plain, options, env)


class _PlainRenderer(_Renderer):
    """For texts without markup: a formula is its TeX."""

    def formula(self, tex: str, *, display: bool) -> str:
        return escape(" ".join(tex.split()), quote=False)


class _ForeignRenderer(_Renderer):
    """For other systems, which find formulas between TeX's own delimiters."""

    def formula(self, tex: str, *, display: bool) -> str:
        return escape(" ".join(tex.split()).join((r"\[", r"\]") if display else (r"\(", r"\)")), quote=False)

    def text(self, tokens: Tokens, idx: int, options: Any, env: Env) -> str:
        """What only looks like a delimiter is taken apart."""
        text = escape(tokens[idx].content)
        return _DELIMITER.sub(lambda found: f"<span>{found[0][0]}</span>{found[0][1:]}", text)


_DELIMITER = re.compile(r"\\[(\[]|\$(?=\$)|\[tex\]", re.I)


_any_math_block = math_block_dollar(allow_labels=False, allow_blank_lines=False)


def _math_block(state: StateBlock, start: int, last: int, silent: bool) -> bool:
    """The plugin's rule, save that a line such as ``$$a$$ or $$b$$`` is no formula as a whole."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    return "$$" not in line[2:-2] and _any_math_block(state, start, last, silent)


def _made(renderer: type[_Renderer]) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}, renderer_cls=renderer)
    made.use(
        dollarmath_plugin,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        allow_blank_lines=False,
        double_inline=True,
    )
    made.block.ruler.at("math_block", _math_block)
    # The plugin's renderers bring ids and classes of their own.
    for name in ("math_inline", "math_inline_double", "math_block"):
        made.renderer.rules[name] = getattr(made.renderer, name)  # type: ignore[attr-defined]
    return made.use(kept_html)


_markdown = _made(_Renderer)
_plain = _made(_PlainRenderer)
_foreign = _made(_ForeignRenderer)


def _checked(tag: str, name: str, value: str) -> str | None:
    """An attribute's value, None where it may not be; an image from elsewhere would tell who reads which question."""
    if (tag, name) == ("img", "src"):
        return value if _is_ours(value) else None
    return _written(tag, name, value)


def _written(tag: str, name: str, value: str) -> str | None:
    if name in ("src", "href") and value.startswith(files.SCHEME):
        return value if files.is_name(value.removeprefix(files.SCHEME)) else None
    pattern = _VALUES.get(name)
    return value if pattern is None or pattern.fullmatch(value) else None


def _is_ours(address: str) -> bool:
    if address.startswith("/"):
        return not address.startswith(("//", "/\\"))
    if address.startswith(files.SCHEME):
        return files.is_name(address.removeprefix(files.SCHEME))
    stores = (settings.MEDIA_URL or "", settings.STATIC_URL or "")
    return any("//" in store and address.startswith(store) for store in stores)


def _clean(html: str, tags: set[str]) -> str:
    return nh3.clean(html, tags=tags, attributes=_ATTRIBUTES, attribute_filter=_checked, url_schemes=_SCHEMES)


@lru_cache(maxsize=4096)
def _html(source: str) -> SafeString:
    return mark_safe(_clean(_markdown.render(source), _BLOCK_TAGS))  # noqa: S308 (sanitised by nh3)


@lru_cache(maxsize=4096)
def _line(source: str) -> SafeString:
    html = _markdown.renderInline(source, {"line": True})
    return mark_safe(_clean(html, _INLINE_TAGS))  # noqa: S308 (sanitised by nh3)


def _with_addresses(html: SafeString) -> SafeString:
    """The addresses of files in place of their names. They may be signed, so they are never cached."""
    if files.SCHEME not in html:
        return html
    return mark_safe(_FILE.sub(_address, html))  # noqa: S308 (escaped)


def _address(found: re.Match[str]) -> str:
    address = files.address(found[2])
    return f'{found[1]}="{escape(address)}"' if address else found[1].split()[0]


def to_html(source: str) -> SafeString:
    """Markdown as safe HTML of blocks."""
    return _with_addresses(_html(source))


def to_inline(source: str) -> SafeString:
    """Markdown as safe HTML within a line. Links are only their words here; ``linked_files`` tells those to files."""
    return _with_addresses(_line(source))


@lru_cache(maxsize=4096)
def to_plain(source: str) -> str:
    """Markdown as plain text on one line; not HTML, so a template escapes it. A formula is its TeX."""
    # A title or a choice is one line, read as a line: "2024. Review" is no list, "> 0.5" no quotation.
    html = _plain.render(source) if "\n" in source.strip() else _plain.renderInline(source, {"line": True})
    return " ".join(unescape(strip_tags(_GAP.sub(" ", _IMAGE.sub(r"\1", html)))).split())


def parsed(source: str, *, line: bool = False) -> list[Token]:
    """Markdown as tokens, for whoever judges a text; ``line``: as it is shown within a line."""
    return _plain.parseInline(source, {"line": True}) if line else _plain.parse(source)


def to_foreign_html(source: str) -> str:
    """Markdown as HTML for others: formulas in TeX's delimiters, ``mpquiz:NAME`` and all images as written."""
    return nh3.clean(
        _foreign.render(source),
        tags=_BLOCK_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_written,
        url_schemes=_SCHEMES,
        link_rel=None,
    ).strip()


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """A link to a file of ours that stands in a line, where it can only be words."""

    label: str
    name: str

    @property
    def address(self) -> str:
        return files.address(self.name)


@lru_cache(maxsize=4096)
def linked_files(source: str) -> tuple[LinkedFile, ...]:
    """The links to files (a sound) of a text that is shown within a line, to be shown after it."""
    if files.SCHEME not in source:
        return ()
    found: list[LinkedFile] = []
    name, label = "", list[str]()
    for token in _plain.parseInline(source)[0].children or ():
        if token.type == "link_open":
            name, label = str(token.attrGet("href") or "").removeprefix(files.SCHEME), list[str]()
        elif token.type == "link_close" and files.is_name(name):
            found.append(LinkedFile(" ".join("".join(label).split()), name))
        elif token.content:
            label.append(token.content)
    return tuple(found)
