"""What the learner pages lay out: plain objects made of quizzes and attempts. No request, no rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
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
from .models.attempt import fingerprint
from .words import Text, direction, pick

NOTICES: Mapping[str, str | Promise] = {
    "answered": _("You have answered this question already. Your first answer counts."),
    "changed": _("This question was changed after you opened the page. Here it is anew."),
    "finished": _("This attempt is finished. The answer was not taken."),
    "time_up": _("The time is up. This answer came too late and was not taken."),
}
"""What an address may carry as ``?notice=code``; any other code says nothing."""

STATES: Mapping[str, str | Promise] = {
    "open": _("not answered"),
    "waiting": _("not marked yet"),
    "right": _("right"),
    "partly": _("partly right"),
    "wrong": _("wrong"),
}

VERDICTS: Mapping[str, str | Promise] = {
    "open": _("Not answered"),
    "waiting": _("Saved; a person will mark it"),
    "right": _("Right"),
    "partly": _("Partly right"),
    "wrong": _("Not this one"),
}


def question_url(attempt: Attempt, position: int) -> str:
    return reverse("mpquiz:question", kwargs={"attempt": attempt.public_id, "position": position})


def result_url(attempt: Attempt) -> str:
    return reverse("mpquiz:result", kwargs={"attempt": attempt.public_id})


def next_position(answers: Iterable[Answer], after: int = 0) -> int | None:
    """The first question without an answer after a position, else the first of all; None where all are answered."""
    waiting = [answer.position for answer in answers if answer.answered_at is None]
    return next((position for position in waiting if position > after), waiting[0] if waiting else None)


def guides_of(contents: Iterable[QuestionContent]) -> list[Guide]:
    """The guides that questions name, as they are now, in the order of reading. One query, none without slugs."""
    slugs = {slug for content in contents for slug in content.guides}
    return list(Guide.objects.filter(slug__in=slugs)) if slugs else []


@dataclass(frozen=True, slots=True)
class Step:
    """A question in the strip of an attempt."""

    position: int
    state: str = "open"
    current: bool = False

    @property
    def word(self) -> str | Promise:
        return STATES[self.state]


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One question on a page: ready to be answered, or with its feedback once ``answer`` is there."""

    content: QuestionContent
    shown: Any
    position: int
    steps: Sequence[Step]
    action: str = ""
    hidden: Mapping[str, object] = field(default_factory=dict)
    submitted: Submitted | None = None
    refusal: Refusal | None = None
    notice: str | Promise = ""
    answer: Answer | None = None
    next_url: str = ""
    last: bool = False

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
    def heading(self) -> str:
        return _("Question %(position)s of %(count)s") % {"position": self.position, "count": len(self.steps)}

    @property
    def verdict(self) -> str | Promise:
        return VERDICTS[self.answer.state] if self.answer else ""

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


def first_stage(quiz: Quiz, placed: Sequence[QuizQuestion], hidden: Mapping[str, object], **more: Any) -> Stage:
    """Question 1 of a quiz that nobody has started, ready to be answered by the POST that starts."""
    content = placed[0].content
    kind = kinds.get(content.kind)
    return Stage(
        content=content,
        shown=kind.asked(content, kind.order(content, shuffle=False)),
        position=1,
        steps=[Step(position, current=position == 1) for position in range(1, len(placed) + 1)],
        action=reverse("mpquiz:start", kwargs={"slug": quiz.slug}),
        hidden={**hidden, "seen": fingerprint(content)},
        **more,
    )


def stage_at(attempt: Attempt, position: int, **more: Any) -> Stage:
    """The question at a position of an attempt, in one query. Raises LookupError where there is none."""
    return _stage(attempt, list(attempt.answers.with_content_at(position)), position, **more)


def next_stage(attempt: Attempt, **more: Any) -> Stage:
    """The first question of an open attempt that has no answer yet, in one query."""
    answers = list(attempt.answers.with_content_of_next())
    return _stage(attempt, answers, next_position(answers) or 1, **more)


