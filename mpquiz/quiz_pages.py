"""The page of a quiz before the start, and the cards of quizzes in a list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise, cached_property

from . import kinds
from .content import QuestionContent
from .exam_pages import OnePage, unstarted_page
from .exceptions import Refusal
from .kinds import Submitted
from .learners import Learner
from .models import Attempt, Guide, Quiz, QuizQuestion
from .models.record import Record, Standing
from .pages import Stage, first_stage, is_asked, next_stage
from .rules import Counting, Feedback, Granted, Layout, Moment
from .words import Text, pick


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
class Terms:
    """What a learner should know before the start: the rules as they hold for this learner."""

    quiz: Quiz
    granted: Granted
    record: Record

    @property
    def minutes(self) -> int | None:
        """The time limit with what was granted, in whole minutes, rounded down; None: none."""
        seconds = self.granted.seconds(self.quiz.rules.time_limit)
        return None if seconds is None else seconds // 60

    @property
    def more_time(self) -> bool:
        """Whether this learner has been granted another time limit than the others."""
        return self.quiz.time_limit is not None and self.minutes != self.quiz.time_limit

    @property
    def opens_at(self) -> datetime | None:
        return self.granted.opens_at or self.quiz.opens_at

    @property
    def closes_at(self) -> datetime | None:
        return self.granted.closes_at or self.quiz.closes_at

    @property
    def allowed(self) -> int | None:
        allowed = self.quiz.attempts_allowed
        return None if allowed is None else allowed + self.granted.extra_attempts

    @property
    def left(self) -> int | None:
        return self.record.left(self.quiz, self.granted)

    @property
    def counts(self) -> str | Promise:
        """Which attempt counts, where there can be several."""
        return "" if self.allowed == 1 else Counting(self.quiz.counting).label

    @property
    def at_end(self) -> bool:
        return self.quiz.feedback == Feedback.AT_END or self.quiz.layout == Layout.ALL

    @property
    def one_way(self) -> bool:
        return self.quiz.one_way and self.quiz.layout == Layout.ONE

    @property
    def results(self) -> str | Promise:
        """From when on the score is seen."""
        moment = Moment(self.quiz.show_score)
        return Moment.FINISH.label if self.at_end and moment == Moment.ANSWER else moment.label

    @property
    def any(self) -> bool:
        """Whether there is anything to say: a quiz for practice has no terms."""
        quiz = self.quiz
        usual = quiz.show_score == Moment.ANSWER and not (self.at_end or self.one_way or quiz.wait)
        return quiz.has_dates_or_limits or not usual


@dataclass(frozen=True, kw_only=True)
class Entrance:
    """What a learner who comes to a quiz may do. ``barred`` is why they cannot start now, whatever they send."""

    quiz: Quiz
    terms: Terms
    barred: Refusal | None
    staff: bool

    @property
    def attempt(self) -> Attempt | None:
        """The one that can be gone on with."""
        standing = self.terms.record.unclosed
        return standing if standing is not None and standing.is_open else None

    @property
    def number(self) -> int:
        """The one that a new attempt gets."""
        return self.terms.record.last_number + 1

    @property
    def asks_password(self) -> bool:
        return bool(self.quiz.password) and self.barred is None

    @property
    def shows_questions(self) -> bool:
        """Whether this learner may read them before the start."""
        return self.quiz.shows_questions_before_start and (self.barred is None or self.staff)

    def placed(self) -> list[QuizQuestion]:
        """The questions that may be read before the start; two queries, none where none may."""
        return self.quiz.placed(guides=False) if self.shows_questions else []

    def count(self, placed: Sequence[QuizQuestion]) -> int:
        """How many questions an attempt asks, as far as is known before it."""
        return sum(map(is_asked, placed)) if self.shows_questions else self.quiz.asked_count


def entrance(quiz: Quiz, learner: Learner) -> Entrance:
    """One query, none for a visitor, of a quiz that ``for_learner()`` brought."""
    record = Attempt.objects.of(learner).record(quiz) if learner else Record(())
    granted = quiz.granted(learner)
    return Entrance(
        quiz=quiz,
        terms=Terms(quiz=quiz, granted=granted, record=record),
        barred=quiz.refusal(learner) or record.refusal(quiz, granted),
        staff=quiz.may_be_tried_by(learner),
    )


@dataclass(frozen=True, kw_only=True)
class QuizPage:
    """The page of a quiz for one learner. ``hidden`` is what a form that starts must carry.

    ``readable`` is what may be read before the start: a ``preview``, unless all questions stand on the page anyway.
    ``refusal`` is why the last press was not taken, ``barred`` why the learner cannot start at all now. ``within`` is
    the quiz's slug where it is shown within a lesson of the host.
    """

    quiz: Quiz
    terms: Terms
    attempt: Attempt | None
    stage: Stage | None
    whole: OnePage | None
    hidden: Mapping[str, object]
    count: int
    readable: Sequence[Previewed]
    refusal: Refusal | None = None
    barred: Refusal | None = None
    staff: bool = False
    within: str = ""

    @property
    def ids(self) -> str:
        return f"{self.within}-" if self.within else ""

    @property
    def starts_in_place(self) -> bool:
        """Whether the start button of a lesson shows the first question in its place."""
        return bool(self.within) and self.quiz.taken_in_place

    @property
    def standing(self) -> Standing | None:
        """The learner's result so far, as far as they may know it."""
        shown = [attempt for attempt in self.terms.record.counted if attempt.sight.score]
        return Standing.of(shown, self.quiz.counting)

    @property
    def last(self) -> Attempt | None:
        """The attempt whose result the learner may want to come back to."""
        return self.terms.record.last_ended

    @property
    def starts_over(self) -> bool:
        """Whether an open attempt can be left for a new one: not where an attempt is dear."""
        quiz = self.quiz
        return not (quiz.attempts_allowed or quiz.wait or quiz.password or self.barred)

    @property
    def asks_password(self) -> bool:
        return bool(self.quiz.password) and self.barred is None

    @property
    def preview(self) -> Sequence[Previewed]:
        return () if self.whole else self.readable

    @cached_property
    def guides(self) -> list[Guide]:
        return list(self.quiz.guides.all())


