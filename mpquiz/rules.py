"""The rules a quiz is taken by, as plain values: what is asked how, until when, and what is seen at which moment."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

Json = dict[str, Any]


class Feedback(TextChoices):
    AT_ONCE = "at_once", _("At once, after each answer")
    AT_END = "at_end", _("At the end; answers can be changed until then")


class Layout(TextChoices):
    ONE = "one", _("One question at a time")
    ALL = "all", _("All questions on one page")


class Moment(TextChoices):
    """From when on a learner sees something of their attempt."""

    ANSWER = "answer", _("After each answer")
    FINISH = "finish", _("After finishing")
    CLOSE = "close", _("After the quiz has closed")
    NEVER = "never", _("Never")


class Counting(TextChoices):
    """Which of a learner's attempts is their result."""

    BEST = "best", _("The best attempt")
    LAST = "last", _("The last attempt")
    FIRST = "first", _("The first attempt")
    AVERAGE = "average", _("The average of all attempts")


class Access(TextChoices):
    EVERYONE = "everyone", _("Everyone, guests too")
    SIGNED_IN = "signed_in", _("Whoever is signed in")
    GROUPS = "groups", _("Members of the groups below")


@dataclass(frozen=True, slots=True)
class Sight:
    """What of an answer, or of an attempt, may be seen now.

    For learners ``Review.sight`` alone makes one that shows anything.
    """

    right_or_wrong: bool = False
    score: bool = False
    right_answer: bool = False
    explanation: bool = False

    @property
    def everything(self) -> bool:
        return self.right_or_wrong and self.score and self.right_answer and self.explanation


EVERYTHING = Sight(right_or_wrong=True, score=True, right_answer=True, explanation=True)
"""What whoever may read attempts sees of one."""


@dataclass(frozen=True, slots=True)
class Review:
    """From which moment on each thing is seen."""

    right_or_wrong: str = Moment.ANSWER
    score: str = Moment.ANSWER
    right_answer: str = Moment.ANSWER
    explanation: str = Moment.ANSWER

    def sight(self, *, answered: bool, finished: bool, closed: bool) -> Sight:
        """What may be seen: ``answered`` for good, the attempt ``finished``, the quiz ``closed`` for everybody."""
        reached = {
            Moment.ANSWER: answered or finished,
            Moment.FINISH: finished,
            Moment.CLOSE: finished and closed,
        }
        return Sight(**{name: reached.get(Moment(moment), False) for name, moment in asdict(self).items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What an attempt is run by from its start to its end.

    ``time_limit`` is in seconds, before anything that a learner is granted; ``closes_at`` is when the quiz closes for
    running attempts too, None where they may run on.
    """

    feedback: str = Feedback.AT_ONCE
    layout: str = Layout.ONE
    one_way: bool = False
    shuffle_questions: bool = False
    shuffle_choices: bool = False
    pass_mark: Decimal | None = None
    time_limit: int | None = None
    closes_at: datetime | None = None
    review: Review = field(default_factory=Review)

    @property
    def changeable(self) -> bool:
        """Whether an answer can be changed until the attempt is finished."""
        return self.feedback == Feedback.AT_END or self.layout == Layout.ALL

    @property
    def in_order(self) -> bool:
        """Whether questions come one after the other and none a second time."""
        return self.one_way and self.layout == Layout.ONE

    def to_json(self) -> Json:
        return {
            "feedback": str(self.feedback),
            "layout": str(self.layout),
            "one_way": self.one_way,
            "shuffle_questions": self.shuffle_questions,
            "shuffle_choices": self.shuffle_choices,
            "pass_mark": None if self.pass_mark is None else str(self.pass_mark),
            "limits": {
                "time_limit": self.time_limit,
                "closes_at": None if self.closes_at is None else self.closes_at.isoformat(),
            },
            "review": {name: str(moment) for name, moment in asdict(self.review).items()},
        }

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """The rules of a row, whatever release wrote it."""
        limits = value.get("limits", {})
        plain = ("feedback", "layout", "one_way", "shuffle_questions", "shuffle_choices")
        pass_mark, closes_at = value.get("pass_mark"), limits.get("closes_at")
        return cls(
            **{name: value[name] for name in plain if name in value},
            pass_mark=None if pass_mark is None else Decimal(pass_mark),
            time_limit=limits.get("time_limit"),
            closes_at=None if closes_at is None else datetime.fromisoformat(closes_at),
            review=Review(**value.get("review", {})),
        )


@dataclass(frozen=True, slots=True)
class Granted:
    """What a learner is granted beyond the rules. Of several grants each gives its most generous."""

    time_factor: Decimal = Decimal(1)
    no_time_limit: bool = False
    extra_attempts: int = 0
    opens_at: datetime | None = None
    closes_at: datetime | None = None

    def __or__(self, other: "Granted") -> "Granted":
        opens = [at for at in (self.opens_at, other.opens_at) if at is not None]
        closes = [at for at in (self.closes_at, other.closes_at) if at is not None]
        return Granted(
            max(self.time_factor, other.time_factor),
            self.no_time_limit or other.no_time_limit,
            max(self.extra_attempts, other.extra_attempts),
            min(opens, default=None),
            max(closes, default=None),
        )

    def seconds(self, time_limit: int | None) -> int | None:
        """The time limit that holds, in seconds; None: none."""
        if time_limit is None or self.no_time_limit:
            return None
        return int(time_limit * self.time_factor)

    def deadline(self, rules: Rules, started_at: datetime) -> datetime | None:
        """When an attempt of these rules ends that was started at a moment; None: it may run for ever.

        A closing time that was granted stands in the place of the quiz's own, earlier or later.
        """
        seconds = self.seconds(rules.time_limit)
        closes_at = rules.closes_at if rules.closes_at is None else self.closes_at or rules.closes_at
        ends = [] if seconds is None else [started_at + timedelta(seconds=seconds)]
        return min([*ends, *([] if closes_at is None else [closes_at])], default=None)


NOTHING_GRANTED = Granted()


def is_in_calendar(moment: datetime) -> None:
    """Validator: a moment that can be told in every time zone. Raises ValidationError."""
    if not 1900 <= moment.year <= 9998:
        raise ValidationError(_("Give a year from 1900 to 9998."))


def percent(score: Decimal, maximum: Decimal) -> int:
    """A score in whole percent of the maximum, rounded down, for display alone; 0 where there was none to earn."""
    return int(score * 100 // maximum) if maximum else 0


def reaches(share: Fraction, pass_mark: Decimal) -> bool:
    """Whether an exact share of the points (0 to 1) reaches a pass mark in percent."""
    return share * 100 >= Fraction(pass_mark)


def share(score: Decimal, maximum: Decimal) -> Fraction | None:
    """The exact share of the points; None where there was none to earn."""
    return Fraction(score) / Fraction(maximum) if maximum else None


def is_alone(review: Mapping[str, str]) -> list[str]:
    """What of a review table says more than another of its lines means to say.

    A learner who sees the right answer, or the explanation, knows whether theirs was right.
    """
    rank = list(Moment).index
    known = rank(Moment(review["right_or_wrong"]))
    return [name for name in ("right_answer", "explanation") if rank(Moment(review[name])) < known]
