"""From Moodle XML to content: the questions of a file with their categories, and what is told of it.

The format is that of Moodle's own export (``question/format/xml/format.php``).
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...content import QuestionContent, TagContent, clean
from ...exceptions import FormatError
from ...words import Words, pick
from .. import naming
from ..report import Entry, Log, Parsed
from . import categories, tree
from .numbers import decimal, plain
from .questions import TYPES, YES, Asked, Body
from .texts import Texts, form_of
from .tree import Element

MOST_POINTS = Decimal("9999.99")
_PENALTIES = {"", "0", "0.1", "0.3333333", "1"}
_FEEDBACK = {"right": "correctfeedback", "partly": "partiallycorrectfeedback", "wrong": "incorrectfeedback"}
_LOOKS = {
    "answernumbering",
    "showstandardinstruction",
    "shownumcorrect",
    "numberingstyle",
    "showgrading",
    "layouttype",
}
_OF_TYPES = {"answer", "single", "shuffleanswers", "subquestion", "usecase", *_FEEDBACK.values()} | {
    *(
        "units",
        "unitgradingtype",
        "unitpenalty",
        "showunits",
        "unitsleft",
        "selecttype",
        "selectcount",
        "gradingtype",
    ),
    *("responseformat", "responserequired", "responsefieldlines", "responsetemplate", "graderinfo", "minwordlimit"),
    *("maxwordlimit", "attachments", "attachmentsrequired", "maxbytes", "filetypeslist"),
}
_OF_ALL = {"name", "questiontext", "generalfeedback", "defaultgrade", "idnumber", "tags", "hidden", "penalty", "hint"}
_KNOWN = _LOOKS | _OF_TYPES | _OF_ALL
"""What is read, is told of elsewhere, or says how Moodle shows a question."""
_STOCK = {
    "Your answer is correct.",
    "Your answer is partially correct.",
    "Your answer is incorrect.",
    "إجابتك صحيحة.",
    "إجابتك صحيحة جزئياً.",
    "إجابتك صحيحة جزئيًا.",
    "إجابتك غير صحيحة.",
    "إجابتك خاطئة.",
}
"""What Moodle fills in by itself."""


def parse(data: bytes, *, language: str, encoding: str | None = None) -> Parsed:
    """The questions of a file of Moodle's, or all errors in it.

    ``language`` is the language of texts that name none, ``encoding`` that of the file where it does not say it.
    """
    log = Log()
    reader = _Reader(log, Texts(log, language))
    try:
        tree.read(data, log, reader.take, encoding=encoding)
        return reader.parsed(data)
    except FormatError as error:
        log.errors.append(Entry(str(error.message), error.line))
        return Parsed(None, log.report())


@dataclass
class _Reader:
    log: Log
    texts: Texts
    found: list[naming.Found] = field(default_factory=list)
    category: str = ""
    tags: dict[str, Words] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    first_lines: dict[str, int] = field(default_factory=dict)
    shuffles: bool = False

    def parsed(self, data: bytes) -> Parsed:
        """The quiz shuffles where any question does; a question that says no keeps its order all the same."""
        self._tell_left_out()
        known = [TagContent(name=name, description=told) for name, told in self.tags.items() if told]
        parsed = naming.parsed(
            data, self.texts.language, self.found, self.log, known_tags=known, files=self.texts.files
        )
        return replace(parsed, quiz=parsed.quiz and replace(parsed.quiz, shuffle_choices=self.shuffles))

    def take(self, element: Element) -> None:
        """One question of the file."""
        sort = element.attributes.get("type", "")
        if sort == "category":
            self._category(element)
            return
        title = self.texts.name(element.child("name"))
        shown = pick(title).plain[:80] or _("question without a name")
        if sort not in TYPES:
            message = _("%(title)s: left out, questions of the type “%(type)s” are not supported.")
            self.log.warn(message % {"title": shown, "type": sort[:40]}, element.line)
        elif element.value("hidden") in YES:
            self.log.warn(_("%(title)s: left out, it is hidden in Moodle.") % {"title": shown}, element.line)
        else:
            self._question(element, title, shown)

    # Categories ------------------------------------------------------------------------------------------------

    def _category(self, element: Element) -> None:
        category = element.child("category")
        self.category = categories.tag(self.texts.written(category), self.texts.language) if category else ""
        told = self.texts.words(element.child("info"))
        if self.category:
            self.tags[self.category] = told or self.tags.get(self.category, {})
        if element.value("idnumber"):
            message = _("The id of the category “%(name)s” is left out.")
            self.log.warn(message % {"name": self.category}, element.line)

    # Questions -------------------------------------------------------------------------------------------------

    def _question(self, element: Element, title: Words, shown: str) -> None:
        errors = len(self.log.errors)
        prompt = element.child("questiontext")
        asked = Asked(element, self.texts, self.log, shown, "html" if prompt is None else form_of(prompt))
        body = TYPES[element.attributes["type"]](asked)
        if body is None:
            return
        content = self._content(asked, body, {} if _made(element) else title)
        points = self._points(asked, body)
        self._count_left_out(element)
        if len(self.log.errors) == errors:
            found = naming.Found(
                content=content,
                line=element.line,
                id=element.value("idnumber"),
                points=points,
                choice_lines=body.lines,
            )
            self.found.append(found)
            self.shuffles = self.shuffles or body.shuffles

    def _content(self, asked: Asked, body: Body, title: Words) -> QuestionContent:
        element = asked.element
        prompt = body.prompt if body.prompt is not None else self.texts.words(element.child("questiontext"))
        return QuestionContent(
            key="",
            kind=body.kind,
            title=title,
            prompt=prompt,
            choices=tuple(body.choices),
            explanation=asked.words(element.child("generalfeedback")),
            tags=tuple(dict.fromkeys(name for name in (self.category, *self._tags(element)) if name)),
            settings=body.settings | self._feedback(asked),
        )

    def _tags(self, element: Element) -> list[str]:
        tags = element.child("tags")
        return [] if tags is None else [" ".join(self.texts.written(tag).split()) for tag in tags.all("tag")]

    def _points(self, asked: Asked, body: Body) -> Decimal:
        written = asked.element.value("defaultgrade")
        if not written:
            return body.points or Decimal(1)
        points = decimal(written)
        if points is None or not 0 <= points <= MOST_POINTS:
            message = _("the points lie between 0 and 9999.99, not “%(text)s”; it was given 1.")
            asked.warn(message % {"text": written[:40]})
            return Decimal(1)
        kept = Decimal(plain(round(points, 2)))
        if kept != points:
            asked.warn(_("%(points)s points were rounded to %(kept)s.") % {"points": written, "kept": kept})
        return kept

    def _feedback(self, asked: Asked) -> dict[str, Any]:
        """What is said by the outcome; Moodle's own phrases say what the verdict says."""
        said = {}
        for outcome, name in _FEEDBACK.items():
            element = asked.element.child(name)
            texts = {
                language: text
                for language, text in clean(asked.words(element)).items()
                if not self._is_stock(text, element)
            }
            if texts:
                said[outcome] = texts
        return {"feedback": said} if said else {}

    def _is_stock(self, text: str, element: Element | None) -> bool:
        if text in _STOCK and element is not None:
            self._leave_out("stock", element.line)
            return True
        return False

    # What is left out, told once each ---------------------------------------------------------------------------

    def _count_left_out(self, element: Element) -> None:
        penalty = decimal(element.value("penalty") or "0")
        if penalty is None or plain(penalty) not in _PENALTIES:
            self._leave_out("penalty", element.line)
        if any(hint.value("text") for hint in element.all("hint")):
            self._leave_out("hint", element.line)
        for child in element.children:
            if child.tag not in _KNOWN:
                self._leave_out(f"<{child.tag[:40]}>", child.line)

    def _leave_out(self, what: str, line: int) -> None:
        self.left_out[what] += 1
        self.first_lines.setdefault(what, line)

    def _tell_left_out(self) -> None:
        for what, count in self.left_out.items():
            self.log.warn(_left_out(what, count), self.first_lines[what])


def _left_out(what: str, count: int) -> str:
    if what == "penalty":
        message = ngettext(
            "The penalty for further tries is left out of %(count)d question.",
            "The penalties for further tries are left out of %(count)d questions.",
            count,
        )
    elif what == "hint":
        message = ngettext(
            "The hints are left out of %(count)d question.", "The hints are left out of %(count)d questions.", count
        )
    elif what.startswith("<"):
        message = ngettext(
            "%(name)s is left out of %(count)d question: it is not known here.",
            "%(name)s is left out of %(count)d questions: it is not known here.",
            count,
        )
    else:
        message = ngettext(
            "Moodle’s own phrase (“Your answer is correct.”) is left out in %(count)d place: the verdict says it.",
            "Moodle’s own phrases (“Your answer is correct.”) are left out in %(count)d places: the verdict says it.",
            count,
        )
    return message % {"count": count, "name": what}


def _made(element: Element) -> bool:
    """Whether our own writer made the name up, since Moodle requires one."""
    name = element.child("name")
    return name is not None and name.attributes.get("mpquiz") == "made"