def quiz_page(
    quiz: Quiz,
    learner: Learner,
    nonce: str,
    refusal: Refusal | None = None,
    submitted: Submitted | None = None,
    *,
    lesson: str = "",
    embedded: bool = False,
) -> QuizPage:
    """The page of a quiz in at most five queries. ``nonce`` makes a guest of a visitor who has no token yet.

    ``lesson`` is the address of the host's page to come back to. ``embedded``: the quiz is shown within that page,
    with a question where it can be answered there.
    """
    door = entrance(quiz, learner)
    for one in door.terms.record.attempts:
        one.quiz = quiz  # knows what decides what of them may be seen
    attempt = door.attempt
    back: dict[str, object] = {"lesson": lesson} if lesson else {}
    hidden = {"number": door.number, **back} | ({} if learner else {"guest": nonce})
    within = quiz.slug if embedded else ""
    asked = {"refusal": refusal, "submitted": submitted, "within": within}
    page: dict[str, Any] = {
        "quiz": quiz,
        "terms": door.terms,
        "attempt": attempt,
        "hidden": hidden,
        "refusal": refusal,
        "barred": door.barred,
        "staff": door.staff,
        "within": within,
    }
    placed = door.placed()
    direct = quiz.opens_on_first_question and door.barred is None and bool(placed)
    stage = whole = None
    if attempt is not None and not (attempt.on_one_page or attempt.changeable):
        stage = None if embedded and attempt.deadline else next_stage(attempt, hidden=back, **asked)
    elif attempt is None and direct and quiz.layout == Layout.ALL:
        whole = None if embedded else unstarted_page(quiz, placed, hidden, refusal=refusal, submitted=submitted)
    elif attempt is None and direct and is_asked(placed[0]):
        stage = first_stage(quiz, placed, hidden, **asked)
    return QuizPage(stage=stage, whole=whole, count=door.count(placed), readable=readable(placed), **page)


def readable(placed: Sequence[QuizQuestion]) -> list[Previewed]:
    """Questions, and pages, as they may be read before the start."""
    return [Previewed(place.content, is_asked(place)) for place in placed]


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
    standings = mine.counted().with_score_shown().results()
    return [_card(quiz, unfinished.get(quiz.pk), standings.get(quiz.pk)) for quiz in quizzes]


def _card(quiz: Quiz, attempt: Attempt | None, standing: Standing | None) -> Card:
    if standing is None:
        return Card(quiz, attempt)
    return Card(quiz, attempt, standing.percent, standing.waiting)
