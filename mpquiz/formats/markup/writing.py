"""Blocks as Markdown that our renderer turns into the same blocks."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from .escaping import escaped, is_punctuation, is_space, line_escaped
from .pieces import Block, Break, Code, Edge, Image, Math, Piece

_DELIMITERS = {"strong": "**", "em": "*"}
_LISTS = ("ul", "ol")
_MOST = 999_999_999
"""Nine digits are the most that a list's number has in Markdown."""


def written(blocks: Sequence[Block]) -> str:
    return "\n".join(_lines(blocks))


def _lines(blocks: Sequence[Block], *, tight: bool = False) -> Iterator[str]:
    last: Block | None = None
    other = False
    for block in blocks:
        if last is not None and not (tight and _joins(last, block)):
            yield ""
        # Two lists in a row are told apart by their markers.
        other = not other if last is not None and last.name == block.name in _LISTS else False
        yield from _list(block, other=other) if block.name in _LISTS else _WRITERS[block.name](block)
        last = block


def _joins(last: Block, block: Block) -> bool:
    """Whether a block may follow without an empty line, and is not taken for a part of the last one."""
    if last.name in ("pre", "hr", "table"):
        return True
    if block.name in _LISTS:
        return not block.blocks[0].empty and (block.name == "ul" or _start(block) == 1)
    return block.name in ("pre", "hr", "table") or (block.name == "blockquote" and last.name != "blockquote")


def _paragraph(block: Block) -> Iterator[str]:
    yield from (line_escaped(line) for line in inline(block.pieces).split("\n"))


def _pre(block: Block) -> Iterator[str]:
    text = "".join(piece for piece in block.pieces if isinstance(piece, str))
    fence = "`" * max(3, _longest_run(text) + 1)
    yield from (fence, *text.split("\n"), fence)


def _rule(block: Block) -> Iterator[str]:
    yield "___"  # a row of - or * after a marker of a list would be one rule with it


def _quote(block: Block) -> Iterator[str]:
    yield from (f"> {line}" if line else ">" for line in _lines(block.blocks))


def _list(block: Block, *, other: bool) -> Iterator[str]:
    tight = _is_tight(block)
    for place, item in enumerate(block.blocks):
        if place and not tight:
            yield ""
        marker = _marker(block, place, other)
        indent = " " * (len(marker) + 1)
        lines = list(_lines(item.blocks, tight=tight)) or [""]
        yield f"{marker} {lines[0]}".rstrip()
        yield from (f"{indent}{line}" if line else "" for line in lines[1:])


def _marker(block: Block, place: int, other: bool) -> str:
    if block.name == "ul":
        return "*" if other else "-"
    return f"{min(_start(block) + place, _MOST)}{')' if other else '.'}"


def _start(block: Block) -> int:
    start = dict(block.attributes).get("start", "1")
    return min(int(start), _MOST) if start.isascii() and start.isdigit() and len(start) < 10 else 1


def _is_tight(block: Block) -> bool:
    return not any(
        any(one.apart for one in item.blocks)
        or any(not _joins(last, one) for last, one in zip(item.blocks, item.blocks[1:], strict=False))
        for item in block.blocks
    )


# Tables ------------------------------------------------------------------------------------------------------


def _table(block: Block) -> Iterator[str]:
    """A table as HTML with Markdown in its cells; no empty line, which would end it."""
    yield "<table>"
    bodies = sum(part.name == "tbody" for part in block.blocks)
    for part in block.blocks:
        yield from _part(part, plain=bodies == 1 and part.name == "tbody")
    yield "</table>"


_SECTIONS = ("thead", "tbody", "tfoot")


def _part(block: Block, *, plain: bool = False) -> Iterator[str]:
    """A section, row or cell; a body need not be named where there is but one (``plain``)."""
    if block.name in _SECTIONS:
        rows = [line for row in block.blocks for line in _part(row)]
        yield from rows if plain else (f"<{block.name}>", *rows, f"</{block.name}>")
    elif block.name == "tr":
        yield f"<tr>{''.join(line for cell in block.blocks for line in _part(cell))}</tr>"
    else:
        yield f"{_tag(block.name, block.attributes)}{_cell(block.blocks)}</{block.name}>"


def _cell(blocks: Sequence[Block]) -> str:
    """Blocks within a cell: one after the other, each on a line of its own."""
    return "<br>".join(filter(None, map(_in_cell, blocks)))


def _in_cell(block: Block) -> str:
    if block.name == "p":
        return inline(block.pieces, in_cell=True)
    if block.name == "pre":
        lines = "".join(piece for piece in block.pieces if isinstance(piece, str)).split("\n")
        return "<br>".join(_code(line) for line in lines if line.strip())
    if block.name in _LISTS:
        items = "".join(f"<li>{_cell(item.blocks)}</li>" for item in block.blocks)
        return f"<{block.name}>{items}</{block.name}>"
    if block.name == "tr":
        return " ".join(filter(None, (_cell(cell.blocks) for cell in block.blocks)))
    return _cell(block.blocks)


