"""What the learner pages lay out: plain objects made of quizzes and attempts. No request, no rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from django.urls import reverse, translate_url
from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from . import kinds
from .content import QuestionContent
from .exceptions import Refusal
from .kinds import Submitted
from .learners import Learner
from .models import Answer, Attempt, Guide, Quiz, QuizQuestion
from .models.answer import fingerprint
from .models.attempts import Ended, Standing
from .words import Text, direction, pick

NOTICES: Mapping[str, str | Promise] = {
    "answered": _("You have answered this question already. Your first answer counts."),
    "changed": _("This question was changed after you opened the page. Here it is anew."),
    "finished": _("This attempt is finished. The answer was not taken."),
    "time_up": _("The time is up. This answer came too late and was not taken."),
}
"""What an address may carry as ``?notice=code``; any other code says nothing."""

STATES: Mapping[str, str | Promise] = {
    "page": _("page to read"),
    "open": _("not answered"),
    "waiting": _("not marked yet"),
    "marked": _("marked"),
    "right": _("right"),
    "partly": _("partly right"),
    "wrong": _("wrong"),
}

VERDICTS: Mapping[str, str | Promise] = {
    "open": _("Not answered"),
    "waiting": _("Saved; a person will mark it"),
    "marked": _("Marked"),
    "right": _("Right"),
    "partly": _("Partly right"),
    "wrong": _("Not this one"),
}


def question_url(attempt: Attempt, position: int) -> str:
    return reverse("mpquiz:question", kwargs={"attempt": attempt.public_id, "position": position})


def result_url(attempt: Attempt) -> str:
    return reverse("mpquiz:result", kwargs={"attempt": attempt.public_id})


def verdict_of(answer: Answer, attempt: Attempt) -> str | Promise:
    """How an answer went, in words; the points that a person gave stand beside it."""
    if answer.awarded is not None:
        return VERDICTS["marked"]
    if answer.state == "waiting" and attempt.ended == Ended.ABANDONED:
        return _("Not marked, since you left the attempt before its end")
    return VERDICTS[answer.state]


# The way through an attempt ---------------------------------------------------------------------------------


def entry_position(answers: Iterable[Answer]) -> int | None:
    """Where an attempt goes on: its first question without an answer, or the first of the pages that lead to it."""
    entry = None
    for answer in answers:
        if answer.asks and answer.answered_at is not None:
            entry = None
            continue
        entry = entry or answer.position
        if answer.asks:
            return entry
    return None


def next_position(answers: Sequence[Answer], after: int, *, finished: bool) -> int | None:
    """The next page or question without an answer after a position, else the entry; None: the result is next.

    Once the attempt is finished, only what is left to read after its last question.
    """
    ahead = [answer for answer in answers if answer.position > after]
    if finished and any(answer.asks for answer in ahead):
        return None
    wanted = (answer.position for answer in ahead if answer.state in ("page", "open"))
    return next(wanted, None if finished else entry_position(answers))


def guides_of(contents: Iterable[QuestionContent]) -> list[Guide]:
    """The guides that questions name, as they are now, in the order of reading. One query, none without slugs."""
    slugs = {slug for content in contents for slug in content.guides}
    return list(Guide.objects.filter(slug__in=slugs)) if slugs else []


@dataclass(frozen=True, slots=True)
class Step:
    """A question or a page in the strip of an attempt. ``number`` counts the questions, from 1; a page has none."""

    number: int | None
    state: str = "open"
    current: bool = False

    @property
    def word(self) -> str | Promise:
        return STATES[self.state]


def steps_of(states: Iterable[str], current: int = 0) -> list[Step]:
    """The strip of states, of which the one at the place ``current`` (from 1) is on the page."""
    number = 0
    steps = []
    for place, state in enumerate(states, 1):
        number += state != "page"
        steps.append(Step(None if state == "page" else number, state, place == current))
    return steps


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One question on a page: ready to be answered, or with its feedback once ``answer`` is there.

    Or a page to read (``asks`` is False), from which a link goes on.
    """

    content: QuestionContent
    shown: Any
    steps: Sequence[Step]
    asks: bool = True
    action: str = ""
    hidden: Mapping[str, object] = field(default_factory=dict)
    submitted: Submitted | None = None
    refusal: Refusal | None = None
    notice: str | Promise = ""
    answer: Answer | None = None
    verdict: str | Promise = ""
    next_url: str = ""
    next_word: str | Promise = ""

    @property
    def kind(self) -> kinds.Kind:
        return kinds.kept(self.content.kind)

    @property
    def prompt(self) -> Text:
        return pick(self.content.prompt)

    @property
    def given(self) -> list[str]:
        """What was given and refused, to be shown again."""
        return self.submitted.given if self.submitted else []

    @property
    def parts(self) -> dict[str, str]:
        """What was given to the parts of the question and refused, to be shown again."""
        return self.submitted.parts if self.submitted else {}

    @property
    def explanation(self) -> Text:
        return pick(self.content.explanation)

    @property
    def heading(self) -> str | Promise:
        if not self.asks:
            return _("A page to read")
        numbers = [step.number for step in self.steps if step.number]
        number = next(step.number for step in self.steps if step.current)
        return _("Question %(position)s of %(count)s") % {"position": number, "count": len(numbers)}

    @property
    def error(self) -> Refusal | None:
        """Why the answer was not taken; nothing is asked any more once there is one."""
        return None if self.answer else self.refusal

    @property
    def spoken(self) -> str | Promise:
        """What is announced where the page changed in place."""
        return self.error.message if self.error else self.notice or self.verdict

    @property
    def guides(self) -> list[Guide]:
        """The question's guides: one query, where the feedback asks for them."""
        return guides_of([self.content])


