"""From a GIFT file to content: its blocks in their order, with the category, id and tags that hold for each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from ...content import QuestionContent
from ...exceptions import FormatError
from .. import naming
from ..moodle_xml import categories
from ..report import Entry, Log, Parsed
from ..source import decode
from . import oddities
from .answers import Answers, read
from .scanning import INVISIBLE, OURS, Block, Piece, blocks
from .texts import Texts

BLANK = "_____"
_CATEGORY = "$CATEGORY:"
_NOTED = re.compile(r"\[(id|tag):((?:\\\]|[^\]\n]){1,300})\]")


def parse(data: bytes, *, language: str, encoding: str | None = None) -> Parsed:
    """The questions of a file, or all errors in it.

    ``language`` is the language of texts that name none, ``encoding`` that of the file (UTF-8).
    """
    log = Log()
    try:
        text = decode(data, encoding)
        reader = _Reader(log, Texts(log, language, own=text.startswith(OURS)))
        for block in blocks(text):
            reader.take(block)
        return reader.parsed(data)
    except FormatError as error:
        log.errors.append(Entry(str(error.message), error.line))
        return Parsed(None, log.report())


@dataclass
class _Reader:
    log: Log
    texts: Texts
    found: list[naming.Found] = field(default_factory=list)
    category: str | None = None

    def parsed(self, data: bytes) -> Parsed:
        """The file says nothing of shuffling; Moodle does, since writers of GIFT put the right answer first."""
        if not self.found and not self.log.errors:
            tell = self.log.error if self.category is None else self.log.warn
            tell(_("The file holds no questions."), 1)
        parsed = naming.parsed(data, self.texts.language, self.found, self.log)
        return replace(parsed, quiz=parsed.quiz and replace(parsed.quiz, shuffle_choices=True))

    def take(self, block: Block) -> None:
        """One block of the file: a category, a question, or both where no blank line parts them."""
        oddities.of_block(block, self.log)
        body = _visible(block.escaped(), (_CATEGORY, "::"))
        if body.text.startswith(_CATEGORY):
            body = self._category(body.after(len(_CATEGORY)))
        if body:
            self._question(body, block)

    def _category(self, path: Piece) -> Piece:
        """Takes the category and gives back what stands below it."""
        name, rest = path.cut("\n")
        self.category = categories.tag(" ".join(name.shown.split()))
        if rest:
            self.log.warn(_("A blank line is missing between the category and this question."), rest.line)
        return rest or Piece("", path.line)

    def _question(self, body: Piece, block: Block) -> None:
        errors = len(self.log.errors)
        name, body = _name(body, self.log)
        parts = _parts(body, self.log)
        if parts is None:
            return
        prompt, inner = parts
        form, prompt = prompt.form("moodle")
        answers = Answers("page") if inner is None else self._answers(inner, form)
        if answers is None or len(self.log.errors) > errors:
            return
        ids, tags = _notes(block.comments)
        content = QuestionContent(
            key="",
            kind=answers.kind,
            title=self.texts.words(name, "plain"),
            prompt=self.texts.words(prompt, form),
            choices=tuple(choice for choice, _line in answers.choices),
            explanation=self.texts.formed(answers.explanation, form),
            tags=tuple(tag for tag in (self.category, *tags) if tag),
            settings=answers.settings,
        )
        lines = [line for _choice, line in answers.choices]
        self.found.append(naming.Found(content=content, line=block.body.line, id=ids, choice_lines=lines))

    def _answers(self, inner: Piece, form: str) -> Answers | None:
        at = inner.text.rfind("####")
        explanation = Piece("", inner.line) if at < 0 else inner.after(at + 4).trimmed()
        inner = inner if at < 0 else inner.before(at).trimmed()
        answers = read(inner, form, self.texts)
        if answers is not None:
            answers.explanation = explanation
        return answers


def _visible(piece: Piece, marks: tuple[str, ...]) -> Piece:
    """The piece without unseen marks before one of these signs."""
    bare = piece.text.lstrip(INVISIBLE)
    return Piece(bare, piece.line) if bare.startswith(marks) else piece


def _name(body: Piece, log: Log) -> tuple[Piece, Piece]:
    body = _visible(body, ("::",))
    if not body.text.startswith("::"):
        return Piece("", body.line), body
    name, rest = body.after(2).cut("::")
    if rest is None:
        log.warn(_("The name of the question has no “::” at its end; it was taken for the text."), body.line)
        return Piece("", body.line), name
    return Piece(" ".join(name.text.split()), name.line), rest


def _parts(body: Piece, log: Log) -> tuple[Piece, Piece | None] | None:
    """The prompt and what stands between the braces, None where there are none. None where that is an error."""
    start, end = body.text.find("{"), body.text.find("}")
    if start < 0 and end < 0:
        return body, None
    if start < 0 or (0 <= end < start):
        log.error(_("“}” has no “{” before it. One that belongs to a text is written \\}."), body.after(end).line)
        return None
    if end < 0:
        message = _("“{” has no “}” before the blank line. One that belongs to a text is written \\{.")
        log.error(message, body.after(start).line)
        return None
    tail = body.after(end + 1)
    oddities.of_tail(tail, log)
    blank = "" if body.text.endswith("}") else BLANK
    prompt = Piece(body.text[:start] + blank + tail.text, body.line)
    return prompt.trimmed(), body.before(end).after(start + 1).trimmed()


def _notes(comments: str) -> tuple[str, list[str]]:
    """The id and the tags that stand in comments."""
    found = list(_noted(comments))
    ids = [text for what, text in found if what == "id"]
    return (ids[0] if ids else ""), [text for what, text in found if what == "tag"]


def _noted(comments: str) -> Iterator[tuple[str, str]]:
    for found in _NOTED.finditer(comments):
        text = " ".join(found[2].replace("\\]", "]").split())
        if text:
            yield found[1], text
