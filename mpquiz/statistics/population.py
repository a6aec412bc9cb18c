"""Which attempts and answers are counted, and the groups into which the database sums them up.

Counted are closed attempts that are no trial by staff, no practice of missed questions and not abandoned; an attempt
past its deadline counts once its row is closed. One in which answers wait for a person is left out until they are
marked: its score is not known yet. Of an attempt count the answers that are worth points and were not left out by
whoever marked anew; pages to read are none. **A question that was skipped counts as 0 points**, as in the score, and
is among the n answers. A learner who was erased cannot be told from others: each of their attempts stands for a
learner, except that an attempt was counted as a first one, or was not, while its learner was known.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connections, models, transaction
from django.db.models import lookups
from django.utils.translation import gettext_lazy as _

from .. import kinds
from ..models import Answer, Attempt, Quiz
from ..models.record import Ended

UNIT = 10**9
"""Points are counted in whole billionths: a mark, points times fraction, is exact in them."""


class Which(models.TextChoices):
    """Which attempts of each learner are counted."""

    FIRST = "first", _("First attempts")
    LAST = "last", _("Last attempts")
    HIGHEST = "highest", _("Best attempts")
    ALL = "all", _("All attempts")


class Cell(NamedTuple):
    """So many answers that are alike; points are in units.

    ``tally`` is what was chosen, of questions with choices; ``language`` is "" where the question was skipped.
    """

    version: int
    language: str
    tally: str
    mark: int
    worth: int
    score: int
    maximum: int
    n: int


class Scored(NamedTuple):
    """So many attempts of one score; points are in units."""

    score: int
    maximum: int
    n: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many attempts at the quiz are not counted, each under the first reason that holds.

    ``others`` are those of the same learners that were not asked for, and with a language those read in another.
    """

    trials: int = 0
    practice: int = 0
    running: int = 0
    abandoned: int = 0
    others: int = 0
    waiting: int = 0
    worthless: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """The attempts that count, by score, and how many do not."""

    scores: list[Scored] = field(default_factory=list)
    left_out: LeftOut = field(default_factory=LeftOut)


