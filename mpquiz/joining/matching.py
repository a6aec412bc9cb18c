"""Which question of a file is which question of a quiz. The README tells the rule in plain words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from ..content import QuestionContent, QuizContent, clean
from .merging import accepts, merge, misfit

_GENERATED = re.compile(r"q[0-9]+(-[0-9]+)?")


def name_of(key: str) -> str:
    """The key without its namespace."""
    return key.split("/")[-1]


def has_id(key: str) -> bool:
    """Whether the file itself named the question, so that the key was not made of its place."""
    return not _GENERATED.fullmatch(name_of(key))


class Unlike(Exception):
    """The file cannot be laid beside the quiz; the message says what to do."""


@dataclass
class Matched:
    """``pairs`` tell the place in the quiz of each place in the file.

    ``own`` are the places of questions that this very file brought before, ``taken_out`` those that an editor took
    out of the quiz since.
    """

    pairs: dict[int, int] = field(default_factory=dict)
    own: set[int] = field(default_factory=set)
    taken_out: set[int] = field(default_factory=set)


def match(there: QuizContent, new: QuizContent, marks: Mapping[str, str]) -> Matched:
    """Match by key, then by what is asked, then by place; what is left over is new.

    ``marks`` are the digests of what the last import had read for each question of the quiz's namespace, by key.
    Raises Unlike.
    """
    return _Matching(there, new, marks).done()


class _Matching:
    def __init__(self, there: QuizContent, new: QuizContent, marks: Mapping[str, str]) -> None:
        self.there = [placed.content for placed in there.questions if placed.content]
        self.new = [placed.content for placed in new.questions if placed.content]
        self.namespace = there.namespace
        self.same_file = there.slug == new.slug and there.namespace == new.namespace
        self.marks = marks
        self.found = Matched()

    def done(self) -> Matched:
        by_id = self._match_by_key()
        self._match_by_content()
        rest = self._rest()
        if not rest or not self.there:
            return self.found
        same_length = len(self.new) == len(self.there)
        new_language = bool(_languages(self.new) - _languages(self.there))
        if same_length and (by_id or new_language or self._mostly_fits()):
            self._match_by_place(with_ids=not by_id)
        elif new_language and any(not self._has_id(here) for here in rest):
            raise Unlike(self._counts())
        return self.found

    def _rest(self) -> list[int]:
        done = self.found.pairs.keys() | self.found.taken_out
        return [here for here in range(len(self.new)) if here not in done]

    def _counts(self) -> str:
        message = _(
            "The file has %(here)d questions and the quiz %(there)d, and they have no ids to go by. Bring both to "
            "the same number and order, give the questions ids, or import the file as a quiz of its own."
        )
        return message % {"here": len(self.new), "there": len(self.there)}

    # By key --------------------------------------------------------------------------------------------------

    def _match_by_key(self) -> bool:
        """Whether any question was matched by an id of its own, not by the key that its place gave it."""
        places = {content.key: place for place, content in enumerate(self.there)}
        by_id = False
        for here, content in enumerate(self.new):
            key = f"{self.namespace}/{name_of(content.key)}"
            own = self.same_file or self.marks.get(key) == replace(content, key=key).digest
            if own:
                self.found.own.add(here)
            if key not in places:
                self.found.taken_out.update({here} if own else ())
            elif own or self._has_id(here):
                self.found.pairs[here] = places[key]
                by_id = by_id or self._has_id(here)
        return by_id

    def _has_id(self, here: int) -> bool:
        return has_id(self.new[here].key)

    # By content ----------------------------------------------------------------------------------------------

    def _match_by_content(self) -> None:
        """What is in the quiz already, word for word in a language of the file."""
        taken = set(self.found.pairs.values())
        places: dict[tuple[object, ...], list[int]] = {}
        for place in reversed(range(len(self.there))):
            if place not in taken:
                for signature in _signatures(self.there[place]):
                    places.setdefault(signature, []).append(place)
        for here in self._rest():
            for signature in _signatures(self.new[here]):
                free = places.get(signature, [])
                while free and free[-1] in taken:
                    free.pop()
                if free and not misfit(self.there[free[-1]], self.new[here]):
                    taken.add(free[-1])
                    self.found.pairs[here] = free.pop()
                    break

    # By place ------------------------------------------------------------------------------------------------

    def _mostly_fits(self) -> bool:
        """Whether at least half of the questions could be what stands at their places."""
        return 2 * sum(self._fits(here) for here in range(len(self.new))) >= len(self.new)

    def _fits(self, here: int) -> bool:
        if here in self.found.pairs:
            return self.found.pairs[here] == here
        merged = merge(self.there[here], self.new[here])
        return not merged.misfit and not merged.says_otherwise

    def _match_by_place(self, *, with_ids: bool) -> None:
        taken = set(self.found.pairs.values())
        for here in self._rest():
            if here not in taken and (with_ids or not self._has_id(here)):
                self.found.pairs[here] = here


def _languages(contents: list[QuestionContent]) -> set[str]:
    return {language for content in contents for language in clean(content.prompt)}


def _signatures(content: QuestionContent) -> Iterator[tuple[object, ...]]:
    """What tells a question in each of its languages."""
    choices = () if accepts(content) else content.choices
    for language, prompt in clean(content.prompt).items():
        told = tuple(
            (choice.text.get(language), choice.match.get(language), choice.value, choice.right) for choice in choices
        )
        yield (language, content.kind, prompt, told)
