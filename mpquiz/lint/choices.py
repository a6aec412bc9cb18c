"""What is odd about choices as a whole, and about texts that point at them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from ..kinds import Problem
from ..kinds.matching import Matching
from ..kinds.ordering import Ordering
from ..kinds.places import names_others
from .reading import Passage, Question, Warning

_LABELS = (
    "abcdefghijklmnop",
    "ابجدهوزحطيكلمن",
    "ابتثجحخدذرزسشص",
    "אבגדהוזחטי",
    "абвгдежзик",
    "абвгдеєжзи",
    tuple(str(number) for number in range(1, 21)),
    tuple("١٢٣٤٥٦٧٨٩"),
)
_LABEL = re.compile(r"\s*[(\[]?(\w{1,2})ـ?[)\].:\-–](?=\s|[^\W\d])")
_ALEFS = str.maketrans("أإآ", "ااا")


def labels(question: Question) -> Iterator[Warning]:
    """Most choices begin with a letter or number in the order in which they stand: ``A)``, ``ب-``, ``3.``."""
    if not (question.offers_choices or isinstance(question.kind, Matching | Ordering)):
        return
    message = _(
        "The choices begin with letters or numbers that were typed. A shuffle puts them out of order: leave them out."
    )
    for language, passages in question.by_language("text").items():
        if len(passages) > 1 and _are_labelled([passage.source for passage in passages]):
            yield Warning(message, "choices", language=language)


def _are_labelled(texts: Sequence[str]) -> bool:
    found = [match[1].lower().translate(_ALEFS) if (match := _LABEL.match(text)) else "" for text in texts]
    enough = max(2, (3 * len(texts) + 3) // 4)
    return any(
        sum(one == wanted for one, wanted in zip(found, alphabet, strict=False)) >= enough for alphabet in _LABELS
    )


_MUCH_LONGER = 2
_LONGER_BY = 40
"""Characters, beside so many times the longest other one."""


def gives_away(question: Question) -> Iterator[Warning]:
    """The one right choice is far longer than all others."""
    right = [index for index, choice in enumerate(question.content.choices) if choice.right]
    if not question.offers_choices or len(right) != 1:
        return
    message = _("The right choice is far longer than the others, which gives it away.")
    for passages in question.by_language("text").values():
        lengths = [(len(one.prose), one) for one in passages if one.choice != right[0]]
        longest = max((length for length, _passage in lengths), default=0)
        for passage in passages:
            length = len(passage.prose)
            is_long = length >= _MUCH_LONGER * longest and length - longest >= _LONGER_BY
            if passage.choice == right[0] and len(lengths) > 1 and is_long:
                yield passage.warning(message)


_NAMED = (
    re.compile(r"\b(?:[Aa]nswer|[Oo]ption|[Cc]hoice|[Aa]lternative)s? \(?[A-H]\b\)?(?!['’+#*])"),
    re.compile(r"\b(?:[Tt]he )(?:first|second|third|fourth|last) (?:answer|option|choice|alternative)\b"),
    re.compile(r"(?:الإجابة|الاجابة|الخيار|الاختيار|البديل|الجواب) \(?[أابجدهـ]{1,2}\)?(?!\w)"),
    re.compile(
        r"(?:الإجابة|الاجابة|الخيار|الاختيار|البديل|الجواب) "
        r"(?:الأول|الأولى|الثاني|الثانية|الثالث|الثالثة|الرابع|الرابعة|الأخير|الأخيرة)(?!\w)"
    ),
)


def points_at(question: Question) -> Iterator[Warning]:
    """An explanation or a feedback names a choice by its letter or its place."""
    if not question.offers_choices or not question.is_shuffled:
        return
    message = _("This names a choice by its letter or its place. Where choices are shuffled, say its words instead.")
    for passage in question.of("prompt", "explanation", "feedback", "settings"):
        if any(pattern.search(passage.prose) for pattern in _NAMED):
            yield passage.warning(message)


def odd(question: Question) -> Iterator[Warning]:
    """What the kind itself finds odd, and does not refuse."""
    for problem in _problems(question):
        if problem.field != "keeps_place":
            yield Warning(problem.message, problem.field, problem.choice)


def names_places(question: Question) -> Iterator[Warning]:
    """As the kind finds it: a choice such as “All of the above”. Wrong only where choices are shuffled."""
    if question.shuffles is False:
        return
    for problem in _problems(question):
        if problem.field == "keeps_place":
            yield Warning(problem.message, problem.field, problem.choice, _language(question, problem))


def _language(question: Question, problem: Problem) -> str:
    """Of the texts of the choice, where but one names others."""
    found = [one.language for one in _texts(question, problem.choice) if names_others(one.source, one.language)]
    return found[0] if len(found) == 1 else ""


def _texts(question: Question, choice: int | None) -> Iterable[Passage]:
    return (passage for passage in question.of("text") if passage.choice == choice)


def _problems(question: Question) -> list[Problem]:
    return [problem for problem in question.kind.problems(question.content) if not problem.blocks]
