"""The guide pages: one Markdown file for each guide and language, its first heading is its title.

A line ``[quiz]: slug`` in a file says that a quiz is taken at that place of the page.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML

PAGES = Path(__file__).resolve().parent / "pages"
SLUGS = ("floating-point", "tensors", "mixed-precision")
"""In the order of reading."""
_QUIZ = re.compile(r"^\[quiz\]: (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Guide:
    slug: str
    title: str
    body: str

    @property
    def html(self) -> SafeString:
        return _html(self.body)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The text with the quizzes that stand in it: ``{"html": …}`` or ``{"quiz": slug}``, in order."""
        pieces = _QUIZ.split(self.body)
        parts = ({"quiz": piece} if place % 2 else {"html": _html(piece)} for place, piece in enumerate(pieces))
        return [part for part in parts if any(part.values())]

    @property
    def opening(self) -> SafeString:
        """The first paragraph."""
        return _html(self.body.split("\n\n")[0])


def read(slug: str, language: str) -> Guide:
    """The guide in a language; LookupError where there is no such guide."""
    if slug not in SLUGS:
        raise LookupError(slug)
    heading, body = (PAGES / f"{slug}.{language}.md").read_text(encoding="utf-8").split("\n", 1)
    return Guide(slug, heading.removeprefix("# "), body.strip())


def in_order(language: str) -> list[Guide]:
    return [read(slug, language) for slug in SLUGS]


class _Renderer(RendererHTML):
    """Code reads from the left in every language, and what is too wide can be scrolled by keyboard."""

    def code_inline(self, tokens: Any, idx: int, options: Any, env: Any) -> str:
        return super().code_inline(tokens, idx, options, env).replace("<code", '<code dir="ltr"', 1)

    def fence(self, tokens: Any, idx: int, options: Any, env: Any) -> str:
        return super().fence(tokens, idx, options, env).replace("<pre", '<pre dir="ltr" tabindex="0"', 1)

    def table_open(self, tokens: Any, idx: int, options: Any, env: Any) -> str:
        return '<div class="prose-table" tabindex="0"><table>'

    def table_close(self, tokens: Any, idx: int, options: Any, env: Any) -> str:
        return "</table></div>"


_markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def _html(source: str) -> SafeString:
    return mark_safe(_markdown.render(source))  # noqa: S308  our own files, and raw HTML is off
