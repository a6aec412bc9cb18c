"""What the kinds share whose answer has several parts: one for each pair, item or gap."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from ..content import ChoiceContent, QuestionContent, clean
from ..exceptions import Refusal
from ..words import Text, languages, pick
from .base import FormData, Kind, Problem, Seen, parts_in

MOST = 100
"""How many parts a question may have: more, and nobody finds their way through the form."""


_GREATEST = 10**300


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question as a page shows it: a left side, an item.

    ``name`` is that of its field. ``given`` is what the learner gave to it and ``right`` what is right; both are
    empty, and ``state`` is "", before the answer is known.
    """

    name: str
    text: Text
    state: str = ""
    given: Text | int | None = None
    right: Text | int | None = None


class Composed(Kind):
    """A kind whose answer is ``{part: value}``, given by the fields ``given-PART`` of a form."""

    def given_in(self, data: FormData) -> dict[str, str]:
        return parts_in(data)

    def values(self, given: object, names: Sequence[str]) -> dict[str, str]:
        """``{part: value}`` of an answer as it came, without what was left empty. Raises Refusal("bad_answer")."""
        if given is None:
            return {}
        if not isinstance(given, Mapping) or not set(map(str, given)) <= set(names):
            raise Refusal("bad_answer", _("That is no answer to this question. Answer again."))
        values = {str(name): _as_text(value) for name, value in given.items()}
        return {name: value for name, value in values.items() if value}

    def readings(self, content: QuestionContent, words: str) -> dict[str, set[tuple[str, str]]]:
        """``{key: {(language, text)}}``: what the ``words`` of each choice read as to the learner.

        In the language in which they were read, as they were then; where nobody knows, in any. A learner cannot tell
        two apart that share one.
        """
        seen = self.seen or Seen(content)
        texts = {one.key: getattr(one, words) for one in (*content.choices, *seen.content.choices)}
        read_in = [seen.language] if seen.language else languages()
        return {
            key: {(one, " ".join(pick(text, one).source.split())) for one in read_in} for key, text in texts.items()
        }


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Refusal("bad_answer", _("That is no answer to this question. Answer again."))
    if isinstance(value, int) and abs(value) > _GREATEST:  # so long that Python would not write it
        raise Refusal("bad_answer", _("That is no answer to this question. Answer again."))
    return value.strip() if isinstance(value, str) else repr(value)


def names(count: int) -> list[str]:
    """The names of the parts that are named by their place."""
    return [str(place) for place in range(1, count + 1)]


def too_many(choices: Sequence[Any]) -> list[Problem]:
    message = _("Give at most %(count)s: more cannot be answered on one page.") % {"count": MOST}
    return [Problem(message, "choices")] if len(choices) > MOST else []


def read_alike(choices: Iterable[ChoiceContent], words: str, message: Any) -> list[Problem]:
    """A problem at each choice whose ``words`` read in some language as those of an earlier one, yet not in all."""
    seen: dict[tuple[str, str], dict[str, str]] = {}
    found = []
    for index, choice in enumerate(choices):
        texts = clean(getattr(choice, words))
        earlier = [seen.setdefault((la, " ".join(text.split())), texts) for la, text in texts.items()]
        if any(one != texts for one in earlier):
            found.append(Problem(message, words, index, blocks=False))
    return found


def to(left: Text, right: Text) -> Text:
    """``left → right`` as one text, each side kept in its own direction."""
    arrow = "←" if left.dir == "rtl" else "→"
    return Text(
        f"\N{FIRST STRONG ISOLATE}{left.source}\N{POP DIRECTIONAL ISOLATE} {arrow} "
        f"\N{FIRST STRONG ISOLATE}{right.source}\N{POP DIRECTIONAL ISOLATE}",
        left.language,
    )


_PLAIN_TAG = re.compile(r"</?(?:em|strong|code|br)\b[^<>]*>")
_LONG = 60
"""Characters that the select list of a telephone shows."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a select list offers at a place; ``label`` stands for it where the list cannot show it."""

    place: int
    text: Text
    label: str

    @property
    def fits(self) -> bool:
        """Whether a select list can show it: plain text on one line, no picture, no formula and no sound."""
        is_plain = "<" not in _PLAIN_TAG.sub("", self.text.inline) and not self.text.files
        return is_plain and len(self.text.plain) <= _LONG


@dataclass(frozen=True, slots=True)
class Offered:
    offers: Sequence[Offer] = ()

    @classmethod
    def of(cls, texts: Iterable[Text]) -> Self:
        return cls([Offer(place, text, _label(place)) for place, text in enumerate(texts, 1)])

    @property
    def labelled(self) -> bool:
        """Whether all stands in full beside the select list, which offers labels."""
        return not all(offer.fits for offer in self.offers)


NOTHING_OFFERED = Offered()


def _label(place: int) -> str:
    # Translators: the letters that number a list, in the order in which your language numbers by letters
    letters = pgettext("letters that number a list", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return letters[place - 1] if place <= len(letters) else str(place)
