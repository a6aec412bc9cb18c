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
from .kinds import Entered, Submitted
from .models import Answer, Attempt, Guide, Quiz, QuizQuestion
from .models.answer import fingerprint
from .models.record import Ended
from .words import Text, direction, pick

NOTICES: Mapping[str, str | Promise] = {
    "answered": _("You have answered this question already. Your first answer counts."),
    "changed": _("This question was changed after you opened the page. Here it is anew."),
    "finished": _("This attempt is finished. The answer was not taken."),
    "not_in_order": _("The questions come one after the other. This one is not at its turn."),
    "reported": _("Thank you. Whoever writes the questions will read it."),
    "saved": _("Your answers are saved. Nothing is handed in yet."),
    "time_up": _("The time is up. This answer came too late and was not taken."),
}
"""What an address may carry as ``?notice=code``; any other code says nothing."""

STATES: Mapping[str, str | Promise] = {
    "page": _("page to read"),
    "open": _("not answered"),
    "given": _("answered"),
    "waiting": _("not marked yet"),
    "marked": _("marked"),
    "right": _("right"),
    "partly": _("partly right"),
    "wrong": _("wrong"),
}

VERDICTS: Mapping[str, str | Promise] = {
    "open": _("Not answered"),
    "given": _("Saved"),
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


def summary_url(attempt: Attempt) -> str:
    return reverse("mpquiz:summary", kwargs={"attempt": attempt.public_id})


def verdict_of(answer: Answer, attempt: Attempt) -> str | Promise:
    """How an answer went, in words, as far as the learner may know; points that a person gave stand beside it."""
    if answer.left_out and answer.sight.right_or_wrong:
        return _("Left out by whoever marks; it counts for nobody")
    if answer.awarded is not None and answer.sight.right_or_wrong:
        return VERDICTS["marked"]
    if answer.state == "waiting" and attempt.ended == Ended.ABANDONED:
        return _("Not marked, since you left the attempt before its end")
    return VERDICTS[answer.seen_state]


# The way through an attempt ---------------------------------------------------------------------------------


def entry_position(answers: Iterable[Answer], attempt: Attempt | None = None) -> int | None:
    """Where an attempt goes on: its first question without an answer, or the first of the pages that lead to it.

    Where answers can be changed and questions come one after the other, that is where the learner stands.
    """
    if attempt is not None and attempt.changeable and attempt.in_order:
        return attempt.reached
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


def may_open(attempt: Attempt, answers: Sequence[Answer], position: int) -> bool:
    """Whether the page of a position can be opened: one after the other, only the one at its turn, with its feedback.

    The feedback of the question before it stays to be read until the next one is answered.
    """
    if not (attempt.in_order and attempt.is_open):
        return True
    entry = entry_position(answers, attempt) or len(answers) + 1
    if attempt.changeable:
        return position == entry
    asked = [answer.position for answer in answers if answer.answered_at is not None]
    turn = attempt.current(answers)
    return entry <= position <= (turn or position) or position == max(asked, default=0)


def guides_of(contents: Iterable[QuestionContent]) -> list[Guide]:
    """The guides that questions name, as they are now, in the order of reading. One query, none without slugs."""
    slugs = {slug for content in contents for slug in content.guides}
    return list(Guide.objects.filter(slug__in=slugs)) if slugs else []


def guide_slugs(answer: Answer) -> Sequence[str]:
    """The guides that an answer's feedback leads to: where it may be known how it went."""
    known = answer.sight.right_or_wrong or answer.sight.explanation
    return answer.content.guides if known else ()


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

    Or a page to read (``asks`` is False), from which a link goes on. ``scope`` stands before the names of its fields
    in a form of several questions; ``within`` is the slug of its quiz, where that is taken within a host's lesson.
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
    attempt: Attempt | None = None
    stored: Answer | None = None
    position: int = 1
    scope: str = ""
    within: str = ""

    @property
    def ids(self) -> str:
        """What stands before its ids, so that several questions get along on one page."""
        return f"{self.within}-" if self.within else self.scope

    @property
    def changeable(self) -> bool:
        """Whether an answer, given or not, can still be changed."""
        return self.attempt is not None and self.attempt.changeable and self.attempt.is_open

    @property
    def mode(self) -> str:
        """How it is laid out.

        "page" (nothing to answer), "asked" (a form), "answered" (with what is right), "told" (what was given, and no
        more than may be known).
        """
        if not self.asks:
            return "page"
        if self.answer is None:
            return "asked"
        return "answered" if self.answer.reveals else "told"

    @property
    def kind(self) -> kinds.Kind:
        return kinds.kept(self.content.kind)

    @property
    def prompt(self) -> Text:
        return pick(self.content.prompt)

    @property
    def entered(self) -> Submitted | Entered:
        """What stands in the form: what was given and refused, else what is stored and can be changed."""
        if self.submitted is not None and (not self.submitted.is_empty or self.refusal is not None):
            return self.submitted
        return self.stored.entered if self.stored is not None else Entered()

    @property
    def given(self) -> list[str]:
        """The values of the one field of the form."""
        return self.entered.given

    @property
    def parts(self) -> dict[str, str]:
        """The values of the fields of the parts."""
        return self.entered.parts

    @property
    def explanation(self) -> Text:
        return self.answer.explanation if self.answer else pick({})

    @property
    def listed(self) -> Any:
        """What the kind's template lists beside what was given, where the right answer is not shown."""
        return self.stored.kind.asked(self.content, self.stored.order) if self.stored else self.shown

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
        """The question's guides, where it may be known how it went: one query, where the feedback asks for them."""
        known = self.answer is None or guide_slugs(self.answer)
        return guides_of([self.content]) if known else []


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
    """The question at a position of an attempt, in one query.

    Raises LookupError where there is none, Refusal("not_in_order") where it is not at its turn.
    """
    answers = attempt.answers.with_content_at(position).select_related("report")
    return stage_of(attempt, list(answers), position, **more)


def next_stage(attempt: Attempt, **more: Any) -> Stage:
    """The first question of an open attempt that has no answer yet, or the page before it, in one query."""
    answers = list(attempt.answers.with_content_of_next())
    return stage_of(attempt, answers, entry_position(answers) or 1, **more)


def stage_of(attempt: Attempt, answers: list[Answer], position: int, **more: Any) -> Stage:
    """The question at a position, of the attempt's answers, of which that one knows its content. Raises as above."""
    answer = opened(attempt, answers, position)
    return Stage(**_of(attempt, answer), **_ways(attempt, answers, answer), **more)


def opened(attempt: Attempt, answers: Sequence[Answer], position: int) -> Answer:
    """The answer at a position whose page may be opened. Raises as above."""
    answer = next((one for one in answers if one.position == position), None)
    if answer is None:
        raise LookupError(position)
    if not may_open(attempt, answers, position):
        raise Refusal("not_in_order", NOTICES["not_in_order"])
    return answer


def settled_stage(attempt: Attempt, answer: Answer, *, steps: Sequence[Step], **more: Any) -> Stage:
    """A question of an attempt as one of many on a page, with no way that goes on from it."""
    return Stage(**_of(attempt, answer), steps=steps, action=question_url(attempt, 1), **more)


def _of(attempt: Attempt, answer: Answer) -> dict[str, Any]:
    """What a stage shows of an answer: for good once it can no longer be changed."""
    settled = answer.answered_at is not None and not (attempt.changeable and attempt.is_open)
    return {
        "attempt": attempt,
        "content": answer.content,
        "shown": answer.shown,
        "asks": answer.asks,
        "position": answer.position,
        "stored": answer,
        "answer": answer if settled else None,
        "verdict": verdict_of(answer, attempt) if settled else "",
    }


def _ways(attempt: Attempt, answers: list[Answer], answer: Answer) -> dict[str, Any]:
    """Where it goes from there."""
    position = answer.position
    following = next_position(answers, position, finished=not attempt.is_open)
    to_question = answer.asks and any(one.asks for one in answers if one.position == following)
    go_on = _("Next question") if to_question else _("Continue")
    return {
        "steps": steps_of((one.seen_state for one in answers), current=position),
        "action": question_url(attempt, position),
        "next_url": question_url(attempt, following) if following else result_url(attempt),
        "next_word": go_on if following else _("See your result"),
    }


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
