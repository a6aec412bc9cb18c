"""Two contents of one question, in two languages or the same one, made into one. Nothing that is there is erased."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from .. import kinds
from ..content import ChoiceContent, QuestionContent, Where, clean, key_at
from ..models.question import tag_key
from ..words import Words, pick


@dataclass
class Merge:
    """``filled`` are the languages in which something was filled in, ``overwritten`` those in which a text was
    replaced, ``kept`` names what differs and stays.

    ``misfit`` says why the two cannot be one question; then ``content`` is what is there.
    """

    content: QuestionContent
    filled: list[str] = field(default_factory=list)
    overwritten: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    misfit: str = ""
    says_otherwise: bool = False
    """Whether a text that is there reads otherwise in the file."""


def merge(there: QuestionContent, new: QuestionContent, *, force: bool = False) -> Merge:
    """What is there with the texts of the new one where it has none; with ``force``, wherever the new one has any."""
    merged = Merge(there, misfit=misfit(there, new))
    if merged.misfit:
        return merged
    placed, added = _aligned(there, new)
    base = replace(
        there,
        choices=(*there.choices, *added),
        settings=_with_room(there.settings, new.settings),
    )
    found = _new_words(there, new, placed)
    for choice in added:
        merged.filled += [*clean(choice.text)]
    merged.content = base.with_words(lambda where, words: _fill(merged, where, words, found.get(where, {}), force))
    merged.kept += _differing(there, new, placed)
    _add_tags(merged, new)
    return merged


def restore(there: QuestionContent, new: QuestionContent) -> Merge:
    """What is there with the kind, choices and texts of the file that had brought it; the rest stays as it is there.

    ``overwritten`` begins with why the two do not fit and which choices go. For what is in no other language than the
    file: a choice that goes takes its texts along.
    """
    merged = Merge(there, overwritten=[misfit(there, new), *_going(there, new)])
    settings = _with_room(there.settings, new.settings)
    settings |= {name: value for name, value in new.settings.items() if name not in _WORDED}
    choices = tuple(_as_here(there.choice(choice.key), choice) for choice in new.choices)
    base = replace(there, kind=new.kind, choices=choices, settings=settings)
    found = new.words()
    merged.content = base.with_words(lambda where, words: _fill(merged, where, words, found.get(where, {}), True))
    _add_tags(merged, new)
    return merged


def _going(there: QuestionContent, new: QuestionContent) -> Iterator[str]:
    for number, choice in enumerate(there.choices, 1):
        if new.choice(choice.key) is None:
            values = {"number": number, "text": pick(choice.text).plain[:40] or choice.value or "—"}
            yield _("choice %(number)d is taken out: “%(text)s”") % values


def _as_here(there: ChoiceContent | None, new: ChoiceContent) -> ChoiceContent:
    """The file's choice with the words that it has here, and none where there is no such choice."""
    here = there or ChoiceContent(key=new.key)
    return replace(new, text=here.text, match=here.match, feedback=here.feedback, keeps_place=here.keeps_place)


def _fill(merged: Merge, where: Where, words: Words, new: Words, force: bool) -> Words:
    told = clean(words)
    for language, text in clean(new).items():
        if told.get(language) == text:
            continue
        if language not in told or force:
            (merged.overwritten if language in told else merged.filled).append(language)
            told[language] = text
        else:
            merged.says_otherwise = True
            merged.kept.append(f"{_called(where)} ({language})")
    return told


def _called(where: Where) -> str:
    names = {"title": _("name"), "prompt": _("prompt"), "explanation": _("explanation")}
    if where[0] == "settings":
        return _("notes") if where[1] == "notes" else _("feedback")
    if where[0] != "choices":
        return names[str(where[0])]
    message = _("feedback of choice %(number)d") if where[2] == "feedback" else _("choice %(number)d")
    return message % {"number": int(where[1]) + 1}


