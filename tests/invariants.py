"""What must hold of all attempts and answers at every moment, read in SQL: on PostgreSQL, MariaDB and SQLite.

Races, load and faults end with it. The numbers I1 to I7 are those of the plan of faults; I8, that whatever a learner
saw acknowledged is there, needs what the learner saw: ``tests.load.ledger``.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model

from mpquiz.conf import conf
from mpquiz.doctor.promises import PROMISES, nearly
from mpquiz.models import Answer

MOST = 20  # rows of each violation that are told

NEVER = {
    **PROMISES,
    # I1
    "two answers at one position": """
        SELECT attempt_id, position FROM mpquiz_answer GROUP BY attempt_id, position HAVING COUNT(*) > 1""",
    "a question asked twice in an attempt": """
        SELECT attempt_id, question_id FROM mpquiz_answer WHERE question_id IS NOT NULL
        GROUP BY attempt_id, question_id HAVING COUNT(*) > 1""",
    "positions that do not count from 1": """
        SELECT attempt_id FROM mpquiz_answer GROUP BY attempt_id
        HAVING MIN(position) <> 1 OR MAX(position) <> COUNT(*)""",
    # I2
    "two open attempts of a learner": """
        SELECT quiz_id, user_id, guest FROM mpquiz_attempt
        WHERE open AND (user_id IS NOT NULL OR guest IS NOT NULL) GROUP BY quiz_id, user_id, guest
        HAVING COUNT(*) > 1""",
    "two attempts of one number": """
        SELECT quiz_id, user_id, guest, number FROM mpquiz_attempt
        WHERE user_id IS NOT NULL OR guest IS NOT NULL GROUP BY quiz_id, user_id, guest, number
        HAVING COUNT(*) > 1""",
    # I3
    "more attempts than are allowed": """
        SELECT a.quiz_id, a.user_id, a.guest, COUNT(*) FROM mpquiz_attempt a JOIN mpquiz_quiz q ON q.id = a.quiz_id
        WHERE q.attempts_allowed IS NOT NULL AND NOT a.trial AND a.retry_of_id IS NULL
        AND (a.user_id IS NOT NULL OR a.guest IS NOT NULL)
        GROUP BY a.quiz_id, a.user_id, a.guest, q.attempts_allowed
        HAVING COUNT(*) > q.attempts_allowed + COALESCE((
            SELECT MAX(g.extra_attempts) FROM mpquiz_accommodation g WHERE g.quiz_id = a.quiz_id
            AND (g.user_id = a.user_id
                 OR g.group_id IN (SELECT m.group_id FROM {members} m WHERE m.user_id = a.user_id))), 0)""",
    # Of learners who were erased
    "an attempt of nobody that is open, or waits to be marked": """
        SELECT id FROM mpquiz_attempt WHERE user_id IS NULL AND guest IS NULL AND (open OR waiting > 0)""",
    "words in an attempt of nobody": """
        SELECT b.id FROM mpquiz_answer b JOIN mpquiz_attempt a ON a.id = b.attempt_id
        WHERE a.user_id IS NULL AND a.guest IS NULL AND (b.comment <> '' OR b.draft IS NOT NULL)""",
    "words in a report of an attempt of nobody": """
        SELECT r.id FROM mpquiz_report r JOIN mpquiz_answer b ON b.id = r.answer_id
        JOIN mpquiz_attempt a ON a.id = b.attempt_id
        WHERE a.user_id IS NULL AND a.guest IS NULL AND (r.note <> '' OR r.user_id IS NOT NULL)""",
    # I4
    "an answer counted in another quiz than its own, or of what does not count": """
        SELECT b.id FROM mpquiz_answer b JOIN mpquiz_attempt a ON a.id = b.attempt_id
        WHERE b.counted_in_id IS NOT NULL AND (b.counted_in_id <> a.quiz_id OR a.trial OR a.open
        OR a.ended = 'abandoned' OR a.retry_of_id IS NOT NULL OR NOT b.asks)""",
    "two attempts of one learner counted as the first": """
        SELECT a.quiz_id, a.user_id, a.guest FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id
        WHERE b.counted_in_id IS NOT NULL AND (a.user_id IS NOT NULL OR a.guest IS NOT NULL)
        GROUP BY a.quiz_id, a.user_id, a.guest HAVING COUNT(DISTINCT a.id) > 1""",
    "a finished attempt of a learner of which no first one is counted": """
        SELECT a.id FROM mpquiz_attempt a WHERE a.open IS NULL AND NOT a.trial AND a.ended <> 'abandoned'
        AND a.retry_of_id IS NULL AND a.user_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM mpquiz_attempt o JOIN mpquiz_answer b ON b.attempt_id = o.id
            WHERE o.user_id = a.user_id AND o.quiz_id = a.quiz_id AND b.counted_in_id = a.quiz_id)""",
    # I5
    "an answer to a page": """
        SELECT id FROM mpquiz_answer WHERE NOT asks AND (answered_at IS NOT NULL OR points <> 0)""",
    "a draft beside the answer that was given": """
        SELECT id FROM mpquiz_answer WHERE draft IS NOT NULL AND answered_at IS NOT NULL""",
    # I6
    "an answer after the deadline and its grace": """
        SELECT b.id, b.answered_at, a.deadline FROM mpquiz_answer b JOIN mpquiz_attempt a ON a.id = b.attempt_id
        WHERE b.answered_at > {late}""",
    "an answer before the start": """
        SELECT b.id FROM mpquiz_answer b JOIN mpquiz_attempt a ON a.id = b.attempt_id
        WHERE b.answered_at < a.started_at""",
    # I7
    "an attempt that ended otherwise than at its deadline, its time being up": """
        SELECT id, deadline, finished_at FROM mpquiz_attempt
        WHERE ended = 'time_up' AND (deadline IS NULL OR finished_at <> deadline AND finished_at <> started_at)""",
    "an attempt without the pass mark of its start": """
        SELECT id FROM mpquiz_attempt WHERE CAST(rules AS {text}) NOT LIKE '%"pass_mark":%'""",
    "an attempt wholly answered and still open, whose answers stand": """
        SELECT a.id FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id
        WHERE a.open AND b.asks AND CAST(a.rules AS {text}) LIKE '%"feedback": "at_once"%'
        AND CAST(a.rules AS {text}) NOT LIKE '%"layout": "all"%'
        GROUP BY a.id HAVING COUNT(*) = COUNT(b.answered_at)""",
}

_DIALECTS: Mapping[str, Mapping[str, str]] = {
    "postgresql": {"text": "text", "late": "a.deadline + {grace} * interval '1 second'"},
    "mysql": {"text": "char", "late": "a.deadline + INTERVAL {microseconds} MICROSECOND"},
    # Milliseconds are all that SQLite's functions know: one more, lest an answer in time seems late.
    "sqlite": {
        "text": "text",
        "late": "strftime('%Y-%m-%d %H:%M:%f', a.deadline, '+{later} seconds')",
    },
}

_OF_CHOICES = ("single", "multiple", "true_false", "ordering")
"""The kinds whose answers are keys of their choices, in the order of an attempt."""


def violations(connection: Any) -> dict[str, list[Any]]:
    """{what must never be: the first rows for which it is}; empty where all promises were kept."""
    found = {what: _rows(connection, sql) for what, sql in NEVER.items()}
    found["a choice that is not one of those shown"] = _strangers(connection)
    found["a typed answer of nobody"] = _typed_by_nobody()
    return {what: rows for what, rows in found.items() if rows}


def check(connection: Any) -> None:
    """Raise AssertionError where a promise was broken."""
    found = violations(connection)
    assert not found, found


def _rows(connection: Any, sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_spoken(connection.vendor, sql))
        return cursor.fetchmany(MOST)


def _spoken(vendor: str, sql: str) -> str:
    """A statement in the dialect of a database."""
    grace = conf.GRACE
    dialect = _DIALECTS[vendor]
    late = dialect["late"].format(grace=grace, microseconds=round(grace * 1_000_000), later=grace + 0.001)
    members = get_user_model().groups.through._meta.db_table
    return sql.format(**{**dialect, "late": late, "members": members, "nearly": nearly(vendor)})


def _strangers(connection: Any) -> list[Any]:
    """I5, of what stands in JSON: the answers of which the order or the given names no choice that was asked."""
    quoted = connection.ops.quote_name("order")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT b.id, b.{quoted}, b.given, v.content FROM mpquiz_answer b "
            "JOIN mpquiz_questionversion v ON v.id = b.version_id"
        )
        return [row[0] for row in cursor if _is_strange(*map(_read, row[1:]))][:MOST]


def _typed_by_nobody() -> list[Any]:
    """The answers in attempts of nobody that hold what only their learner can have typed."""
    answers: Any = Answer.objects.filter(attempt__user=None, attempt__guest=None, answered_at__isnull=False)
    rows = answers.select_related("version", "marked_with")
    return [answer.pk for answer in rows if not answer.is_impersonal or (answer.is_erased and answer.tally)][:MOST]


def _read(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str | bytes) else value


def _is_strange(order: list[str], given: Any, content: dict[str, Any]) -> bool:
    if content["kind"] not in _OF_CHOICES:
        return False
    keys = {choice["key"] for choice in content["choices"]}
    chosen = [] if given is None else [given] if isinstance(given, str) else given
    return set(order) != keys or len(set(order)) != len(order) or not set(chosen) <= keys
