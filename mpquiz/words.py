"""Words in several languages: which language a reader gets, which it really is, and Markdown to safe HTML.

Words are ``{language: Markdown}``. Everything that shows a text to a person reads it here, because the plain
attribute of modeltranslation reads empty when only a language off its fallback chain is there.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

import nh3
from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils import translation
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Text:
    """One text as one reader gets it.

    ``language`` is the language that the text is really in ("" where there is no text at all), ``fallback``
    whether that is another than the reader's.
    """

    source: str = ""
    language: str = ""
    fallback: bool = False

    def __bool__(self) -> bool:
        return bool(self.source)

    def __str__(self) -> str:
        return self.plain

    @property
    def dir(self) -> str:
        return direction(self.language)

    @property
    def html(self) -> SafeString:
        """The text as paragraphs, lists and so on."""
        return to_html(self.source)

    @property
    def inline(self) -> SafeString:
        """The text within a line: a title, a choice."""
        return to_inline(self.source)

    @property
    def plain(self) -> str:
        """The text without markup, for titles of pages, alt texts and admin lists."""
        return to_plain(self.source)


class Written(Text):
    """A text that is no Markdown and is shown as it stands: what a learner wrote, what is accepted from them.

    Where its language is not known, its direction is that of its first letter.
    """

    @property
    def dir(self) -> str:
        return direction(self.language) if self.language else "auto"

    @property
    def html(self) -> SafeString:
        return format_html("<p>{}</p>", self.source)

    @property
    def inline(self) -> SafeString:
        return format_html("{}", self.source)

    @property
    def plain(self) -> str:
        return self.source


NO_TEXT = Text()


def languages() -> list[str]:
    """The languages that texts have columns for, the host's order."""
    if not apps.is_installed("modeltranslation"):
        return [settings.LANGUAGE_CODE]
    from modeltranslation.settings import AVAILABLE_LANGUAGES, ENABLE_REGISTRATIONS

    return list(AVAILABLE_LANGUAGES) if ENABLE_REGISTRATIONS else [settings.LANGUAGE_CODE]


def attribute(name: str, language: str) -> str:
    """The attribute that holds the translated field ``name`` in ``language``: ``title_ar``, ``title_pt_br``."""
    if not _has_columns():
        return name
    from modeltranslation.utils import build_localized_fieldname

    return build_localized_fieldname(name, language)


def _has_columns() -> bool:
    if not apps.is_installed("modeltranslation"):
        return False
    from modeltranslation.settings import ENABLE_REGISTRATIONS

    return ENABLE_REGISTRATIONS


def current_language() -> str:
    """The reader's language among those of the host's texts: ``ar`` for a reader of ``ar-eg`` where that is all."""
    return nearest(translation.get_language() or settings.LANGUAGE_CODE)


def nearest(code: str) -> str:
    """The language of the texts that serves a reader of ``code`` best, the host's first one where none does."""
    known = languages()
    base = code.split("-")[0]
    same = [code, base, *(other for other in known if other.split("-")[0] == base)]
    return next((language for language in same if language in known), known[0])


def direction(language: str) -> str:
    """``rtl`` or ``ltr``; a language that Django does not know is taken to read from the left."""
    try:
        return "rtl" if translation.get_language_info(language)["bidi"] else "ltr"
    except KeyError:
        return "ltr"


def of(row: models.Model, name: str) -> dict[str, str]:
    """All there is of a row's translated field, ``{language: Markdown}`` without the empty ones."""
    pairs = ((language, getattr(row, attribute(name, language)) or "") for language in languages())
    return {language: text for language, text in pairs if text.strip()}


def read(row: models.Model, name: str, language: str | None = None) -> Text:
    """A row's translated field as a reader of ``language`` (the active one by default) gets it."""
    return pick(of(row, name), language)


def pick(words: Words, language: str | None = None) -> Text:
    """The text in the reader's language, else in the host's fallbacks, else in any language that there is."""
    wanted = language or current_language()
    if source := words.get(wanted, "").strip():
        return Text(source, wanted)
    for candidate in (*_order(wanted), *words):
        if source := words.get(candidate, "").strip():
            return Text(source, candidate, fallback=candidate.split("-")[0] != wanted.split("-")[0])
    return NO_TEXT


def _order(language: str) -> Iterable[str]:
    """The reader's language and its regional relatives, the host's fallbacks, then the host's own order."""
    base = language.split("-")[0]
    known = languages()
    fallbacks: Iterable[str] = ()
    if _has_columns():
        from modeltranslation.utils import resolution_order

        fallbacks = resolution_order(nearest(language))
    return (language, base, *(la for la in known if la.split("-")[0] == base), *fallbacks, *known)


# Markdown -------------------------------------------------------------------------------------------------

_BLOCK_TAGS = {"p", "br", "hr", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "a", "img"}
# A choice stands inside a label and a title inside a link: no link of its own there.
_INLINE_TAGS = {"br", "em", "strong", "code", "img"}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "code": {"dir"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "pre": {"dir"},
}


class _Renderer(RendererHTML):
    """Code reads from the left whatever surrounds it, with or without a stylesheet.

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


_IMAGE = re.compile(r'<img [^>]*?alt="([^"]*)"[^>]*>')
_markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)


def _own_images_only(tag: str, name: str, value: str) -> str | None:
    """An image from elsewhere would tell a stranger who reads which question."""
    return value if (tag, name) != ("img", "src") or _is_ours(value) else None


def _is_ours(address: str) -> bool:
    if address.startswith("/"):
        return not address.startswith(("//", "/\\"))
    stores = (settings.MEDIA_URL or "", settings.STATIC_URL or "")
    return any("//" in store and address.startswith(store) for store in stores)


def _clean(html: str, tags: set[str]) -> str:
    return nh3.clean(
        html,
        tags=tags,
        attributes=_ATTRIBUTES,
        attribute_filter=_own_images_only,
        url_schemes={"http", "https", "mailto"},
    )


@lru_cache(maxsize=4096)
def to_html(source: str) -> SafeString:
    """Markdown as safe HTML of blocks."""
    return mark_safe(_clean(_markdown.render(source), _BLOCK_TAGS))  # noqa: S308 (sanitised by nh3)


@lru_cache(maxsize=4096)
def to_inline(source: str) -> SafeString:
    """Markdown as safe HTML within a line."""
    return mark_safe(_clean(_markdown.renderInline(source), _INLINE_TAGS))  # noqa: S308 (sanitised by nh3)


@lru_cache(maxsize=4096)
def to_plain(source: str) -> str:
    """Markdown as plain text on one line; not HTML, so a template escapes it."""
    # A title or a choice is one line, read as a line: "2024. Review" is no list, "> 0.5" no quotation.
    html = _markdown.render(source) if "\n" in source.strip() else _markdown.renderInline(source)
    return " ".join(unescape(strip_tags(_IMAGE.sub(r"\1", html))).split())
