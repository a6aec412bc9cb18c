"""The statistics of one question.

Formulas: Moodle's question/classes/statistics/questions/calculator.php, explained at
https://docs.moodle.org/dev/Quiz_statistics_calculations and https://docs.moodle.org/28/en/Development:Quiz_report_statistics.
x is the mark of an answer, T the score of its attempt, y = T - x the rest of the quiz; variances divide by n - 1.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from .. import kinds
from ..content import ChoiceContent, QuestionContent
from .chance import Marks
from .flags import Best, Flag, flags_of
from .languages import Gap, InStrata, LanguageNumbers, numbers_of
from .moments import Pairs
from .population import UNIT, Cell

_STRATA = 20


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    """How many took a choice. ``there`` is False where the question has it no longer."""

    choice: ChoiceContent
    n: int
    share: float
    languages: Mapping[str, int] = field(default_factory=dict)
    there: bool = True

    @property
    def key(self) -> str:
        return self.choice.key


@dataclass(frozen=True, slots=True)
class TypedCount:
    """How many typed the same, as the kind of question folds it.

    ``share`` is of all who typed an answer (0 to 1), those among them whose attempts wait for a person to mark.
    """

    text: str
    n: int
    share: float


@dataclass(frozen=True, slots=True)
class QuestionStatistics:
    """The numbers of a question; None where the formula has nothing to say.

    ``n`` counts the answers, those ``skipped`` among them. ``facility`` is the mean share of the points that was
    earned (0 to 1), ``guess`` the share that blind guessing earns, ``deviation`` the standard deviation of the mark
    in points, of which there are ``points`` (their mean, where attempts gave it different points).

    ``discrimination``: 100 cov(x, y) / sqrt(var(x) var(y)), -100 to 100. ``efficiency``: 100 cov(x, y) / the greatest
    covariance that these marks could have, at most 100. ``weight``: 100 sqrt(cov(x, T)) / the sum of that over all
    questions; None, and left out of the sum, where cov(x, T) is negative.

    ``content`` is the question as it is now; ``question`` is None where it was deleted since, and the content that
    which was asked: each version then stands for itself.
    """

    question: int | None
    version: int
    content: QuestionContent
    n: int
    skipped: int
    points: float
    facility: float
    deviation: float | None
    guess: float | None
    discrimination: float | None
    efficiency: float | None
    weight: float | None = None
    choices: tuple[ChoiceCount, ...] = ()
    typed: tuple[TypedCount, ...] = ()
    languages: tuple[LanguageNumbers, ...] = ()
    gaps: tuple[Gap, ...] = ()
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the answers to it, summed up, before it is compared with the others."""

    question: int | None
    content: QuestionContent
    older: Sequence[QuestionContent]
    cells: Sequence[Cell]
    pairs: Pairs

    @classmethod
    def of(
        cls, question: int | None, content: QuestionContent, older: Sequence[QuestionContent], cells: Sequence[Cell]
    ) -> "Asked":
        counts: dict[tuple[int, int], int] = defaultdict(int)
        for cell in cells:
            counts[cell.mark, cell.score - cell.mark] += cell.n
        return cls(question, content, older, cells, Pairs.of(counts))

    @property
    def covariance(self) -> float:
        """cov(x, T) in points squared; 0 of a single answer."""
        product = self.pairs.xx + self.pairs.xy
        return self.pairs.covariance(product) / UNIT**2 if self.pairs.n > 1 else 0.0

    @property
    def variance(self) -> float:
        """var(x) in points squared; 0 of a single answer."""
        return self.pairs.covariance(self.pairs.xx) / UNIT**2 if self.pairs.n > 1 else 0.0

    @property
    def root(self) -> float:
        """sqrt(cov(x, T)), what its weight is a share of; 0 where the covariance is negative."""
        return sqrt(max(self.covariance, 0.0))

    def in_strata(self) -> InStrata:
        """The marks by language of learners with equal scores, to a twentieth; of what was skipped none.

        The score with this question: without it the weaker group would seem to do worse in each question, since a
        score is never exact (Holland and Thayer, 1988). Where nothing else was asked, all are taken for equals.
        """
        found: dict[tuple[int, str], Marks] = defaultdict(Marks)
        for cell in self.cells:
            if cell.language:
                stratum = _STRATA * cell.score // cell.maximum if cell.maximum > cell.worth else 0
                one = (stratum, cell.language)
                found[one] = found[one].plus(cell.mark / cell.worth, cell.n)
        return found

    def best(self) -> Best:
        """What the best third answered, by the rest; nobody, where that does not tell a third from the others."""
        levels: dict[float, list[Cell]] = defaultdict(list)
        for cell in self.cells:
            rest = cell.maximum - cell.worth
            levels[(cell.score - cell.mark) / rest if rest else 0.0].append(cell)
        taken: list[Cell] = []
        for level in sorted(levels, reverse=True):
            taken += levels[level]
            if 3 * (n := sum(cell.n for cell in taken)) >= self.pairs.n:
                return _answered(taken, n) if 2 * n <= self.pairs.n else Best()
        return Best()

    def statistics(self, *, typed: Sequence[TypedCount], gaps: Sequence[Gap], all_roots: float) -> QuestionStatistics:
        """``all_roots`` is the sum over all questions of sqrt(cov(x, T)), ``typed`` the most common typed answers."""
        n, worth = self.pairs.n, sum(cell.worth * cell.n for cell in self.cells)
        correlation, efficiency = self.pairs.correlation, self.pairs.share_of_most
        negative = self.covariance < 0
        numbers = QuestionStatistics(
            question=self.question,
            version=max(cell.version for cell in self.cells),
            content=self.content,
            n=n,
            skipped=sum(cell.n for cell in self.cells if not cell.language),
            points=worth / n / UNIT,
            facility=self.pairs.x / worth,
            deviation=sqrt(self.variance) if n > 1 else None,
            guess=_guess(self.content),
            discrimination=None if correlation is None else 100 * correlation,
            efficiency=None if efficiency is None else 100 * efficiency,
            weight=None if negative or not all_roots or n < 2 else 100 * self.root / all_roots,
            choices=tuple(self._choices()),
            typed=tuple(typed),
            languages=numbers_of(self.in_strata()),
            gaps=tuple(gaps),
        )
        return replace(numbers, flags=tuple(flags_of(numbers, self.best(), list(gaps), negative=negative)))

    def _choices(self) -> Iterable[ChoiceCount]:
        """Each choice that there is, then those that were taken and are there no longer."""
        if not self._of_choices:
            return
        taken: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for cell in self.cells:
            for key in cell.tally.split():
                taken[key][cell.language] += cell.n
        there = {choice.key: choice for choice in self.content.choices}
        gone = {choice.key: choice for content in self.older for choice in content.choices}
        for key in [*there, *sorted(taken.keys() - there.keys())]:
            choice = there.get(key) or gone.get(key) or ChoiceContent(key=key)
            n = sum(taken[key].values()) if key in taken else 0
            yield ChoiceCount(choice, n, n / self.pairs.n, dict(taken.get(key, {})), there=key in there)

    @property
    def _of_choices(self) -> bool:
        return any(cell.tally for cell in self.cells) or bool(_is_of_choices(self.content))


def _is_of_choices(content: QuestionContent) -> bool:
    return isinstance(kinds.kept(content.kind), kinds.ChoiceKind)


def _guess(content: QuestionContent) -> float | None:
    guess = kinds.kept(content.kind).guess(content)
    return None if guess is None else float(guess)


def _answered(cells: Sequence[Cell], n: int) -> Best:
    right, wrong = 0, dict[str, int]()
    for cell in cells:
        if cell.mark >= cell.worth:
            right += cell.n
        elif cell.tally:
            wrong[cell.tally] = wrong.get(cell.tally, 0) + cell.n
    return Best(n, right, wrong)
