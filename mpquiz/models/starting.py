"""How an attempt comes to be: what it asks and by which rules, frozen at its start."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..content import QuestionContent
from ..exceptions import Refusal
from ..learners import Learner
from ..rules import NOTHING_GRANTED, Rules
from .answer import AllAnswers, Answer, FirstAnswer
from .drawing import drawn, placed_again
from .placing import QuizQuestion
from .record import Ended
from .version import QuestionVersion

if TYPE_CHECKING:
    from .attempt import Attempt


class Starting:
    """The part of an attempt that is at work before it is stored, or lands in one that was.

    ``self`` is an Attempt, which mypy takes for no mixin's own.
    """

    def prepare(
        self: Any, learner: Learner, first: FirstAnswer | AllAnswers | None, language: str | None
    ) -> "list[Answer]":
        """Freeze title, rules and questions into this attempt, not stored yet, and return its answers.

        The first one, or all, are taken along. Nothing is written where one is refused. Raises Refusal.
        """
        asked = drawn(self.quiz, learner, trial=self.trial) if self.retry_of is None else self.retry_of.missed()
        if not any(kinds.get(place.content.kind).asks for place in asked) and self.retry_of is None:
            raise Refusal("closed", _("This quiz has no questions yet."))
        if not asked:
            raise Refusal("closed", _("None of the questions missed is in the quiz any more."))
        given = _cleaned_first(first, [place.content for place in asked])
        self._freeze_rules(learner)
        versions = QuestionVersion.objects.freeze({one.question_id: one.content for one in asked})
        answers = [self._question(position, one, versions[one.question_id]) for position, one in enumerate(asked, 1)]
        for answer in answers:
            if answer.position in given:
                answer.take(given[answer.position], language)
        self.maximum = sum((answer.points for answer in answers), Decimal(0))
        whole = isinstance(first, AllAnswers) and first.is_whole
        self.settle(answers, Ended.FINISHED if whole else None)
        return answers

    def _freeze_rules(self: Any, learner: Learner) -> None:
        """Take over the title and the rules of the quiz, and reckon when the attempt ends. A retry is practice."""
        rules = self.quiz.rules
        if self.retry_of_id is not None:
            rules = replace(Rules(), shuffle_choices=rules.shuffle_choices, pass_mark=rules.pass_mark)
        self.title = words.of(self.quiz, "title")
        self.rules = rules.to_json()
        self.started_at = timezone.now()
        self.deadline = self.quiz.granted(learner).deadline(rules, self.started_at)
        if self.trial and rules.closes_at is not None and rules.closes_at <= self.started_at:
            self.deadline = NOTHING_GRANTED.deadline(replace(rules, closes_at=None), self.started_at)

    def _question(self: Any, position: int, place: QuizQuestion, version: QuestionVersion) -> "Answer":
        """An empty answer, not stored yet, that knows its content without asking the database."""
        kind = kinds.get(place.content.kind)
        answer = Answer(
            attempt=self,
            position=position,
            points=place.points if kind.scores else Decimal(0),
            asks=kind.asks,
            version=version,
            question_id=place.question_id,
            order=kind.order(place.content, shuffle=self.rules["shuffle_choices"]),
        )
        answer.content = place.content
        return answer

    def missed(self: Any) -> list[QuizQuestion]:
        """The quiz's questions that were not wholly right here, in the quiz's order, as they are now."""
        missed = [answer for answer in self.answers.select_related("version") if answer.missed]
        return placed_again(self.quiz, {one.question_id: self._place_of(one) for one in missed if one.question_id})

    def _place_of(self: Any, answer: "Answer") -> QuizQuestion:
        return QuizQuestion(quiz=self.quiz, question_id=answer.question_id, points=answer.points)

    def refuses_retry(self: Any, learner: Learner) -> Refusal | None:
        """Why what was missed cannot be practised: practice tells right answers at once."""
        if self.quiz.hidden_from(learner) or self.is_open:
            return Refusal("closed", _("This quiz is not open."))
        if not self.sight.everything:
            return Refusal("closed", _("The right answers are not shown now, so they cannot be practised."))
        return None

    def landed(self: Any, first: FirstAnswer | AllAnswers | None, language: str | None) -> "Attempt":
        """This attempt, which was there already, with the first answer taken if it is still wanted.

        Raises Refusal("bad_answer").
        """
        if first is None or not self.is_open:
            return self
        try:
            if isinstance(first, FirstAnswer):
                self.answer(1, first, language=language)
            else:
                self.turned_down = "changed"  # what was answered belongs to a page that is no more
        except Refusal as refusal:
            if refusal.code == "bad_answer":
                raise
            self.turned_down = refusal.code
        return self


def _cleaned_first(first: FirstAnswer | AllAnswers | None, contents: Sequence[QuestionContent]) -> dict[int, Any]:
    """{position: value} of what came along with the start. Raises Refusal."""
    if first is None:
        return {}
    return first.cleaned(contents) if isinstance(first, AllAnswers) else {1: first.cleaned(contents[0])}
