"""A prompt with gaps as Moodle's text with embedded answers."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from html import escape
from math import lcm
from typing import Any

from django.utils.translation import gettext as _

from ...content import ChoiceContent, QuestionContent
from .. import markup
from . import cloze
from .cloze import Alternative, Subquestion
from .elements import Writer
from .numbers import ends, percent, typed

_GAP = re.compile(r"\\.|\[\[([a-z0-9]{1,20})\]\]", re.DOTALL)
_FORMS = {"single": cloze.SINGLE, "number": cloze.NUMBER, "text": cloze.TEXT}


class Cloze:
    """Writes the text in all languages around the sub-questions, which Moodle counts once for all of them."""

    def __init__(self, writer: Writer, content: QuestionContent) -> None:
        self.writer = writer
        self.content = content

    def text(self) -> str:
        cut = {language: _cut(text) for language, text in self.writer.chosen(self.content.prompt, shown=True).items()}
        names = next((pieces[1::2] for pieces in cut.values()), [])
        same = {language: pieces for language, pieces in cut.items() if pieces[1::2] == names}
        if len(same) < len(cut):
            self.writer.lose(_("Only the languages whose gaps stand in the same order are written."))
        if names != [str(place) for place in range(1, len(names) + 1)]:
            self.writer.lose(_("The gaps are numbered in their order."))
        gaps = (
            cloze.written(self._subquestion(name, weight))
            for name, weight in zip(names, self._weights(names), strict=True)
        )
        pieces = [
            self._piece({language: one[2 * place] for language, one in same.items()})
            for place in range(len(names) + 1)
        ]
        return "".join(text + gap for text, gap in zip(pieces, (*gaps, ""), strict=True))

    def _piece(self, texts: Mapping[str, str]) -> str:
        """A piece of the text with its blanks, marked where it differs between the languages."""
        safe = {language: cloze.literal(text) for language, text in texts.items()}
        if len(set(safe.values())) <= 1 and not (self.writer.named and len(safe) == 1):
            return next(iter(safe.values()), "")
        return "".join(markup.joined({code: text}, named=True) or _nothing(code) for code, text in safe.items())

    def _part(self, name: str) -> Mapping[str, Any]:
        return self.content.settings.get("parts", {}).get(name, {})

    def _weights(self, names: list[str]) -> list[int]:
        """The weights in the same proportion as whole numbers, which Moodle's are."""
        weights = [Fraction(str(self._part(name).get("weight", 1))) for name in names]
        factor = lcm(*(weight.denominator for weight in weights))
        if factor > 1:
            self.writer.lose(_("The weights of the gaps are written as whole numbers in the same proportion."))
        return [int(weight * factor) for weight in weights]

    def _subquestion(self, name: str, weight: int) -> Subquestion:
        part = self._part(name)
        form = _FORMS.get(part.get("kind", "text"), cloze.TEXT)
        choices = [choice for choice in self.content.choices if choice.part == name]
        found = tuple(one for choice in choices for one in self._alternatives(choice, form))
        strict = form == cloze.TEXT and part.get("strict")
        return Subquestion("", cloze.STRICT if strict else form, Decimal(weight), found)

    def _alternatives(self, choice: ChoiceContent, form: str) -> Iterator[Alternative]:
        share, feedback = percent(choice), self._html(self.writer.chosen(choice.feedback))
        if form == cloze.SINGLE:
            yield Alternative(self._html(self.writer.chosen(choice.text, shown=True)), share, feedback)
        elif form == cloze.NUMBER:
            if ".." in choice.value:
                self.writer.lose(_("A range is written as its middle with a tolerance."))
            value, tolerance = ends(choice.value)
            yield Alternative(value if tolerance == "0" else f"{value}:{tolerance}", share, feedback)
        else:
            for text in self._typed(choice):
                yield Alternative(escape(text, quote=False), share, feedback)

    def _typed(self, choice: ChoiceContent) -> Iterator[str]:
        texts = self.writer.chosen(choice.text, shown=True).values()
        if self.writer.named:
            self.writer.lose(
                _("What a gap accepts is written without its language, each text as an answer of its own.")
            )
        for text in dict.fromkeys(texts):
            accepted = typed(text)
            if accepted is None:
                self.writer.lose(
                    _("An accepted answer with a backslash before * is left out: Moodle cannot say that.")
                )
            else:
                yield accepted

    def _html(self, texts: Mapping[str, str]) -> str:
        html = {language: _inline(text) for language, text in texts.items()}
        if any(markup.from_html(html[language], language=language) != text for language, text in texts.items()):
            self.writer.lose(_("A text is written as HTML, and its markup may come back in another form."))
        return self.writer.joined(html)


def _cut(text: str) -> list[str]:
    """The text between the gaps and their names in turn."""
    pieces, done = [], 0
    for found in _GAP.finditer(text):
        if found[1]:
            pieces += [text[done : found.start()], found[1]]
            done = found.end()
    return [*pieces, text[done:]]


def _nothing(language: str) -> str:
    return f'<span lang="{language}" class="multilang"></span>'


def _inline(markdown: str) -> str:
    """HTML within a line where it is one paragraph."""
    html = markup.to_html(markdown).strip()
    inner = html.removeprefix("<p>").removesuffix("</p>")
    return inner if html == f"<p>{inner}</p>" and "<p>" not in inner else html