def is_asked(place: QuizQuestion) -> bool:
    """Whether there is something to answer; else it is a page to read."""
    return kinds.get(place.content.kind).asks


def first_stage(quiz: Quiz, placed: Sequence[QuizQuestion], hidden: Mapping[str, object], **more: Any) -> Stage:
    """Question 1 of a quiz that nobody has started, ready to be answered by the POST that starts."""
    content = placed[0].content
    kind = kinds.get(content.kind)
    states = ("open" if is_asked(place) else "page" for place in placed)
    return Stage(
        content=content,
        shown=kind.asked(content, kind.order(content, shuffle=False)),
        steps=steps_of(states, current=1),
        action=reverse("mpquiz:start", kwargs={"slug": quiz.slug}),
        hidden={**hidden, "seen": fingerprint(content)},
        **more,
    )


def stage_at(attempt: Attempt, position: int, **more: Any) -> Stage:
    """The question at a position of an attempt, in one query. Raises LookupError where there is none."""
    return _stage(attempt, list(attempt.answers.with_content_at(position)), position, **more)


def next_stage(attempt: Attempt, **more: Any) -> Stage:
    """The first question of an open attempt that has no answer yet, or the page before it, in one query."""
    answers = list(attempt.answers.with_content_of_next())
    return _stage(attempt, answers, entry_position(answers) or 1, **more)


def _stage(attempt: Attempt, answers: list[Answer], position: int, **more: Any) -> Stage:
    answer = next((one for one in answers if one.position == position), None)
    if answer is None:
        raise LookupError(position)
    following = next_position(answers, position, finished=not attempt.is_open)
    to_question = answer.asks and any(one.asks for one in answers if one.position == following)
    go_on = _("Next question") if to_question else _("Continue")
    return Stage(
        content=answer.content,
        shown=answer.shown,
        asks=answer.asks,
        steps=steps_of((one.state for one in answers), current=position),
        action=question_url(attempt, position),
        answer=answer if answer.answered_at is not None else None,
        verdict=verdict_of(answer, attempt) if answer.answered_at is not None else "",
        next_url=question_url(attempt, following) if following else result_url(attempt),
        next_word=go_on if following else _("See your result"),
        **more,
    )


