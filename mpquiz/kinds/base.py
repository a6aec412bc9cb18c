"""What a kind of question is asked to do."""

import json
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Protocol, TypeVar

from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, Json, QuestionContent, clean
from ..exceptions import Refusal
from ..words import Text, pick
from .places import names_others

Item = TypeVar("Item")

FRACTION_PLACES = 7
"""Decimal places of a stored fraction, as Moodle keeps them (0.3333333)."""
TALLY_LENGTH = 200
"""Characters of what statistics count an answer as."""
ERASED = ""
"""What is stored for an answer that was taken out with its learner. No kind stores it for one that was given."""


class FormData(Protocol):
    """The part of Django's QueryDict that kinds read."""

    def __iter__(self) -> Iterator[str]: ...

    def getlist(self, key: str) -> list[Any]: ...


FIELD = "given"
"""The name of an answer in a form. A kind that is composed of parts has a field ``given-PART`` for each."""
_OF_PART = f"{FIELD}-"
_MOST_PARTS = 1000


def scope_of(position: int) -> str:
    """What stands before the names of a question's fields in a form that holds several."""
    return f"q{position}-"


@dataclass(frozen=True, slots=True)
class OneOfMany:
    """The fields of the question at a position, in a form that holds several, by their own names."""

    data: FormData
    position: int

    def __iter__(self) -> Iterator[str]:
        scope = scope_of(self.position)
        return (name.removeprefix(scope) for name in self.data if name.startswith(scope))

    def getlist(self, key: str) -> list[Any]:
        return self.data.getlist(scope_of(self.position) + key)


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submitted form, for whoever does not know yet which kind of question it answers."""

    data: FormData

    @property
    def given(self) -> list[str]:
        """The values of the one field, as they came."""
        return self.data.getlist(FIELD)

    @property
    def parts(self) -> dict[str, str]:
        """The last value of the field of each part, as it came."""
        return parts_in(self.data)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was chosen or written."""
        values = [*self.given, *self.parts.values()]
        return not any(value.strip() if isinstance(value, str) else value is not None for value in values)


def parts_in(data: FormData) -> dict[str, str]:
    """``{part: value}`` of the fields ``given-PART`` in a form."""
    names = [name for name in data if name.startswith(_OF_PART)][:_MOST_PARTS]
    return {name.removeprefix(_OF_PART): data.getlist(name)[-1] for name in names}


@dataclass(frozen=True, slots=True)
class Entered:
    """A stored answer as the fields of its form hold it: the reverse of what a form submits."""

    given: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something an editor must mend: in ``field``, of the choice at index ``choice`` (from 0) or of the question.

    One that does not block is odd, and the question can be asked all the same.
    """

    message: str | Promise
    field: str = ""
    choice: int | None = None
    blocks: bool = True


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice as a page shows it. Before the answer is known ``state`` is "".

    ``place`` counts from 1 in the order shown; ``state`` is "right", "wrong" or "" (neither chosen nor right).
    """

    place: int
    text: Text
    chosen: bool = False
    right: bool = False
    state: str = ""


def mixed(content: QuestionContent, keys: Iterable[str], *, by: str = "text") -> list[str]:
    """Keys of choices in an order that tells nothing of the editor's, the same whenever this question is shown.

    For whatever would give the answer away in the order in which it was written. It depends on nothing but the words
    that are seen (the choices' field ``by``): with another key, the same words stand in the same order.
    """
    seen = {choice.key: json.dumps(clean(getattr(choice, by)), sort_keys=True) for choice in content.choices}

    def rank(key: str) -> bytes:
        return salted_hmac("mpquiz.mixed", f"{content.key}\n{seen[key]}", algorithm="sha256").digest()

    return sorted(keys, key=rank)


def shuffled(keys: Sequence[Item], *, kept: Collection[Item] = ()) -> list[Item]:
    """The keys in an order drawn by lot, in which those that are ``kept`` stand where they stood."""
    moving = [key for key in keys if key not in kept]
    drawn = iter(random.sample(moving, len(moving)))
    return [key if key in kept else next(drawn) for key in keys]


