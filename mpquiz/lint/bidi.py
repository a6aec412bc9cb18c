"""In which order a line of a text that reads from the right is seen, by Unicode's algorithm (UAX 9).

Without its explicit codes: a text that has some was put in order by hand.
"""

import unicodedata
from collections.abc import Iterator, Sequence

_NUMBERS = ("EN", "AN")
_DEEPEST = 63  # brackets in each other, as the algorithm says
_OPENING = {"(": ")", "[": "]", "{": "}"}


def places(text: str) -> list[int]:
    """For each character its place from the left, where the paragraph reads from the right."""
    levels = [2 if kind in ("L", *_NUMBERS) else 1 for kind in _resolved(text)]
    for index in range(len(text) - 1, -1, -1):  # L1: spaces at the end
        if not text[index].isspace():
            break
        levels[index] = 1
    seen = [index for run in reversed(list(_runs(levels))) for index in run]
    found = [0] * len(text)
    for place, index in enumerate(seen):
        found[index] = place
    return found


def _runs(levels: Sequence[int]) -> Iterator[Sequence[int]]:
    """L2: from the left, what reads from the left as it is and all else one by one."""
    start = 0
    for index, level in enumerate(levels):
        if index and not (level == 2 and levels[index - 1] == 2):
            yield range(start, index)
            start = index
    yield range(start, len(levels))


def _resolved(text: str) -> list[str]:
    types = [unicodedata.bidirectional(char) or "L" for char in text]
    _weak(types)
    _brackets(text, types)
    _neutral(types)
    return types


def _weak(types: list[str]) -> None:
    strong = before = "R"
    for index, kind in enumerate(types):
        if kind in ("NSM", "BN"):  # W1
            kind = before
        before = kind
        if kind in ("L", "R", "AL"):
            strong = kind
        if kind == "EN" and strong == "AL":  # W2
            kind = "AN"
        types[index] = kind
    _separators(types)
    _terminators(types)
    strong = "R"
    for index, kind in enumerate(types):
        if kind in ("L", "R", "AL"):
            strong = "L" if kind == "L" else "R"
            types[index] = strong  # W3
        elif kind == "EN" and strong == "L":  # W7
            types[index] = "L"
        elif kind in ("ES", "ET", "CS"):  # W6
            types[index] = "ON"


def _separators(types: list[str]) -> None:
    """W4: one sign between two numbers of a kind."""
    for index in range(1, len(types) - 1):
        before, kind, after = types[index - 1 : index + 2]
        if before == after and ((kind == "ES" and before == "EN") or (kind == "CS" and before in _NUMBERS)):
            types[index] = before


def _terminators(types: list[str]) -> None:
    """W5: what stands at a number, before it or after it."""
    for order in (range(len(types)), range(len(types) - 1, -1, -1)):
        at_number = False
        for index in order:
            at_number = types[index] == "EN" or (at_number and types[index] == "ET")
            if at_number:
                types[index] = "EN"


def _brackets(text: str, types: list[str]) -> None:
    """N0: a pair is of the direction of what it holds."""
    for start, end in _pairs(text, types):
        held = {_direction(kind) for kind in types[start + 1 : end]}
        if "R" in held:
            types[start] = types[end] = "R"
        elif "L" in held:
            before = (_direction(types[index]) for index in range(start - 1, -1, -1))
            types[start] = types[end] = next(filter(None, before), "R")


def _pairs(text: str, types: Sequence[str]) -> list[tuple[int, int]]:
    opened: list[tuple[str, int]] = []
    found = []
    for index, char in enumerate(text):
        if types[index] != "ON":
            continue
        if char in _OPENING:
            if len(opened) == _DEEPEST:
                return []
            opened.append((_OPENING[char], index))
        elif char in _OPENING.values():
            closing = next((at for at in range(len(opened) - 1, -1, -1) if opened[at][0] == char), None)
            if closing is not None:
                found.append((opened[closing][1], index))
                del opened[closing:]
    return sorted(found)


def _direction(kind: str) -> str:
    return "R" if kind in ("R", *_NUMBERS) else "L" if kind == "L" else ""


def _neutral(types: list[str]) -> None:
    """N1 and N2: what stands between two letters of one direction has it, all else that of the paragraph."""
    start = 0
    for index in range(len(types) + 1):
        here = _direction(types[index]) if index < len(types) else "R"
        if not here:
            continue
        before = _direction(types[start - 1]) if start else "R"
        for place in range(start, index):
            types[place] = "L" if before == here == "L" else "R"
        start = index + 1
