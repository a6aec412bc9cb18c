"""Two languages in one text, as Moodle's filters read them.

``<span lang="en" class="multilang">…</span>`` (core), ``<lang lang="en">…</lang>`` (its older form) and
``{mlang en,ar}…{mlang}`` (filter_multilang2; ``{mlang other}`` is for all languages that have none of their own).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

OTHER = "other"

_TOKEN = re.compile(
    r"<(?P<start>span|lang)\b(?P<attributes>[^<>]*)>"
    r"|</(?P<end>span|lang)\s{0,20}>"
    r"|\{\s{0,20}mlang(?P<codes>\s[^{}]{0,200})?\}",
    re.I,
)
_LANG = re.compile(r"""(?<![\w-])lang\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_CLASS = re.compile(r"""(?<![\w-])class\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_CODE = re.compile(r"[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}")
# A tag that shall be read as words carries a word joiner, one more than it came with.
_MARKED = re.compile(r"([<{])(\u2060+)(?=/?span\b|/?lang\b|\s{0,20}mlang)", re.I)
_UNMARKED = re.compile(r"([<{])(?=/?span\b|/?lang\b|\s{0,20}mlang)", re.I)


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of a text; ``codes`` is empty where it belongs to every language."""

    text: str
    codes: tuple[str, ...] = ()


def split(text: str) -> dict[str, str]:
    """The text in each of its languages: ``{"": text}`` where it is in one, else ``{"en": …, "ar": …}``.

    What stands outside of all marks belongs to every language. "other" is a key where the text has one.
    """
    parts = list(_parts(text))
    codes = dict.fromkeys(code for part in parts for code in part.codes)
    if not set(codes) - {OTHER}:
        return {"": _unmarked("".join(part.text for part in parts))}
    groups = list(_groups(parts))
    return {code: _unmarked("".join(_chosen(group, code) for group in groups)) for code in codes}


def _parts(text: str) -> Iterator[_Part]:
    done = 0
    tokens = _TOKEN.finditer(text)
    for token in tokens:
        codes = _codes(token)
        if codes:
            yield _Part(text[done : token.start()])
            end, done = _end(text, token, tokens)
            yield _Part(text[token.end() : end], codes)
    yield _Part(text[done:])


def _end(text: str, opening: re.Match[str], tokens: Iterator[re.Match[str]]) -> tuple[int, int]:
    """Where what an opening mark began ends, and where the text goes on."""
    name, depth = (opening["start"] or "").lower(), 1
    for token in tokens:
        if not name:
            if token[0].startswith("{") and not token["codes"]:
                return token.span()
        elif (token["start"] or "").lower() == name:
            depth += 1
        elif (token["end"] or "").lower() == name:
            depth -= 1
            if not depth:
                return token.span()
    return len(text), len(text)


def _codes(token: re.Match[str]) -> tuple[str, ...]:
    """The languages that a mark opens for; none where it is no such mark."""
    if token["codes"]:
        named = token["codes"].split(",")
    elif token["start"] and _is_multilang(token):
        named = [_value(_LANG, token["attributes"])]
    else:
        return ()
    codes = (code.strip().lower().replace("_", "-") for code in named)
    return tuple(code for code in codes if _CODE.fullmatch(code))


def _is_multilang(token: re.Match[str]) -> bool:
    return token["start"].lower() == "lang" or "multilang" in _value(_CLASS, token["attributes"]).lower().split()


def _value(pattern: re.Pattern[str], attributes: str) -> str:
    found = pattern.search(attributes)
    return next((value for value in found.groups() if value), "") if found else ""


def _groups(parts: list[_Part]) -> Iterator[list[_Part]]:
    """Marked parts that follow each other with nothing but spaces between say the same in several languages."""
    group: list[_Part] = []
    space: list[_Part] = []
    for part in parts:
        if part.codes:
            group.append(part)
            space = []
        elif group and not part.text.strip():
            space.append(part)
        else:
            yield from (one for one in (group, [*space, part]) if one)
            group, space = [], []
    yield from (one for one in (group, space) if one)


def _chosen(group: list[_Part], code: str) -> str:
    """What a reader of a language gets of a group, by the rules of Moodle's filters."""
    if not group[0].codes:
        return "".join(part.text for part in group)
    for wanted in (code, code.split("-")[0], OTHER):
        if texts := [part.text for part in group if wanted in part.codes]:
            return "".join(texts)
    return group[0].text if len(group) > 1 else ""


def _unmarked(text: str) -> str:
    return _MARKED.sub(lambda found: found[1] + found[2][1:], text) if "\u2060" in text else text


def joined(words: Mapping[str, str], *, language: str | None = None, named: bool = False) -> str:
    """The words as one text that ``split`` reads back; only those of ``language`` where it is named.

    ``named``: a text in one language says which, as it must in a file whose other texts are in another.
    """
    texts = {code: text for code, text in words.items() if text and language in (None, code)}
    if not (named and texts) and len(texts) < 2 and not any(_reads_otherwise(text) for text in texts.values()):
        return "".join(texts.values())
    return "".join(_span(code or OTHER, text) for code, text in texts.items())


def _reads_otherwise(text: str) -> bool:
    return split(text) != {"": text}


def _span(code: str, text: str) -> str:
    marked = _MARKED.sub("\\1\u2060\\2", text)
    safe = marked if _is_balanced(marked) else _UNMARKED.sub("\\1\u2060", marked)
    return f'<span lang="{code}" class="multilang">{safe}</span>'


def _is_balanced(text: str) -> bool:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += bool(token["start"] and token["start"].lower() == "span")
        depth -= bool(token["end"] and token["end"].lower() == "span")
        if depth < 0:
            return False
    return not depth
