"""What the head of a public page tells search engines, and whoever shares its link. Addresses are absolute.

A page without a ``Finding`` is none of their business: it says ``noindex`` (``mpquiz/page.html``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import get_language, gettext, to_locale

from . import addresses, linked_data
from .addresses import X_DEFAULT, Addresses
from .conf import conf
from .linked_data import Absolute
from .quiz_pages import QuizPage
from .words import NO_TEXT, Text

LONGEST_DESCRIPTION = 200
"""Characters: more is cut off wherever a description is shown."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """The page in another language, or in its own; ``language`` is as ``hreflang`` has it."""

    language: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``address`` is the one that counts of all under which the page is seen.

    ``indexed``: whether the page is to be found. One that is not tells only whoever was sent its link what it is.
    ``locale`` is of the texts as they are shown, ``other_locales`` are those in which the page is there as well.
    """

    name: str
    address: str
    locale: str
    indexed: bool = True
    description: Text = NO_TEXT
    alternates: Sequence[Alternate] = ()
    data: SafeString | None = None

    @classmethod
    def at(cls, there: Addresses, absolute: Absolute, *, language: str, **more: object) -> Self:
        """A page at these addresses, whose texts are in a language."""
        alternates = [Alternate(code, absolute(path)) for code, path in there.alternates.items()]
        address = absolute(there.canonical(get_language() or language))
        return cls(address=address, locale=to_locale(language), alternates=alternates, **more)  # type: ignore[arg-type]

    @property
    def other_locales(self) -> list[str]:
        locales = (to_locale(one.language) for one in self.alternates if one.language != X_DEFAULT)
        return [locale for locale in locales if locale != self.locale]

    @property
    def summary(self) -> str:
        """The description on one line, without markup."""
        return Truncator(self.description.plain).chars(LONGEST_DESCRIPTION)

    @property
    def site_name(self) -> str | Promise:
        return conf.SITE_NAME


def of_list(absolute: Absolute, page: int = 1) -> Finding:
    """A page of the list of quizzes, whatever else its address says."""
    language = get_language() or ""
    there = addresses.of_list(page, language=language)
    return Finding.at(there, absolute, language=language, name=gettext("Quizzes"))


def of_quiz(page: QuizPage, absolute: Absolute) -> Finding | None:
    """The page of a quiz; None where only staff see it. The same for whoever reads it."""
    quiz = page.quiz
    if quiz.archived or not quiz.offered:
        return None
    there = addresses.of_quiz(quiz)
    indexed = quiz.is_open_to_guests
    title = quiz.title_text
    return Finding.at(
        there,
        absolute,
        language=title.language or get_language() or "",
        name=title.plain or quiz.slug,
        description=quiz.description_text,
        indexed=indexed,
        data=_data(page, there, absolute) if indexed and page.readable else None,
    )


def _data(page: QuizPage, there: Addresses, absolute: Absolute) -> SafeString:
    address = absolute(there.canonical(get_language() or ""))
    contents = [one.content for one in page.readable]
    return linked_data.escaped(
        linked_data.of_quiz(page.quiz, page.guides, contents, address=address, absolute=absolute)
    )
