"""What the formats of others lack: a slug for the quiz, keys for its questions, and our kinds' judgement of them."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from .. import kinds
from ..content import PlacedQuestion, QuestionContent, QuizContent, TagContent, clean, key_at
from ..kinds import Problem
from ..words import Words
from .report import Log, Parsed
from .source import LONGEST_NAME

LONGEST_TITLE = 200
LONGEST_TAG = 200
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A question as a foreign file holds it: what its content has for keys does not matter.

    ``id`` is what the file calls it ("" where it does not), ``choice_lines`` are the lines of its choices where the
    file tells them.
    """

    content: QuestionContent
    line: int
    id: str = ""
    points: Decimal = Decimal(1)
    choice_lines: Sequence[int] = ()

    def line_of(self, problem: Problem) -> int:
        if problem.choice is not None and problem.choice < len(self.choice_lines):
            return self.choice_lines[problem.choice]
        return self.line


def namespace(data: bytes, language: str) -> str:
    """The namespace and slug of what a foreign file holds: the same for the same bytes read as the same language."""
    return "import-" + hashlib.sha256(f"{language}\n".encode() + data).hexdigest()[:10]


def parsed(
    data: bytes,
    language: str,
    found: Iterable[Found],
    log: Log,
    *,
    title: Words | None = None,
    known_tags: Sequence[TagContent] = (),
    files: Mapping[str, bytes] | None = None,
) -> Parsed:
    """The last step of every reader of a foreign format.

    Names quiz, questions (by their id where it is free, else by their place) and choices, and asks the kinds what is
    wrong: what keeps a question from being asked is an error, what is only odd a warning, each with its line.
    """
    names = _Names(namespace(data, language), log)
    placed, lines = [], {}
    for number, one in enumerate(found, 1):
        content = _named(one, names.key(one, number), log)
        _judge(content, one, log)
        lines["question", content.key] = one.line
        placed.append(PlacedQuestion(key=content.key, points=one.points, content=content))
    report = log.report()
    quiz = QuizContent(
        slug=names.namespace,
        namespace=names.namespace,
        title=title or {},
        questions=tuple(placed),
        known_tags=tuple(known_tags),
    )
    return Parsed(None if report.errors else quiz, report, lines, files or {})


def name_of(id: str) -> str:
    """An id of another system as part of a key: small letters, digits and hyphens; "" where it cannot be one."""
    name = _NOT_IN_A_NAME.sub("-", id.lower()).strip("-")
    return name if len(name) <= LONGEST_NAME and id.isascii() else ""


@dataclass
class _Names:
    """Keys and titles that are taken already."""

    namespace: str
    log: Log
    keys: set[str] = field(default_factory=set)
    titles: set[tuple[str, str]] = field(default_factory=set)

    def key(self, found: Found, number: int) -> str:
        key = next(name for name in self._candidates(found, number) if name not in self.keys)
        self.keys.add(key)
        self._tell_twins(found)
        return f"{self.namespace}/{key}"

    def _candidates(self, found: Found, number: int) -> Iterator[str]:
        if name := name_of(found.id):
            yield name
            message = _("The id “%(id)s” was given to an earlier question; both are kept.")
            self.log.warn(message % {"id": found.id}, found.line)
        elif found.id:
            message = _("The id “%(id)s” cannot name a question here and is left out.")
            self.log.warn(message % {"id": found.id[:LONGEST_NAME]}, found.line)
        yield f"q{number}"
        yield from (f"q{number}-{again}" for again in range(2, number + 2))

    def _tell_twins(self, found: Found) -> None:
        titles = set(clean(found.content.title).items())
        if titles & self.titles:
            self.log.warn(_("An earlier question has the same name; both are kept."), found.line)
        self.titles |= titles


def _named(found: Found, key: str, log: Log) -> QuestionContent:
    content = found.content
    choices = tuple(replace(choice, key=key_at(index)) for index, choice in enumerate(content.choices))
    title = _shortened(content.title, found.line, log)
    tags = tuple(dict.fromkeys(_fitting(content.tags, found.line, log)))
    return replace(content, key=key, title=title, choices=choices, tags=tags)


def _shortened(title: Words, line: int, log: Log) -> dict[str, str]:
    texts = clean(title)
    if any(len(text) > LONGEST_TITLE for text in texts.values()):
        log.warn(_("The name is longer than %(most)d characters and was cut.") % {"most": LONGEST_TITLE}, line)
    return clean({language: text[:LONGEST_TITLE] for language, text in texts.items()})


def _fitting(tags: Iterable[str], line: int, log: Log) -> Iterator[str]:
    for tag in tags:
        if len(tag) <= LONGEST_TAG:
            yield tag
        else:
            log.warn(_("A tag longer than %(most)d characters is left out.") % {"most": LONGEST_TAG}, line)


def _judge(content: QuestionContent, found: Found, log: Log) -> None:
    kind = kinds.get(content.kind)
    for problem in kind.problems(kind.complete(content)):
        tell = log.error if problem.blocks else log.warn
        tell(str(problem.message), found.line_of(problem))
