"""TeX to MathML, on the server, where latex2mathml is installed (the extra ``math``)."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape, unescape
from typing import Any

try:
    from latex2mathml import converter
except ImportError:
    converter = None  # type: ignore[assignment]

LONGEST = 2000
DEEPEST = 30

_SHAPE = {"mathvariant", "dir"}
ATTRIBUTES: dict[str, set[str]] = {
    "math": {"display", "alttext", "dir"},
    "menclose": {"notation"},
    "mfrac": {"linethickness"},
    "mi": _SHAPE,
    "mn": _SHAPE,
    "mo": {"stretchy", "fence", "form", "accent", "separator", "largeop", "movablelimits", "lspace", "rspace"}
    | {*("minsize", "maxsize", "symmetric")},
    "mover": {"accent"},
    "mpadded": {"width", "height", "depth", "lspace", "voffset"},
    "mphantom": set(),
    "mroot": set(),
    "mrow": set(),
    "mspace": {"width", "height", "depth"},
    "msqrt": set(),
    "mstyle": {"displaystyle", "scriptlevel"},
    "msub": set(),
    "msubsup": set(),
    "msup": set(),
    "mtable": {"columnalign", "rowspacing", "columnspacing", "columnlines", "rowlines", "displaystyle"},
    "mtd": {"columnalign", "columnspan", "rowspan"},
    "mtext": _SHAPE,
    "mtr": set(),
    "munder": {"accentunder"},
    "munderover": set(),
}
"""The elements of MathML Core that formulas are made of, and what they may carry."""

_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_DEFINING = (
    "\\def",
    "\\let",
    "\\newcommand",
    "\\renewcommand",
    "\\DeclareMathOperator",
    "\\href",
    "\\class",
    "\\style",
)


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool = False) -> str | None:
    """A formula as MathML; None where it is broken, has commands that are not known, or nothing can convert it."""
    if converter is None or not _is_sound(tex):
        return None
    try:
        math = converter.convert_to_element(tex, display="block" if display else "inline")
    except Exception:  # an own class for each sort of broken TeX, and IndexError, StopIteration … beside them
        return None
    math.attrib = {"display": math.attrib["display"], "alttext": tex}
    try:
        return "".join(_written(math, 0))
    except ValueError:
        return None


def _is_sound(tex: str) -> bool:
    """Whether braces are closed and not too deep, and nothing defines what could grow without end."""
    if len(tex) > LONGEST or any(name in tex for name in _DEFINING):
        return False
    depth = 0
    for sign in _unescaped(tex):
        depth += (sign == "{") - (sign == "}")
        if not 0 <= depth <= DEEPEST:
            return False
    return depth == 0


def _unescaped(tex: str) -> Iterator[str]:
    signs = iter(tex)
    for sign in signs:
        if sign == "\\":
            next(signs, "")
        else:
            yield sign


def _written(element: Any, depth: int) -> Iterator[str]:
    """The element as text. Raises ValueError where it is none of ours, or lacks what it is made of."""
    children = list(element)
    text = unescape(element.text or "")
    if element.tag not in ATTRIBUTES or len(children) != _CHILDREN.get(element.tag, len(children)) or depth > 100:
        raise ValueError(element.tag)
    if "\\" in text and element.tag != "mtext":
        raise ValueError(text)
    allowed = ATTRIBUTES[element.tag]
    kept = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items() if name in allowed)
    yield f"<{element.tag}{kept}>{escape(text, quote=False)}"
    for child in children:
        yield from _written(child, depth + 1)
    yield f"</{element.tag}>"
