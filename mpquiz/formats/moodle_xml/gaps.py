"""A text with Moodle's embedded answers as a prompt with gaps."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from ...content import ChoiceContent
from ...words import Words
from .. import markup
from . import cloze
from .cloze import Alternative, Subquestion
from .numbers import accepted, is_usual, pattern, share
from .texts import Beside, Texts, form_of
from .tree import Element

_WRITTEN = re.compile(r"\\.|(?P<gap>\[\[(?=[a-z0-9]{1,20}\]\]))", re.DOTALL)
_KINDS = {cloze.SINGLE: "single", cloze.NUMBER: "number", cloze.TEXT: "text", cloze.STRICT: "text"}


@dataclass
class Gaps:
    """What a text with embedded answers comes to; ``points`` are the sum of Moodle's weights."""

    texts: Texts
    beside: Beside
    title: str
    line: int
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    choices: list[tuple[ChoiceContent, int]] = field(default_factory=list)
    points: Decimal = Decimal(0)
    prompt: Words = field(default_factory=dict)
    left_out: bool = False

    def error(self, message: str, line: int) -> None:
        self.texts.log.error(f"{self.title}: {message}", line)

    def add(self, subquestion: Subquestion, line: int) -> None:
        """One more gap, named by its place from 1."""
        name, form = str(len(self.parts) + 1), subquestion.form or cloze.TEXT
        part: dict[str, Any] = {"kind": _KINDS[form]}
        if subquestion.weight != 1:
            part["weight"] = int(subquestion.weight)
        if form == cloze.STRICT:
            part["strict"] = True
        self.parts[name] = part
        self.points += subquestion.weight
        if form == cloze.SINGLE and sum(one.percent == 100 for one in subquestion.alternatives) > 1:
            part["any_right"] = True
        for message in _wrong(subquestion):
            self.error(_("sub-question %(name)s: %(problem)s") % {"name": name, "problem": message}, line)
        for alternative in subquestion.alternatives:
            self.choices.append((self._choice(alternative, form, name, line), line))

    def _choice(self, alternative: Alternative, form: str, part: str, line: int) -> ChoiceContent:
        right, weight = share(alternative.percent)
        text: Words = {}
        value = ""
        if form == cloze.SINGLE:
            text = self.texts.into(alternative.text, "html", line, self.beside)
        elif form == cloze.NUMBER:
            value = _number(alternative) or ""
            if value and not is_usual(alternative.text):
                message = _("“%(text)s” was read as %(value)s.") % {"text": alternative.text[:40], "value": value}
                self.texts.log.warn(f"{self.title}: {message}", line)
        else:
            typed = self.texts.typed(alternative.text, "html", line)
            text = {language: pattern(one) for language, one in typed.items()}
        feedback = self.texts.into(alternative.feedback, "html", line, self.beside)
        return ChoiceContent(key="", text=text, value=value, right=right, weight=weight, feedback=feedback, part=part)


def read(element: Element, texts: Texts, title: str) -> Gaps:
    """The gaps of a text. What is wrong is logged; with ``left_out`` that was told, and it is not to be kept."""
    inner = element.child("text")
    beside = texts.beside(element)
    found = Gaps(texts, beside, title, element.line if inner is None else inner.line)
    text, mark = beside.text, _mark(beside.text)
    prompt = ""
    for piece in cloze.pieces(text):
        if isinstance(piece, str):
            prompt += piece
            continue
        line = found.line + text.count("\n", 0, piece.place)
        prompt += _gap(piece, found, line, mark)
    if not found.parts and not found.left_out:
        found.error(_("the text has no sub-questions such as {1:SHORTANSWER:=answer}."), found.line)
    words = texts.into(prompt, form_of(element), element.line, beside)
    beside.tell_unused()
    found.prompt = {language: _named(one, mark) for language, one in words.items()}
    return found


def _gap(piece: Subquestion, found: Gaps, line: int, mark: str) -> str:
    """What stands in the prompt for a sub-question, until the prompt is Markdown."""
    if piece.form is None:
        message = _("“{…:%(name)s” is none of Moodle’s sub-questions, and stays in the text.")
        found.texts.log.warn(f"{found.title}: " + message % {"name": piece.name}, line)
        return ""
    if piece.form == cloze.MULTIPLE:
        message = _("left out, since it has a sub-question %(name)s: a gap has one answer.")
        found.texts.log.warn(f"{found.title}: " + message % {"name": piece.name}, line)
        found.left_out = True
        return ""
    if not piece.closed:
        found.error(_("the brace of this sub-question is not closed."), line)
    found.add(piece, line)
    return f"{mark}{len(found.parts)}z"


def _wrong(subquestion: Subquestion) -> list[str]:
    answers = subquestion.alternatives
    found = []
    if not answers:
        return [_("it has no answers.")] if subquestion.closed else []
    if subquestion.form == cloze.SINGLE and len(answers) < 2:
        found.append(_("give at least two choices."))
    if all(answer.percent != 100 for answer in answers):
        found.append(_("no answer is wholly right (= or %100%)."))
    if subquestion.form == cloze.NUMBER:
        wrong = [answer.text for answer in answers if _number(answer) is None]
        found += [_("“%(text)s” is no number.") % {"text": text[:40]} for text in wrong]
    return found


def _number(alternative: Alternative) -> str | None:
    value, _colon, tolerance = markup.as_text(alternative.text).partition(":")
    return accepted(value, tolerance)


def _mark(text: str) -> str:
    """Letters that do not stand in the text, and that no conversion touches."""
    mark = "zgap"
    while mark in text:
        mark += "p"
    return mark


def _named(markdown: str, mark: str) -> str:
    """The gaps by name. What only looked like one is escaped."""
    literal = _WRITTEN.sub(lambda found: r"\[\[" if found["gap"] else found[0], markdown)
    named = re.sub(rf"{mark}(\d+)z", lambda found: f"[[{found[1]}]]", literal)
    return cloze.plain(named)
