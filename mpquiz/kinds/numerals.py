"""Numbers as people type them, in the digits of any script, read exactly; and the values that an editor accepts.

What is clear is read; what may be two numbers is refused, so that nobody is marked wrong for the habits of a country.
"""

import re
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import inf

from django.utils.translation import gettext as _

from ..exceptions import Refusal
from .spelling import with_ascii_digits

LONGEST = 100
"""Characters of a typed number."""
GREATEST_EXPONENT = 300

_EXACT = Context(prec=1000)
_SAME = str.maketrans(
    dict.fromkeys("−‐‑‒–﹣－", "-")
    | dict.fromkeys("＋﹢", "+")
    | dict.fromkeys("×✕⋅·∙xX", "*")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f\t", " ")
    | dict.fromkeys("٬’‘＇", "'")
    | {"،": ",", "．": ".", "，": ",", "E": "e"}
)
_UNSEEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_TEN_RAISED = re.compile("(?<=10)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TIMES_TEN = re.compile(r" ?\* ?10 ?(?:\^|\*\*)")
_TEN = re.compile(r"([+-]?) ?10 ?(?:\^|\*\*)")
_EXPONENT_IN_ARABIC = re.compile("[أا]س")

_SURE = "٫"
_WHOLE = re.compile(r"[0-9]*|[1-9][0-9]{0,2}([.,' ])(?:[0-9]{2,3}\1)*[0-9]{3}")
_DIGITS = re.compile(r"[0-9]*")
_POWER = re.compile(r"[+-]?[0-9]{1,9}")
_THOUSANDS = re.compile(r"([+-]?) ?([1-9][0-9]{0,2}),([0-9]{3})")


def read(text: str) -> Decimal:
    """The number that is typed, exact. Raises Refusal("bad_answer"), which says how to write it.

    ``٫`` is always a decimal mark; ``٬``, spaces and apostrophes group thousands. Of ``.`` and ``,`` the last one is
    the decimal mark where both stand, and one that stands several times groups. Alone, both are decimal marks, but
    ``1,234`` may be either and is refused. Exponents: ``1e3``, ``1×10^3``, ``1×10³``, ``10^3``.
    """
    if len(text) > LONGEST:
        raise _refusal(_("Write a shorter number: at most %(count)s characters.") % {"count": LONGEST})
    plain = _plain(text)
    if not plain:
        raise _refusal(_("Write a number first."))
    base, mark, power = plain.partition("e")
    if found := _THOUSANDS.fullmatch(base.strip()):
        raise _refusal(_either_way("".join(found.groups()), f"{found[1]}{found[2]}.{found[3]}"))
    sign, size = _signed(base.strip())
    whole, fraction = _halves(size)
    if not (_WHOLE.fullmatch(whole) and _DIGITS.fullmatch(fraction) and (whole or fraction)):
        raise _refusal(_no_number())
    digits = _digits(whole) + fraction
    return Decimal((sign, tuple(map(int, digits)), _power(power.strip() if mark else "0") - len(fraction)))


def written(number: Decimal) -> str:
    """The one spelling of a number: ``1234.5``, ``1.5e300``; ``read`` reads it back."""
    if not number:
        return "0"
    plain = number.normalize(_EXACT)
    if -7 <= plain.adjusted() < 21:
        return format(plain, "f")
    digits = "".join(map(str, plain.as_tuple().digits))
    point = "." if digits[1:] else ""
    return f"{'-' if plain < 0 else ''}{digits[0]}{point}{digits[1:]}e{plain.adjusted()}"


def _plain(text: str) -> str:
    """What was typed in ASCII, with ``e`` before the exponent and ``٫`` where that was typed."""
    plain = _TEN_RAISED.sub(lambda found: "^" + found[0].translate(_RAISED), _UNSEEN.sub("", text))
    plain = " ".join(with_ascii_digits(plain).translate(_SAME).split())
    plain = _TIMES_TEN.sub("e", _EXPONENT_IN_ARABIC.sub("e", plain))
    return _TEN.sub(r"\g<1>1e", plain) if _TEN.match(plain) else plain


def _signed(text: str) -> tuple[int, str]:
    """1 for a number below 0, else 0; and what stands after the sign."""
    return int(text.startswith("-")), text[1:].lstrip() if text.startswith(("+", "-")) else text


def _halves(text: str) -> tuple[str, str]:
    """What stands before the decimal mark and after it."""
    marks = [mark for mark in ".," if mark in text]
    if _SURE in text:
        marks = [_SURE]
    elif len(marks) == 1 and text.count(marks[0]) > 1:
        return text, ""
    last = max(map(text.rfind, marks), default=len(text))
    return text[:last], text[last + 1 :]


def _digits(whole: str) -> str:
    return "".join(char for char in whole if char.isdecimal())


def _power(text: str) -> int:
    if not _POWER.fullmatch(text):
        raise _refusal(_no_number())
    if abs(int(text)) > GREATEST_EXPONENT:
        raise _refusal(_("That number is too large or too small to be read."))
    return int(text)


def _refusal(message: str) -> Refusal:
    return Refusal("bad_answer", message)


def _no_number() -> str:
    message = _("That cannot be read as a number. Write digits without a unit, such as %(one)s or %(other)s.")
    return message % {"one": _isolated("-3.14"), "other": _isolated("1.5e3")}


def _either_way(whole: str, decimal: str) -> str:
    message = _("That may be two numbers. Write %(whole)s or %(decimal)s, whichever you mean.")
    return message % {"whole": _isolated(whole), "decimal": _isolated(decimal)}


def _isolated(text: str) -> str:
    """Read from the left in a sentence of any direction."""
    return f"\N{LEFT-TO-RIGHT ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


# What an editor accepts -----------------------------------------------------------------------------------------

ANYTHING = "*"
_SPACE = "\N{NO-BREAK SPACE}"
_TOLERANCE = re.compile(r":|±|\+/?[-−]")
_FROM_TO = re.compile(r"\.\.|…|(?<=[\d.]) ?[–—] ?")


@dataclass(frozen=True, slots=True)
class Accepted:
    """A number, or those from one to another with both ends. ``text`` is its one spelling, ``shown`` for people."""

    text: str
    shown: str
    lowest: Fraction | float = -inf
    highest: Fraction | float = inf

    def holds(self, number: Decimal) -> bool:
        return self.lowest <= Fraction(number) <= self.highest


def accepted(text: str) -> Accepted:
    """What ``3.14``, ``3.14:0.01`` (give or take), ``3..5`` or ``*`` accepts, typed as people type numbers.

    ``3.14 ± 0.01`` and ``3–5`` are read too. Raises Refusal("bad_answer") with what is wrong.
    """
    if _UNSEEN.sub("", text).strip() == ANYTHING:  # the star itself: × and x are signs of an exponent
        return Accepted(ANYTHING, "…")
    if len(ends := _FROM_TO.split(text)) == 2:
        return _range(*map(read, ends))
    value, *tolerance = _TOLERANCE.split(text, maxsplit=1)
    return _around(read(value), read(tolerance[0]) if tolerance else Decimal(0))


def canonical(text: str) -> str:
    """The one spelling of what an editor accepts. Raises Refusal("bad_answer") with what is wrong."""
    return accepted(text).text


def _range(lowest: Decimal, highest: Decimal) -> Accepted:
    if lowest > highest:
        raise _refusal(_("The range ends before it begins."))
    if lowest == highest:
        return _around(lowest, Decimal(0))
    low, high = written(lowest), written(highest)
    return Accepted(f"{low}..{high}", f"{low}{_SPACE}–{_SPACE}{high}", Fraction(lowest), Fraction(highest))


def _around(value: Decimal, tolerance: Decimal) -> Accepted:
    if tolerance < 0:
        raise _refusal(_("What may be given or taken is not below 0."))
    number, more = written(value), written(tolerance)
    low, high = Fraction(value) - Fraction(tolerance), Fraction(value) + Fraction(tolerance)
    if not tolerance:
        return Accepted(number, number, low, high)
    return Accepted(f"{number}:{more}", f"{number}{_SPACE}±{_SPACE}{more}", low, high)
