"""What is translated: which texts are wanted in each language, how many are there, and which are to be checked."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Self

from . import kinds
from .content import QuestionContent, Where
from .words import Words

# ASCII without letters, code and math, in an expression that each database reads as Python does. It walks a text
# once: every round of the loop begins with a sign that the class before it has not.
_PLAIN = r"[ \t\r\n!-#%-@[-_{-~]*"
_CODE = r"`[^`]+`|``[^`]+``"
_MATH = r"\$[^$ ]([^$]*[^$ ])?\$|\$\$[^$]+\$\$"
NEUTRAL = rf"^{_PLAIN}(({_CODE}|{_MATH}){_PLAIN})*$"
"""The regular expression of texts that read the same in every language: numbers, inline code, math."""

_neutral = re.compile(NEUTRAL)


def is_neutral(text: str) -> bool:
    """Whether a text needs no translation."""
    return _neutral.search(text) is not None


def is_wanted(texts: Words) -> bool:
    """Whether a text is wanted in every language: one has it, in words."""
    return not all(map(is_neutral, texts.values()))


class State(Enum):
    """How much of what is wanted is there in a language."""

    WHOLE = "whole"
    HALF = "half"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Texts:
    """How many texts are wanted in every language, and how many of them are there in each."""

    wanted: int = 0
    there: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[Words], languages: Iterable[str]) -> Self:
        wanted = [one for one in texts if is_wanted(one)]
        return cls(len(wanted), {la: sum(bool(one.get(la)) for one in wanted) for la in languages})

    @classmethod
    def of_content(cls, content: QuestionContent, languages: Iterable[str]) -> Self:
        """Those of a question. What needs no counterpart in a language counts as there."""
        wanted = sum(map(is_wanted, of_question(content).values()))
        return cls(wanted, {la: wanted - len(lacking_in(content, la)) for la in languages})

    def __add__(self, other: "Texts") -> "Texts":
        languages = self.there.keys() | other.there.keys()
        there = {la: self.there.get(la, 0) + other.there.get(la, 0) for la in languages}
        return Texts(self.wanted + other.wanted, there)

    def lacking(self, language: str) -> int:
        return self.wanted - self.there.get(language, 0)

    def percent(self, language: str) -> int:
        """Rounded down: 100 means that nothing lacks."""
        return 100 * self.there.get(language, 0) // self.wanted if self.wanted else 100

    def state(self, language: str) -> State:
        if not self.lacking(language):
            return State.WHOLE
        return State.HALF if self.there.get(language) else State.NONE

    @property
    def is_mixed(self) -> bool:
        """Whether no language has it whole and several have a part of it."""
        states = [self.state(language) for language in self.there]
        return State.WHOLE not in states and states.count(State.HALF) > 1


def of_question(content: QuestionContent) -> dict[Where, Words]:
    """The texts that learners read of a question, by where they stand."""
    return {
        where: texts for where, texts in content.words().items() if where[0] in ("prompt", "choices", "explanation")
    }


def lacking_in(content: QuestionContent, language: str) -> list[Where]:
    """Where a question lacks a text of this language that another has."""
    excused = _excused(content, language)
    return [
        where
        for where, texts in of_question(content).items()
        if is_wanted(texts) and not texts.get(language) and where[:2] not in excused
    ]


def _excused(content: QuestionContent, language: str) -> set[Where]:
    """The choices that need nothing in a language: answers of another, where some right one is accepted in it."""
    kind = kinds.kept(content.kind)
    right = {choice.part for choice in content.choices if choice.right and choice.text.get(language)}
    parts = {part for part in right if kind.accepts_texts_of(part, content.settings)}
    return {
        ("choices", index)
        for index, choice in enumerate(content.choices)
        if choice.part in parts and is_wanted(choice.text) and not choice.text.get(language)
    }


def to_check(before: Words, after: Words, marked: Collection[str]) -> set[str]:
    """The languages in which a text is to be checked after a change, when those ``marked`` were to be before it.

    A language that was written anew has the others checked; what is a translation for the first time, and what
    catches up since it was marked itself, has not. Several that change at once are settled. Space is no change.
    """
    old, new = ({la: " ".join(text.split()) for la, text in texts.items()} for texts in (before, after))
    changed = {language for language in old.keys() | new.keys() if old.get(language, "") != new.get(language, "")}
    drives = any(old.get(language) and new.get(language) and language not in marked for language in changed)
    kept = {language for language in new if new[language] and old.get(language)} - changed
    return kept if drives else kept & set(marked)
