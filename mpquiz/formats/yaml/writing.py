"""From content to a native file, for people to read: only what is set, long texts in blocks, Arabic as Arabic."""

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import yaml
from django.utils import timezone
from django.utils.translation import gettext as _
from yaml.resolver import Resolver

from ... import files as stored
from ... import words
from ...content import (
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    PoolContent,
    QuestionContent,
    QuizContent,
    TagContent,
    Where,
    clean,
)
from ...words import Words
from ..losing import left_behind
from ..report import Log, Losses

VERSION = 1
WIDTH = 100
"""Where a long line is folded; a reader of the file gets it whole again."""


def render(
    quiz: QuizContent,
    *,
    language: str | None = None,
    log: Log | None = None,
    files: Callable[[str], bytes | None] | None = None,
) -> bytes:
    """A native file of the quiz: ``parse(render(quiz)).quiz`` is equal to it.

    With a language, only the texts in it, as plain strings; what is not in that language is left out. ``files`` gives
    the bytes of the files that the texts refer to, by their names; ``log`` hears what could not be written.
    """
    losses = Losses()
    if what := left_behind(quiz):
        losses.add(_("What is of this site alone is not in the file: %(what)s.") % {"what": ", ".join(what)})
    lines = [*_Writer(language).file(quiz), *_files(quiz, files, losses)]
    if log is not None:
        losses.tell(log)
    return ("\n".join(lines) + "\n").encode()


Lines = Iterator[str]


class _Writer:
    def __init__(self, language: str | None) -> None:
        self.language = language
        self.order = words.languages()

    def file(self, quiz: QuizContent) -> Lines:
        yield f"mpquiz: {VERSION}"
        yield from _value("namespace", quiz.namespace)
        if quiz.known_tags:
            yield ""
            yield from _list("tags", (list(self.tag(tag)) for tag in quiz.known_tags), apart=False)
        if quiz.known_guides:
            yield ""
            yield from _list("guides", (list(self.guide(guide)) for guide in quiz.known_guides), apart=False)
        yield ""
        yield "quiz:"
        yield from _indented(self.quiz(quiz))
        yield ""
        yield from _list("questions", (list(self.question(placed, quiz)) for placed in quiz.questions), apart=True)

    def guide(self, guide: GuideContent) -> Lines:
        yield from _value("slug", guide.slug)
        yield from self.words("title", guide.title)
        if guide.address:
            yield from _value("address", guide.address)

    def tag(self, tag: TagContent) -> Lines:
        yield from _value("name", tag.name)
        yield from self.words("description", tag.description)

    def quiz(self, quiz: QuizContent) -> Lines:
        yield from _value("slug", quiz.slug)
        yield from self.words("title", quiz.title)
        yield from self.words("description", quiz.description)
        if quiz.level:
            yield from _value("level", quiz.level)
        if quiz.pass_mark is not None:
            yield f"pass_mark: {_number(quiz.pass_mark)}"
        published = [code for code in quiz.published if self.language in (None, code)]
        yield from _names("published", published)
        yield from _names("guides", quiz.guides)
        if quiz.shuffle_choices:
            yield "shuffle_choices: true"
        if not quiz.preview:
            yield "preview: false"
        yield from _rules(quiz)

    def question(self, placed: PlacedQuestion, quiz: QuizContent) -> Lines:
        content = placed.content
        if content is None:
            yield from _value("use", placed.key)
        else:
            yield from _value("key", placed.key.removeprefix(f"{quiz.namespace}/"))
            yield from _value("kind", content.kind)
            yield from self.words("title", content.title)
        if placed.points != 1:
            yield f"points: {_number(placed.points)}"
        if content is not None:
            yield from self.asked(content)

    def asked(self, content: QuestionContent) -> Lines:
        yield from _names("guides", content.guides)
        if content.tags:
            yield f"tags: [{', '.join(_scalar(tag, flow=True) for tag in content.tags)}]"
        yield from self.words("prompt", content.prompt)
        if content.choices:
            yield from _list("choices", (list(self.choice(choice)) for choice in content.choices), apart=False)
        yield from self.words("explanation", content.explanation)
        if settings := content.with_words(self._told).settings:
            yield from _setting("settings", settings)

    def _told(self, _where: Where, texts: Words) -> Words:
        """The words in their order, or only those in the one language."""
        cleaned = clean(texts)
        codes = [self.language] if self.language else [*self.order, *cleaned]
        return {code: cleaned[code] for code in codes if code in cleaned}

    def choice(self, choice: ChoiceContent) -> Lines:
        yield from _value("key", choice.key)
        if choice.part:
            yield from _value("part", choice.part)
        yield from self.words("text", choice.text)
        yield from self.words("match", choice.match)
        if choice.value:
            yield f"value: {_quoted(choice.value)}"
        if choice.right:
            yield "right: true"
        if choice.weight is not None:
            yield f"weight: {_number(choice.weight)}"
        if choice.keeps_place:
            yield "keeps_place: true"
        yield from self.words("feedback", choice.feedback)

    def words(self, name: str, texts: Words) -> Lines:
        """A text per language, the host's order; nothing where there is none."""
        cleaned = clean(texts)
        if self.language is not None:
            if text := cleaned.get(self.language):
                yield from _value(name, text)
        elif cleaned:
            yield f"{name}:"
            known = [code for code in self.order if code in cleaned]
            for code in (*known, *(code for code in cleaned if code not in known)):
                yield from _indented(_value(_scalar(code), cleaned[code]))


