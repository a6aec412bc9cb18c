"""The statistics of a quiz.

Formulas: Moodle's mod/quiz/report/statistics/classes/calculator.php, explained at
https://docs.moodle.org/dev/Quiz_statistics_calculations.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db import models
from django.db.models.functions import RowNumber

from ..content import QuestionContent
from ..models import Question, QuestionVersion, Quiz
from .languages import gaps_of
from .moments import Shape
from .population import Cell, LeftOut, Population, Scored, Taken, Which, choice_kinds, room_to_group
from .questions import Asked, QuestionStatistics, TypedCount

BINS = 10
_MOST_TYPED = 10


@dataclass(frozen=True, slots=True)
class QuizStatistics:
    """The numbers of a quiz; None where the formula has nothing to say.

    ``mean``, ``median``, ``deviation`` and ``standard_error`` are in percent of the maximum. ``histogram`` counts the
    attempts from 0 % on in steps of 10, the last one with 100 %.

    ``consistency``: 100 p / (p - 1) (1 - the sum of var(x) / var(T)) of p questions, Cronbach's alpha. Where attempts
    ask different questions (``varied``) it is an estimate: each question weighs as often as it is asked, and p is
    how many an attempt asks. ``error_ratio``: 100 sqrt(1 - consistency / 100). ``standard_error``: the error ratio of
    the deviation.
    """

    which: str
    language: str | None
    n: int
    mean: float | None
    median: float | None
    deviation: float | None
    skewness: float | None
    kurtosis: float | None
    consistency: float | None
    histogram: tuple[int, ...]
    varied: bool
    left_out: LeftOut
    questions: tuple[QuestionStatistics, ...]

    @property
    def error_ratio(self) -> float | None:
        return None if self.consistency is None else 100 * sqrt(max(1 - self.consistency / 100, 0.0))

    @property
    def standard_error(self) -> float | None:
        if self.error_ratio is None or self.deviation is None:
            return None
        return self.error_ratio * self.deviation / 100

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that were read, in the order of the alphabet."""
        return tuple(sorted({one.language for question in self.questions for one in question.languages}))


def of(quiz: Quiz, *, which: str = Which.FIRST, language: str | None = None) -> QuizStatistics:
    """The statistics of ``which`` attempts of each learner; with ``language`` of those read in that one alone.

    What is counted and what is not: ``population``. Eight queries at most, however many attempts and questions; the
    questions stand in the order of the quiz, then those that are drawn or no longer in it, then those deleted.
    Typed answers are counted apart, with those of attempts that wait: of first ones over the index of tallies alone.
    """
    population = Population(quiz, Which(which), language)
    with room_to_group(population.answers.db):
        taken, cells = population.taken(), population.cells()
    asked = _asked(quiz, cells)
    typed, gaps = _typed(population, asked), gaps_of([one.in_strata() for one in asked])
    roots = sum(one.root for one in asked)
    questions = tuple(
        one.statistics(typed=typed.get(one.question, ()), gaps=found, all_roots=roots)
        for one, found in zip(asked, gaps, strict=True)
    )
    return _summed_up(population, taken, asked, questions)


def _summed_up(
    population: Population, taken: Taken, asked: Sequence[Asked], questions: tuple[QuestionStatistics, ...]
) -> QuizStatistics:
    n = sum(one.n for one in taken.scores)
    shape = Shape.of(_percents(taken.scores))
    return QuizStatistics(
        which=population.which,
        language=population.language,
        n=n,
        mean=shape.mean,
        median=shape.median,
        deviation=shape.deviation,
        skewness=shape.skewness,
        kurtosis=shape.kurtosis,
        consistency=_consistency(taken.scores, asked),
        histogram=_histogram(taken.scores),
        varied=any(one.pairs.n != n for one in asked),
        left_out=taken.left_out,
        questions=questions,
    )


def _percents(scores: Iterable[Scored]) -> dict[float, int]:
    found: dict[float, int] = defaultdict(int)
    for one in scores:
        found[100 * one.score / one.maximum] += one.n
    return found


