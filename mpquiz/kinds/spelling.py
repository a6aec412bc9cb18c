"""Which spellings of a typed answer are alike, and what an accepted answer with ``*`` matches.

The rules are Unicode's compatibility forms and case folding (UAX 15, UAX 31: NFKC_Casefold) and what readers of
Arabic script take for one word: marks and tatweel left out, letters that are typed one for the other. ``ALIKE``
lists them.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 1000
"""Characters of a typed answer."""

_LETTERS = {
    "ا": "أإآٱٲٳ",
    "ء": "ؤئ",
    "ي": "ىی",
    "ه": "ةہۃەۀۂ",
    "ك": "ک",
}
_PUNCTUATION = {
    "'": "‘’‚‛′ʼ´׳",
    '"': "“”„‟″«»״",
    "-": "‐‑‒–—−",
    ",": "،٬",
    ";": "؛",
    "?": "؟",
    ".": "۔٫",
    "%": "٪",
    "/": "⁄",
}
_SAME = {ord(other): one for one, others in (_LETTERS | _PUNCTUATION).items() for other in others}

_TATWEEL = "ـ"
_SMALL_LETTERS = "ۥۦ"  # Quranic marks that Unicode counts as letters
_JOINERS = "\u200c\u200d"
_STOP = "."
_ANYTHING = "\uffff"
"""Stands for ``*`` while an accepted answer is folded; typed text never holds it."""


@dataclass(frozen=True, slots=True)
class Alike:
    """A row of what is documented and tested: what is accepted, what may be typed for it, and why."""

    accepted: str
    typed: str
    why: str


ALIKE = (
    Alike("قلم", "قَلَمٌ", "vowel marks, tanween, shadda and other marks above and below do not count"),
    Alike("هذا", "هٰذا", "nor does the superscript alef"),
    Alike("كتاب", "كتـــاب", "nor does the tatweel"),
    Alike("أحمد", "احمد", "the alefs أ إ آ ٱ ا are one letter"),
    Alike("إلى", "الي", "so are ي ى ی"),
    Alike("مسؤول", "مسئول", "so are ء ؤ ئ, whatever carries the hamza"),
    Alike("مدرسة", "مدرسه", "so are ة ه and their Urdu forms ۃ ہ"),
    Alike("كتاب", "کتاب", "so are ك ک"),
    Alike("لا", "ﻻ", "joined and presentation forms are their letters"),
    Alike("2026", "٢٠٢٦", "the digits of all scripts are alike: ٢ ۲ २ 2"),
    Alike("3.5", "٣٫٥", "so are the decimal marks ٫ . and the separators ٬ ، ,"),
    Alike("لماذا؟", "لماذا?", "so are ؟ ? and ؛ ; and ٪ %"),
    Alike("Paris", "PARIS", "capital and small letters are alike, as Unicode folds them"),
    Alike("Straße", "STRASSE", "so are ß ss"),
    Alike("km²", "km2", "raised, lowered, full-width and circled characters are plain ones"),
    Alike("don't", "don’t", "curly and straight quotes, primes and «…» are alike"),
    Alike("well-known", "well–known", "so are hyphens, dashes and the minus sign"),
    Alike("New York", "  New   York ", "spaces at the ends do not count, several are one"),
    Alike("قلم", "\u202bقلم\u202c\u200f", "signs that nobody sees do not count: of direction, of zero width"),
    Alike("Paris", "Paris.", "a full stop at the end may be left out or added"),
    Alike("Paris*", "Paris in France", "* stands for anything, also nothing; \\* is the star itself"),
)
"""What is alike unless the question asks for strict spelling."""

DIFFERENT = (
    Alike("café", "cafe", "accents of Latin letters count"),
    Alike("قال", "فال", "dots count"),
    Alike("سأل", "سئل", "a hamza on alef is an alef"),
    Alike("ماء", "ما", "a hamza counts"),
    Alike("a, b", "a b", "commas and other signs within the answer count"),
)
"""What is not."""


def matches(accepted: str, typed: str, *, strict: bool = False) -> bool:
    """Whether a typed answer is what an accepted one says, in time linear in the typed one.

    In the accepted one ``*`` stands for any run of characters, ``\\*`` for a star, ``\\\\`` for a backslash.
    """
    exact = strict_form(typed)
    if not exact:
        return False
    if _fits(pieces(accepted, strict=True), exact):
        return True
    if strict:
        return False
    text = folded(typed)
    return any(_fits(pieces(accepted), one) for one in (text, _with_other_end(text)))


def folded(text: str) -> str:
    """The text as all that are alike read. Empty only where nothing is left of it even by strict spelling."""
    plain = strict_form(text)
    return _stable(plain) or plain


def strict_form(text: str) -> str:
    """The text by strict spelling: without what nobody sees, its spaces single, composed."""
    return _composed(filter(_is_seen, text))


def tidy(text: str) -> str:
    """What was typed as it is stored and shown again: one line without control characters and signs of direction."""
    return _spaced("".join(char for char in text if _is_seen(char) or char in _JOINERS or _is_selector(char)))


def with_ascii_digits(text: str) -> str:
    """The text with the digits of every script as 0 to 9."""
    return "".join(str(unicodedata.decimal(char, char)) for char in text)


@lru_cache(maxsize=4096)
def pieces(accepted: str, *, strict: bool = False) -> tuple[str, ...]:
    """What stands between the stars of an accepted answer; equal for two that match the same."""
    literals = ("".join(filter(_is_seen, literal)) for literal in _literals(accepted))
    plain = _composed(_ANYTHING.join(literals))
    text = plain if strict else _stable(plain)
    if not text.strip(_ANYTHING):
        text = plain
    return tuple(_several_as_one(text.split(_ANYTHING)))


def is_anything(accepted: str) -> bool:
    """Whether an accepted answer is ``*`` alone: whatever else may be typed."""
    return pieces(accepted) == ("", "")


def readable(accepted: str) -> str:
    """An accepted answer as people read it: ``…`` for what may be anything."""
    return _spaced("…".join(_several_as_one(_literals(accepted))))


def _literals(accepted: str) -> list[str]:
    """What stands between the stars, without escapes."""
    found = [""]
    chars = iter(accepted)
    for char in chars:
        if char == "*":
            found.append("")
            continue
        after = next(chars, "") if char == "\\" else ""
        found[-1] += after if after in ("*", "\\") else char + after
    return found


def _several_as_one(literals: list[str]) -> list[str]:
    """Two stars in a row are one."""
    return [*literals[:1], *filter(None, literals[1:-1]), *literals[1:][-1:]]


def _fits(pieces: tuple[str, ...], text: str) -> bool:
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return text == first
    start, end = len(first), len(text) - len(last)
    if start > end or not (text.startswith(first) and text.endswith(last)):
        return False
    for piece in pieces[1:-1]:
        found = text.find(piece, start, end)
        if found < 0:
            return False
        start = found + len(piece)
    return True


def _with_other_end(text: str) -> str:
    """The text without the full stop at its end, or with one."""
    return text[:-1].rstrip() or text if text.endswith(_STOP) else text + _STOP


def _composed(chars: Iterable[str]) -> str:
    return _spaced(unicodedata.normalize("NFC", "".join(chars)))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _stable(text: str) -> str:
    """Folded until nothing changes any more: what one rule leaves, another may join."""
    while (other := _once(text)) != text:
        text = other
    return text


def _once(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.translate(_SAME)).casefold()
    plain = unicodedata.normalize("NFKC", plain)
    return _spaced(with_ascii_digits("".join(char for char in plain if not _is_ornament(char))))


def _is_ornament(char: str) -> bool:
    """Whether it is a mark of Arabic script, or a tatweel."""
    if char in _TATWEEL + _SMALL_LETTERS:
        return True
    return unicodedata.category(char) == "Mn" and unicodedata.name(char, "").startswith("ARABIC ")


def _is_seen(char: str) -> bool:
    if char.isspace():
        return True
    is_noncharacter = ord(char) & 0xFFFE == 0xFFFE or "\ufdd0" <= char <= "\ufdef"
    return not (unicodedata.category(char) in ("Cc", "Cf", "Cs") or is_noncharacter or _is_selector(char))


def _is_selector(char: str) -> bool:
    """Whether it only chooses how the character before it looks."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
