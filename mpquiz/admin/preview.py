"""What an import would bring, laid out for an editor: the report, and each question as learners will see it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..content import ChoiceContent, PlacedQuestion, QuestionContent
from ..words import Text, pick
from .languages import own_name

PAGE_SIZE = 20
MOST_LINES = 200
"""Nobody reads more lines of a report on a page."""
_LONGEST_QUOTE = 160


@dataclass(frozen=True, slots=True)
class Remark:
    """What an editor wrote to a choice beside its text: its share of the points, and what is said to it."""

    name: Text
    weight: str
    feedback: Text


@dataclass(frozen=True, slots=True)
class Side:
    """A question in one language, asked and answered, as HTML of the learners' own templates."""

    language: str
    html: SafeString

    @property
    def dir(self) -> str:
        return words.direction(self.language)

    @property
    def name(self) -> str:
        return own_name(self.language)


@dataclass(frozen=True, slots=True)
class Previewed:
    """A question that would come; ``content`` is None where it is there already and only referred to."""

    number: int
    placed: PlacedQuestion

    @property
    def content(self) -> QuestionContent | None:
        return self.placed.content

    @property
    def kind(self) -> kinds.Kind | None:
        return kinds.kept(self.content.kind) if self.content else None

    @property
    def title(self) -> Text:
        return pick(self.content.title) if self.content else words.NO_TEXT

    def sides(self) -> Iterator[Side]:
        """The question in each language of the host, in its own direction."""
        if self.content is None:
            return
        content = kinds.kept(self.content.kind).complete(self.content)
        for language in words.languages():
            with translation.override(language):
                html = render_to_string("admin/mpquiz/importing/side.html", _side(content))
            yield Side(language, _apart(html, f"{self.number}-{language}"))


def _side(content: QuestionContent) -> dict[str, Any]:
    """What one side lays out, in the active language."""
    kind = kinds.kept(content.kind)
    order = kind.order(content, shuffle=False)
    return {
        "kind": kind,
        "prompt": pick(content.prompt),
        "asked": kind.asked(content, order),
        "answered": kind.answered(content, order, None),
        "given": [],
        "parts": {},
        "error": None,
        "explanation": pick(content.explanation),
        "remarks": [_remark(one) for one in content.choices if one.feedback or one.weight is not None],
        "outcomes": [(word, pick(content.outcome_feedback(state))) for state, word in _OUTCOMES.items()],
    }


_OUTCOMES: dict[str, str | Promise] = {"right": _("If right"), "partly": _("If partly right"), "wrong": _("If wrong")}


def _remark(choice: ChoiceContent) -> Remark:
    name = pick(choice.text) or Text(choice.value) or pick(choice.match) or Text(choice.key)
    weight = "" if choice.weight is None else f"{(choice.weight * 100).normalize():f}"
    return Remark(name, weight, pick(choice.feedback))


_TAG = re.compile(r"<[a-z][^<>]*>")
_ID = re.compile(r' (id|for|list|name|aria-labelledby|aria-describedby|aria-controls)="([^"]*)"')


def _apart(html: str, mark: str) -> SafeString:
    """Our own templates' HTML with ids that are its own on a page of many questions; texts are left alone."""

    def renamed(attribute: re.Match[str]) -> str:
        ids = " ".join(f"{one}-{mark}" for one in attribute[2].split())
        return f' {attribute[1]}="{ids}"'

    return mark_safe(_TAG.sub(lambda tag: _ID.sub(renamed, tag[0]), html))  # noqa: S308 (rendered by a template)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the report with the line of the file that it is about."""

    message: str
    number: int | None = None
    quoted: str = ""


def lines_of(entries: Iterable[Any], text: Sequence[str]) -> list[Line]:
    """The entries of a report as they are shown, with what the file says there."""
    shown = []
    for entry in list(entries)[:MOST_LINES]:
        inside = entry.line is not None and 1 <= entry.line <= len(text)
        quoted = text[entry.line - 1].strip()[:_LONGEST_QUOTE] if inside else ""
        shown.append(Line(entry.message, entry.line, quoted))
    return shown
