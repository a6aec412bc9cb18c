"""Attempts as they are stored once they were taken, without taking them: tests of statistics need many."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils import timezone

from mpquiz.models import Answer, Attempt, QuestionVersion, Quiz


@dataclass(frozen=True)
class Given:
    """An answer: the fraction that it earned (None: waits, or was skipped where there is no language)."""

    fraction: Any = 1
    language: str = "en"
    tally: str | None = None
    awarded: Any = None
    left_out: bool = False
    points: Any = None

    @property
    def mark(self):
        if self.left_out:
            return Decimal(0)
        if self.awarded is not None:
            return Decimal(self.awarded)
        return Decimal(self.points) * Decimal(str(self.fraction or 0))


SKIPPED = Given(None, "", "")


def given(value, points):
    """An answer from what a test writes: a fraction, None (skipped) or an answer; with the points it is worth."""
    one = value if isinstance(value, Given) else SKIPPED if value is None else Given(value)
    tally = one.tally if one.tally is not None else ("a" if one.fraction == 1 else "b")
    return Given(
        one.fraction, one.language, tally, one.awarded, one.left_out, points if one.points is None else one.points
    )


def versions_of(quiz):
    questions = list(quiz.questions.order_by("places__place").prefetch_related("choices"))
    return QuestionVersion.objects.freeze({question.pk: question.content(guides=False) for question in questions})


def taken(quiz: Quiz, values, *, questions=None, **fields: Any) -> Attempt:
    """A closed attempt: an answer to each question of the quiz (or to ``questions``, by their ids), in order."""
    [attempt] = _stored(quiz, [values], questions, [fields])
    attempt.count_answers()
    return attempt


def by_guests(quiz: Quiz, rows, **fields: Any) -> list[Attempt]:
    """An attempt for each row of values, by a guest each: all are first ones."""
    rows, before = list(rows), Attempt.objects.count()
    owned = [{**fields, "guest": f"guest{before + n}"} for n in range(len(rows))]
    attempts = _stored(quiz, rows, None, owned)
    Answer.objects.filter(attempt__in=[one.pk for one in attempts]).update(counted_in=quiz)
    return attempts


def _stored(quiz, rows, questions, owned):
    places = {place.question_id: place.points for place in quiz.places.order_by("place")}
    asked = list(places if questions is None else questions)
    versions = versions_of(quiz)
    given_by = [[given(value, places[one]) for value, one in zip(row, asked, strict=True)] for row in rows]
    attempts = [_attempt(quiz, answers, fields) for answers, fields in zip(given_by, owned, strict=True)]
    for attempt in attempts:
        attempt.save()
    Answer.objects.bulk_create(
        _answer(attempt, position, one, question, versions[question])
        for attempt, answers in zip(attempts, given_by, strict=True)
        for position, (one, question) in enumerate(zip(answers, asked, strict=True), 1)
    )
    return attempts


def _attempt(quiz, answers, fields):
    row = {"number": 1, "open": None, "ended": "finished", "finished_at": timezone.now(), **fields}
    worth = [Decimal(0) if one.left_out else Decimal(one.points) for one in answers]
    score = sum((one.mark for one in answers), Decimal(0))
    return Attempt(quiz=quiz, maximum=sum(worth, Decimal(0)), score=score, **row)


def _answer(attempt, position, one, question, version):
    return Answer(
        attempt=attempt,
        position=position,
        points=one.points,
        version=version,
        question_id=question,
        given=None if not one.language else one.tally,
        tally=one.tally,
        language=one.language,
        answered_at=timezone.now() if one.language else None,
        fraction=None if one.fraction is None else Decimal(str(one.fraction)),
        awarded=one.awarded,
        left_out=one.left_out,
    )
