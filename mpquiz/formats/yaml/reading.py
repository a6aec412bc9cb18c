"""From a native file to content: the schema, and all that can be wrong with a file."""

import base64
import binascii
import re
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from ... import files, kinds
from ...content import (
    ADDRESS,
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    QuestionContent,
    QuizContent,
    TagContent,
    key_at,
)
from ...exceptions import FormatError
from ..report import Entry, Log, Parsed
from ..source import SLUG, decode
from . import rules
from .fields import Fields, Languages, Range, twice
from .tree import Map, Node, Scalar, compose

VERSIONS = ("1",)
LEVELS = ("beginner", "intermediate", "advanced")
LONGEST_TITLE = 200
LONGEST_ADDRESS = 500
LONGEST_CHOICE_KEY = 40
PERCENT = Range(Decimal(0), Decimal(100), 2)
POINTS = Range(Decimal(0), Decimal("9999.99"), 2)
WEIGHT = Range(Decimal(-1), Decimal(1), 7)

LONGEST_TAG = 200
LONGEST_VALUE = 100
LONGEST_PART = 20

_FILE = ("mpquiz", "namespace", "guides", "tags", "quiz", "questions", "files")
_TAG = ("name", "description")
_STORED = ("name", "data")
_GUIDE = ("slug", "title", "address")
_QUIZ = (
    "slug",
    "title",
    "description",
    "level",
    "pass_mark",
    "published",
    "guides",
    *rules.NAMES,
)
_QUESTION = (
    "key",
    "kind",
    "title",
    "points",
    "guides",
    "tags",
    "prompt",
    "choices",
    "explanation",
    "settings",
)
_USE = ("use", "points")
_CHOICE = ("key", "part", "text", "match", "value", "right", "weight", "keeps_place", "feedback")
_FULL_KEY = re.compile(r"[a-z0-9-]{1,80}/[a-z0-9-]{1,80}")


def parse(data: bytes, *, language: str, encoding: str | None = None) -> Parsed:
    """The quiz that a native file holds, or all errors in it.

    ``language`` is the language of texts given as plain strings, ``encoding`` that of the file (UTF-8).
    """
    log = Log()
    try:
        return _Reader(log, Languages(log, language)).read(decode(data, encoding))
    except FormatError as error:
        log.errors.append(Entry(str(error.message), error.line))
        return Parsed(None, log.report())