@dataclass(frozen=True, slots=True)
class Previewed:
    """A question, or a page to read, as it may be read before the start."""

    content: QuestionContent
    asks: bool

    @property
    def kind(self) -> kinds.Kind:
        return kinds.kept(self.content.kind)

    @property
    def prompt(self) -> Text:
        return pick(self.content.prompt)

    @property
    def shown(self) -> Any:
        return self.kind.asked(self.content, self.kind.order(self.content, shuffle=False))


@dataclass(frozen=True, kw_only=True)
class QuizPage:
    """The page of a quiz for one learner. ``hidden`` is what a form that starts must carry."""

    quiz: Quiz
    attempt: Attempt | None
    stage: Stage | None
    hidden: Mapping[str, object]
    count: int
    preview: Sequence[Previewed]
    refusal: Refusal | None = None

    @property
    def guides(self) -> list[Guide]:
        return list(self.quiz.guides.all())


def quiz_page(
    quiz: Quiz, learner: Learner, nonce: str, refusal: Refusal | None = None, submitted: Submitted | None = None
) -> QuizPage:
    """The page of a quiz in at most six queries. ``nonce`` makes a guest of a visitor who has no token yet."""
    standing = Attempt.objects.of(learner).standing(quiz) if learner else None
    attempt = standing if standing is not None and standing.is_open else None
    number = standing.last_number + 1 if standing else 1  # type: ignore[attr-defined]  # annotated by standing()
    hidden: dict[str, object] = {"number": number} | ({} if learner else {"guest": nonce})
    placed = quiz.placed(guides=False)
    stage = None
    if attempt is not None:
        stage = next_stage(attempt, refusal=refusal, submitted=submitted)
    elif quiz.opens_on_first_question and placed and is_asked(placed[0]):
        stage = first_stage(quiz, placed, hidden, refusal=refusal, submitted=submitted)
    return QuizPage(
        quiz=quiz,
        attempt=attempt,
        stage=stage,
        hidden=hidden,
        count=sum(map(is_asked, placed)),
        preview=_preview(placed) if quiz.shows_questions_before_start else (),
        refusal=refusal,
    )


def _preview(placed: Sequence[QuizQuestion]) -> list[Previewed]:
    return [Previewed(place.content, is_asked(place)) for place in placed]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A page in another language."""

    code: str
    name: str
    address: str

    @classmethod
    def of(cls, address: str, code: str) -> Self:
        """The page at an address of the active language, in the language of a code."""
        try:
            name = get_language_info(code)["name_local"]
        except KeyError:  # a language that the host made up
            name = code
        return cls(code, name, translate_url(address, code))

    @property
    def dir(self) -> str:
        return direction(self.code)


@dataclass(frozen=True, slots=True)
class Card:
    """A quiz in a list, with the learner's own standing in it; ``waiting`` answers are to be marked."""

    quiz: Quiz
    attempt: Attempt | None = None
    best: int | None = None
    waiting: int = 0


def cards_of(quizzes: Iterable[Quiz], learner: Learner) -> list[Card]:
    """The cards of quizzes as ``listed()`` fetched them; two more queries for whoever has started anything."""
    quizzes = list(quizzes)
    if not learner or not quizzes:
        return [Card(quiz) for quiz in quizzes]
    mine = Attempt.objects.of(learner).filter(quiz__in=quizzes)
    unfinished = {attempt.quiz_id: attempt for attempt in mine.unfinished()}
    standings = mine.counted().standings()
    return [_card(quiz, unfinished.get(quiz.pk), standings.get(quiz.pk)) for quiz in quizzes]


def _card(quiz: Quiz, attempt: Attempt | None, standing: Standing | None) -> Card:
    if standing is None:
        return Card(quiz, attempt)
    return Card(quiz, attempt, standing.percent, standing.waiting)
