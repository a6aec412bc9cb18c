"""Moodle's types of question: what each makes of its elements. ``TYPES`` knows them by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from ... import words
from ...content import ChoiceContent, clean, key_at
from ...words import Words
from ..report import Log
from . import gaps
from .numbers import accepted, decimal, is_usual, pattern, share
from .texts import Texts
from .tree import Element

WHOLE = Decimal(100)
YES, NO = ("true", "1"), ("false", "0")


@dataclass
class Body:
    """What only this sort of question has. ``lines`` are those of the choices; a ``prompt`` of None is as written.

    ``shuffles`` says that Moodle shows the choices in an order of its own.
    """

    kind: str
    choices: list[ChoiceContent] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    prompt: Words | None = None
    points: Decimal | None = None
    shuffles: bool = False

    def add(self, choice: ChoiceContent, line: int) -> None:
        """One more choice; its key tells its place."""
        self.choices.append(replace(choice, key=key_at(len(self.choices))))
        self.lines.append(line)


@dataclass(frozen=True)
class Asked:
    """An element of a question and what reads it; ``form`` is the format of its texts that name none."""

    element: Element
    texts: Texts
    log: Log
    title: str
    form: str

    def words(self, element: Element | None) -> Words:
        return self.texts.words(element, self.form)

    def feedback(self, answer: Element) -> Words:
        return self.words(answer.child("feedback"))

    def warn(self, message: str, line: int | None = None) -> None:
        self.log.warn(f"{self.title}: {message}", line or self.element.line)

    def error(self, message: str, line: int | None = None) -> None:
        self.log.error(f"{self.title}: {message}", line or self.element.line)

    def answers(self) -> Iterator[tuple[Element, Decimal]]:
        """The answers with their percentages."""
        for answer in self.element.all("answer"):
            written = answer.attributes.get("fraction", "0")
            percent = decimal(written)
            if percent is None:
                message = _("the share of an answer (fraction) is a percentage, not “%(text)s”.")
                self.error(message % {"text": written[:40]}, answer.line)
            yield answer, percent or Decimal(0)


def _multichoice(asked: Asked) -> Body:
    single = asked.element.value("single").lower() not in NO
    body = Body("single" if single else "multiple")
    for answer, percent in asked.answers():
        text, feedback = asked.words(answer), asked.feedback(answer)
        right, weight = share(percent) if single else (percent > 0, round(percent / 100, 7))
        body.add(ChoiceContent(key="", text=text, right=right, weight=weight, feedback=feedback), answer.line)
    if single and sum(choice.right for choice in body.choices) > 1:
        body.settings["any_right"] = True
        asked.warn(_("several choices are right, and whichever of them is chosen earns all."))
    return _kept_in_order(asked, body)


def _kept_in_order(asked: Asked, body: Body) -> Body:
    said = asked.element.value("shuffleanswers").lower()
    if said in NO:
        body.settings["keep_order"] = True
    body.shuffles = said in YES
    return body


def _truefalse(asked: Asked) -> Body:
    found = sorted(_judgements(asked), key=lambda judgement: judgement[0])
    body = Body("true_false")
    for _place, answer, percent in found:
        if percent not in (0, WHOLE):
            asked.warn(
                _("one of true and false earns all, the other nothing; other shares are left out."), answer.line
            )
        choice = ChoiceContent(key="", right=percent == WHOLE, feedback=asked.feedback(answer))
        body.add(choice, answer.line)
    return body


def _judgements(asked: Asked) -> list[tuple[int, Element, Decimal]]:
    """The answers with 0 for “true”, 1 for “false” and their percentages."""
    found = [(asked.texts.written(answer), answer, percent) for answer, percent in asked.answers()]
    said = [text for text, _answer, _percent in found]
    if sorted(text.lower() for text in said) == ["false", "true"]:
        return [(int(text.lower() == "false"), answer, percent) for text, answer, percent in found]
    if len(found) == 2:
        message = _(
            "the answers read “%(first)s” and “%(second)s”; they were taken for true and false, in this order."
        )
        asked.warn(message % {"first": said[0][:40], "second": said[1][:40]})
    return [(place, answer, percent) for place, (_text, answer, percent) in enumerate(found)]


def _earned(asked: Asked, answer: Element, percent: Decimal) -> tuple[bool, Decimal | None]:
    """What an answer earns that is typed."""
    if percent < 0:
        asked.warn(_("what is typed earns no less than nothing: the negative share is left out."), answer.line)
    return share(max(percent, Decimal(0)))


def _shortanswer(asked: Asked) -> Body:
    body = Body("text", settings={"strict": True} if asked.element.value("usecase") == "1" else {})
    for answer, percent in asked.answers():
        text = _typed(asked, answer)
        right, weight = _earned(asked, answer, percent)
        if answer.attributes.get("mpquiz") == "same" and body.choices:
            first = body.choices[-1]
            body.choices[-1] = replace(first, text=clean({**first.text, **text}))
        else:
            choice = ChoiceContent(key="", text=text, right=right, weight=weight, feedback=asked.feedback(answer))
            body.add(choice, answer.line)
    return body


def _typed(asked: Asked, answer: Element) -> Words:
    """An accepted text as it is to be typed, in its languages; our own files name the language of each."""
    named = answer.attributes.get("lang", "")
    if named in words.languages():
        return clean({named: pattern(asked.texts.written(answer))})
    typed = asked.texts.typed(asked.texts.written(answer), "plain", answer.line)
    return {language: pattern(text) for language, text in typed.items()}


def _numerical(asked: Asked) -> Body:
    body = Body("number")
    for answer, percent in asked.answers():
        text, tolerance = asked.texts.written(answer), answer.value("tolerance")
        value = accepted(text, tolerance)
        if value is None:
            message = _("“%(text)s” with a tolerance of “%(tolerance)s” is no number.")
            asked.error(message % {"text": text[:40], "tolerance": tolerance[:40]}, answer.line)
        elif not is_usual(text + tolerance):
            asked.warn(_("“%(text)s” was read as %(value)s.") % {"text": text[:40], "value": value}, answer.line)
        right, weight = _earned(asked, answer, percent)
        choice = ChoiceContent(key="", value=value or "", right=right, weight=weight, feedback=asked.feedback(answer))
        body.add(choice, answer.line)
    _tell_units(asked)
    return body


def _tell_units(asked: Asked) -> None:
    units = asked.element.child("units")
    names = [unit.value("unit_name") for unit in units.all("unit")] if units else []
    if units and any(names):
        message = _("the units (%(names)s) are left out: answers are numbers; name the unit in the prompt.")
        asked.warn(message % {"names": ", ".join(name for name in names if name)[:200]}, units.line)


def _matching(asked: Asked) -> Body:
    body = Body("matching")
    for pair in asked.element.all("subquestion"):
        answer = pair.child("answer")
        body.add(ChoiceContent(key="", text=asked.words(pair), match=asked.texts.name(answer)), pair.line)
    return _kept_in_order(asked, body)


def _ordering(asked: Asked) -> Body:
    body = Body("ordering")
    if asked.element.value("selecttype").upper() not in ("", "ALL", "0"):
        asked.warn(_("all items are put in order, not a selection of them."))
    for answer in asked.element.all("answer"):
        body.add(ChoiceContent(key="", text=asked.words(answer), feedback=asked.feedback(answer)), answer.line)
    return body


def _essay(asked: Asked) -> Body:
    element = asked.element
    notes = asked.words(element.child("graderinfo"))
    template = element.child("responsetemplate")
    if template is not None and asked.texts.written(template):
        asked.warn(_("the text that an answer begins with (responsetemplate) is left out."), template.line)
    if any(element.value(name) not in ("", "0") for name in ("minwordlimit", "maxwordlimit")):
        asked.warn(_("the limits of words are left out; an answer has a limit of characters."))
    if element.value("attachments") not in ("", "0"):
        asked.warn(_("no files are handed in with an answer."))
    return Body("essay", settings={"notes": dict(notes)} if notes else {})


def _description(asked: Asked) -> Body:
    return Body("page")


def _cloze(asked: Asked) -> Body | None:
    element = asked.element.child("questiontext") or asked.element
    found = gaps.read(element, asked.texts, asked.title)
    if found.left_out:
        return None
    body = Body("gaps", settings={"parts": found.parts}, prompt=found.prompt, points=found.points)
    for choice, line in found.choices:
        body.add(choice, line)
    return body


TYPES: dict[str, Callable[[Asked], Body | None]] = {
    "cloze": _cloze,
    "description": _description,
    "essay": _essay,
    "match": _matching,
    "matching": _matching,
    "multianswer": _cloze,
    "multichoice": _multichoice,
    "numerical": _numerical,
    "ordering": _ordering,
    "shortanswer": _shortanswer,
    "truefalse": _truefalse,
}
"""The types of Moodle that our kinds hold. None: the question cannot be held, and that was told."""