def _stage(attempt: Attempt, answers: list[Answer], position: int, **more: Any) -> Stage:
    answer = next((one for one in answers if one.position == position), None)
    if answer is None:
        raise LookupError(position)
    following = next_position(answers, after=position) if attempt.is_open else None
    return Stage(
        content=answer.content,
        shown=answer.shown,
        position=position,
        steps=[Step(one.position, one.state, one.position == position) for one in answers],
        action=question_url(attempt, position),
        answer=answer if answer.answered_at is not None else None,
        next_url=question_url(attempt, following) if following else result_url(attempt),
        last=following is None,
        **more,
    )


@dataclass(frozen=True, slots=True)
class Previewed:
    """A question as it may be read before the start."""

    content: QuestionContent

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
    elif placed and quiz.opens_on_first_question:
        stage = first_stage(quiz, placed, hidden, refusal=refusal, submitted=submitted)
    return QuizPage(
        quiz=quiz,
        attempt=attempt,
        stage=stage,
        hidden=hidden,
        count=len(placed),
        preview=[Previewed(place.content) for place in placed] if quiz.shows_questions_before_start else (),
        refusal=refusal,
    )


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
class Reading:
    """A guide with how its questions went."""

    guide: Guide
    asked: int
    missed: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a closed attempt went."""

    attempt: Attempt
    answers: Sequence[Answer]
    best: Attempt | None
    number: int
    readings: Sequence[Reading]

    @property
    def steps(self) -> list[Step]:
        return [Step(answer.position, answer.state) for answer in self.answers]

    @property
    def missed(self) -> int:
        """How many questions can be practised again: a deleted one cannot."""
        return sum(answer.missed for answer in self.answers)

    @property
    def review(self) -> list["Reviewed"]:
        return [Reviewed(answer) for answer in self.answers]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A question of a closed attempt with its right answer."""

    answer: Answer

    @property
    def prompt(self) -> Text:
        return pick(self.answer.content.prompt)

    @property
    def explanation(self) -> Text:
        return pick(self.answer.content.explanation)

    @property
    def verdict(self) -> str | Promise:
        return VERDICTS[self.answer.state]


def result_of(attempt: Attempt, learner: Learner) -> Result:
    """How an attempt went, in four queries."""
    answers = list(attempt.answers.select_related("version"))
    mine = Attempt.objects.of(learner).filter(quiz=attempt.quiz_id)
    return Result(
        attempt=attempt,
        answers=answers,
        best=mine.counted().best(),
        number=mine.next_number(attempt.quiz),
        readings=_readings(answers),
    )


def _readings(answers: Sequence[Answer]) -> list[Reading]:
    """The guides of the questions, those with missed questions first."""
    readings = []
    for guide in guides_of(answer.content for answer in answers):
        about = [answer for answer in answers if guide.slug in answer.content.guides]
        readings.append(Reading(guide, len(about), sum(answer.fraction != Decimal(1) for answer in about)))
    return sorted(readings, key=lambda reading: not reading.missed)


@dataclass(frozen=True, slots=True)
class Card:
    """A quiz in a list, with the learner's own standing in it."""

    quiz: Quiz
    attempt: Attempt | None
    best: int | None


def cards_of(quizzes: Iterable[Quiz], learner: Learner) -> list[Card]:
    """The cards of quizzes as ``listed()`` fetched them; two more queries for whoever has started anything."""
    quizzes = list(quizzes)
    if not learner or not quizzes:
        return [Card(quiz, None, None) for quiz in quizzes]
    mine = Attempt.objects.of(learner).filter(quiz__in=quizzes)
    unfinished = {attempt.quiz_id: attempt for attempt in mine.unfinished()}
    best = mine.counted().best_percents()
    return [Card(quiz, unfinished.get(quiz.pk), best.get(quiz.pk)) for quiz in quizzes]
