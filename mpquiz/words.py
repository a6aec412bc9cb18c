"""Words in several languages: which language a reader gets, and which it really is.

Words are ``{language: Markdown}``, which ``markdown`` makes safe to show. Everything that shows a text to a person
reads it here, because the plain attribute of modeltranslation reads empty when only a language off its fallback
chain is there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from .markdown import LinkedFile, linked_files, to_html, to_inline, to_plain

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
    def files(self) -> tuple[LinkedFile, ...]:
        """The files (a sound) that the text links to, to be shown after ``inline``, which cannot hold a link."""
        return linked_files(self.source)

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
    def files(self) -> tuple[LinkedFile, ...]:
        return ()

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


def when(moment: datetime) -> str:
    """A moment in the reader's language and time zone, which is named."""
    local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    zone = f" ({local.tzname()})" if timezone.is_aware(moment) else ""
    return date_format(local, "DATETIME_FORMAT") + zone
