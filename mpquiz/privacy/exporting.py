"""What is stored about a person, told to them: plain values that JSON holds, in the words that they read.

Of an attempt no more is told than its learner may see at this moment, as ``sight`` says; never a right answer or an
explanation, which are the editor's. While an attempt is open, only the questions that were answered are told.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, Protocol

from django.db.models import F, Q
from django.utils import timezone, translation

from ..content import Json
from ..kinds import ChoiceKind
from ..learners import Learner
from ..models import Answer, Attempt, Remark
from ..words import Text, languages, pick
from .holdings import rows_of

SHAPE = 1
"""The version of the shape that is told below; another one where a name changes its meaning or goes."""
_BATCH = 100  # attempts read at a time, in three queries


class Writable(Protocol):
    def write(self, text: str, /) -> Any: ...


def export(learner: Learner) -> Json:
    """All of it at once; ``write`` is for a person of whom there is much. Raises ValueError where it is nobody."""
    return _head(learner) | {name: list(rows) for name, rows in _holdings(learner)}


def write(learner: Learner, stream: Writable) -> None:
    """Write the same as JSON, row by row, so that it needs no more memory for many attempts. Raises ValueError."""
    holdings = _holdings(learner)
    stream.write("{\n" + ",\n".join(f"{_json(name)}: {_json(value)}" for name, value in _head(learner).items()))
    for name, rows in holdings:
        stream.write(f",\n{_json(name)}: [")
        for number, row in enumerate(rows):
            stream.write(",\n" if number else "\n")
            stream.write(_json(row))
        stream.write("]")
    stream.write("\n}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _head(learner: Learner) -> Json:
    if learner.user is None:
        who = {"guest": learner.guest}
    else:
        who = {"user": learner.user.get_username(), "id": str(learner.user.pk)}
    return {"mpquiz": SHAPE, "exported_at": _moment(timezone.now()), "learner": who}


def _holdings(learner: Learner) -> list[tuple[str, Iterable[Json]]]:
    rows = rows_of(learner)
    return [(name, _TOLD[name](found)) for name, found in rows.items()]


# Attempts ---------------------------------------------------------------------------------------------------


def _attempts(rows: Any) -> Iterator[Json]:
    last = 0
    while some := list(rows.fetched().filter(pk__gt=last).order_by("pk")[:_BATCH]):
        answers, remarks = _by_attempt(_answers_of(some)), _by_attempt(_remarks_of(some))
        public_ids = dict(
            Attempt.objects.filter(pk__in={one.retry_of_id for one in some}).values_list("pk", "public_id")
        )
        for attempt in some:
            attempt.tell_quiz()
            yield _attempt(attempt, answers[attempt.pk], remarks[attempt.pk], public_ids.get(attempt.retry_of_id))
        last = some[-1].pk


def _answers_of(attempts: Iterable[Attempt]) -> Any:
    rows = Answer.objects.filter(attempt__in=attempts).select_related("version").annotate(of_attempt=F("attempt"))
    return rows.order_by("attempt", "position")


def _remarks_of(attempts: Iterable[Attempt]) -> Any:
    unchanged = Q(old_score=F("new_score"), old_maximum=F("new_maximum"))
    rows = Remark.objects.filter(answer__attempt__in=attempts).exclude(unchanged).select_related("remarking")
    return rows.annotate(of_attempt=F("answer__attempt")).order_by("pk")


def _by_attempt(rows: Iterable[Any]) -> Mapping[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.of_attempt].append(row)
    return found


def _attempt(attempt: Attempt, answers: list[Answer], remarks: list[Remark], retry_of: Any) -> Json:
    for answer in answers:
        answer.attempt = attempt
    attempt.as_ended(answers)
    shown = attempt.sight.score
    return {
        "id": str(attempt.public_id),
        "quiz": {"slug": attempt.quiz.slug, "title": _words(attempt.title_text)},
        "number": attempt.number,
        "trial": attempt.trial,
        "practice_of": None if retry_of is None else str(retry_of),
        "started_at": _moment(attempt.started_at),
        "deadline": _moment(attempt.deadline),
        "ended_at": _moment(attempt.ended_at),
        "ended": "" if attempt.is_open else attempt.ended or "time_up",
        "score": _number(attempt.score if shown else None),
        "maximum": _number(attempt.maximum),
        "passed": attempt.passed if shown else None,
        "waiting": attempt.waiting,
        "corrections": [_correction(one) for one in remarks] if shown else [],
        "answers": [_answer(one) for one in answers if _is_told(one, attempt)],
    }


def _is_told(answer: Answer, attempt: Attempt) -> bool:
    """Whether its learner has met the question: while an attempt is open, more questions may be ahead of them."""
    return answer.asks and (not attempt.is_open or answer.answered_at is not None or answer.draft is not None)


def _answer(answer: Answer) -> Json:
    """Its words as they were read: in the language of the answer, the quiz's first one where there is none."""
    with translation.override(answer.language or languages()[0]):
        sight = answer.sight
        marked = sight.score and (sight.right_or_wrong or answer.awarded is not None)
        known = marked and answer.state not in ("open", "waiting")
        return {
            "position": answer.position,
            "language": answer.language,
            "kind": answer.content.kind,
            "question": _words(pick(answer.content.prompt)),
            "choices": _choices(answer),
            "given": [_words(text) for text in answer.told],
            "draft": answer.draft,
            "flagged": answer.flagged,
            "answered_at": _moment(answer.answered_at),
            "state": answer.seen_state,
            "points": _number(answer.mark if known else None),
            "of_points": _number(answer.points),
            "marked_at": _moment(answer.marked_at if known else None),
            "comment": answer.comment if sight.score else "",
        }


