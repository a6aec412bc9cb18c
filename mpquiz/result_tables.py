"""Attempts as a table for a spreadsheet, read a few hundred at a time however many there are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.db import models
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.text import Truncator
from django.utils.translation import get_language_bidi, gettext, pgettext
from django.utils.translation import gettext_lazy as _

from . import spreadsheets, words
from .content import QuestionContent
from .models import Answer, Attempt, QuestionVersion, Quiz, QuizQuestion
from .models.attempts import AttemptQuerySet
from .spreadsheets import Cell

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The forms in which a table is handed out, each with its media type."""
TOO_LARGE = _("That is more than a sheet of Excel holds. Choose CSV.")

CHUNK = 500
_MOST_KEPT = 2000  # contents, and answers in words, that are kept for the next chunk
_LONGEST_HEADING = 120
_OF_ANSWER = (
    "attempt",
    "question",
    "version",
    "asks",
    "points",
    "given",
    "language",
    "fraction",
    "awarded",
    "answered_at",
    "left_out",
)


def state_of(attempt: Attempt) -> str:
    """Whether it is open or how it ended, in words."""
    if attempt.is_open:
        return pgettext("attempt", "Open")
    return attempt.get_ended_display() or gettext("Time was up")


@dataclass(frozen=True, slots=True)
class Column:
    """A question that was asked: of one that was deleted since each version is a column of its own."""

    question: int | None
    version: int
    heading: str

    @property
    def key(self) -> Any:
        return self.question or ("version", self.version)


class ResultTable:
    """The attempts at a quiz, in the order of their starts; with ``by_question`` also what was answered to each.

    ``done`` is how many rows were handed on by now. What is written is in the language of its making.
    """

    def __init__(self, quiz: Quiz, attempts: AttemptQuerySet, *, by_question: bool) -> None:
        self.quiz, self.attempts, self.by_question = quiz, attempts, by_question
        self.done = 0
        self._language = translation.get_language() or words.current_language()
        self._contents: dict[int, QuestionContent] = {}
        self._told: dict[tuple[int, str], str] = {}

    @cached_property
    def columns(self) -> list[Column]:
        """The questions, in the order of the quiz and then of their age. Four queries."""
        return _columns(self.quiz, self.attempts) if self.by_question else []

    @property
    def heading(self) -> list[Cell]:
        found: list[Cell] = [
            gettext("Learner"),
            gettext("Attempt"),
            gettext("Started"),
            gettext("Finished"),
            gettext("State"),
            gettext("Score"),
            gettext("Maximum"),
            gettext("Percent"),
            gettext("Passed"),
            gettext("Read in"),
            gettext("Counts"),
        ]
        for number, column in enumerate(self.columns, 1):
            points = pgettext("a question", "%(number)d. Points") % {"number": number}
            found += [f"{number}. {column.heading}", points]
        return found

    def chunks(self) -> Iterator[list[list[Cell]]]:
        """The rows. Three queries a chunk at most, by key: no database keeps a result open for it, or hands over all.

        Each chunk is made in the language of the table; between them whoever reads may have another.
        """
        last = 0
        while True:
            rows = list(self.attempts.order_by("pk").filter(pk__gt=last)[:CHUNK])
            if not rows:
                return
            with translation.override(self._language):
                made = self._rows(rows)
            self.done += len(rows)
            yield made
            last = rows[-1].pk

    # As a file --------------------------------------------------------------------------------------------

    def fits(self, format: str, count: int) -> bool:
        """Whether so many attempts can be handed out in a form."""
        return format != "xlsx" or spreadsheets.fits_a_sheet(count, len(self.heading))

    def written(self, format: str) -> Iterator[bytes]:
        """The file in parts, in the language of this moment."""
        if format == "csv":
            return spreadsheets.to_csv(self.heading, self.chunks())
        side = get_language_bidi()
        return spreadsheets.to_xlsx(self.heading, self.chunks(), sheet=str(self.quiz), right_to_left=side)

    def headers(self, format: str) -> dict[str, str]:
        """What is said of the file in the answer that is sent while it is written."""
        return {
            "Content-Type": TYPES[format],
            "Content-Disposition": content_disposition_header(True, f"results-{self.quiz.slug}.{format}")
            or "attachment",
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",  # nginx would keep it back until there is much of it
            "X-Content-Type-Options": "nosniff",
        }

    # The rows ---------------------------------------------------------------------------------------------

    def _rows(self, attempts: Sequence[Attempt]) -> list[list[Cell]]:
        if not self.by_question:
            read = Answer.objects.get_queryset().languages_of(attempts)
            return [_row(attempt, read.get(attempt.pk, [])) for attempt in attempts]
        answers: dict[int, list[Answer]] = {attempt.pk: [] for attempt in attempts}
        given: Any = Answer.objects.filter(attempt__in=list(answers)).only(*_OF_ANSWER)
        for answer in given.order_by("attempt", "position"):
            answers[answer.attempt_id].append(answer)
        self._fetch_contents(answer.version_id for some in answers.values() for answer in some)
        return [self._whole_row(attempt, answers[attempt.pk]) for attempt in attempts]

    def _fetch_contents(self, versions: Iterable[int]) -> None:
        missing = set(versions) - self._contents.keys()
        if len(self._contents) > _MOST_KEPT:
            self._contents.clear()
        found: Any = QuestionVersion.objects.filter(pk__in=missing) if missing else ()
        for version in found:
            self._contents[version.pk] = QuestionContent.from_json(version.content)

    def _whole_row(self, attempt: Attempt, answers: Sequence[Answer]) -> list[Cell]:
        languages = dict.fromkeys(answer.language for answer in answers if answer.language)
        row = _row(attempt, list(languages))
        cells = {_key(answer): self._cells(attempt, answer) for answer in answers if answer.asks}
        for column in self.columns:
            row += cells.get(column.key, (None, None))
        return row

    def _cells(self, attempt: Attempt, answer: Answer) -> tuple[Cell, Cell]:
        """What was answered, in words, and the points; none that are not known yet, or count for nobody."""
        if answer.answered_at is None:
            return None, None if attempt.is_open else Decimal(0)
        unknown = answer.state == "waiting" or answer.left_out
        return self._in_words(answer), None if unknown else answer.mark.normalize()

    def _in_words(self, answer: Answer) -> str:
        """Most learners give the same few answers."""
        key = (answer.version_id, repr(answer.given))
        if key not in self._told:
            if len(self._told) > _MOST_KEPT:
                self._told.clear()
            answer.content = self._contents[answer.version_id]
            self._told[key] = " · ".join(text.plain for text in answer.told)
        return self._told[key]