@dataclass(frozen=True, slots=True)
class Population:
    """The attempts that somebody asks for: ``which`` of each learner, with ``language`` those read in it alone."""

    quiz: Quiz
    which: str = Which.FIRST
    language: str | None = None

    @property
    def attempts(self) -> "models.QuerySet[Attempt]":
        """All that were asked for, those with answers that wait too."""
        closed = closed_of(self.quiz)
        if self.which == Which.FIRST:
            # That of number 1 needs no look at its answers, and nearly all are.
            counted = Answer.objects.filter(attempt=models.OuterRef("pk"), counted_in=self.quiz)
            closed = closed.filter(models.Q(number=1) | models.Exists(counted))
        elif self.which != Which.ALL:
            outdoing = _later() if self.which == Which.LAST else _better()
            for learner in ("user", "guest"):  # apart, so that the database can join by either
                others = closed.filter(outdoing, **{learner: models.OuterRef(learner)})
                closed = closed.filter(~models.Exists(others))
        return self._in_language(closed)

    def _in_language(self, attempts: "models.QuerySet[Attempt]") -> "models.QuerySet[Attempt]":
        """Those of which some answer was read in the language and none in another."""
        if not self.language:
            return attempts
        given = Answer.objects.filter(attempt=models.OuterRef("pk")).exclude(language="")
        own = models.Exists(given.filter(language=self.language))
        return attempts.filter(own, ~models.Exists(given.exclude(language=self.language)))

    @property
    def given(self) -> Any:
        """The answers of these attempts; of first ones as the index of tallies has them."""
        if self.which != Which.FIRST:
            return Answer.objects.filter(asks=True, attempt__in=self.attempts.values("pk"))
        answers = Answer.objects.filter(counted_in=self.quiz)
        if not self.language:
            return answers
        return answers.filter(attempt__in=self._in_language(closed_of(self.quiz)).values("pk"))

    @property
    def answers(self) -> Any:
        """The answers that count."""
        marked = self.given.filter(attempt__quiz=self.quiz, attempt__waiting=0, attempt__maximum__gt=0)
        return marked.filter(left_out=False, points__gt=0).order_by()

    def cells(self) -> list[Cell]:
        """The answers that count, summed up. One query, of as many rows as there are different ones."""
        of_choices = models.When(question__kind__in=choice_kinds(), then=models.F("tally"))
        rows = self.answers.annotate(chosen=models.Case(of_choices, default=models.Value("")))
        grouped = rows.values_list(*_GROUPED).annotate(count=models.Count("*"))
        return [_cell(*row) for row in grouped]

    def taken(self) -> Taken:
        """The attempts that count by score, and how many do not. Two queries."""
        rows = self.attempts.order_by().values_list("waiting", "score", "maximum").annotate(count=models.Count("*"))
        scores, waiting, worthless, asked_for = [], 0, 0, 0
        for waits, score, maximum, count in rows:
            asked_for += count
            if waits:
                waiting += count
            elif not maximum:
                worthless += count
            else:
                scores.append(Scored(units(score), units(maximum), count))
        numbers = self._not_counted()
        others = max(numbers.pop("closed") - asked_for, 0)
        return Taken(scores, LeftOut(**numbers, others=others, waiting=waiting, worthless=worthless))

    def _not_counted(self) -> dict[str, int]:
        earnest = models.Q(trial=False)
        own = earnest & models.Q(retry_of=None)
        ended = own & models.Q(open=None)
        conditions = {
            "trials": models.Q(trial=True),
            "practice": earnest & models.Q(retry_of__isnull=False),
            "running": own & models.Q(open=True),
            "abandoned": ended & models.Q(ended=Ended.ABANDONED),
            "closed": ended & ~models.Q(ended=Ended.ABANDONED),
        }
        counts = {name: models.Count("pk", filter=condition) for name, condition in conditions.items()}
        return Attempt.objects.filter(quiz=self.quiz).order_by().aggregate(**counts)


_GROUPED = (
    "version",
    "language",
    "chosen",
    "points",
    "fraction",
    "awarded",
    "attempt__score",
    "attempt__maximum",
)


def _cell(
    version: int,
    language: str,
    chosen: str,
    points: Decimal,
    fraction: Decimal | None,
    awarded: Decimal | None,
    score: Decimal,
    maximum: Decimal,
    count: int,
) -> Cell:
    mark = points * (fraction or 0) if awarded is None else awarded
    return Cell(version, language, chosen, units(mark), units(points), units(score), units(maximum), count)


def _later() -> models.Q:
    """What makes another attempt of a learner the later one."""
    return models.Q(number__gt=models.OuterRef("number"))


def _better() -> models.Q:
    """What makes another attempt of a learner the better one: a higher share of its maximum, or the same later."""
    own = models.F("score") * models.OuterRef("maximum")
    others = models.F("maximum") * models.OuterRef("score")
    better = models.Q(lookups.GreaterThan(own, others))
    return better | models.Q(lookups.Exact(own, others)) & _later()


@contextmanager
def room_to_group(using: str) -> Iterator[None]:
    """Have PostgreSQL group in memory: it takes all answers for different ones, and would sort them on disk.

    Nor is any of it compiled first, which takes longer than the counting.
    """
    with transaction.atomic(using=using):
        if connections[using].vendor == "postgresql":
            with connections[using].cursor() as cursor:
                cursor.execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
        yield


def closed_of(quiz: Quiz) -> "models.QuerySet[Attempt]":
    """The attempts at a quiz that count as a result and whose rows are closed."""
    return Attempt.objects.filter(quiz=quiz, open=None).counted()


def choice_kinds() -> list[str]:
    """The names of the kinds whose answers are choices, a host's among them."""
    return [name for name in kinds.names() if isinstance(kinds.kept(name), kinds.ChoiceKind)]


def units(points: Decimal) -> int:
    """Points in whole billionths."""
    return round(points.scaleb(9))