def kind_of_part(part: str, settings: Mapping[str, Any]) -> str:
    """What the settings say that a part is; "" where they do not."""
    parts = settings.get("parts")
    found = parts.get(part) if isinstance(parts, Mapping) else None
    return str(found.get("kind", "")) if isinstance(found, Mapping) else ""


def exact(fraction: Fraction) -> Decimal:
    """A fraction as the Decimal that is stored, kept between 0 and 1."""
    bounded = min(max(fraction, Fraction(0)), Fraction(1))
    return round(Decimal(bounded.numerator) / Decimal(bounded.denominator), FRACTION_PLACES)


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood before the learner whose answer is at hand: the content as it was asked, and in which language.

    The language is "" where it is not known.
    """

    content: QuestionContent
    language: str = ""


class Kind:
    """One kind of question: cleans, marks and shows an answer, and says what an editor must mend.

    A host's own kind subclasses this (or one of ours) and is named in ``MPQUIZ["KINDS"]``. ``order`` is the keys
    of the choices as this learner was shown them. Each is made anew where it is asked for.
    """

    seen: Seen | None = None
    """What the learner saw, for a kind that marks by it: set where an answer is at hand."""

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    template: ClassVar[str]
    asks: ClassVar[bool] = True
    scores: ClassVar[bool] = True
    choice_fields: ClassVar[tuple[str, ...]] = ()
    """What an editor fills in for each choice, as ``ChoiceContent`` names it; none: the kind has no choices."""
    hint: ClassVar[str | Promise] = ""
    """What whoever writes such a question should know: what its choices mean, which settings it takes."""
    lays_out_prompt: ClassVar[bool] = False
    """Whether the kind's template shows the prompt itself, since the answer is given within it."""
    button: ClassVar[str | Promise] = _("Check the answer")
    """What the button says that takes the answer."""
    supplies_words: ClassVar[bool] = False
    """Whether the kind has words of its own for choices that the editor left without."""
    accepts_texts: ClassVar[bool] = False
    """Whether the texts of the choices are answers that are typed and accepted: each language has its own."""
    offering_parts: ClassVar[Sequence[str]] = ()
    """What ``settings["parts"][PART]["kind"]`` is where the choices of a part are no such answers all the same."""

    edu_type: ClassVar[str] = "Open ended"
    """The format of the question in the words of schema.org (``eduQuestionType``)."""

    @property
    def uses_choices(self) -> bool:
        return bool(self.choice_fields)

    def accepts_texts_of(self, part: str, settings: Mapping[str, Any]) -> bool:
        """Whether the texts of the choices of a part are answers that are accepted."""
        return self.accepts_texts and kind_of_part(part, settings) not in self.offering_parts

    def complete(self, content: QuestionContent) -> QuestionContent:
        """The content with what the kind itself supplies, in all languages of the host."""
        return content

    def problems(self, content: QuestionContent) -> list[Problem]:
        """What keeps the (completed) content from being asked; empty where it is sound."""
        return [] if clean(content.prompt) else [Problem(_("Write the prompt in at least one language."), "prompt")]

    def blocking(self, content: QuestionContent) -> list[Problem]:
        """The problems for which a question as written cannot be asked."""
        return [problem for problem in self.problems(self.complete(content)) if problem.blocks]

    def visible(self, content: QuestionContent) -> Json:
        """What a learner may see before answering, in an order that tells nothing: never anything of the key."""
        return {"kind": content.kind, "prompt": clean(content.prompt)}

    def order(self, content: QuestionContent, *, shuffle: bool) -> list[str]:
        """The keys of the choices as one attempt, or the page before it, shows them."""
        keys = [choice.key for choice in content.choices]
        if not shuffle or content.settings.get("keep_order"):
            return keys
        return shuffled(keys, kept={choice.key for choice in content.choices if choice.keeps_place})

    def given_in(self, data: FormData) -> object:
        """The given value in a submitted form, as it came; ``clean`` judges it."""
        values = data.getlist(FIELD)
        return values[-1] if values else None

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> Any:
        """A given value (from a form or from JSON) as it is stored: plain JSON that does not depend on ``order``.

        Nor does it depend on the key, since it is shown again before the right answer may be seen.

        Raises Refusal("bad_answer") where it is no answer to this question.
        """
        raise NotImplementedError

    def clean_partly(self, given: object, content: QuestionContent, order: Sequence[str]) -> Any:
        """As ``clean``, of an answer that can still be changed: parts of it may be missing, and earn nothing."""
        return self.clean(given, content, order)

    def entered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Entered:
        """A stored answer as the fields of the form hold it, so that it can be changed."""
        return Entered([given]) if isinstance(given, str) else Entered()

    def sendable(self, content: QuestionContent, order: Sequence[str], given: Any) -> Any:
        """A stored answer as a script sends it, in terms of what was shown: the reverse of ``clean``."""
        entered = self.entered(content, order, given)
        return entered.parts or (entered.given[0] if entered.given else None)

    def mark(self, content: QuestionContent, given: Any) -> Decimal | None:
        """The fraction of the points that a cleaned answer earns, 0 to 1; None where a person must mark it."""
        raise NotImplementedError

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        """A stored answer as a teacher reads it in a list: what was chosen or written."""
        written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        return [Text(written)]

    def tally(self, content: QuestionContent, given: Any) -> str:
        """What statistics count a stored answer as: equal ones together. "" where each answer is one of its own.

        A kind whose answer is choices gives their keys, apart by spaces. Cut to ``TALLY_LENGTH`` characters.
        """
        return ""

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        """Whether a stored answer tells nothing of whoever gave it: chosen, or typed as the editor has it.

        Any other is taken out when its learner is erased; the marks stay.
        """
        return False

    def guess(self, content: QuestionContent) -> Fraction | None:
        """The share of the points that blind guessing earns on average; None where nobody can say."""
        return None

    def said(self, content: QuestionContent, given: Any) -> list[Text]:
        """What the editor says to whoever gave this answer; shown only once the rules let it."""
        return []

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Any:
        """What the template shows before the answer: computed from nothing that tells the key."""
        raise NotImplementedError

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Any:
        """What the template shows once the rules let the right answer be seen; ``given`` is None if skipped."""
        raise NotImplementedError

    def readable(self, content: QuestionContent) -> Text:
        """The prompt as it reads where nothing can be answered."""
        return pick(content.prompt)

    def offered(self, content: QuestionContent) -> list[Text]:
        """What a learner chooses the answer from; computed from nothing that tells the key."""
        return []

    def right_answers(self, content: QuestionContent) -> list[Text]:
        """What is right, each in words; empty where that is not said so. To be told only where the rules let it."""
        return []