def _histogram(scores: Iterable[Scored]) -> tuple[int, ...]:
    bins = [0] * BINS
    for one in scores:
        bins[min(BINS * one.score // one.maximum, BINS - 1)] += one.n
    return tuple(bins)


def _consistency(scores: Sequence[Scored], asked: Sequence[Asked]) -> float | None:
    n = sum(one.n for one in scores)
    total = sum(one.score * one.n for one in scores)
    spread = n * sum(one.score**2 * one.n for one in scores) - total**2  # var(T) times n (n - 1), exact
    questions = sum(one.pairs.n for one in asked) / n if n else 0
    if n < 2 or not spread or questions <= 1:
        return None
    # In the same exact units, var times n (n - 1), so that equal variances cancel out.
    shares = sum(one.pairs.xx * (n - 1) / (one.pairs.n - 1) for one in asked if one.pairs.n > 1)
    return min(100 * questions / (questions - 1) * (1 - shares / spread), 100.0)


# The questions ------------------------------------------------------------------------------------------------


def _asked(quiz: Quiz, cells: Iterable[Cell]) -> list[Asked]:
    """Each question with its cells, in order. Three queries, four where any question has choices."""
    of_version: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        of_version[cell.version].append(cell)
    versions: dict[int, Any] = QuestionVersion.objects.in_bulk(of_version)
    questions = _questions(quiz, {one.question_id for one in versions.values() if one.question_id})
    grouped: dict[tuple[int, int], list[QuestionVersion]] = defaultdict(list)
    for pk, version in sorted(versions.items()):
        grouped[(version.question_id, 0) if version.question_id else (0, pk)].append(version)
    places = {question: place for place, question in enumerate(questions)}
    order = sorted(grouped, key=lambda one: (places.get(one[0], len(places)), one))
    return [_one(questions.get(one[0]), grouped[one], of_version) for one in order]


def _one(
    question: Question | None, versions: Sequence[QuestionVersion], cells: Mapping[int, Sequence[Cell]]
) -> Asked:
    contents = [QuestionContent.from_json(version.content) for version in versions]
    now = question.content(guides=False) if question else contents[-1]
    found = [cell for version in versions for cell in cells[version.pk]]
    return Asked.of(question.pk if question else None, now, contents, found)


def _questions(quiz: Quiz, ids: Iterable[int]) -> dict[int, Question]:
    """The questions by id: in the order of the quiz, then those that do not stand in it."""
    place = quiz.places.filter(question=models.OuterRef("pk")).values("place")[:1]
    rows = Question.objects.filter(pk__in=list(ids)).annotate(stands_at=models.Subquery(place))
    order = models.F("stands_at").asc(nulls_last=True)
    return {row.pk: row for row in rows.prefetch_related("choices").order_by(order, "pk")}


class _Total(models.Func):
    """The sum of what groups count: Django refuses to sum an aggregate up, which a window may do."""

    function = "SUM"
    window_compatible = True
    output_field = models.IntegerField()


def _typed(population: Population, asked: Iterable[Asked]) -> dict[int | None, list[TypedCount]]:
    """{question: the most common typed answers}. One query, none where nothing is typed.

    Shares are of all that were typed and counted in the same way, since those of attempts that wait are among them.
    """
    of_choices = choice_kinds()
    ids = [one.question for one in asked if one.question and one.content.kind not in of_choices]
    rows = population.given.filter(question__in=ids).exclude(tally="").order_by()
    rank = models.Window(RowNumber(), partition_by=["question"], order_by=["-count", "tally"])
    total = models.Window(_Total(models.F("count")), partition_by=["question"])
    counts = rows.values("question", "tally").annotate(count=models.Count("*")).annotate(rank=rank, total=total)
    found: dict[int | None, list[TypedCount]] = defaultdict(list)
    for row in counts.filter(rank__lte=_MOST_TYPED).order_by("question", "rank"):
        found[row["question"]].append(TypedCount(row["tally"], row["count"], row["count"] / int(row["total"])))
    return found
