"""What a kind lays out of a question, as JSON: whatever the kind is, a host's own too."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString

from ..kinds.composed import Offered
from ..words import Text
from .texts import told


def as_json(shown: Any, *, known: bool) -> dict[str, Any]:
    """What ``kind.asked`` or, where the right answer is ``known``, ``kind.answered`` made: an object.

    Choices are an object too: ``{"choices": [{"place": 1, "text": …}, …]}``. What a kind leaves as it is by default
    before the answer is known (``chosen``, ``state`` …) is not there.
    """
    value = _value(shown, known)
    if isinstance(value, list):
        return {"choices": value}
    return value if isinstance(value, dict) else {}


def _value(shown: Any, known: bool) -> Any:
    if isinstance(shown, Text):
        return told(shown, inline=True)
    if isinstance(shown, SafeString):  # a piece of the prompt, between two gaps
        return {"html": str(shown)}
    if isinstance(shown, Promise | Decimal):
        return str(shown)
    if isinstance(shown, Offered):
        return [{"place": one.place, "text": _value(one.text, known)} for one in shown.offers]
    if isinstance(shown, Mapping):
        return {str(name): _value(one, known) for name, one in shown.items()}
    if is_dataclass(shown):
        named = ((one, getattr(shown, one.name)) for one in fields(shown))
        return {one.name: _value(value, known) for one, value in named if known or value != one.default}
    if isinstance(shown, Sequence) and not isinstance(shown, str):
        return [_value(one, known) for one in shown]
    return shown
