"""What stands between the braces: which kind of question it makes, and its choices."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from ...content import ChoiceContent
from ...exceptions import Refusal
from ...kinds import numerals
from ...words import Words
from ..moodle_xml import numbers
from . import oddities
from .scanning import Piece
from .texts import Texts

TRUE, FALSE = ("T", "TRUE"), ("F", "FALSE")
_WEIGHT = re.compile(r"%(-?[0-9]{1,2}\.?[0-9]{0,20})%")
_LOOKS_WEIGHTED = re.compile(r"%[\s\d.,٫+-]{1,20}%")
_PLAIN_NUMBER = re.compile(r"[0-9.+\-eE:*\s]*", re.ASCII)
LONGEST_VALUE = 100


@dataclass
class Answers:
    """The kind with its choices, each with its line."""

    kind: str
    choices: list[tuple[ChoiceContent, int]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    explanation: Piece | None = None

    def add(self, line: int, **values: Any) -> None:
        self.choices.append((ChoiceContent(key="", **values), line))


def read(inner: Piece, form: str, texts: Texts) -> Answers | None:
    """The answers in the order in which Moodle asks what they are; None where that was an error.

    ``form`` is the format of the prompt, which the answers share where they name none.
    """
    text = inner.bare
    if not text:
        return Answers("essay")
    reader = _Reader(form, texts)
    if text.startswith("#"):
        return reader.number(inner.after(inner.text.index("#") + 1))
    if "~" in text:
        return reader.choices(inner)
    if "=" in text and "->" in text:
        return reader.matching(inner)
    if text.partition("#")[0].strip() in TRUE + FALSE:
        return reader.true_false(inner)
    return reader.text(inner)


@dataclass
class _Reader:
    form: str
    texts: Texts

    def warn(self, message: str, line: int) -> None:
        self.texts.log.warn(message, line)

    def error(self, message: str, line: int) -> None:
        self.texts.log.error(message, line)

    def words(self, piece: Piece | None) -> Words:
        return self.texts.formed(piece, self.form)

    # Choices -------------------------------------------------------------------------------------------------

    def choices(self, inner: Piece) -> Answers | None:
        pieces = self._pieces(inner, "~=")
        single = any(sign == "=" for sign, _piece in pieces)
        if len(pieces) < 2:
            self.error(_("A question with choices needs at least two of them."), inner.line)
            return None
        answers = Answers("single" if single else "multiple")
        for sign, piece in pieces:
            percent, piece = self._chosen(sign, piece)
            text, feedback = piece.cut("#")
            oddities.of_answer(text, self.texts.log)
            right, weight = numbers.share(percent) if single else (percent > 0, round(percent / 100, 7))
            said = {"text": self.words(text), "feedback": self.words(feedback)}
            answers.add(piece.line, right=right, weight=weight, **said)
        if single and sum(choice.right for choice, _line in answers.choices) > 1:
            self._several_right(answers, inner.line)
        return answers

    def _several_right(self, answers: Answers, line: int) -> None:
        answers.settings["any_right"] = True
        message = _(
            "Several choices are right (=): whichever of them is chosen earns all. "
            "If all of them are to be chosen, give each its share, such as %(example)s."
        )
        self.warn(message % {"example": "~%50%"}, line)

    def _chosen(self, sign: str, piece: Piece) -> tuple[Decimal, Piece]:
        """What a choice earns, in percent, and the choice without it."""
        if sign == "=":
            if _LOOKS_WEIGHTED.match(piece.text):
                self.warn(_("A choice with = earns all; the percentage before it is part of its text."), piece.line)
            return Decimal(100), piece
        if not sign:
            self.warn(_("This choice has neither = nor ~ before it; it was taken for a wrong one."), piece.line)
        return self._weighted(piece, Decimal(0))

    def _pieces(self, inner: Piece, marks: str) -> list[tuple[str, Piece]]:
        """The answers with the signs before them; what stands before the first sign counts where there is any."""
        found = []
        for sign, piece in inner.split(marks):
            if piece.bare:
                found.append((sign, piece))
            elif sign:
                self.warn(_("An empty answer is left out."), piece.line)
        return found

    def _weighted(self, piece: Piece, default: Decimal) -> tuple[Decimal, Piece]:
        """The percentage that an answer begins with, and what stands behind it."""
        found = _WEIGHT.match(piece.text)
        if found is None:
            if _LOOKS_WEIGHTED.match(piece.text):
                message = _("The share of an answer is a percentage, such as %(example)s.")
                self.error(message % {"example": "%50% / %-33.3%"}, piece.line)
            return default, piece
        percent = Decimal(found[1])
        if not -100 <= percent <= 100:
            self.error(_("The share of an answer lies between -100 and 100 percent."), piece.line)
        return percent, piece.after(found.end()).trimmed()

    # True or false -------------------------------------------------------------------------------------------

    def true_false(self, inner: Piece) -> Answers:
        """Moodle says the first feedback where the answer is wrong, the second where it is right."""
        word, rest = inner.cut("#")
        wrong, right = (None, None) if rest is None else rest.cut("#")
        answers = Answers("true_false")
        for words in (TRUE, FALSE):
            is_right = word.bare in words
            answers.add(inner.line, right=is_right, feedback=self.words(right if is_right else wrong))
        return answers

    # What is typed -------------------------------------------------------------------------------------------

    def text(self, inner: Piece) -> Answers | None:
        pieces = self._pieces(inner, "=")
        if not pieces:
            self.error(_("A question to type an answer to needs at least one."), inner.line)
            return None
        answers = Answers("text")
        typed = []
        for _sign, piece in pieces:
            percent, piece = self._weighted(piece, Decimal(100))
            text, feedback = piece.cut("#")
            oddities.of_answer(text, self.texts.log)
            typed.append(text)
            answers.add(piece.line, text=self.texts.typed(text), **self._earns(percent, feedback, piece.line))
        oddities.of_typed(typed, inner.line, self.texts.log)
        return answers

    def _earns(self, percent: Decimal, feedback: Piece | None, line: int) -> dict[str, Any]:
        if percent < 0:
            self.warn(_("What is typed earns no less than nothing: the negative share was left out."), line)
        right, weight = numbers.share(max(percent, Decimal(0)))
        return {"right": right, "weight": weight, "feedback": self.words(feedback)}

    # Numbers -------------------------------------------------------------------------------------------------

    def number(self, inner: Piece) -> Answers | None:
        accepted, other = inner.cut("~")
        pieces = self._pieces(accepted, "=")
        if not pieces:
            self.error(_("A question for a number needs at least one."), inner.line)
            return None
        answers = Answers("number")
        for _sign, piece in pieces:
            percent, piece = self._weighted(piece, Decimal(100))
            text, feedback = piece.cut("#")
            answers.add(piece.line, value=self._value(text), **self._earns(percent, feedback, piece.line))
        if other is not None:
            self._other(other, answers)
        return answers

    def _other(self, piece: Piece, answers: Answers) -> None:
        """What is said to any other number."""
        text, feedback = piece.cut("#")
        if text.bare:
            message = _("Between ~ and # nothing is read: “%(text)s” was left out.")
            self.warn(message % {"text": text.shown[:40]}, piece.line)
        if feedback:
            answers.add(piece.line, value="*", feedback=self.words(feedback))

    def _value(self, piece: Piece) -> str:
        """A number as the kind keeps it; what is none is told."""
        text = Piece(piece.shown, 0).bare
        said = {"text": text[:40]}
        try:
            value = numerals.canonical(text)
        except Refusal as refusal:
            message = _("“%(text)s” is not accepted as a number: %(why)s")
            self.error(message % (said | {"why": refusal.message}), piece.line)
            return ""
        if len(value) > LONGEST_VALUE:
            self.error(_("“%(text)s” has more digits than are kept.") % said, piece.line)
        elif not _PLAIN_NUMBER.fullmatch(text):
            self.warn(_("“%(text)s” was read as %(value)s.") % (said | {"value": value}), piece.line)
        return value

    # Pairs ---------------------------------------------------------------------------------------------------

    def matching(self, inner: Piece) -> Answers | None:
        pieces = self._pieces(inner, "=")
        if len(pieces) < 2:
            self.error(_("A question with pairs needs at least two of them."), inner.line)
            return None
        answers = Answers("matching")
        for _sign, piece in pieces:
            left, right = piece.cut("->")
            oddities.of_answer(left, self.texts.log)
            if right is None:
                self.error(_("A pair is written as =left -> right; here “->” is missing."), piece.line)
            elif left.bare or right.bare:
                answers.add(piece.line, text=self.words(left), match=self.texts.words(right, "plain"))
        return answers