def _choices(answer: Answer) -> list[Json]:
    """The choices in the order in which they were shown, where the question has a list of them."""
    kind = answer.kind
    if not isinstance(kind, ChoiceKind):
        return []
    return [_words(choice.text) for choice in kind.asked(answer.content, answer.order)]


def _correction(remark: Remark) -> Json:
    return {
        "at": _moment(remark.remarking.at),
        "reason": remark.remarking.reason,
        "old_score": _number(remark.old_score),
        "old_maximum": _number(remark.old_maximum),
        "new_score": _number(remark.new_score),
        "new_maximum": _number(remark.new_maximum),
        "taken_back_at": _moment(remark.remarking.undone_at if remark.put_back else None),
    }


# What else --------------------------------------------------------------------------------------------------


def _plain(columns: Mapping[str, str], rows: Any) -> Iterator[Json]:
    """Rows as they stand: {name in the export: column}. One query."""
    for values in rows.order_by("pk").values_list(*columns.values()).iterator():
        yield {name: _value(value) for name, value in zip(columns, values, strict=True)}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return _moment(value)
    return _number(value) if isinstance(value, Decimal) else value


_TOLD: Mapping[str, Callable[[Any], Iterable[Json]]] = {
    "attempts": _attempts,
    "reports": partial(
        _plain,
        {
            "quiz": "quiz__slug",
            "position": "answer__position",
            "language": "language",
            "note": "note",
            "created_at": "created_at",
            "settled_at": "settled_at",
        },
    ),
    "accommodations": partial(
        _plain,
        {
            "quiz": "quiz__slug",
            "time_factor": "time_factor",
            "no_time_limit": "no_time_limit",
            "extra_attempts": "extra_attempts",
            "opens_at": "opens_at",
            "closes_at": "closes_at",
            "note": "note",
            "created_at": "created_at",
            "updated_at": "updated_at",
        },
    ),
    "imports": partial(
        _plain,
        {"name": "name", "format": "format", "created_at": "created_at", "confirmed_at": "confirmed_at"},
    ),
    # Whose answers and reports they were is nobody's business here.
    "marked": partial(_plain, {"quiz": "attempt__quiz__slug", "marked_at": "marked_at"}),
    "remarkings": partial(
        _plain,
        {"quiz": "quiz__slug", "question": "question__key", "rule": "policy", "reason": "reason", "at": "at"},
    ),
    "remarkings_undone": partial(
        _plain, {"quiz": "quiz__slug", "question": "question__key", "undone_at": "undone_at"}
    ),
    "revisions": partial(_plain, {"question": "question__key", "source": "source", "at": "at"}),
    "reports_settled": partial(_plain, {"quiz": "quiz__slug", "settled_at": "settled_at"}),
}


def _words(text: Text) -> Json:
    return {"text": text.plain, "language": text.language}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else timezone.localtime(moment).isoformat()


def _number(number: Decimal | None) -> str | None:
    """Exactly, without zeros at its end."""
    return None if number is None else f"{number.normalize():f}"
