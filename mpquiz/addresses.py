"""Where one page is in each language of the site, as search engines are told it. Paths; no request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from . import words
from .models import Quiz

X_DEFAULT = "x-default"
"""What stands for a reader of any other language."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a page by the languages of the site in which it is there; never empty."""

    by_language: Mapping[str, str]

    @classmethod
    def of(cls, name: str, languages: Iterable[str], **kwargs: object) -> Self:
        """Those of a URL name that is there in these languages of the texts. Raises LookupError where in none."""
        found = {}
        for code in _of_site(set(languages)):
            with override(code):
                found[code] = reverse(name, kwargs=kwargs)
        if not found:
            raise LookupError(name)
        return cls(found)

    @property
    def differ(self) -> bool:
        """Whether languages have addresses of their own. Else the site has one for all, or the page one language."""
        return len(set(self.by_language.values())) > 1

    @property
    def default_language(self) -> str:
        """The site's own language if the page is there in it, else the first one in which it is."""
        first = next(iter(self.by_language))
        return settings.LANGUAGE_CODE if settings.LANGUAGE_CODE in self.by_language else first

    @property
    def distinct(self) -> list[str]:
        """The languages that have an address each; the default one where there is one address for all."""
        return list(self.by_language) if self.differ else [self.default_language]

    @property
    def alternates(self) -> dict[str, str]:
        """``{hreflang: path}``, the page itself among them, with ``x-default``. Empty where there is one address."""
        if not self.differ:
            return {}
        return {**self.by_language, X_DEFAULT: self.by_language[self.default_language]}

    def canonical(self, language: str) -> str:
        """The one address of the page that a reader of a language sees."""
        return self.by_language.get(language) or self.by_language[self.default_language]


def of_quiz(quiz: Quiz) -> Addresses:
    """Those of a quiz's page, where it is published. Raises LookupError where it is not."""
    return Addresses.of("mpquiz:quiz", quiz.published_languages, slug=quiz.slug)


def of_list(page: int = 1, *, language: str = "") -> Addresses:
    """Those of the list, which is there in each language of the site that texts can be in.

    A later page is in the reader's language alone: in another, other quizzes come as far down.
    """
    first = Addresses.of("mpquiz:quiz_list", words.languages())
    if page == 1:
        return first
    return Addresses({language or first.default_language: f"{first.canonical(language)}?page={page}"})


def _of_site(languages: set[str]) -> list[str]:
    """The site's languages whose readers get a text in one of these: in their own, else, if none do, in its place."""
    served = [code for code, _name in settings.LANGUAGES if words.nearest(code) in languages]
    own = [code for code in served if _base(words.nearest(code)) == _base(code)]
    return own or served


def _base(code: str) -> str:
    return code.split("-")[0]
