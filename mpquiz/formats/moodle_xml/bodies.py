"""What is written of each kind alone. ``KINDS`` knows them by our names, with Moodle's."""

from collections.abc import Callable
from decimal import Decimal
from xml.sax.saxutils import quoteattr

from django.utils.translation import gettext as _

from ...content import ChoiceContent, QuestionContent, clean
from ...kinds.essay import notes_in
from . import clozes
from .elements import Lines, Writer
from .numbers import ends, percent, typed


def _single(writer: Writer, content: QuestionContent) -> Lines:
    yield "<single>true</single>"
    yield from _kept_in_order(writer, content)
    yield "<answernumbering>abc</answernumbering>"
    for choice in content.choices:
        yield from writer.choice(choice, percent(choice))


def _multiple(writer: Writer, content: QuestionContent) -> Lines:
    yield "<single>false</single>"
    yield from _kept_in_order(writer, content)
    yield "<answernumbering>abc</answernumbering>"
    right = sum(choice.right for choice in content.choices)
    for choice in content.choices:
        yield from writer.choice(choice, _share(choice, right))


def _share(choice: ChoiceContent, right: int) -> Decimal:
    if choice.weight is not None:
        return choice.weight * 100
    return round(Decimal(100 if choice.right else -100) / max(right, 1), 5)


def _kept_in_order(writer: Writer, content: QuestionContent) -> Lines:
    if content.settings.get("keep_order"):
        yield "<shuffleanswers>false</shuffleanswers>"
    elif writer.quiz.shuffle_choices:
        yield "<shuffleanswers>true</shuffleanswers>"


def _true_false(writer: Writer, content: QuestionContent) -> Lines:
    if any(clean(choice.text) or (choice.weight and not choice.right) for choice in content.choices):
        writer.lose(_("True and false lose words and weights of their own."))
    for choice, word in zip(content.choices, ("true", "false"), strict=False):
        yield from writer.typed(choice, Decimal(100 * choice.right), word)


def _text(writer: Writer, content: QuestionContent) -> Lines:
    yield f"<usecase>{int(bool(content.settings.get('strict')))}</usecase>"
    for choice in content.choices:
        same = ""
        for code, text in writer.chosen(choice.text, shown=True).items():
            accepted = typed(text)
            if accepted is None:
                writer.lose(_("An accepted answer with a backslash before * is left out: Moodle cannot say that."))
                continue
            # Moodle reads neither attribute; they put the languages of one choice together again.
            yield from writer.typed(choice, percent(choice), accepted, f" lang={quoteattr(code)}{same}")
            same = ' mpquiz="same"'


def _number(writer: Writer, content: QuestionContent) -> Lines:
    for choice in content.choices:
        value, tolerance = ends(choice.value)
        if ".." in choice.value:
            writer.lose(_("A range is written as its middle with a tolerance."))
        yield from writer.typed(choice, percent(choice), value, inner=f"<tolerance>{tolerance}</tolerance>")


def _matching(writer: Writer, content: QuestionContent) -> Lines:
    yield from _kept_in_order(writer, content)
    for choice in content.choices:
        match = writer.bare(writer.chosen(choice.match, shown=True))
        answer = f"<answer>{writer.plain('text', match)}</answer>"
        yield from writer.text("subquestion", choice.text, shown=True, inner=answer)


def _ordering(writer: Writer, content: QuestionContent) -> Lines:
    yield "<layouttype>VERTICAL</layouttype>"
    yield "<selecttype>ALL</selecttype>"
    yield "<selectcount>0</selectcount>"
    yield "<gradingtype>ABSOLUTE_POSITION</gradingtype>"
    for place, choice in enumerate(content.choices, 1):
        yield from writer.text("answer", choice.text, f' fraction="{place}"', shown=True)


def _essay(writer: Writer, content: QuestionContent) -> Lines:
    if "longest" in content.settings:
        writer.lose(_("The limit of characters is left out."))
    yield "<responseformat>editor</responseformat>"
    yield "<responserequired>1</responserequired>"
    yield "<responsefieldlines>15</responsefieldlines>"
    yield "<attachments>0</attachments>"
    yield "<attachmentsrequired>0</attachmentsrequired>"
    yield from writer.text("graderinfo", notes_in(content))
    yield from writer.text("responsetemplate", {})


def _nothing(writer: Writer, content: QuestionContent) -> Lines:
    """A page is its prompt, and the prompt with gaps holds all of them."""
    return iter(())


def _prompt(writer: Writer, content: QuestionContent) -> Lines:
    return writer.text("questiontext", content.prompt, shown=True)


def _cloze(writer: Writer, content: QuestionContent) -> Lines:
    return writer.formed("questiontext", "markdown", clozes.Cloze(writer, content).text())


Body = Callable[[Writer, QuestionContent], Lines]

KINDS: dict[str, tuple[str, Body, Body]] = {
    "essay": ("essay", _prompt, _essay),
    "gaps": ("cloze", _cloze, _nothing),
    "matching": ("matching", _prompt, _matching),
    "multiple": ("multichoice", _prompt, _multiple),
    "number": ("numerical", _prompt, _number),
    "ordering": ("ordering", _prompt, _ordering),
    "page": ("description", _prompt, _nothing),
    "single": ("multichoice", _prompt, _single),
    "text": ("shortanswer", _prompt, _text),
    "true_false": ("truefalse", _prompt, _true_false),
}
"""Moodle's type of each of our kinds, its prompt, and what else is written."""