def _key(answer: Answer) -> Any:
    return answer.question_id or ("version", answer.version_id)


def _row(attempt: Attempt, languages: Iterable[str]) -> list[Cell]:
    return [
        attempt.learner_name,
        attempt.number,
        attempt.started_at,
        attempt.ended_at,
        state_of(attempt),
        attempt.score.normalize(),
        attempt.maximum.normalize(),
        attempt.percent if attempt.maximum else None,
        attempt.passed,
        ", ".join(languages),
        attempt.counts,
    ]


def _columns(quiz: Quiz, attempts: AttemptQuerySet) -> list[Column]:
    asked: Any = Answer.objects.filter(attempt__in=attempts.order_by().values("pk"), asks=True).order_by()
    newest = asked.exclude(question=None).values_list("question").annotate(models.Max("version"))
    deleted = asked.filter(question=None).values_list("version", flat=True).distinct()
    pairs: list[tuple[int | None, int]] = [*newest, *((None, version) for version in deleted)]
    places = dict(QuizQuestion.objects.filter(quiz=quiz).values_list("question", "place"))
    contents: dict[int, Any] = QuestionVersion.objects.in_bulk([version for _question, version in pairs])

    def rank(pair: tuple[int | None, int]) -> tuple[bool, int, int]:
        question, version = pair
        return question not in places, places.get(question or 0, 0), question or version

    return [Column(*pair, _heading(contents[pair[1]].content)) for pair in sorted(pairs, key=rank)]


def _heading(content: Mapping[str, Any]) -> str:
    text = words.pick(content.get("title") or content["prompt"]).plain
    return Truncator(" ".join(text.split())).chars(_LONGEST_HEADING)
