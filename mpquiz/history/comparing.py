"""What differs between two contents of a question: field by field, language by language, word by word."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from ..content import ChoiceContent, QuestionContent, Where, clean

What = Literal["same", "added", "removed"]

_WORD = re.compile(r"\s+|[.,;:!?،؛؟()«»“”\"]|[^\s.,;:!?،؛؟()«»“”\"]+")
_MOST_PAIRS = 250_000
"""Of words that are compared each with each; longer texts are told as a whole, save what they begin and end with."""
_CHOICE_VALUES = ("right", "weight", "value", "part", "keeps_place")
_LONGEST_SAME = 160
_CONTEXT = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that is in both, or in one."""

    text: str
    what: What

    @property
    def short(self) -> str:
        """The text; what is in both without its middle where that is long."""
        if self.what != "same" or len(self.text) <= _LONGEST_SAME:
            return self.text
        return f"{self.text[:_CONTEXT]} … {self.text[-_CONTEXT:]}"


@dataclass(frozen=True, slots=True)
class Change:
    """What changed at a place. ``what`` is of the whole: "same" where a text or value became another.

    ``field`` is named as in the content, a part of the settings by its path ("settings.notes"); ``choice`` is the
    place of a choice, from 1 (of one that was removed, where it stood), ``language`` that of a text, "" of a value.
    """

    field: str
    pieces: tuple[Piece, ...]
    what: What = "same"
    choice: int | None = None
    language: str = ""


def differences(before: QuestionContent, after: QuestionContent) -> list[Change]:
    """All that ``after`` has otherwise; empty for contents of equal digests."""
    return [
        *_value("kind", before.kind, after.kind),
        *_texts("title", before.title, after.title),
        *_texts("prompt", before.prompt, after.prompt),
        *_choices(before.choices, after.choices),
        *_texts("explanation", before.explanation, after.explanation),
        *_settings(before, after),
        *_value("guides", sorted(before.guides), sorted(after.guides)),
        *_value("tags", sorted(before.tags), sorted(after.tags)),
    ]


def _texts(
    field: str, before: Mapping[str, str], after: Mapping[str, str], choice: int | None = None
) -> Iterator[Change]:
    old, new = clean(before), clean(after)
    for language in sorted(old.keys() | new.keys()):
        was, now = old.get(language, ""), new.get(language, "")
        if was != now:
            yield Change(field, pieces(was, now), _what(was, now), choice, language)


def _what(was: Any, now: Any) -> What:
    return "added" if not was else "removed" if not now else "same"


def _value(field: str, was: Any, now: Any, choice: int | None = None) -> Iterator[Change]:
    """A value is replaced as a whole, a list by what was taken out and put in."""
    if was == now:
        return
    if isinstance(was, list) and isinstance(now, list):
        found = [
            *(Piece(one, "removed") for one in was if one not in now),
            *(Piece(one, "added") for one in now if one not in was),
        ]
    else:
        found = [Piece(_plain(was), "removed"), Piece(_plain(now), "added")]
    yield Change(field, tuple(piece for piece in found if piece.text), "same", choice)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str | bool):
        return value if isinstance(value, str) else json.dumps(value)
    return str(value) if not isinstance(value, dict | list) else json.dumps(value, ensure_ascii=False)


# Choices -------------------------------------------------------------------------------------------------------


def _choices(before: Sequence[ChoiceContent], after: Sequence[ChoiceContent]) -> Iterator[Change]:
    old = {choice.key: choice for choice in before}
    new = {choice.key for choice in after}
    for place, choice in enumerate(before, 1):
        if choice.key not in new:
            yield from _whole_choice(choice, place, "removed")
    for place, choice in enumerate(after, 1):
        if was := old.get(choice.key):
            yield from _choice(was, choice, place)
        else:
            yield from _whole_choice(choice, place, "added")
    yield from _order(before, after)


def _choice(was: ChoiceContent, now: ChoiceContent, place: int) -> Iterator[Change]:
    for name in ("text", "match"):
        yield from _texts(name, getattr(was, name), getattr(now, name), place)
    for name in _CHOICE_VALUES:
        yield from _value(name, getattr(was, name), getattr(now, name), place)
    yield from _texts("feedback", was.feedback, now.feedback, place)


def _whole_choice(choice: ChoiceContent, place: int, what: What) -> Iterator[Change]:
    """All that it holds; one that holds nothing is told all the same."""
    told = False
    for name in ("text", "match", "feedback"):
        for language, text in clean(getattr(choice, name)).items():
            told = True
            yield Change(name, (Piece(text, what),), what, place, language)
    for name in _CHOICE_VALUES:
        if value := getattr(choice, name):
            told = True
            yield Change(name, (Piece(_plain(value), what),), what, place)
    if not told:
        yield Change("text", (), what, place)


def _order(before: Sequence[ChoiceContent], after: Sequence[ChoiceContent]) -> Iterator[Change]:
    """Of the choices that are in both, where they stand in another order: the places they had, as they stand now."""
    places = {choice.key: place for place, choice in enumerate(before, 1)}
    now = [places[choice.key] for choice in after if choice.key in places]
    if now != sorted(now):
        was = " ".join(map(str, sorted(now)))
        yield Change("order", (Piece(was, "removed"), Piece(" ".join(map(str, now)), "added")))


# Settings ------------------------------------------------------------------------------------------------------


def _settings(before: QuestionContent, after: QuestionContent) -> Iterator[Change]:
    old, new = _settings_words(before), _settings_words(after)
    for where in sorted(old.keys() | new.keys()):
        yield from _texts(".".join(map(str, where)), old.get(where, {}), new.get(where, {}))
    was, now = _without_words(before), _without_words(after)
    for name in sorted(was.keys() | now.keys()):
        yield from _value(f"settings.{name}", was.get(name), now.get(name))


def _settings_words(content: QuestionContent) -> dict[Where, Mapping[str, str]]:
    return {where: texts for where, texts in content.words().items() if where[0] == "settings"}


def _without_words(content: QuestionContent) -> Mapping[str, Any]:
    return content.with_words(lambda where, texts: {} if where[0] == "settings" else texts).settings


# Words ---------------------------------------------------------------------------------------------------------


def pieces(was: str, now: str) -> tuple[Piece, ...]:
    """Two texts as what is in both and what is in one, in the order in which it is read; words are never parted."""
    old, new = _WORD.findall(was), _WORD.findall(now)
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    found = [Piece("".join(old[:start]), "same")]
    found += _changed(old[start : len(old) - end], new[start : len(new) - end])
    found.append(Piece("".join(old[len(old) - end :]), "same"))
    return tuple(piece for piece in found if piece.text)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (word, same) in pairs if word != same), min(len(one), len(other)))


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if len(old) * len(new) > _MOST_PAIRS:
        yield from (Piece("".join(old), "removed"), Piece("".join(new), "added"))
        return
    matcher = SequenceMatcher(str.isspace, old, new, autojunk=False)
    for what, from_old, to_old, from_new, to_new in matcher.get_opcodes():
        if what == "equal":
            yield Piece("".join(old[from_old:to_old]), "same")
        else:
            yield Piece("".join(old[from_old:to_old]), "removed")
            yield Piece("".join(new[from_new:to_new]), "added")
