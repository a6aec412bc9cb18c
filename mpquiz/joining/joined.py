"""What a quiz becomes when a file is joined to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from django.utils.translation import gettext as _

from ..content import PlacedQuestion, QuestionContent, QuizContent, clean
from ..words import Words
from .matching import has_id, match, name_of
from .merging import Merge, merge, restore


@dataclass
class Joined:
    """``content`` is the quiz as it is to be: only questions that change or are new are written out in it.

    ``filled``, ``updated`` and ``kept`` say of a question's key (of the quiz: "") in which languages, or what;
    ``shown`` are the file's questions as they will be, ``keys`` their keys by those that the file gave, and
    ``mistakes`` are by the file's keys too.
    """

    content: QuizContent
    shown: list[PlacedQuestion] = field(default_factory=list)
    filled: dict[str, str] = field(default_factory=dict)
    updated: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    mistakes: list[tuple[str, str]] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)


def join(there: QuizContent, new: QuizContent, *, marks: Mapping[str, str], force: bool = False) -> Joined:
    """The quiz with what the file adds to it. Raises Unlike.

    ``there`` has all its questions written out. ``marks`` are the digests of what the last import had read for each
    question of the quiz's namespace, by key, those that are in no quiz too. With ``force`` texts of the file replace
    those that are there.
    """
    matched = match(there, new, marks)
    joining = _Joining(there, marks, force)
    for here, one in enumerate(new.questions):
        if here in matched.taken_out:
            joining.take_out(one)
        elif here in matched.pairs:
            joining.merge(matched.pairs[here], one, own=here in matched.own)
        else:
            joining.add(one)
    return joining.done(new)


class _Joining:
    def __init__(self, there: QuizContent, marks: Mapping[str, str], force: bool) -> None:
        self.there = there
        self.force = force
        self.questions = [replace(placed, content=None) for placed in there.questions]
        self.taken = {*marks, *(placed.key for placed in there.questions)}
        self.joined = Joined(there)

    def done(self, new: QuizContent) -> Joined:
        self.joined.content = replace(
            self.there,
            title=self._title(new.title),
            questions=tuple(self.questions),
            known_guides=(),
            known_tags=new.known_tags,
        )
        return self.joined

    def _title(self, new: Words) -> Words:
        told, found = clean(self.there.title), clean(new)
        if self.force:
            return {**told, **found}
        differing = [language for language, text in found.items() if told.get(language, text) != text]
        if differing:
            self.joined.kept[""] = ", ".join(f"{_('name')} ({language})" for language in differing)
        return {**found, **told}

    # Questions -------------------------------------------------------------------------------------------------

    def _show(self, one: PlacedQuestion, result: PlacedQuestion) -> None:
        self.joined.keys[one.key] = result.key
        self.joined.shown.append(result)

    def add(self, one: PlacedQuestion) -> None:
        key = self._free_key(one.key)
        self.taken.add(key)
        added = replace(one, key=key, content=one.content and replace(one.content, key=key))
        self.questions.append(added)
        self._show(one, added)

    def _free_key(self, said: str) -> str:
        """By the id that the file gave, else by the place at the end of the quiz."""
        key = f"{self.there.namespace}/{name_of(said)}"
        if has_id(said) and key not in self.taken:
            return key
        keys = (f"{self.there.namespace}/q{number}" for number in count(len(self.questions) + 1))
        return next(key for key in keys if key not in self.taken)

    def take_out(self, one: PlacedQuestion) -> None:
        """What an editor took out of the quiz stays out, unless it is forced; then it is as it was left."""
        key = f"{self.there.namespace}/{name_of(one.key)}"
        result = replace(one, key=key, content=one.content and replace(one.content, key=key))
        if not self.force:
            self.joined.kept[key] = _("taken out of the quiz")
        else:
            self.questions.append(replace(result, content=None) if key in self.taken else result)
        self._show(one, result)

    def merge(self, place: int, one: PlacedQuestion, *, own: bool) -> None:
        there = self.there.questions[place]
        if there.content is None or one.content is None:
            raise ValueError("Questions are joined by their content.")
        merged = merge(there.content, one.content, force=self.force)
        if there.points != one.points:
            merged.kept.append(_("points"))
        content = self._own(there.content, one.content, merged) if own else self._anothers(there.key, one, merged)
        self._tell(there.key, merged)
        result = replace(there, content=content)
        if content != there.content:
            self.questions[place] = result
        self._show(one, result)

    def _anothers(self, key: str, one: PlacedQuestion, merged: Merge) -> QuestionContent:
        if merged.misfit:
            message = _("This question would be joined to %(key)s of the quiz, and does not fit it: %(why)s.")
            self.joined.mistakes.append((one.key, message % {"key": key, "why": merged.misfit}))
        return merged.content

    def _own(self, there: QuestionContent, new: QuestionContent, merged: Merge) -> QuestionContent:
        """What this very file had brought: whatever differs, an editor changed."""
        if not self.force:
            merged.kept += [merged.misfit] if merged.misfit else merged.filled
            merged.filled = []
            return there
        if merged.misfit and _languages(there) <= _languages(new):
            restored = restore(there, new)
            merged.overwritten = [*restored.overwritten, *restored.filled]
            merged.kept += restored.kept
            return restored.content
        merged.kept += [merged.misfit] if merged.misfit else []
        return merged.content

    def _tell(self, key: str, merged: Merge) -> None:
        joined = self.joined
        if merged.kept:
            joined.kept[key] = _listed(merged.kept)
        if merged.overwritten:
            joined.updated[key] = _listed(merged.overwritten)
        elif merged.filled:
            joined.filled[key] = _listed(merged.filled)
        elif not merged.kept and not merged.misfit:
            joined.unchanged.append(key)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _languages(content: QuestionContent) -> set[str]:
    return {language for words in content.words().values() for language in clean(words)}
