"""How a closed attempt went, as its page lays it out: no request, no rule."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from .learners import Learner
from .models import Answer, Attempt, Guide
from .pages import Step, guides_of, steps_of, verdict_of
from .words import Text, pick


@dataclass(frozen=True, slots=True)
class Reading:
    """A guide with how its questions went; those that wait to be marked are not among them."""

    guide: Guide
    asked: int
    missed: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a closed attempt went. ``again``: whether another may be started."""

    attempt: Attempt
    answers: Sequence[Answer]
    best: Attempt | None
    number: int
    again: bool
    readings: Sequence[Reading]

    @property
    def steps(self) -> list[Step]:
        """The questions alone: a page cannot go well or ill."""
        return steps_of(answer.state for answer in self.answers if answer.asks)

    @property
    def missed(self) -> int:
        """How many questions can be practised again: one that the quiz has no more cannot."""
        if not self.again:
            return 0
        return sum(answer.missed and answer.still_asked for answer in self.answers)  # type: ignore[attr-defined]

    @property
    def review(self) -> list["Reviewed"]:
        return [Reviewed(answer, self.attempt) for answer in self.answers]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A question of a closed attempt with its right answer, or a page to read."""

    answer: Answer
    attempt: Attempt

    @property
    def prompt(self) -> Text:
        return pick(self.answer.content.prompt)

    @property
    def explanation(self) -> Text:
        return pick(self.answer.content.explanation)

    @property
    def verdict(self) -> str | Promise:
        return verdict_of(self.answer, self.attempt)


def result_of(attempt: Attempt, learner: Learner) -> Result:
    """How an attempt went, in four queries."""
    answers = list(attempt.answers.select_related("version").with_still_asked())
    mine = Attempt.objects.of(learner).filter(quiz=attempt.quiz_id)
    last = mine.with_offered().latest("number")
    attempt.quiz.offered = last.quiz_offered  # type: ignore[attr-defined]  # annotated by with_offered()
    return Result(
        attempt=attempt,
        answers=answers,
        best=mine.counted().best(),
        number=last.number + 1,
        again=attempt.quiz.refusal(learner) is None,
        readings=_readings(answers),
    )


def _readings(answers: Sequence[Answer]) -> list[Reading]:
    """The guides of the questions, those with missed questions first."""
    asked = [answer for answer in answers if answer.asks]
    readings = []
    for guide in guides_of(answer.content for answer in asked):
        states = [answer.state for answer in asked if guide.slug in answer.content.guides]
        known = [state for state in states if state not in ("waiting", "marked")]
        readings.append(Reading(guide, len(known), sum(state != "right" for state in known)))
    return sorted(readings, key=lambda reading: not reading.missed)