class ChoiceKind(Kind):
    """What the kinds share whose answer is one or more of the editor's choices."""

    template = "mpquiz/kinds/choices.html"
    choice_fields = ("text", "right", "weight", "keeps_place", "feedback")
    edu_type = "Multiple choice"
    several: ClassVar[bool] = False
    """Whether a learner may choose more than one."""

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if len(content.choices) < 2:
            return [*found, Problem(_("Give at least two choices."), "choices")]
        found += without_text(content.choices)
        found += _equal(content.choices)
        found += _weights(content.choices)
        found += _naming_others(content)
        if not any(choice.right for choice in content.choices):
            found.append(Problem(_("Mark the right choice."), "choices"))
        return found

    def visible(self, content: QuestionContent) -> Json:
        return super().visible(content) | {"choices": [clean(choice.text) for choice in content.choices]}

    def given_in(self, data: FormData) -> object:
        return data.getlist(FIELD)

    def places(self, given: object, order: Sequence[str]) -> list[int]:
        """The places that were given, from 1, each once and in order. Raises Refusal("bad_answer")."""
        values = given if isinstance(given, list) else [given]
        if not values or values in ([None], [""]):
            raise Refusal("bad_answer", self.nothing_chosen)
        if len(values) > len(order):
            raise Refusal("bad_answer", NO_SUCH_CHOICE)
        return sorted({place_in(value, len(order)) for value in values})

    nothing_chosen: ClassVar[str | Promise] = _("Choose an answer first.")

    def asked(self, content: QuestionContent, order: Sequence[str]) -> list[ShownChoice]:
        texts = {choice.key: choice.text for choice in content.choices}
        return [ShownChoice(place, pick(texts[key])) for place, key in enumerate(order, 1)]

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> list[ShownChoice]:
        chosen = self.chosen(given)
        by_key = {choice.key: choice for choice in content.choices}
        return [_shown(place, by_key[key], key in chosen) for place, key in enumerate(order, 1)]

    def offered(self, content: QuestionContent) -> list[Text]:
        return [choice.text for choice in self.asked(content, self.order(content, shuffle=False))]

    def right_answers(self, content: QuestionContent) -> list[Text]:
        return [pick(choice.text) for choice in content.choices if choice.right]

    def entered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Entered:
        chosen = self.chosen(given)
        return Entered([str(place) for place, key in enumerate(order, 1) if key in chosen])

    def sendable(self, content: QuestionContent, order: Sequence[str], given: Any) -> Any:
        places = [int(place) for place in self.entered(content, order, given).given]
        return places if self.several else next(iter(places), None)

    def said(self, content: QuestionContent, given: Any) -> list[Text]:
        chosen = self.chosen(given)
        taken = [choice for choice in content.choices if choice.key in chosen]
        return [pick(choice.feedback) for choice in taken if clean(choice.feedback)]

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        chosen = self.chosen(given)
        return [pick(choice.text) for choice in content.choices if choice.key in chosen]

    def tally(self, content: QuestionContent, given: Any) -> str:
        chosen = self.chosen(given)
        return " ".join(choice.key for choice in content.choices if choice.key in chosen)

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        return True

    def chosen(self, given: Any) -> set[str]:
        """The keys of the choices in a stored answer."""
        raise NotImplementedError


