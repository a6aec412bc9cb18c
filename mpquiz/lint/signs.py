"""Signs that want a partner, or that nobody sees."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from .. import formulas
from .reading import Passage, Question, Warning, told

_OPENING, _CLOSING = "([{", ")]}"
_FACE = re.compile(r"(?:^|\s)[:;=8xX]['’]?-?\Z")
_LABEL = re.compile(r"(?:^|[\s(\[])(?:[^\W\d]ـ?|\d{1,2}|[ivxIVX]{2,4})\Z")
_INTERVAL = re.compile(r"[(\[\]]\s?[^\s()\[\]{}]{1,20}\s?[,;،؛]\s?[^\s()\[\]{}]{1,20}\s?[)\[\]]")


def brackets(question: Question) -> Iterator[Warning]:
    """A bracket without its other half; smileys, list labels and half-open intervals have none."""
    message = _("A bracket lacks its other half: %(bracket)s")
    for passage in question.passages:
        if lone := _lone_bracket(_INTERVAL.sub(" ", passage.prose)):
            yield passage.warning(told(message, bracket=lone))


def _lone_bracket(text: str) -> str:
    """The first that has no partner; "" where all have one. Parenthesis and square bracket may close each other."""
    opened: list[tuple[str, int]] = []
    for index, char in enumerate(text):
        if char in _OPENING:
            opened.append((char, index))
        elif char in _CLOSING and opened and (char == "}") == (opened[-1][0] == "{"):
            opened.pop()
        elif char in _CLOSING and not _stands_alone(text[max(index - 6, 0) : index]):
            return char
    return next((char for char, index in opened if not _FACE.search(text[max(index - 4, 0) : index])), "")


def _stands_alone(before: str) -> bool:
    return bool(_FACE.search(before) or _LABEL.search(before))


_CURLY = "“”„‟"
_STRAIGHT = re.compile(r'(?<!\d)"')


def quotes(question: Question) -> Iterator[Warning]:
    """A quotation that is not closed. An apostrophe, and the sign of inches, is none."""
    message = _("A quotation mark lacks its other half: %(mark)s")
    for passage in question.passages:
        if lone := _lone_quote(passage.prose):
            yield passage.warning(told(message, mark=lone))


def _lone_quote(text: str) -> str:
    if text.count("«") != text.count("»"):
        return "«" if text.count("«") > text.count("»") else "»"
    if sum(text.count(mark) for mark in _CURLY) % 2:
        return next(mark for mark in _CURLY if mark in text)
    marks = text.count('"')
    is_odd = marks % 2 and len(_STRAIGHT.findall(text)) % 2
    return '"' if is_odd else ""


_EMBEDS, _POPS = "\u202a\u202b\u202d\u202e", "\u202c"
_ISOLATES, _POPS_ISOLATE = "\u2066\u2067\u2068", "\u2069"
_REVERSES = "\u202d\u202e"
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def controls(question: Question) -> Iterator[Warning]:
    """Unseen signs of direction that are not in pairs."""
    unpaired = _("Unseen signs of direction are not in pairs here: one begins or ends without the other.")
    reversing = _("An unseen sign here turns letters around. Take it out.")
    for passage in question.passages:
        if any(sign in passage.source for sign in _REVERSES):
            yield passage.warning(reversing)
        elif not all(map(_are_paired, passage.source.split("\n\n"))):
            yield passage.warning(unpaired)


def _are_paired(text: str) -> bool:
    opened = []
    for char in text:
        if char in _EMBEDS + _ISOLATES:
            opened.append(_POPS if char in _EMBEDS else _POPS_ISOLATE)
        elif char in (_POPS, _POPS_ISOLATE) and (not opened or opened.pop() != char):
            return False
    return not opened


def unseen_in_code(question: Question) -> Iterator[Warning]:
    """Code that holds signs nobody sees fails where a learner copies it."""
    message = _("Code here holds signs that nobody sees. Whoever copies it gets them, too: type it anew.")
    for passage in question.passages:
        if any(_UNSEEN.search(code) for code in passage.code):
            yield passage.warning(message)


_LONGEST_QUOTED = 40


def broken_formulas(question: Question) -> Iterator[Warning]:
    """TeX that cannot be shown as a formula; nothing is said where no formula can be."""
    if formulas.converter is None:
        return
    message = _("This formula cannot be read, and is shown as it is typed: %(formula)s")
    for passage in question.passages:
        for tex, display in passage.formulas:
            plain = " ".join(tex.split())
            if formulas.mathml(plain, display=display) is None:
                yield passage.warning(told(message, formula=_cut(plain)))
                break


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTED else text[: _LONGEST_QUOTED - 1] + "…"


_LATIN_SIGNS = {"?": "؟", ",": "،", ";": "؛"}
_ARABIC_SCRIPT = ("ar", "fa", "ur", "ps", "ckb", "ug", "sd")
_AFTER_A_WORD = re.compile(r"[\u0620-\u065f\u066e-\u06d3][?,;](?!\S)")


def latin_punctuation(question: Question) -> Iterator[Warning]:
    """``?`` where readers of Arabic script expect ``؟``, after a word and before a space."""
    message = _("Signs of Latin script after Arabic words: %(signs)s")
    for passage in question.passages:
        if passage.language.split("-")[0] in _ARABIC_SCRIPT and (found := _latin_signs(passage)):
            yield passage.warning(told(message, signs=" ".join(f"{one} ← {_LATIN_SIGNS[one]}" for one in found)))


def _latin_signs(passage: Passage) -> list[str]:
    return list(dict.fromkeys(found[-1] for found in _AFTER_A_WORD.findall(passage.prose)))
