"""What must never be true of attempts and answers, in SQL that PostgreSQL, MariaDB and SQLite have.

Each statement's first column is the id of the attempt or of the answer. ``{nearly}`` is what two sums may differ by.
What unique constraints keep is not asked.
"""

from typing import Any

_MOST = 20  # rows of each that are told
_NEARLY = 0.000001  # SQLite reckons decimals in binary

PROMISES = {
    "an attempt without its questions": """
        SELECT a.id FROM mpquiz_attempt a LEFT JOIN mpquiz_answer b ON b.attempt_id = a.id WHERE b.id IS NULL""",
    "an attempt of a user and of a guest": """
        SELECT id FROM mpquiz_attempt WHERE user_id IS NOT NULL AND guest IS NOT NULL""",
    "a score that is not the sum of its answers": """
        SELECT a.id, a.score FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id
        GROUP BY a.id, a.score HAVING ABS(a.score - COALESCE(SUM(
            CASE WHEN b.left_out THEN 0 ELSE COALESCE(b.awarded, b.points * b.fraction) END), 0)) > {nearly}""",
    "a maximum that is not the sum of the points": """
        SELECT a.id, a.maximum FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id
        GROUP BY a.id, a.maximum
        HAVING ABS(a.maximum - SUM(CASE WHEN b.left_out THEN 0 ELSE b.points END)) > {nearly}""",
    "an attempt that miscounts what waits to be marked": """
        SELECT a.id FROM mpquiz_attempt a JOIN mpquiz_answer b ON b.attempt_id = a.id
        GROUP BY a.id, a.waiting, a.ended HAVING a.waiting <> SUM(
            CASE WHEN a.ended = 'abandoned' THEN 0 WHEN b.answered_at IS NULL AND b.draft IS NOT NULL THEN 1
            WHEN b.answered_at IS NOT NULL AND b.fraction IS NULL AND b.awarded IS NULL AND NOT b.left_out
            THEN 1 ELSE 0 END)""",
    "a score below zero or above the maximum": """
        SELECT id, score, maximum FROM mpquiz_attempt WHERE score < 0 OR score > maximum + {nearly}""",
    "a fraction that is none": """
        SELECT id, fraction FROM mpquiz_answer WHERE fraction < 0 OR fraction > 1""",
    "an answer to another question than its version's": """
        SELECT b.id FROM mpquiz_answer b JOIN mpquiz_questionversion v ON v.id = b.version_id
        WHERE b.question_id <> v.question_id""",
    "a given value without its time": """
        SELECT id FROM mpquiz_answer WHERE (given IS NULL) <> (answered_at IS NULL)""",
    "a finished attempt without its time or end, or an open one with them": """
        SELECT id FROM mpquiz_attempt
        WHERE (open IS NULL) <> (finished_at IS NOT NULL) OR (open IS NULL) <> (ended <> '')""",
    "an attempt that ended before it began": """
        SELECT id, started_at, finished_at FROM mpquiz_attempt WHERE finished_at < started_at""",
}


def nearly(vendor: str) -> str:
    """What two sums of a database may differ by."""
    return str(_NEARLY) if vendor == "sqlite" else "0"


def broken(connection: Any) -> dict[str, list[int]]:
    """{what must never be: the first ids for which it is}. One query for each promise."""
    found = {what: _ids(connection, sql) for what, sql in PROMISES.items()}
    return {what: ids for what, ids in found.items() if ids}


def _ids(connection: Any, sql: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql.format(nearly=nearly(connection.vendor)))
        return [row[0] for row in cursor.fetchmany(_MOST)]
