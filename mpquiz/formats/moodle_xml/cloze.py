"""Moodle's embedded answers, ``{2:SHORTANSWER:=Paris#Yes~%50%Lyon~*#No}``: from text to sub-questions and back.

The syntax is that of Moodle's question type multianswer (``question/type/multianswer/questiontype.php``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from .numbers import plain as digits

LONGEST = 100_000
"""Characters of one sub-question."""

_START = re.compile(r"\{(\d{0,9}):([A-Z_]{2,20})(?=[:}])")
_ENDS = re.compile(r"\\[\\~#}]|[~}]|(?<!&)#")
_ALTERNATIVE = re.compile(r"\s*(?:(=)|%(-?\d{1,9}(?:[.,]\d{0,20})?)%)?")
_ESCAPED = re.compile(r"\\([}#~/])")

TEXT, STRICT, NUMBER, SINGLE, MULTIPLE = "text", "strict", "number", "single", "multiple"

_FORMS = {
    TEXT: ("SHORTANSWER", "SA", "MW"),
    STRICT: ("SHORTANSWER_C", "SAC", "MWC"),
    NUMBER: ("NUMERICAL", "NM"),
    SINGLE: (
        *("MULTICHOICE", "MC", "MULTICHOICE_V", "MCV", "MULTICHOICE_H", "MCH"),
        *("MULTICHOICE_S", "MCS", "MULTICHOICE_VS", "MCVS", "MULTICHOICE_HS", "MCHS"),
    ),
    MULTIPLE: ("MULTIRESPONSE", "MR", "MULTIRESPONSE_H", "MRH", "MULTIRESPONSE_S", "MRS", "MULTIRESPONSE_HS", "MRHS"),
}
_FORM_OF = {name: form for form, names in _FORMS.items() for name in names}


@dataclass(frozen=True, slots=True)
class Alternative:
    """An answer of a sub-question; ``percent`` is its share, ``text`` and ``feedback`` are HTML."""

    text: str
    percent: Decimal = Decimal(0)
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Subquestion:
    """``form`` is one of the five above, None where there is no such type; ``name`` is as written.

    ``place`` is where it begins in the text; ``closed`` tells whether its brace is closed.
    """

    name: str
    form: str | None
    weight: Decimal = Decimal(1)
    alternatives: tuple[Alternative, ...] = ()
    place: int = 0
    closed: bool = True


def pieces(text: str) -> Iterator[str | Subquestion]:
    """The text and its sub-questions, in their order. One that is not closed ends the reading."""
    done = 0
    while found := _START.search(text, done):
        form = _FORM_OF.get(found[2])
        # What is none of Moodle's types may be anything in braces, and stays in the text.
        end, alternatives = _alternatives(text, found.end()) if form else (found.end(), ())
        yield text[done : found.start()]
        weight = Decimal(found[1] or 1)
        yield Subquestion(found[2], form, weight, alternatives, found.start(), end is not None)
        if end is None:
            return
        if form is None:
            yield found[0]
        done = end
    yield text[done:]


def _alternatives(text: str, start: int) -> tuple[int | None, tuple[Alternative, ...]]:
    """The place after the closing brace, None where there is none, and what stands before it."""
    parts: list[list[str]] = [[""]]
    done = start + 1 if text.startswith(":", start) else start
    for found in _ENDS.finditer(text, done, start + LONGEST):
        if found[0].startswith("\\") or (found[0] == "#" and len(parts[-1]) > 1):
            continue  # a second # belongs to the feedback
        parts[-1][-1] = text[done : found.start()]
        done = found.end()
        if found[0] == "}":
            return done, tuple(_alternative(part) for part in parts if part[0].strip() or len(part) > 1)
        if found[0] == "~":
            parts.append([""])
        else:
            parts[-1].append("")
    return None, ()


def _alternative(part: list[str]) -> Alternative:
    found = _ALTERNATIVE.match(part[0])
    assert found is not None  # noqa: S101 (every part of the pattern may be empty)
    percent = Decimal(100) if found[1] else Decimal((found[2] or "0").replace(",", "."))
    return Alternative(_unescaped(part[0][found.end() :]), percent, _unescaped("".join(part[1:])))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text).strip()


_LIKE_ONE = re.compile(r"\{(?=\d{0,9}:[A-Z_]{2,20}[:}])")
_UNLIKE = re.compile(r"&#123;(?=\d{0,9}:[A-Z_]{2,20}[:}])")


def literal(text: str) -> str:
    """A text around sub-questions in which nothing reads as one."""
    return _LIKE_ONE.sub("&#123;", text)


def plain(text: str) -> str:
    """``literal``, undone."""
    return _UNLIKE.sub("{", text)


# Writing -------------------------------------------------------------------------------------------------------

_NAMES = {form: names[0] for form, names in _FORMS.items()}
_SPECIAL = re.compile(r"&#(?=[0-9xX])|[\\~#{}]")
_AT_START = re.compile(r"[=%]")


def written(subquestion: Subquestion) -> str:
    """The sub-question as it stands in a text; what has a meaning in it becomes a reference (&#126;)."""
    alternatives = "~".join(_written(alternative) for alternative in subquestion.alternatives)
    return f"{{{digits(subquestion.weight)}:{_NAMES[subquestion.form or TEXT]}:{alternatives}}}"


def _written(alternative: Alternative) -> str:
    percent = alternative.percent
    share = "=" if percent == 100 else f"%{digits(percent)}%" if percent else ""
    text = _escaped(alternative.text)
    if not share and _AT_START.match(text):
        text = _reference(text[0]) + text[1:]
    return share + text + (f"#{_escaped(alternative.feedback)}" if alternative.feedback else "")


def _escaped(html: str) -> str:
    """HTML whose text has no sign left that ends an answer. A reference (&#39;) keeps its own #."""
    return _SPECIAL.sub(lambda found: found[0] if len(found[0]) > 1 else _reference(found[0]), html)


def _reference(sign: str) -> str:
    return f"&#{ord(sign)};"
