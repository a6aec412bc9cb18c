"""What is seen in another order than it is read, in a text that reads from the right."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from ..words import direction
from .bidi import places
from .reading import Passage, Question, Warning, told

_MOST_QUOTED = 3
_LONGEST = 20_000
"""Characters of a paragraph that is looked through."""

_NUMBER = r"(?<![0-9])[0-9](?:[0-9.,]{0,14}[0-9])?"  # bounded, as all here: each start costs so much and no more
_SIGN = r"(?<![\w)\].,])[-+−±]"
_OPERATOR = r"[-–—−+*/×÷=<>≤≥≠^]"
_OPERAND = rf"(?:{_NUMBER}|\b[A-Za-z]\b)"
_UNITS = r"(?:[kKMGTP]i?[Bb]|[kMG]?bit/s|[kMG]?Hz|[numkc]?m|mm|[mk]?g|[num]?s|min|h|[mk]?[VWA]|kWh|px|fps)"
_MEASURE = rf"(?: ?(?:°[CF]?|[%‰€£$])| {_UNITS})(?![A-Za-z0-9])"
_EXPRESSIONS = re.compile(
    "|".join(
        (
            rf"(?:{_SIGN})?{_OPERAND}(?: ?{_OPERATOR} ?{_OPERAND}){{1,8}}(?:{_MEASURE})?",
            rf"{_SIGN}{_NUMBER}(?:{_MEASURE})?",
            rf"{_NUMBER}{_MEASURE}",
            rf"[€£$] ?{_NUMBER}",
            r"\b[A-Za-z][A-Za-z0-9]{0,30}(?:\+\+|#|\(\))(?!\w)",
            r"(?<![\w./\\])(?:--?|[.#@$~/\\])[A-Za-z][A-Za-z0-9_-]{0,40}",
        )
    )
)
_BY_HAND = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def turned(question: Question) -> Iterator[Warning]:
    """Numbers with a sign or a unit, ranges, names such as ``C++``: bare in Arabic, their parts change places."""
    message = _("Seen the other way round here: %(parts)s. Write %(code)s or %(tagged)s instead.")
    for passage in question.passages:
        if direction(passage.language) == "rtl" and (found := _turned_in(passage)):
            mended = {"code": _from_left(f"`{found[0]}`"), "tagged": _from_left(f'<bdi dir="ltr">{found[0]}</bdi>')}
            yield passage.warning(told(message, parts=" · ".join(map(_from_left, found[:_MOST_QUOTED])), **mended))


def _turned_in(passage: Passage) -> list[str]:
    found = (part for paragraph in passage.paragraphs for part in _turned_parts(paragraph))
    return list(dict.fromkeys(found))


def _from_left(part: str) -> str:
    return f"\N{LEFT-TO-RIGHT ISOLATE}{part}\N{POP DIRECTIONAL ISOLATE}"


def _turned_parts(paragraph: str) -> Iterator[str]:
    matches = list(_EXPRESSIONS.finditer(paragraph)) if len(paragraph) <= _LONGEST else []
    if not matches or _BY_HAND.search(paragraph):
        return
    seen = places(paragraph)
    for match in matches:
        where = seen[match.start() : match.end()]
        if where != list(range(where[0], where[0] + len(where))):
            yield match[0]
