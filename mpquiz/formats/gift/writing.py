"""From content to a GIFT file. Each text stands on one line and names its format, so that nothing in it is read."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from ... import files as stored
from ...content import ChoiceContent, PlacedQuestion, QuestionContent, QuizContent, clean
from ...words import Words, pick, to_plain
from .. import losing, markup
from ..moodle_xml.numbers import plain, typed
from ..report import Log, Losses
from .scanning import OURS, Piece

Lines = Iterator[str]

_ESCAPE = re.compile(r"[\\~=#{}:\n]")
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_HELD_SETTINGS = {"any_right"}
_SHUFFLED = ("single", "multiple", "matching")


def render(
    quiz: QuizContent,
    *,
    language: str | None = None,
    log: Log | None = None,
    files: Callable[[str], bytes | None] | None = None,
) -> bytes:
    """A file with the questions of a quiz, in all their languages or in one.

    ``log`` is told what the format cannot hold, once for each sort of thing. GIFT holds no files, so ``files`` is not
    asked.
    """
    writer = _Writer(quiz, language)
    text = "\n".join(writer.file())
    writer.losses.tell(log or Log())
    return text.encode()


def _keeps_order(quiz: QuizContent) -> bool:
    """Whether a quiz, not a mere list of questions, shows choices as they are written. Readers of GIFT shuffle."""
    contents = (placed.content for placed in quiz.questions)
    asks = any(content is not None and content.kind in _SHUFFLED for content in contents)
    return asks and not quiz.shuffle_choices and bool(clean(quiz.title))


class _Writer:
    def __init__(self, quiz: QuizContent, language: str | None) -> None:
        self.quiz = quiz
        self.language = language
        self.losses = Losses()
        self.key = ""
        self.named = language is None and len(_languages(quiz)) > 1

    def lose(self, what: str) -> None:
        self.losses.add(what, self.key)

    def file(self) -> Lines:
        self._lose_of_quiz()
        yield from (f"{OURS}: these texts are in its own Markdown", "")
        for placed in self.quiz.questions:
            self.key = placed.key
            yield from self._question(placed)
            yield ""

    def _lose_of_quiz(self) -> None:
        quiz = self.quiz
        held = (
            (clean(quiz.title), _("the title of the quiz")),
            (clean(quiz.description), _("its description")),
            (quiz.level, _("its level")),
            (quiz.pass_mark is not None, _("its pass mark")),
            (quiz.guides, _("its guides")),
            (_keeps_order(quiz), _("that choices keep their order")),
            (any(clean(tag.description) for tag in quiz.known_tags), _("what is said of tags")),
        )
        if lost := [*(what for has, what in held if has), *losing.rules(quiz)]:
            self.lose(_("GIFT holds questions only; left out are: %(what)s.") % {"what": ", ".join(lost)})

    # Questions -----------------------------------------------------------------------------------------------

    def _question(self, placed: PlacedQuestion) -> Lines:
        content = placed.content
        body = None if content is None else self._body(content)
        if content is None or body is None:
            yield f"// {_left_out(placed)}"
            return
        self._lose_of_question(placed, content)
        yield from self._comments(content)
        title, prompt = self.title(content.title), self.text(content.prompt, shown=True)
        if content.kind == "page":
            yield title + prompt
            return
        end = [f"\t####{self.text(content.explanation)}"] if self.chosen(content.explanation) else []
        lines = [*body[1:], *end]
        if not lines:
            yield f"{title}{prompt}{{{body[0]}}}"
            return
        yield f"{title}{prompt}{{{body[0]}"
        yield from (*lines, "}")

    def _body(self, content: QuestionContent) -> list[str] | None:
        """What stands between the braces: on the line of the prompt, then the lines below. None: GIFT has no such."""
        if content.kind not in _KINDS:
            self.lose(_("Left out, since GIFT has no questions of this kind."))
            return None
        try:
            return list(_KINDS[content.kind](self, content))
        except _CannotWrite as why:
            self.lose(str(why))
            return None

    def _comments(self, content: QuestionContent) -> Lines:
        notes = [f"[id:{content.key.rpartition('/')[2]}]"]
        for tag in content.tags:
            if "\n" in tag or tag.endswith("\\") or "\\]" in tag:
                self.lose(_("A tag is left out: GIFT cannot hold the signs in it."))
            else:
                notes.append(f"[tag:{tag.replace(']', chr(92) + ']')}]")
        yield f"// {' '.join(notes)}"

    def _lose_of_question(self, placed: PlacedQuestion, content: QuestionContent) -> None:
        texts = (content.prompt, content.explanation, *(choice.feedback for choice in content.choices))
        lost = (
            (placed.points != 1, _("The points are left out: GIFT holds none.")),
            (content.guides, _("The guides are left out.")),
            (set(content.settings) - _HELD_SETTINGS, _("The settings are left out.")),
            (losing.keep_place(content), _("That choices keep their place is left out.")),
            (_has_files(*texts, *(choice.text for choice in content.choices)), _("The files are left out.")),
            (content.kind == "page" and clean(content.explanation), _("The explanation of a page is left out.")),
            (content.kind == "matching" and _have_feedback(content), _("The feedback of pairs is left out.")),
        )
        for has, what in lost:
            if has:
                self.lose(what)

    # Texts ---------------------------------------------------------------------------------------------------

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

    def text(self, texts: Words, *, shown: bool = False) -> str:
        """Markdown."""
        return "[markdown]" + self.escaped(markup.joined(self.chosen(texts, shown=shown), named=self.named))

    def escaped(self, text: str) -> str:
        readable = _UNREADABLE.sub("\ufffd", text)
        if readable != text:
            self.lose(_("Characters that no file can hold are left out."))
        return _ESCAPE.sub(lambda sign: "\\n" if sign[0] == "\n" else f"\\{sign[0]}", readable)

    def title(self, texts: Words) -> str:
        plain = self.plain(texts)
        return f"::{self.escaped(plain)}::" if plain else ""

    def plain(self, texts: Words, *, shown: bool = False) -> str:
        """The text without Markdown, which Moodle does not read in names and right sides."""
        chosen = self.chosen(texts, shown=shown)
        bare = {language: to_plain(text) for language, text in chosen.items()}
        if any(markup.from_plain(bare[language]) != text for language, text in chosen.items()):
            self.lose(_("Names and right sides of pairs are written without their markup."))
        return markup.joined(bare, named=self.named)

    def feedback(self, choice: ChoiceContent) -> str:
        return f"#{self.text(choice.feedback)}" if self.chosen(choice.feedback) else ""

    def without_arrow(self, text: str) -> str:
        """Markdown that shows “->” where GIFT would read it as a sign of its own."""
        if "->" in text:
            self.lose(_("“->” is written with a backslash where GIFT would take it for the sign of a pair."))
        return text.replace("->", "-\\\\>")

    # Kinds ---------------------------------------------------------------------------------------------------

    def choice(self, sign: str, choice: ChoiceContent) -> str:
        return f"\t{sign}{self.text(choice.text, shown=True)}{self.feedback(choice)}"

    def single(self, content: QuestionContent) -> Lines:
        """Without a ``~`` it would be read as answers to be typed, so only the first right one has ``=``."""
        yield ""
        first = next((choice for choice in content.choices if choice.right), None)
        for choice in content.choices:
            share = Decimal(1) if choice.right else choice.weight
            yield self.choice("=" if choice is first else f"~{_percent(share)}", choice)

    def multiple(self, content: QuestionContent) -> Lines:
        yield ""
        right = sum(choice.right for choice in content.choices)
        for choice in content.choices:
            own = Decimal(1 if choice.right else -1) / max(right, 1)
            yield self.choice(f"~{_percent(own if choice.weight is None else choice.weight)}", choice)

    def true_false(self, content: QuestionContent) -> Lines:
        if len(content.choices) != 2 or sum(choice.right for choice in content.choices) != 1:
            raise _CannotWrite(_("Left out, since it is not sound: one of true and false is right."))
        if any(clean(choice.text) or (choice.weight and not choice.right) for choice in content.choices):
            self.lose(_("True and false lose words and weights of their own."))
        right, wrong = sorted(content.choices, key=lambda choice: not choice.right)
        said_wrong, said_right = self.feedback(wrong), self.feedback(right)
        yield "TRUE" if content.choices[0].right else "FALSE"
        if said_wrong or said_right:
            yield f"\t{said_wrong or '#'}"
        if said_right:
            yield f"\t{said_right}"

    def short_text(self, content: QuestionContent) -> Lines:
        yield ""
        answers = [answer for choice in content.choices for answer in self._typed(choice)]
        if not answers:
            raise _CannotWrite(_("Left out, since no accepted answer can be written."))
        if any("->" in answer for answer in answers):
            answers = [_without_sign(answers)]
        yield from answers

    def _typed(self, choice: ChoiceContent) -> Lines:
        """An answer for each language, since Moodle compares what is typed with all of an answer."""
        texts = dict.fromkeys(self.chosen(choice.text, shown=True).values())
        if self.named:
            self.lose(_("What is accepted is written without its language, each text as an answer of its own."))
        for text in texts:
            accepted = typed(text)
            if accepted is None:
                self.lose(_("An accepted answer with a backslash before * is left out: Moodle cannot say that."))
                continue
            form = "[plain]" if Piece(accepted, 0).form("")[0] else ""
            feedback = self.without_arrow(self.feedback(choice))
            yield f"\t={_share(choice)}{form}{self.escaped(accepted)}{feedback}"

    def number(self, content: QuestionContent) -> Lines:
        yield "#"
        for choice in content.choices:
            yield f"\t={_share(choice)}{choice.value}{self.feedback(choice)}"

    def matching(self, content: QuestionContent) -> Lines:
        yield ""
        for choice in content.choices:
            left = self.without_arrow(self.text(choice.text, shown=True)) if clean(choice.text) else ""
            yield f"\t={left} -> {self.escaped(self.plain(choice.match, shown=True))}"

    def essay(self, content: QuestionContent) -> Lines:
        yield ""

    def page(self, content: QuestionContent) -> Lines:
        yield ""


class _CannotWrite(Exception):
    """Why a question is left out."""


_KINDS: dict[str, Callable[[_Writer, QuestionContent], Lines]] = {
    "essay": _Writer.essay,
    "matching": _Writer.matching,
    "multiple": _Writer.multiple,
    "number": _Writer.number,
    "page": _Writer.page,
    "single": _Writer.single,
    "text": _Writer.short_text,
    "true_false": _Writer.true_false,
}


def _without_sign(answers: list[str]) -> str:
    """With a ``=`` Moodle would take an answer with ``->`` for pairs; a single one does without."""
    first = answers[0].removeprefix("\t=%100%")
    if len(answers) > 1 or first == answers[0] or first.startswith("%"):
        raise _CannotWrite(_("Left out, since Moodle would take answers with “->” for pairs."))
    return f"\t{first}"


def _languages(quiz: QuizContent) -> set[str]:
    """The languages of all texts that are written."""
    return {language for placed in quiz.questions for words in _words(placed) for language in clean(words)}


def _words(placed: PlacedQuestion) -> Iterator[Words]:
    if placed.content is not None:
        yield from (placed.content.title, placed.content.prompt, placed.content.explanation)
        for choice in placed.content.choices:
            yield from (choice.text, choice.match, choice.feedback)


def _left_out(placed: PlacedQuestion) -> str:
    if placed.content is None:
        return _("%(key)s: left out, it is kept elsewhere.") % {"key": placed.key}
    values = {"key": placed.key, "kind": placed.content.kind}
    return _("%(key)s: left out, GIFT cannot hold it (%(kind)s).") % values


def _percent(share: Decimal | None) -> str:
    """``%50%``; "" where an answer has no share of its own."""
    return "" if share is None else f"%{plain(round(share * 100, 5))}%"


def _share(choice: ChoiceContent) -> str:
    """What an answer earns that is typed."""
    return _percent(Decimal(1) if choice.right else choice.weight or Decimal(0))


def _has_files(*texts: Words) -> bool:
    return any(stored.names_in(text) for words in texts for text in words.values())


def _have_feedback(content: QuestionContent) -> bool:
    return any(clean(choice.feedback) for choice in content.choices)
