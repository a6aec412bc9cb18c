"""A prompt that asks for what is *not* so."""

import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from ..kinds.spelling import folded
from .reading import Question, Warning

_SENTENCE = re.compile(r"[^.!?؟:\n]+")
_WORD = re.compile(r"[^\W_][\w'’]*")
_REACH = 9
"""Words after the one that asks, within which “not” is what it asks."""

_ASKS = {"en": {"which", "what"}, "ar": {"اي", "ايها", "ايهما"}}
_NEGATES = {
    "en": {"not", "cannot", "isn't", "aren't", "doesn't", "don't", "can't", "wasn't", "except"},
    "ar": {"ليس", "ليست", "ليسا", "لا", "ماعدا", "باستثناء"},
}
_TURNS = {  # from here on it is another clause that is denied
    "en": {
        "if",
        "when",
        "that",
        "who",
        "whose",
        "because",
        "where",
        "while",
        "since",
        "and",
        "or",
        "but",
        "to",
        "with",
    },
    "ar": {"اذا", "لو", "عندما", "حين", "التي", "الذي", "الذين", "لان", "ان", "بحيث", "حيث", "لكي", "كي", "لم"},
}
_EXCEPTS = {"en": ({"all", "each", "every", "any", "following"}, "except"), "ar": ({"كل", "جميع", "التاليه"}, "عدا")}


def quiet_negation(question: Question) -> Iterator[Warning]:
    """“Which of these is not …?” where nothing makes the “not” stand out."""
    if not question.offers_choices:
        return
    message = _("This asks for what is not so. Make the “not” stand out, between ** and **, or ask for what is so.")
    for passage in question.of("prompt"):
        language = passage.language.split("-")[0]
        if language in _ASKS and any(_denies(text, language) for text in passage.calm):
            yield passage.warning(message)


def _denies(paragraph: str, language: str) -> bool:
    return any(_is_negative(_words(sentence, language), language) for sentence in _SENTENCE.findall(paragraph))


def _words(sentence: str, language: str) -> list[str]:
    """Words in capitals stand out by themselves, and are left out."""
    found = [word.replace("’", "'") for word in _WORD.findall(sentence)]
    if language == "ar":
        return [folded(word) for word in found]
    return [word.lower() for word in found if not (word.isupper() and len(word) > 1)]


def _is_negative(words: Sequence[str], language: str) -> bool:
    whole, but = _EXCEPTS[language]
    if but in words and whole & set(words[: words.index(but)]):
        return True
    asks = next((index for index, word in enumerate(words) if word in _ASKS[language]), None)
    if asks is None:
        return False
    for word in words[asks + 1 : asks + 1 + _REACH]:
        if word in _TURNS[language]:
            return False
        if word in _NEGATES[language]:
            return True
    return False