_WRITERS: dict[str, Callable[[Block], Iterator[str]]] = {
    "p": _paragraph,
    "pre": _pre,
    "hr": _rule,
    "blockquote": _quote,
    "table": _table,
}


# Within a line -----------------------------------------------------------------------------------------------


def inline(pieces: Sequence[Piece], *, in_cell: bool = False) -> str:
    """The pieces of a paragraph as Markdown; in a cell there are tags around it."""
    if len(pieces) == 1 and isinstance(math := pieces[0], Math) and math.display:
        return f"$${math.tex}$$"
    parts = [_part_of_line(pieces, place, in_cell) for place in range(len(pieces))]
    for start, end in _pairs(pieces):
        _mark(pieces, parts, start, end)
    for place in range(len(parts) - 1):
        if parts[place].endswith("!") and parts[place + 1].startswith("["):
            parts[place] = parts[place][:-1] + "\\!"
    return "".join(parts)


def _part_of_line(pieces: Sequence[Piece], place: int, in_cell: bool) -> str:
    piece = pieces[place]
    if isinstance(piece, str):
        return escaped(piece, *_around(pieces, place, in_cell))
    if isinstance(piece, Break):
        return "<br>" if in_cell else "\\\n"
    if isinstance(piece, Code):
        return _code(piece.text)
    if isinstance(piece, Math):
        return _math(pieces, place, piece)
    if isinstance(piece, Image):
        return f"![{_alt(piece.alt)}]({_address(piece.address, piece.title)})"
    return _edge(piece)


def _around(pieces: Sequence[Piece], place: int, in_cell: bool) -> tuple[str, str]:
    """A sign where the words of a line have something beside them, else nothing. A break begins with a sign too."""
    starts_line = place == 0 or isinstance(pieces[place - 1], Break)
    ends_line = place + 1 == len(pieces)
    return "" if starts_line and not in_cell else "<", "" if ends_line and not in_cell else "<"


def _code(text: str) -> str:
    """A code span; the fence is longer than any within, and a space keeps ends apart from it."""
    text = " ".join(text.split("\n"))
    fence = "`" * (_longest_run(text) + 1)
    apart = text[:1] == "`" or text[-1:] == "`" or (text[:1] == " " == text[-1:] and text.strip(" "))
    return f"{fence} {text} {fence}" if apart else f"{fence}{text}{fence}"


def _longest_run(text: str) -> int:
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest


def _math(pieces: Sequence[Piece], place: int, math: Math) -> str:
    fence = "$$" if math.display else "$"
    before = pieces[place - 1] if place else None
    after = pieces[place + 1] if place + 1 < len(pieces) else None
    tex = f"{fence}{math.tex}{fence}"
    # A digit beside a dollar makes it money.
    money = (isinstance(before, str) and before[-1].isdigit()) or (isinstance(after, str) and after[0].isdigit())
    doubled = isinstance(before, Math) or isinstance(after, Math)
    return f"<span>{tex}</span>" if money or doubled else tex


def _alt(text: str) -> str:
    return escaped(" ".join(text.split()))


_QUOTED = {ord(char): f"%{ord(char):02X}" for char in ' <>()[]\\"`\t\n\r'}


def _address(address: str, title: str = "") -> str:
    address = address.strip().translate(_QUOTED)
    plain = address.replace("&", "&amp;") if ";" in address else address
    return f'{plain} "{_title(title)}"' if title else plain


def _title(text: str) -> str:
    return escaped(" ".join(text.split())).replace('"', '\\"')


def _edge(edge: Edge) -> str:
    style = edge.style
    if style.name != "a":
        return _tag(style.name, style.attributes) if edge.opens else f"</{style.name}>"
    attributes = dict(style.attributes)
    return "[" if edge.opens else f"]({_address(attributes['href'], attributes.get('title', ''))})"


def _tag(name: str, attributes: Sequence[tuple[str, str]]) -> str:
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes)
    return f"<{name}{written}>"


def _pairs(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """The places of the edges that belong together and that Markdown has signs for."""
    opened: list[int] = []
    for place, piece in enumerate(pieces):
        if isinstance(piece, Edge) and piece.opens:
            opened.append(place)
        elif isinstance(piece, Edge):
            start = opened.pop()
            if piece.style.name in _DELIMITERS:
                yield start, place


def _mark(pieces: Sequence[Piece], parts: list[str], start: int, end: int) -> None:
    """Put Markdown's signs in place of tags where they are read as such (CommonMark, "left-flanking")."""
    edge = pieces[start]
    assert isinstance(edge, Edge)  # noqa: S101 (it is one of a pair)
    opens = _flanks(_last(parts, start - 1), parts[start + 1][:1])
    closes = _flanks(parts[end + 1][:1] if end + 1 < len(parts) else "", parts[end - 1][-1:])
    if opens and closes:
        parts[start] = parts[end] = _DELIMITERS[edge.style.name]


def _flanks(outside: str, inside: str) -> bool:
    if "*" in (outside, inside) or is_space(inside):
        return False
    return not is_punctuation(inside) or is_space(outside) or is_punctuation(outside)


def _last(parts: Sequence[str], place: int) -> str:
    return parts[place][-1:] if place >= 0 else ""