@dataclass
class _Reader:
    log: Log
    languages: Languages
    namespace: str = ""
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def read(self, text: str) -> Parsed:
        quiz = self._file(compose(text, self.log))
        report = self.log.report()
        return Parsed(None if report.errors else quiz, report, self.lines, self.files)

    def fields(self, node: Node, where: str, names: tuple[str, ...]) -> Fields:
        return Fields(self.log, self.languages, node, where, names)

    def _file(self, root: Node | None) -> QuizContent | None:
        if root is None:
            raise FormatError(_("The file is empty."), 1)
        if not isinstance(root, Map):
            raise FormatError(
                _("The file does not begin with “mpquiz: 1”: names with values stand at the top."), root.line
            )
        self._check_version(root)
        file = self.fields(root, "", _FILE)
        self.namespace = file.name("namespace")
        guides = self._guides(file)
        tags = self._tags(file)
        node = file.node("quiz", required=True)
        questions = self._questions(file)
        self._files(file)
        return None if node is None else replace(self._quiz(node, questions, guides), known_tags=tags)

    def _check_version(self, root: Map) -> None:
        """Another version may mean other things by the same names, so nothing else is read."""
        read = ", ".join(VERSIONS)
        for key, value in root.pairs:
            if isinstance(key, Scalar) and key.text == "mpquiz":
                if isinstance(value, Scalar) and value.text in VERSIONS:
                    return
                given = value.text if isinstance(value, Scalar) else "…"
                message = _("This file is of version %(given)s of the format; version %(read)s is read here.")
                raise FormatError(message % {"given": given[:20] or "…", "read": read}, key.line)
        raise FormatError(_("“mpquiz: %(read)s”, the version of the format, is missing.") % {"read": read}, root.line)

    # Tags and files ------------------------------------------------------------------------------------------

    def _tags(self, file: Fields) -> tuple[TagContent, ...]:
        found: dict[str, TagContent] = {}
        for number, node in enumerate(file.items("tags"), 1):
            fields = self.fields(node, _("tag %(number)d") % {"number": number}, _TAG)
            for name in fields.texts("name", longest=LONGEST_TAG)[:1] or ("",):
                if not name:
                    fields.missing("name")
                elif name in found:
                    fields.expected("name", twice(name))
                found[name] = TagContent(name=name, description=fields.words("description"))
        return tuple(found.values())

    def _files(self, file: Fields) -> None:
        for number, node in enumerate(file.items("files"), 1):
            fields = self.fields(node, _("file %(number)d") % {"number": number}, _STORED)
            name = fields.scalar("name", _("the name of a file is expected."), required=True) or ""
            text = fields.scalar("data", _("the bytes of the file are expected, as base64."), required=True)
            if name and text:
                self._file_of(fields, name, text)

    def _file_of(self, fields: Fields, name: str, text: str) -> None:
        """Keep the file if it is what its name says; the name is made from the bytes."""
        try:
            read = files.of(base64.b64decode("".join(text.split()), validate=True), name[:LONGEST_TAG])
        except binascii.Error:
            fields.expected("data", _("the bytes of the file are expected, as base64."))
        except FormatError as error:
            fields.expected("data", str(error.message))
        else:
            if read.name != name:
                fields.expected("name", _("the bytes are those of another file, %(name)s.") % {"name": read.name})
            self.files[read.name] = read.data

    # Guides --------------------------------------------------------------------------------------------------

    def _guides(self, file: Fields) -> tuple[GuideContent, ...]:
        found: dict[str, GuideContent] = {}
        for number, node in enumerate(file.items("guides"), 1):
            fields = self.fields(node, _("guide %(number)d") % {"number": number}, _GUIDE)
            guide = GuideContent(
                slug=fields.name("slug", pattern=SLUG),
                title=fields.words("title", longest=LONGEST_TITLE),
                address=self._address(fields),
            )
            if guide.slug in found:
                fields.expected("slug", twice(guide.slug))
            self._remember("guide", guide.slug, fields.line_of("slug"))
            found[guide.slug] = guide
        return tuple(found.values())

    def _address(self, fields: Fields) -> str:
        address = fields.scalar("address", _("a path, the name of a URL or a full address is expected.")) or ""
        if len(address) > LONGEST_ADDRESS:
            fields.expected("address", _("the address is longer than 500 characters."))
        elif address and not ADDRESS.fullmatch(address):
            fields.expected("address", _("a path, the name of a URL, or an address with https:// is expected."))
        return address

    def _named_guides(self, fields: Fields) -> tuple[str, ...]:
        named = fields.names("guides")
        for slug, line in named:
            self._remember("guide", slug, line)
        return tuple(slug for slug, _line in named)

    def _remember(self, what: str, name: str, line: int) -> None:
        self.lines.setdefault((what, name), line)

    # The quiz ------------------------------------------------------------------------------------------------

    def _quiz(
        self, node: Node, questions: tuple[PlacedQuestion, ...], guides: tuple[GuideContent, ...]
    ) -> QuizContent:
        fields = self.fields(node, _("quiz"), _QUIZ)
        slug = fields.name("slug", pattern=SLUG)
        self._remember("quiz", slug, fields.line_of("slug"))
        title = fields.words("title", longest=LONGEST_TITLE)
        if not title and "title" not in fields.failed:
            fields.warn(_("the quiz has no title; its slug stands in its place."), fields.line_of("title"))
        return QuizContent(
            slug=slug,
            namespace=self.namespace,
            title=title,
            description=fields.words("description"),
            level=fields.one_of("level", LEVELS),
            pass_mark=fields.number("pass_mark", PERCENT),
            published=fields.published("published"),
            guides=self._named_guides(fields),
            questions=questions,
            known_guides=guides,
            **rules.read(fields, questions),
        )

    # Questions -----------------------------------------------------------------------------------------------

    def _questions(self, file: Fields) -> tuple[PlacedQuestion, ...]:
        found: dict[str, PlacedQuestion] = {}
        for number, node in enumerate(file.items("questions", required="questions" not in file.nodes), 1):
            where = _("question %(number)d") % {"number": number}
            used = _has(node, "use")
            fields = self.fields(node, where, _USE if used else _QUESTION)
            placed = self._used(fields) if used else self._question(fields, where)
            if placed.key and placed.key in found:
                fields.expected("use" if used else "key", twice(placed.key.removeprefix(f"{self.namespace}/")))
            self._remember("question", placed.key, fields.line_of("use" if used else "key"))
            found[placed.key] = placed
        return tuple(found.values())

    def _used(self, fields: Fields) -> PlacedQuestion:
        expected = _("the full key of a question is expected, namespace/key.")
        key = fields.scalar("use", expected, required=True) or ""
        if key and not _FULL_KEY.fullmatch(key):
            fields.expected("use", expected)
        return PlacedQuestion(key=key, points=self._points(fields))

    def _points(self, fields: Fields) -> Decimal:
        points = fields.number("points", POINTS)
        return Decimal(1) if points is None else points

    def _question(self, fields: Fields, where: str) -> PlacedQuestion:
        name = fields.name("key")
        key = f"{self.namespace}/{name}" if name else ""
        kind = fields.one_of("kind", kinds.names(), required=True)
        choices = self._choices(fields, where)
        content = QuestionContent(
            key=key,
            kind=kind,
            title=fields.words("title", longest=LONGEST_TITLE),
            prompt=fields.words("prompt"),
            choices=tuple(choice for choice, _fields in choices),
            explanation=fields.words("explanation"),
            guides=self._named_guides(fields),
            tags=fields.texts("tags", longest=LONGEST_TAG),
            settings=fields.json("settings"),
        )
        placed = PlacedQuestion(key=key, points=self._points(fields), content=content)
        if kind:
            self._check(content, fields, [fields for _choice, fields in choices])
        return placed

    def _choices(self, question: Fields, where: str) -> list[tuple[ChoiceContent, Fields]]:
        found: list[tuple[ChoiceContent, Fields]] = []
        taken: set[str] = set()
        for index, node in enumerate(question.items("choices")):
            fields = self.fields(node, f"{where}, " + _("choice %(number)d") % {"number": index + 1}, _CHOICE)
            choice = self._choice(fields, index)
            if choice.key in taken:
                fields.expected("key", twice(choice.key))
            taken.add(choice.key)
            found.append((choice, fields))
        return found

    def _choice(self, fields: Fields, index: int) -> ChoiceContent:
        key = fields.name("key", required=False)
        if len(key) > LONGEST_CHOICE_KEY:
            fields.expected("key", _("the key of a choice has at most 40 characters."))
        return ChoiceContent(
            key=key or key_at(index),
            text=fields.words("text"),
            right=fields.flag("right", default=False),
            weight=fields.number("weight", WEIGHT),
            feedback=fields.words("feedback"),
            match=fields.words("match"),
            value=self._value(fields),
            part=self._part(fields),
            keeps_place=fields.flag("keeps_place", default=False),
        )

    def _value(self, fields: Fields) -> str:
        value = fields.scalar("value", _("a number, a range or * is expected.")) or ""
        if len(value) > LONGEST_VALUE:
            fields.expected("value", _("a number, a range or * is expected."))
        return value

    def _part(self, fields: Fields) -> str:
        part = fields.name("part", required=False)
        if len(part) > LONGEST_PART:
            fields.expected("part", _("the name of a gap has at most 20 characters."))
        return part

    def _check(self, content: QuestionContent, question: Fields, choices: list[Fields]) -> None:
        """What the kind has against the question; of what is broken already it is not asked."""
        kind = kinds.get(content.kind)
        broken = "choices" in question.failed or any(
            choice.failed & {"text", "match", "value", "part", "right", "weight"} for choice in choices
        )
        for problem in kind.problems(kind.complete(content)):
            if problem.choice is not None and problem.choice < len(choices):
                fields = choices[problem.choice]
            else:
                fields = question
            if problem.field in fields.failed or (broken and problem.field == "choices"):
                continue
            if problem.blocks:
                fields.error(str(problem.message), fields.line_of(problem.field))
            else:
                fields.warn(str(problem.message), fields.line_of(problem.field))


def _has(node: Node, name: str) -> bool:
    return isinstance(node, Map) and any(isinstance(key, Scalar) and key.text == name for key, _value in node.pairs)
