"""Words as Markdown that shows exactly them (CommonMark 0.31, with our own math)."""

import re

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace

_SPECIAL = re.compile(
    r"(?P<gap>\[\[[a-z0-9]{1,20}\]\](?![(\[:]))"
    r"|(?P<run>\*+|_+)"
    r"|\\(?=[!-/:-@\[-`{-~]|$)"
    r"|[`\[\]$]"
    r"|!(?=\[)"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?[A-Za-z0-9]{1,40};)"
)
_NUMBERED = re.compile(r"([0-9]{1,9})([.)](?=\s|$))")
_AT_START = re.compile(r"[-+*](?=\s|$)|#{1,6}(?=\s|$)|>|~~~|=+\s*$|-+\s*$|_[\s_]*_[\s_]*_[\s_]*$|\*\**\s*$")


def is_space(char: str) -> bool:
    return not char or isWhiteSpace(ord(char))


def is_punctuation(char: str) -> bool:
    return bool(char) and (isMdAsciiPunct(ord(char)) or isPunctChar(char))


def escaped(text: str, before: str = "", after: str = "") -> str:
    """Words of one line as Markdown; ``before`` and ``after`` are the characters around them, "" at a line's end."""

    def one(found: re.Match[str]) -> str:
        if found["gap"]:
            return found[0]
        if found["run"] and _is_plain(found, before, after):
            return found[0]
        return "".join(f"\\{char}" for char in found[0])

    return _SPECIAL.sub(one, text)


def _is_plain(found: re.Match[str], before: str, after: str) -> bool:
    """Whether a run of * or _ means nothing where it stands."""
    text, start, end = found.string, found.start(), found.end()
    left = text[start - 1] if start else before
    right = text[end] if end < len(text) else after
    if is_space(left) and is_space(right):
        return True
    around = (left, right)
    return found[0][0] == "_" and not any(is_space(char) or is_punctuation(char) for char in around)


def line_escaped(line: str) -> str:
    """A line of which the beginning would make it a list, a heading, a quotation or a rule."""
    line = _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line
    return f"\\{line}" if _AT_START.match(line) else line
