"""Aiken: a question on one line, a choice on each line below it (``A. …`` or ``A) …``), then ``ANSWER: A``.

Read by the rules of Moodle's reader (``question/format/aiken/format.php``). What course writers are taught beside
them, letters of their own alphabet and ``ANSWER`` in their language, is read too, with a warning.
"""

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ..content import ChoiceContent, QuestionContent
from ..exceptions import FormatError
from . import markup, naming
from .report import Entry, Log, Parsed
from .source import decode

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHABETS = (
    LATIN,
    "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "أبپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
    "אבגדהוזחטיכלמנסעפצקרשת",
)
"""Letters in the orders in which they number a list: the Arabic ones as in abjad and as in dictionaries."""

_WORDS = ("ANSWER", "الإجابة الصحيحة", "الإجابة", "الاجابة", "الجواب", "התשובה", "תשובה", "پاسخ", "جواب")
_UNSEEN = "\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
_ANSWER = re.compile(rf"[\s{_UNSEEN}]{{0,40}}(?P<word>{'|'.join(_WORDS)})[\s{_UNSEEN}]{{0,9}}:(?P<rest>.*)", re.I)
_LATIN_CHOICE = re.compile(rf"[{_UNSEEN}]{{0,9}}(?P<label>[A-Z])[{_UNSEEN}]{{0,9}}[.)](?P<text>.*)")
_OTHER_CHOICE = re.compile(
    rf"[{_UNSEEN}]{{0,9}}\(?(?P<label>الف|هـ|[{''.join(ALPHABETS[1:])}اإآ])[\s{_UNSEEN}]{{0,9}}[.)\-–](?P<text>.*)"
)
_WORD = re.compile(r"[^\W_ـ]+ـ?")
_SAME = {"ا": "أ", "إ": "أ", "آ": "أ", "الف": "أ", "هـ": "ه"}


def parse(data: bytes, *, language: str, encoding: str | None = None) -> Parsed:
    """The questions of a file, or all errors in it.

    ``language`` is the language of its texts, ``encoding`` that of the file (UTF-8).
    """
    log = Log()
    reader = _Reader(log, language)
    try:
        for number, line in enumerate(decode(data, encoding).split("\n"), 1):
            reader.take(line.strip(), number)
        return reader.parsed(data)
    except FormatError as error:
        log.errors.append(Entry(str(error.message), error.line))
        return Parsed(None, log.report())


def looks_like(text: str) -> bool:
    """Whether a line of the text says which answer is right."""
    return any(_ANSWER.match(line) for line in text.split("\n"))


@dataclass
class _Asked:
    """A question whose answer was not told yet."""

    text: str
    line: int
    choices: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass
class _Reader:
    log: Log
    language: str
    found: list[naming.Found] = field(default_factory=list)
    open: _Asked | None = None
    known: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def parsed(self, data: bytes) -> Parsed:
        if self.open is not None:
            self.log.error(_("This question has no line “ANSWER: …”."), self.open.line)
        elif not self.found and not self.log.errors:
            self.log.error(_("The file holds no questions."), 1)
        return naming.parsed(data, self.language, self.found, self.log)

    def take(self, line: str, number: int) -> None:
        if not line.strip(" \t\u200b\u200e\u200f\u061c\ufeff"):
            return
        if found := _ANSWER.match(line):
            self._answer(found, number)
        elif found := _LATIN_CHOICE.match(line) or (_OTHER_CHOICE.match(line) if self.open else None):
            self._choice(found, number)
        else:
            self._prompt(line, number)

    # Lines ---------------------------------------------------------------------------------------------------

    def _prompt(self, text: str, number: int) -> None:
        if self.open is not None and self.open.choices:
            message = _("A new question begins here, and the one of line %(line)d has no line “ANSWER: …”.")
            self.log.error(message % {"line": self.open.line}, number)
        elif self.open is not None:
            message = _("A choice (A. …) is expected after the question of line %(line)d, which stands on one line.")
            self.log.error(message % {"line": self.open.line}, number)
        self.open = _Asked(text, number)

    def _choice(self, found: re.Match[str], number: int) -> None:
        if self.open is None:
            self.log.error(_("A choice stands here without a question before it."), number)
            return
        label = _same(found["label"])
        if label not in LATIN:
            message = _("The choices are lettered in another alphabet than A, B, C; they were read in its order.")
            self._tell_once("label", message, number)
        if not _in_order([*self.open.labels, label]):
            message = _("The choices are lettered in order, A, B, C …; “%(label)s” is out of order.")
            self.log.error(message % {"label": found["label"]}, number)
        self.open.labels.append(label)
        self.open.choices.append(found["text"].strip())
        self.open.lines.append(number)

    def _answer(self, found: re.Match[str], number: int) -> None:
        asked, self.open = self.open, None
        if found["word"] != "ANSWER":
            message = _("“%(word)s:” was read as “ANSWER:”, which is how Moodle needs it.")
            self._tell_once("word", message % {"word": found["word"]}, number)
        if asked is None:
            self.log.error(_("An answer stands here without a question before it."), number)
        elif len(asked.choices) < 2:
            self.log.error(_("A question with choices needs at least two of them."), number)
        elif (right := self._right(asked, found["rest"], number)) is not None:
            self.found.append(self._question(asked, right))

    def _right(self, asked: _Asked, rest: str, number: int) -> int | None:
        """The place of the right choice, from 0; None where that is an error."""
        words = [_same(word) for word in _WORD.findall(rest)]
        named = [word for word in words if word in asked.labels]
        if not words or words[0] not in asked.labels or len(set(named)) != 1:
            message = _("One of the letters of the choices (%(labels)s) is expected after “ANSWER:”.")
            self.log.error(message % {"labels": ", ".join(asked.labels)}, number)
            return None
        if len(words) > 1:
            message = _("What stands after the letter is left out: “%(text)s”.")
            self.log.warn(message % {"text": " ".join(rest.split())[:80]}, number)
        return asked.labels.index(words[0])

    def _tell_once(self, what: str, message: str, number: int) -> None:
        if what not in self.told:
            self.told.add(what)
            self.log.warn(message, number)

    # Content -------------------------------------------------------------------------------------------------

    def _question(self, asked: _Asked, right: int) -> naming.Found:
        choices = zip(asked.choices, asked.lines, strict=True)
        content = QuestionContent(
            key="",
            kind="single",
            prompt=self._words(asked.text, asked.line),
            choices=tuple(
                ChoiceContent(key="", text=self._words(text, line), right=place == right)
                for place, (text, line) in enumerate(choices)
            ),
        )
        return naming.Found(content=content, line=asked.line, choice_lines=asked.lines)

    def _words(self, text: str, line: int) -> dict[str, str]:
        words = markup.into_words(text, "plain", language=self.language, log=self.log, line=line, known=self.known)
        return dict(words)


def _same(label: str) -> str:
    return _SAME.get(label, label)


def _in_order(labels: list[str]) -> bool:
    written = "".join(labels)
    return any(alphabet.startswith(written) for alphabet in ALPHABETS)
