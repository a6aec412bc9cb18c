"""From content to a file that Moodle imports. What Moodle cannot hold is told, once for each sort of thing."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from ...content import PlacedQuestion, QuestionContent, QuizContent, clean
from ...words import Words, pick
from .. import losing
from ..report import Log
from . import categories
from .bodies import KINDS
from .elements import Bytes, Lines, Writer, feedback_in
from .numbers import plain

LONGEST_NAME = 60
_COMBINED = {"right": "correctfeedback", "partly": "partiallycorrectfeedback", "wrong": "incorrectfeedback"}
_SAID_BY_MOODLE = ("single", "multiple", "matching", "ordering")
"""The kinds for which Moodle shows feedback by the outcome."""
_HELD = {"any_right", "feedback", "keep_order", "longest", "notes", "parts", "strict"}


def render(
    quiz: QuizContent, *, language: str | None = None, log: Log | None = None, files: Bytes | None = None
) -> bytes:
    """Moodle XML of the quiz's questions, in all their languages or only in ``language``.

    ``files`` gives the bytes of a file by its name; what Moodle has no place for goes to ``log``.
    """
    writer = _File(quiz, language, files or (lambda name: None))
    text = "\n".join(writer.file()) + "\n"
    writer.losses.tell(log or Log())
    return text.encode()


class _File(Writer):
    def file(self) -> Lines:
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield "<quiz>"
        self._lose_of_quiz()
        plan = categories.Plan(self.quiz)
        for placed in self.quiz.questions:
            self.key = placed.key
            if placed.content is None or placed.content.kind not in KINDS:
                self.lose(_("Left out, since Moodle has no such question or it is kept elsewhere."))
                continue
            if name := plan.change(placed):
                yield from self._category(name)
            yield from self._question(placed, placed.content, plan.tags(placed))
        self.key = ""
        for name in plan.left():
            yield from self._category(name)
        yield "</quiz>"

    def _lose_of_quiz(self) -> None:
        quiz = self.quiz
        held = (
            (clean(quiz.title), _("the title of the quiz")),
            (clean(quiz.description), _("its description")),
            (quiz.level, _("its level")),
            (quiz.pass_mark is not None, _("its pass mark")),
            (quiz.guides, _("its guides")),
        )
        if lost := [*(what for has, what in held if has), *losing.rules(quiz)]:
            self.lose(_("Moodle’s files hold questions only; left out are: %(what)s.") % {"what": ", ".join(lost)})

    def _category(self, name: str) -> Lines:
        yield '<question type="category">'
        yield f"<category>{self.plain('text', categories.path(name))}</category>"
        yield from self.text("info", next((tag.description for tag in self.quiz.known_tags if tag.name == name), {}))
        yield "</question>"

    # Questions -------------------------------------------------------------------------------------------------

    def _question(self, placed: PlacedQuestion, content: QuestionContent, tags: Iterable[str]) -> Lines:
        self._lose_of_question(content)
        sort, prompt, body = KINDS[content.kind]
        yield f'<question type="{sort}">'
        yield self._name(content)
        yield from prompt(self, content)
        yield from self.text("generalfeedback", content.explanation)
        yield f"<defaultgrade>{plain(placed.points)}</defaultgrade>"
        yield "<penalty>0</penalty>"
        yield "<hidden>0</hidden>"
        yield self.plain("idnumber", placed.key.rpartition("/")[2])
        yield from body(self, content)
        yield from self._combined(feedback_in(content))
        if lines := [f"<tag>{self.plain('text', tag)}</tag>" for tag in tags]:
            yield from ("<tags>", *lines, "</tags>")
        yield "</question>"

    def _lose_of_question(self, content: QuestionContent) -> None:
        of_choices = content.kind in ("matching", "ordering") and any(clean(one.feedback) for one in content.choices)
        said = feedback_in(content) and content.kind not in _SAID_BY_MOODLE
        lost = (
            (content.guides, _("The guides are left out.")),
            (losing.keep_place(content), _("That choices keep their place is left out.")),
            (set(content.settings) - _HELD, _("Settings that Moodle does not know are left out.")),
            (of_choices, _("The feedback of single choices is left out: Moodle has none for this kind.")),
            (said, _("Moodle does not show the feedback by the outcome for this kind.")),
        )
        for has, what in lost:
            if has:
                self.lose(what)

    def _name(self, content: QuestionContent) -> str:
        """Moodle wants a name; one that is made of the prompt says so, for it is none when it comes back."""
        if titles := self.chosen(content.title):
            return f"<name>{self.plain('text', self.bare(titles))}</name>"
        made = _cut(pick(content.prompt, self.language).plain) or content.key
        return f'<name mpquiz="made">{self.plain("text", made)}</name>'

    def _combined(self, feedback: Mapping[str, Words]) -> Lines:
        for outcome, tag in _COMBINED.items():
            if feedback.get(outcome):
                yield from self.text(tag, feedback[outcome])


def _cut(text: str) -> str:
    """The first words of a text."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME].rsplit(" ", 1)[0] + "…"
