"""Choices that name others by where they stand (“All of the above”): a shuffle would make them wrong."""

import re
from collections.abc import Mapping, Sequence

from ..words import Text
from .spelling import folded

_LONGEST = 200
"""Characters: a longer choice says something of its own."""

_ANSWERS = r"(?:answers?|options?|choices?|alternatives?)"
_WHICH = r"(?:above|below|preceding|foregoing|previous|aforementioned|following)"
_SOME = r"(?:all|none|both|neither|either|any|each|every|some|most|one|two|three)"
_ORDINALS = r"(?:previous|preceding|next|following|first|second|third|last)"
_NAME = r"\(?[a-h1-9]\)?"
_NAMES = rf"{_NAME}(?:,? ?(?:and|or|nor|&|,) ?{_NAME})+"
_JUDGED = r"(?:only|(?:is|are) (?:both )?(?:correct|right|true|wrong|false|incorrect))"

_ENGLISH = (
    rf"\b{_SOME} of (?:the |these |those )?(?:(?:other )?(?:{_ANSWERS}|statements?|items?) )?{_WHICH}\b",
    rf"\b{_SOME} (?:the |these |those )?(?:{_ANSWERS} )?(?:above|below)(?:$|,| (?:is|are)\b)",
    rf"\b{_ANSWERS} (?:above|below)\b",
    rf"\b{_ANSWERS} {_NAMES}(?:$|\W)",
    rf"^(?:only |both )?(?:the )?{_ORDINALS} (?:two |three )?{_ANSWERS}\b",
    rf"^(?:both|neither|either) {_NAMES}(?: {_JUDGED})?$",
    rf"^(?:only )?{_NAMES} {_JUDGED}$",
)

# As ``folded`` leaves it: without marks, one alef, ه for ة, ي for ى.
_AR_ANSWERS = (
    r"(?:ال)?(?:اجاب(?:ه|ات|تان|تين)|اجوبه|جواب(?:ان|ين)?|خيار(?:ات|ان|ين)?|اختيار(?:ات|ان|ين)?|بديل(?:ان|ين)?|بداءل)"
)
_AR_ORDINALS = r"(?:الاول(?:ي|ان|ين|يان|يين)?|الثاني(?:ه)?|الثالث(?:ه)?|الاخير(?:ه|ان|ين|تان|تين)?)"
_AR_WHICH = r"(?:السابق|المذكور|التالي|المتقدم)(?:ه|ات|ان|ين|تان|تين)?"
_AR_NO = r"(?:و?لا|ليس|ليست)(?: (?:ش(?:يء|ء|ي)|اي|ايا|احد|واحده?))?"
_AR_SOME = rf"(?:كل|جميع|كافه|كلا|كلتا|بعض|معظم|احد|احدي|واحد|واحده|{_AR_NO})"
_AR_NAME = r"\(?[ا-ي1-9]\)?"
_AR_NAMES = rf"{_AR_NAME}(?: ?(?:و|او|ولا|,) ?{_AR_NAME})+"
_AR_JUDGED = r"(?:معا|فقط|(?:صحيح|خطا|خاطء)(?:ه|ان|ين|تان|تين)?)"

_ARABIC = (
    r"\bم?ما (?:قد )?(?:سبق|تقدم|ذكر|ورد)\b(?! (?:في|عن|من|به)\b)",
    rf"^{_AR_SOME} (?:من )?م?ما (?:يلي|ياتي)\b(?! ?:)",
    rf"\b(?:م?ما|{_AR_ANSWERS}) (?:هو |هي )?(?:اعلاه|ادناه)\b",
    rf"\b{_AR_ANSWERS} {_AR_WHICH}\b",
    rf"^(?:كلا |كلتا |فقط )?{_AR_ANSWERS} {_AR_ORDINALS}\b",
    rf"\b{_AR_ANSWERS} {_AR_NAMES}(?:$|\W)",
    rf"^(?:كل من |كلا من |فقط )?{_AR_NAMES} {_AR_JUDGED}$",
    rf"^(?:كل من|كلا من|لا) {_AR_NAMES}$",
)

_PATTERNS: Mapping[str, Sequence[re.Pattern[str]]] = {
    "en": [re.compile(pattern) for pattern in _ENGLISH],
    "ar": [re.compile(pattern) for pattern in (*_ARABIC, *_ENGLISH)],  # what was left untranslated
}


def names_others(text: str, language: str) -> bool:
    """Whether a choice (Markdown) names other choices by their place or their letter.

    English and Arabic are read; a text of another language is read as English, which it may have stayed.
    """
    plain = Text(text).plain
    if len(plain) > _LONGEST:
        return False
    read = folded(plain)
    patterns = _PATTERNS.get(language.split("-")[0], _PATTERNS["en"])
    return any(pattern.search(read) for pattern in patterns)