def _with_room(there: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with an empty place for each of the words that only the new ones have."""
    settings = dict(there)
    told = new.get("feedback")
    if isinstance(told, Mapping) and isinstance(settings.get("feedback", {}), Mapping):
        settings["feedback"] = {name: {} for name, words in told.items() if words} | settings.get("feedback", {})
    if isinstance(new.get("notes"), Mapping):
        settings.setdefault("notes", {})
    return settings


def _new_words(there: QuestionContent, new: QuestionContent, placed: Mapping[int, int]) -> dict[Where, Words]:
    """The new words by where they belong in what is there. An answer that is accepted already is not named twice."""
    back = {here: place for place, here in placed.items()}
    found: dict[Where, Words] = {}
    for where, words in new.words().items():
        if where[0] != "choices":
            found[where] = words
        elif (place := back.get(int(where[1]))) is not None:
            choice = there.choices[place]
            if where[2] == "text" and _accepts(there, choice.part):
                accepted = set(clean(choice.text).values())
                words = {language: text for language, text in clean(words).items() if text not in accepted}
            found["choices", place, where[2]] = words
    return found


def _differing(there: QuestionContent, new: QuestionContent, placed: Mapping[int, int]) -> Iterator[str]:
    """What is no text and differs: it stays as it is."""
    pairs = [(there.choices[place], new.choices[here]) for place, here in placed.items()]
    if any(one.weight != other.weight or one.right != other.right for one, other in pairs):
        yield _("weights")
    if any(there.settings.get(name) != value for name, value in new.settings.items() if name not in _WORDED):
        yield _("settings")


_WORDED = ("feedback", "notes")


def _add_tags(merged: Merge, new: QuestionContent) -> None:
    """A course in another language has categories in it: they come along with its texts, not without."""
    have = {tag_key(tag) for tag in merged.content.tags}
    lacking = [tag for tag in new.tags if tag_key(tag) not in have]
    if lacking and merged.filled:
        merged.content = replace(merged.content, tags=(*merged.content.tags, *lacking))
    elif lacking:
        merged.kept.append(_("tags"))


# Choices -------------------------------------------------------------------------------------------------------


def _accepts(content: QuestionContent, part: str) -> bool:
    """Whether the choices are answers that are accepted: each language has its own, in no order."""
    return kinds.kept(content.kind).accepts_texts_of(part, content.settings)


def accepts(content: QuestionContent) -> bool:
    return any(_accepts(content, part) for part in {choice.part for choice in content.choices})


def _by_part(content: QuestionContent) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, choice in enumerate(content.choices):
        found.setdefault(choice.part, []).append(index)
    return found


def _aligned(there: QuestionContent, new: QuestionContent) -> tuple[dict[int, int], list[ChoiceContent]]:
    """``{place of a choice that is there: place of the same in the new one}``, and the answers to be added."""
    mine, theirs = _by_part(there), _by_part(new)
    placed: dict[int, int] = {}
    added: list[ChoiceContent] = []
    taken = {choice.key for choice in there.choices}
    for part, indexes in theirs.items():
        if not _accepts(there, part):
            placed |= dict(zip(mine.get(part, []), indexes, strict=False))
            continue
        known = {text: index for index in mine.get(part, []) for text in clean(there.choices[index].text).values()}
        for index in indexes:
            texts = clean(new.choices[index].text).values()
            place = next((known[text] for text in texts if text in known), None)
            if place is None:
                added.append(replace(new.choices[index], key=_free_key(taken)))
            else:
                placed.setdefault(place, index)
    return placed, added


def _free_key(taken: set[str]) -> str:
    number = len(taken)
    while key_at(number) in taken:
        number += 1
    taken.add(key_at(number))
    return key_at(number)


# What cannot be one question -----------------------------------------------------------------------------------


def misfit(there: QuestionContent, new: QuestionContent) -> str:
    """Why the two cannot be one question in two languages; "" where they can."""
    if there.kind != new.kind:
        return _("the kind is “%(there)s” there and “%(here)s” here") % {"there": there.kind, "here": new.kind}
    mine, theirs = _by_part(there), _by_part(new)
    if set(mine) != set(theirs):
        values = {"there": ", ".join(mine) or "—", "here": ", ".join(theirs) or "—"}
        return _("the gaps are %(there)s there and %(here)s here") % values
    for part in mine:
        if _accepts(there, part) != _accepts(new, part):
            return _("the gap %(gap)s is of another kind") % {"gap": part}
        if not _accepts(there, part):
            here = [new.choices[index] for index in theirs[part]]
            if why := _choices_misfit([there.choices[index] for index in mine[part]], here):
                return why
    return ""


def _choices_misfit(there: Sequence[ChoiceContent], new: Sequence[ChoiceContent]) -> str:
    if len(there) != len(new):
        values = {"there": len(there), "here": len(new)}
        return _("the number of choices is %(there)d there and %(here)d here") % values
    if _right(there) != _right(new):
        return _("right is choice %(there)s there and %(here)s here") % {"there": _right(there), "here": _right(new)}
    for one, other in zip(there, new, strict=True):
        if one.value != other.value:
            return _("the number is %(there)s there and %(here)s here") % {"there": one.value, "here": other.value}
    if _distractors(there) != _distractors(new):
        return _("what belongs to nothing stands at another place there than here")
    return ""


def _right(choices: Iterable[ChoiceContent]) -> str:
    return ", ".join(str(number) for number, choice in enumerate(choices, 1) if choice.right) or "—"


def _distractors(choices: Iterable[ChoiceContent]) -> list[bool]:
    """Which of the pairs have no left side."""
    return [bool(clean(choice.match)) and not clean(choice.text) for choice in choices]
