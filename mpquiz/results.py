"""How a closed attempt went, as its page lays it out: no request, no rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from . import words
from .exceptions import Refusal
from .learners import Learner
from .models import Answer, Attempt, Guide
from .models.record import Standing
from .pages import Step, guides_of, steps_of, verdict_of
from .remarking import Correction, history
from .rules import Moment, Sight
from .words import Text, pick


@dataclass(frozen=True, slots=True)
class Reading:
    """A guide with how its questions went; those that wait to be marked are not among them."""

    guide: Guide
    asked: int
    missed: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a closed attempt went, as far as its learner may know.

    ``standing`` is the learner's result in the quiz, ``again`` whether another attempt may be started, ``practises``
    whether what was missed may be practised, ``at_once`` whether the press of a button starts the next.
    """

    attempt: Attempt
    answers: Sequence[Answer]
    standing: Standing | None
    number: int
    again: bool
    practises: bool
    readings: Sequence[Reading]
    history: Sequence[Correction] = ()

    @property
    def sight(self) -> Sight:
        return self.attempt.sight

    @property
    def counting(self) -> str:
        return self.attempt.quiz.counting

    @property
    def at_once(self) -> bool:
        """Whether the next attempt has no terms to be read first."""
        quiz = self.attempt.quiz
        return not (quiz.has_dates_or_limits or quiz.wait or quiz.password) and not self.attempt.changeable

    @property
    def steps(self) -> list[Step]:
        """The questions alone: a page cannot go well or ill."""
        return steps_of(answer.seen_state for answer in self.answers if answer.asks)

    @property
    def missed(self) -> int:
        """How many questions can be practised again: one that the quiz has no more cannot."""
        if not self.practises:
            return 0
        return sum(answer.missed and answer.still_asked for answer in self.answers)  # type: ignore[attr-defined]

    @property
    def later(self) -> str:
        """The moment from which on more is seen than now; "" where everything is, or no such moment is known."""
        review = self.attempt.quiz.review
        moments = {review.right_or_wrong, review.score, review.right_answer, review.explanation}
        return "" if self.sight.everything or Moment.CLOSE not in moments else Moment.CLOSE.value

    @property
    def review(self) -> list["Reviewed"]:
        return [Reviewed(answer, self.attempt) for answer in self.answers]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A question of a closed attempt, with its right answer where it may be seen, or a page to read."""

    answer: Answer
    attempt: Attempt

    @property
    def mode(self) -> str:
        return "answered" if self.answer.reveals or not self.answer.asks else "told"

    @property
    def prompt(self) -> Text:
        return pick(self.answer.content.prompt)

    @property
    def explanation(self) -> Text:
        return self.answer.explanation

    @property
    def verdict(self) -> str | Promise:
        return verdict_of(self.answer, self.attempt)


def result_of(attempt: Attempt, learner: Learner) -> Result:
    """How an attempt went, in five queries. The attempt is one that ``fetched_with_rights`` brought.

    Raises Refusal("not_finished").
    """
    if attempt.is_open:
        raise Refusal("not_finished", _("This attempt is not finished yet."))
    answers = list(attempt.answers.select_related("version", "marked_with", "report").with_still_asked())
    attempt.as_ended(answers)
    quiz = attempt.quiz
    mine = Attempt.objects.of(learner).record(quiz)
    for one in mine.attempts:
        one.quiz = quiz
    barred = quiz.refusal(learner) or mine.refusal(quiz, quiz.granted(learner))
    staff = quiz.may_be_tried_by(learner)
    standing = Standing.of(mine.counted, quiz.counting) if attempt.sight.score else None
    return Result(
        attempt=attempt,
        answers=answers,
        standing=standing,
        number=mine.last_number + 1,
        again=barred is None or staff,
        practises=attempt.refuses_retry(learner) is None,
        readings=_readings(answers),
        history=history(attempt) if attempt.sight.score else (),
    )


def _readings(answers: Sequence[Answer]) -> list[Reading]:
    """The guides of the questions, those with missed questions first."""
    asked = [answer for answer in answers if answer.asks]
    readings = []
    for guide in guides_of(answer.content for answer in asked):
        states = [answer.seen_state for answer in asked if guide.slug in answer.content.guides]
        known = [state for state in states if state not in ("waiting", "marked", "given")]
        known = known if all(answer.sight.right_or_wrong for answer in asked) else []
        readings.append(Reading(guide, len(known), sum(state != "right" for state in known)))
    return sorted(readings, key=lambda reading: not reading.missed)


# For whoever may read attempts ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer with the language in which it was read. ``number`` counts the questions, None for a page to read."""

    answer: Answer
    language: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Read:
    """All of an attempt, and what of it its learner may see now (of an open one: of what was answered)."""

    attempt: Attempt
    answers: Sequence[Seen]
    sight: Sight


def read(attempt: Attempt) -> Read:
    """The answers with the right ones and their marks, whatever the learner may see. One query."""
    sight = attempt.sight_of(answered=True)
    attempt.for_editor = True
    answers = list(attempt.answers.select_related("version", "marked_with"))
    attempt.as_ended(answers)
    return Read(attempt, list(_seen(answers)), sight)


def _seen(answers: Sequence[Answer]) -> Iterator[Seen]:
    number = 0
    language = next((one.language for one in answers if one.language), words.current_language())
    for answer in answers:
        number += answer.asks
        language = words.nearest(answer.language or language)  # what was not answered was read in the one before it
        yield Seen(answer, language, number if answer.asks else None)
