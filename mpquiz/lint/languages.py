"""Texts that stand in the wrong language."""

import unicodedata
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from .reading import Passage, Question, Warning

_FEWEST_WORDS = 3
_SCRIPTS = {
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "ug", "sd"), "ARABIC"),
    **dict.fromkeys(("he", "yi"), "HEBREW"),
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "mn"), "CYRILLIC"),
    "el": "GREEK",
    "hi": "DEVANAGARI",
    "th": "THAI",
    **dict.fromkeys(("en", "fr", "de", "es", "it", "pt", "nl", "sv", "da", "nb", "nn", "fi", "pl", "cs"), "LATIN"),
    **dict.fromkeys(("sk", "sl", "hr", "hu", "ro", "tr", "id", "ms", "vi", "et", "lv", "lt", "ca", "sw"), "LATIN"),
}
"""The script of languages that are written in one."""


def copied(question: Question) -> Iterator[Warning]:
    """A prompt or an explanation of words that is the same in two languages."""
    message = _("This is the same in another language: was it copied, and never translated?")
    for field in ("prompt", "explanation"):
        seen: dict[str, str] = {}
        for passage in question.of(field):
            if not _has_words(passage):
                continue
            base = passage.language.split("-")[0]
            if seen.setdefault(_read(passage), base) != base:
                yield passage.warning(message)


def _read(passage: Passage) -> str:
    return " ".join(passage.source.split())


def _has_words(passage: Passage) -> bool:
    return sum(any(map(str.isalpha, word)) for word in passage.prose.split()) >= _FEWEST_WORDS


def other_script(question: Question) -> Iterator[Warning]:
    """Arabic in the field for English, or the reverse. A choice may well be a name in Latin script."""
    message = _("Not one letter here is of the script of this language. Does it stand in the wrong field?")
    for passage in question.of("prompt", "explanation", "feedback"):
        if _is_in_other_script(passage) and not _is_copy(passage, question):
            yield passage.warning(message)


def _is_copy(passage: Passage, question: Question) -> bool:
    """Whether it reads the same in another language, which is another rule's to tell."""
    others = (one for one in question.of(passage.field) if one.choice == passage.choice and one is not passage)
    return any(_read(one) == _read(passage) for one in others)


def _is_in_other_script(passage: Passage) -> bool:
    script = _SCRIPTS.get(passage.language.split("-")[0])
    if script is None or not _has_words(passage):
        return False
    return not any(unicodedata.name(letter, "").startswith(script) for letter in dict.fromkeys(passage.letters))