def _rules(quiz: QuizContent) -> Lines:
    """The others that are not as usual."""
    for name, value in quiz.unusual_rules().items():
        if name == "pools":
            yield from _list(name, (list(_pool(pool, len(quiz.questions))) for pool in quiz.pools), apart=False)
        elif name == "review":
            yield f"review: {{{', '.join(f'{line}: {moment}' for line, moment in value.items())}}}"
        elif name in ("opens_at", "closes_at"):
            yield f"{name}: {_moment(getattr(quiz, name))}"
        else:
            yield f"{name}: {value if isinstance(value, str) else _json(value)}"


def _pool(pool: PoolContent, questions: int) -> Lines:
    yield from _value("tag", pool.tag)
    yield f"count: {pool.count}"
    if pool.points != 1:
        yield f"points: {_number(pool.points)}"
    if pool.place != questions:
        yield f"after: {pool.place}"


def _moment(value: datetime) -> str:
    """In the time zone of the site, whoever exports it."""
    local = timezone.localtime(value, timezone.get_default_timezone())
    return local.isoformat(timespec="auto" if local.second or local.microsecond else "minutes")


def _files(quiz: QuizContent, read: Callable[[str], bytes | None] | None, losses: Losses) -> Lines:
    """The files that the texts refer to, as blocks of base64."""
    contents = [placed.content.to_json() for placed in quiz.questions if placed.content]
    names = stored.names_in(json.dumps([quiz.to_json(), *contents], ensure_ascii=False))
    found = {name: read(name) if read else None for name in names}
    for name in names:
        if found[name] is None:
            losses.add(_("The file %(name)s is not in it, only the reference.") % {"name": name})
    if kept := {name: data for name, data in found.items() if data is not None}:
        yield ""
        yield "files:"
        for name, data in kept.items():
            yield f"  - name: {name}"
            yield "    data: |"
            yield from (f"      {line}" for line in base64.encodebytes(data).decode().split())


def _indented(lines: Iterable[str]) -> Lines:
    return (f"  {line}" if line else "" for line in lines)


def _list(name: str, members: Iterable[list[str]], *, apart: bool) -> Lines:
    """A list of mappings, ``apart`` with an empty line between them."""
    found = list(members)
    yield f"{name}:" if found else f"{name}: []"
    for number, lines in enumerate(found):
        if number and apart:
            yield ""
        yield f"  - {lines[0]}"
        yield from _indented(_indented(lines[1:]))


def _names(name: str, values: Iterable[str]) -> Lines:
    if joined := ", ".join(_scalar(value, flow=True) for value in values):
        yield f"{name}: [{joined}]"


def _number(value: Decimal) -> str:
    return format(value.normalize() + 0, "f")


# Texts ---------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"(?:[^\W_]|/(?=[^\W_]))([^\n\t:#]|:(?=\S)|(?<=\S)#)*")
_IN_FLOW = re.compile(r"[\[\]{},:]")
_UNPRINTABLE = re.compile(
    "[^\\n\\t\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
)
_SPACE = re.compile(r"(?<=\S) (?=\S)")
_STRING = "tag:yaml.org,2002:str"
_resolver = Resolver()


def _value(name: str, text: str) -> Lines:
    """A name and its text: plain, in quotes, folded or as a block, whichever reads best and comes back the same."""
    if _UNPRINTABLE.search(text) or text != text.strip():
        yield f"{name}: {_quoted(text)}"
    elif "\n" in text:
        yield f"{name}: |"
        yield from _indented(text.split("\n"))
    elif len(text) > WIDTH and len(folded := _folded(text)) > 1:
        yield f"{name}: >-"
        yield from _indented(folded)
    else:
        yield f"{name}: {_scalar(text)}"


def _scalar(text: str, *, flow: bool = False) -> str:
    if _reads_plain(text) and not (flow and _IN_FLOW.search(text)):
        return text
    if '"' in text and "\n" not in text and not _UNPRINTABLE.search(text):
        return "'" + text.replace("'", "''") + "'"
    return _quoted(text)


def _reads_plain(text: str) -> bool:
    """Whether any YAML reader takes it for this text when it stands without quotes."""
    if not _PLAIN.fullmatch(text) or _UNPRINTABLE.search(text) or text != text.strip():
        return False
    return _resolver.resolve(yaml.ScalarNode, text, (True, False)) == _STRING


def _quoted(text: str) -> str:
    return _UNPRINTABLE.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    return f"\\U{ord(found[0]):08x}"


def _folded(text: str) -> list[str]:
    """The text in lines that end where one space was."""
    lines = [""]
    for word in _SPACE.split(text):
        if lines[-1] and len(lines[-1]) + len(word) >= WIDTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _setting(name: str, value: Any) -> Lines:
    """What a kind sets, a line each; long texts as blocks."""
    if isinstance(value, Mapping) and value:
        yield f"{_scalar(name)}:"
        for inner in value:
            yield from _indented(_setting(inner, value[inner]))
    elif isinstance(value, str) and len(value) > WIDTH and value == value.strip() and not _UNPRINTABLE.search(value):
        yield f"{_scalar(name)}: |-"
        yield from _indented(value.split("\n"))
    else:
        yield f"{_scalar(name)}: {_json(value)}"


def _json(value: Any) -> str:
    """Plain JSON on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(name)}: {_json(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_json(item) for item in value) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)
