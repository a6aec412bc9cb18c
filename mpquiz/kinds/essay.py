"""A long text that a person marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ..content import UNSTORABLE, QuestionContent
from ..exceptions import Refusal
from ..words import Text, Words, Written
from .base import Kind, Problem

LONGEST = 10_000
"""How many characters an essay may have where the editor says nothing."""
_MOST = 100_000  # what an editor may allow: more, and a page of the queue is no page any more


@dataclass(frozen=True, slots=True)
class Shown:
    """An essay as a page shows it: how many characters it may have, and what was written; "" where nothing was."""

    longest: int
    written: str = ""


class Essay(Kind):
    """The stored answer is the text with LF line breaks. Settings: ``longest``, and ``notes`` for whoever marks.

    Its length is counted in Unicode code points, once the line breaks are LF and the ends are trimmed.
    """

    name = "essay"
    label = _("long text, marked by a person")
    template = "mpquiz/kinds/essay.html"
    hint = _("A person marks it, in the queue of answers. Settings: longest (characters), notes (for whoever marks).")
    button = _("Hand in")

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        longest = content.settings.get("longest", LONGEST)
        if isinstance(longest, bool) or not isinstance(longest, int) or not 1 <= longest <= _MOST:
            message = _("The longest text is a whole number of characters, from 1 to %(most)s.")
            found.append(Problem(message % {"most": number_format(_MOST)}, "settings"))
        if notes_in(content) != content.settings.get("notes", {}):
            found.append(Problem(_("The notes for whoever marks have a text for each language."), "settings"))
        return found

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> str:
        if given is None or given == "":
            raise Refusal("bad_answer", _("Write something first."))
        if not isinstance(given, str):
            raise Refusal("bad_answer", _("That is no answer to this question. Answer again."))
        text = UNSTORABLE.sub("", given.replace("\r\n", "\n").replace("\r", "\n")).strip()
        if not text:
            raise Refusal("bad_answer", _("Write something first."))
        if len(text) > (longest := _longest(content)):
            raise Refusal("bad_answer", _too_long(len(text), longest))
        return text

    def mark(self, content: QuestionContent, given: Any) -> None:
        return None

    def in_words(self, content: QuestionContent, given: Any) -> list[Text]:
        return [] if given is None else [Written(given)]

    def asked(self, content: QuestionContent, order: Sequence[str]) -> Shown:
        return Shown(_longest(content))

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> Shown:
        return Shown(_longest(content), given or "")


def notes_in(content: QuestionContent) -> Words:
    """What is said to whoever marks. What is no words, as a question of before may hold it, is left out."""
    notes = content.settings.get("notes")
    if not isinstance(notes, Mapping):
        return {}
    return {language: text for language, text in notes.items() if isinstance(text, str)}


def _longest(content: QuestionContent) -> int:
    return content.settings.get("longest", LONGEST)


def _too_long(length: int, longest: int) -> str:
    message = ngettext(
        "Your text has %(length)s characters; at most %(longest)s character is taken. Shorten it.",
        "Your text has %(length)s characters; at most %(longest)s characters are taken. Shorten it.",
        longest,
    )
    return message % {"length": number_format(length), "longest": number_format(longest)}