def _shown(place: int, choice: ChoiceContent, chosen: bool) -> ShownChoice:
    state = "right" if choice.right else "wrong" if chosen else ""
    return ShownChoice(place, pick(choice.text), chosen, choice.right, state)


NO_SUCH_CHOICE = _("That is not one of the choices. Choose again.")


def place_in(value: object, count: int) -> int:
    """A place from 1 to ``count`` as a form or JSON gives it. Raises Refusal("bad_answer")."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= count):
        raise Refusal("bad_answer", NO_SUCH_CHOICE)
    return int(text)


def without_text(choices: Iterable[ChoiceContent]) -> list[Problem]:
    """A problem at each choice that has no text in any language."""
    message = _("Write the choice in at least one language.")
    return [Problem(message, "text", index) for index, choice in enumerate(choices) if not clean(choice.text)]


def _equal(choices: Iterable[ChoiceContent]) -> list[Problem]:
    """Two choices that read the same in a language cannot both be chosen with a reason."""
    seen: set[tuple[str, str]] = set()
    found = []
    for index, choice in enumerate(choices):
        texts = {(language, " ".join(text.split())) for language, text in clean(choice.text).items()}
        if texts & seen:
            found.append(Problem(_("Another choice reads the same."), "text", index, blocks=False))
        seen |= texts
    return found


def _naming_others(content: QuestionContent) -> list[Problem]:
    """Choices that name others by their place, and would be wrong in another order."""
    if content.settings.get("keep_order"):
        return []
    message = _("This names other choices by their place. Tick “keeps its place”, or a shuffle makes it wrong.")
    return [
        Problem(message, "keeps_place", index, blocks=False)
        for index, choice in enumerate(content.choices)
        if not choice.keeps_place and any(names_others(text, language) for language, text in choice.text.items())
    ]


def _weights(choices: Iterable[ChoiceContent]) -> list[Problem]:
    found = []
    for index, choice in enumerate(choices):
        if choice.weight is None:
            continue
        if not -1 <= choice.weight <= 1:
            found.append(Problem(_("A weight lies between -1 and 1."), "weight", index))
        elif choice.right and choice.weight <= 0:
            found.append(Problem(_("The weight of a right choice is above 0."), "weight", index))
    return found
