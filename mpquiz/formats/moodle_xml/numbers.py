"""Numbers and accepted answers as Moodle writes them, and as our kinds keep them."""

import re
from decimal import Decimal

from ...content import ChoiceContent

_NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:[.,]\d{0,30})?|[.,]\d{1,30})(?:[eE][+-]?\d{1,2})?", re.ASCII)
_SIGNS = re.compile(r"(?P<lost>\\\\(?=\*))|\\\\|\\\*")


_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫−", "01234567890123456789.-")


def decimal(text: str) -> Decimal | None:
    """The number that a text is, with a point or a comma, in Western or Arabic digits; None where it is none."""
    text = text.strip().translate(_DIGITS)
    return Decimal(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def is_usual(text: str) -> bool:
    """Whether a number is written as Moodle writes it, so that nobody needs to be told how it was read."""
    return text.isascii() and "," not in text


def plain(value: Decimal) -> str:
    """A number in digits, no exponent and no needless zeros."""
    text = format(value, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def share(percent: Decimal) -> tuple[bool, Decimal | None]:
    """Whether an answer is right, and what it earns of the whole where that is neither all nor nothing."""
    return percent == 100, None if percent in (0, 100) else round(percent / 100, 7)


def accepted(value: str, tolerance: str) -> str | None:
    """A number and its tolerance as the kind ``number`` keeps them; None where they are none.

    ``*`` stands for anything else, in Moodle as here.
    """
    if value.strip() == "*":
        return "*"
    number, within = decimal(value), decimal(tolerance or "0")
    if number is None or within is None or within < 0:
        return None
    return f"{plain(number)}:{plain(within)}" if within else plain(number)


def pattern(typed: str) -> str:
    """An accepted text of Moodle, where only ``\\*`` is an escape, as ours, where ``\\\\`` is one too."""
    return "".join(_as_ours(typed, place) for place in range(len(typed)))


def _as_ours(typed: str, place: int) -> str:
    return "\\\\" if typed[place] == "\\" and typed[place + 1 : place + 2] != "*" else typed[place]


def typed(pattern: str) -> str | None:
    """An accepted text of ours as Moodle reads it; None where Moodle cannot: a backslash before a wildcard."""
    if any(sign["lost"] for sign in _SIGNS.finditer(pattern)):
        return None
    return _SIGNS.sub(lambda sign: "\\" if sign[0] == "\\\\" else sign[0], pattern)


def ends(kept: str) -> tuple[str, str]:
    """A number of ours as Moodle's number and tolerance; a range is its middle, give or take its half."""
    low, dots, high = kept.partition("..")
    first, last = decimal(low), decimal(high)
    if dots and first is not None and last is not None:
        return plain((first + last) / 2), plain((last - first) / 2)
    number, _colon, tolerance = kept.partition(":")
    return number, tolerance or "0"


def percent(choice: ChoiceContent) -> Decimal:
    """What a choice earns where one is chosen or typed."""
    if choice.right and choice.weight is None:
        return Decimal(100)
    return (choice.weight or Decimal(0)) * 100
