"""The elements that Moodle's texts are written in, with the files that they refer to."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

from django.utils.translation import gettext as _

from ... import files as stored
from ...content import ChoiceContent, QuestionContent, QuizContent, clean
from ...words import Words, pick, to_plain
from .. import markup
from ..report import Losses
from .numbers import plain as digits

Lines = Iterator[str]
Bytes = Callable[[str], bytes | None]

_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MAY_READ_OTHERWISE = re.compile(r"[$<]|\\[(\[\\]")


class Writer:
    """Writes texts in all languages of a quiz or in one, and remembers what was lost of which question."""

    def __init__(self, quiz: QuizContent, language: str | None, files: Bytes) -> None:
        self.quiz = quiz
        self.language = language
        self.files = files
        self.losses = Losses()
        self.key = ""
        self.named = language is None and len(_languages(quiz)) > 1

    def lose(self, what: str) -> None:
        """The question at hand has what cannot be written."""
        self.losses.add(what, self.key)

    def chosen(self, texts: Words, *, shown: bool = False) -> dict[str, str]:
        """The words that are to be written; what must be ``shown`` is written in another language rather than not."""
        found = clean(texts)
        if self.language is None or not found:
            return found
        if self.language in found:
            return {self.language: found[self.language]}
        if not shown:
            return {}
        self.lose(_("What is missing in the language of the file is written in another."))
        return {self.language: pick(found, self.language).source}

    def joined(self, texts: Mapping[str, str]) -> str:
        """Chosen words as one text."""
        return markup.joined(texts, named=self.named)

    def bare(self, texts: Mapping[str, str]) -> str:
        """Chosen words without their Markdown, which Moodle does not read in names and lists."""
        plain = {language: to_plain(text) for language, text in texts.items()}
        if any(markup.from_plain(plain[language]) != text for language, text in texts.items()):
            self.lose(_("Names and right sides of pairs are written without their markup."))
        return self.joined(plain)

    # Elements --------------------------------------------------------------------------------------------------

    def plain(self, tag: str, text: str) -> str:
        readable = _UNREADABLE.sub("", text)
        if readable != text:
            self.lose(_("Control characters, which XML cannot hold, are left out."))
        return f"<{tag}>{escape(readable)}</{tag}>"

    def text(self, tag: str, texts: Words, attributes: str = "", *, shown: bool = False, inner: str = "") -> Lines:
        """An element with a text in all its languages and the files that it refers to; ``inner`` is more in it."""
        yield from self.formed(tag, *self._formed(self.chosen(texts, shown=shown)), attributes, inner=inner)

    def formed(self, tag: str, form: str, text: str, attributes: str = "", *, inner: str = "") -> Lines:
        yield f'<{tag}{attributes} format="{form}">'
        yield from self._inside(text)
        if inner:
            yield inner
        yield f"</{tag}>"

    def _formed(self, texts: Mapping[str, str]) -> tuple[str, str]:
        """The format and the text: Markdown, or HTML where Markdown of ours means something else to others."""
        if all(_reads_the_same(text) for text in texts.values()):
            return "markdown", self.joined(texts)
        html = {language: markup.to_html(text) for language, text in texts.items()}
        if any(markup.from_html(html[language], language=language) != text for language, text in texts.items()):
            self.lose(_("A text is written as HTML, and its markup may come back in another form."))
        return "html", self.joined(html)

    def _inside(self, text: str) -> Lines:
        names = stored.names_in(text)
        for name in names:
            text = text.replace(stored.reference(name), f"@@PLUGINFILE@@/{name}")
        yield self.plain("text", text)
        for name in names:
            data = self.files(name)
            if data is None:
                self.lose(_("A file is missing, and the link to it leads nowhere."))
            else:
                encoded = base64.b64encode(data).decode()
                yield f'<file name={quoteattr(name)} path="/" encoding="base64">{encoded}</file>'

    def choice(self, choice: ChoiceContent, percent: Decimal) -> Lines:
        """An answer that is shown."""
        said = "\n".join(self.text("feedback", choice.feedback))
        yield from self.text("answer", choice.text, f' fraction="{digits(percent)}"', shown=True, inner=said)

    def typed(self, choice: ChoiceContent, percent: Decimal, typed: str, more: str = "", inner: str = "") -> Lines:
        """An answer that is typed, or one of Moodle's own words."""
        yield f'<answer fraction="{digits(percent)}" format="plain_text"{more}>'
        yield self.plain("text", typed)
        yield from self.text("feedback", choice.feedback)
        if inner:
            yield inner
        yield "</answer>"


def _reads_the_same(text: str) -> bool:
    """Whether Markdown comes back as it is. What has no formula and no tag does, and need not be tried."""
    return not _MAY_READ_OTHERWISE.search(text) or markup.from_markdown(text) == text


def feedback_in(content: QuestionContent) -> dict[str, Words]:
    """What is said by the outcome, where anything is; what is no words in the settings is left out."""
    found = {state: content.outcome_feedback(state) for state in ("right", "partly", "wrong")}
    return {state: texts for state, texts in found.items() if clean(texts)}


def _languages(quiz: QuizContent) -> set[str]:
    """The languages of all texts that are written."""
    contents = [placed.content for placed in quiz.questions if placed.content is not None]
    texts: list[Words] = [tag.description for tag in quiz.known_tags]
    for content in contents:
        texts += (content.title, content.prompt, content.explanation, *feedback_in(content).values())
        texts += (one for choice in content.choices for one in (choice.text, choice.match, choice.feedback))
    return {language for words in texts for language in clean(words)}
