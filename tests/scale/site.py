"""A large site in PostgreSQL, made in minutes: contents by bulk inserts, attempts and answers by two statements.

Learners differ in ability and questions in difficulty, two languages are read, a tenth of the attempts are second
ones; the same numbers come out each time. Indexes and foreign keys of the two large tables are made last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

from mpquiz.models import Attempt, Choice, Guide, Question, QuestionVersion, Quiz, QuizLanguage, QuizQuestion, Tag

ASKED = 8
_AT_ONCE = 2000
_LARGE = ("mpquiz_attempt", "mpquiz_answer")


@dataclass(frozen=True, slots=True)
class Size:
    """``large`` attempts are those of the one large quiz, among all ``attempts``."""

    quizzes: int = 1000
    questions: int = 20_000
    attempts: int = 1_000_000
    large: int = 100_000
    guides: int = 200
    tags: int = 100

    def times(self, share: float) -> "Size":
        """The same site, so much smaller."""
        numbers = (self.quizzes, self.questions, self.attempts, self.large, self.guides, self.tags)
        return Size(*(max(int(number * share), ASKED * 2) for number in numbers))


def build(size: Size) -> None:
    """Fill an empty, migrated database."""
    guides = _guides(size.guides)
    tags = _tags(size.tags)
    questions = _questions(size.questions, guides, tags)
    quizzes = _quizzes(size.quizzes, questions, guides)
    _users(size.large)
    with _bare(), connection.cursor() as cursor:
        _asked(cursor, quizzes)
        _taken(cursor, size, quizzes)
        cursor.execute(_ATTEMPTS)
        cursor.execute(_ANSWERS)
    with connection.cursor() as cursor:
        for table in _LARGE:
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))")
        cursor.execute("VACUUM ANALYZE")


# Contents -----------------------------------------------------------------------------------------------------


def _create(model: Any, rows: Any) -> list[Any]:
    made: list[Any] = model.objects.bulk_create(rows, batch_size=_AT_ONCE)
    return made


def _guides(count: int) -> list[Guide]:
    return _create(
        Guide,
        [
            Guide(slug=f"guide-{n}", title_en=f"Guide {n}", title_ar=f"الدليل {n}", address=f"/guides/{n}/", place=n)
            for n in range(count)
        ],
    )


def _tags(count: int) -> list[Tag]:
    from mpquiz.models.question import tag_key

    return _create(Tag, [Tag(name=f"Topic {n}", key=tag_key(f"Topic {n}")) for n in range(count)])


def _questions(count: int, guides: list[Guide], tags: list[Tag]) -> list[Question]:
    """Every third question has no Arabic, every seventh is half translated."""
    rows = _create(
        Question,
        [
            Question(
                key=f"scale/q{n}",
                prompt_en=f"What is the value of `f({n})` when the argument is read from the left?",
                prompt_ar=None if n % 3 == 0 else f"ما قيمة `f({n})` حين يُقرأ الوسيط من اليسار؟",
                explanation_en=f"It follows from the rule in paragraph {n}.",
                explanation_ar=None if n % 3 == 0 or n % 7 == 0 else f"يتبع ذلك من القاعدة في الفقرة {n}.",
            )
            for n in range(count)
        ],
    )
    _create(
        Choice,
        [
            Choice(
                question=row,
                key=key,
                place=place,
                right=place == 1,
                text_en=f"The choice {key} of {n}",
                text_ar=None if n % 3 == 0 else f"الخيار {key} من {n}",
            )
            for n, row in enumerate(rows)
            for place, key in enumerate("abcd", 1)
        ],
    )
    _create(
        Question.guides.through,
        [Question.guides.through(question=row, guide=guides[n % len(guides)]) for n, row in enumerate(rows)],
    )
    _create(
        Question.tags.through,
        [Question.tags.through(question=row, tag=tags[n % len(tags)]) for n, row in enumerate(rows)],
    )
    for start in range(0, count, _AT_ONCE):
        some = Question.objects.filter(pk__in=[row.pk for row in rows[start : start + _AT_ONCE]])
        QuestionVersion.objects.freeze(
            {row.pk: row.content() for row in some.prefetch_related("choices", "guides", "tags")}
        )
    return rows


def _quizzes(count: int, questions: list[Question], guides: list[Guide]) -> list[Quiz]:
    """The first one is the large one, of eight questions; the others have all that is left, in equal parts."""
    rows = _create(
        Quiz,
        [Quiz(slug=f"quiz-{n}", title_en=f"Quiz {n}", title_ar=f"الاختبار {n}", place=n) for n in range(count)],
    )
    rest = questions[ASKED:]
    each = max(len(rest) // (count - 1), ASKED)
    parts = [questions[:ASKED], *(rest[n * each : (n + 1) * each] or rest[:each] for n in range(count - 1))]
    _create(
        QuizQuestion,
        [
            QuizQuestion(quiz=quiz, question=question, place=place)
            for quiz, part in zip(rows, parts, strict=True)
            for place, question in enumerate(part, 1)
        ],
    )
    _create(QuizLanguage, [QuizLanguage(quiz=quiz, language=one) for quiz in rows for one in ("en", "ar")])
    _create(
        Quiz.guides.through,
        [Quiz.guides.through(quiz=quiz, guide=guides[n % len(guides)]) for n, quiz in enumerate(rows)],
    )
    return rows


def _users(count: int) -> None:
    User = get_user_model()
    _create(User, [User(username=f"learner{n}", password="!") for n in range(count)])


# Attempts and answers ---------------------------------------------------------------------------------------------


def _asked(cursor: Any, quizzes: list[Quiz]) -> None:
    """What each quiz asks at which position: its first eight questions."""
    cursor.execute("""
        CREATE TEMP TABLE asked AS SELECT p.quiz_id, p.place AS position, p.question_id, v.id AS version_id
        FROM mpquiz_quizquestion p JOIN mpquiz_questionversion v ON v.question_id = p.question_id
        WHERE p.place <= 8""")
    cursor.execute("ANALYZE asked")


def _taken(cursor: Any, size: Size, quizzes: list[Quiz]) -> None:
    """Who takes which quiz, when and how well: ``able`` from 0 to 1."""
    cursor.execute(
        f"""
        CREATE TEMP TABLE learners AS
        SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM {get_user_model()._meta.db_table}
        WHERE username LIKE 'learner%%';
        CREATE TEMP TABLE quizzes AS SELECT row_number() OVER (ORDER BY place) - 1 AS n, id, title_en, title_ar
        FROM mpquiz_quiz;
        CREATE TEMP TABLE taken AS
        SELECT i + 1 AS id, q.id AS quiz_id, q.title_en, q.title_ar, l.id AS user_id, t.number,
            CASE WHEN (hashint8(l.id) & 3) = 0 THEN 'en' ELSE 'ar' END AS language,
            (hashint8(l.id * 31) & 1023) / 1023.0 AS able,
            timestamptz '2026-01-01 08:00+00' + (hashint8(i) & 1048575) * interval '25 seconds' AS started_at
        FROM (
            SELECT i, 0 AS quiz, i AS learner, 1 AS number FROM generate_series(0, %(large)s - 1) i
            UNION ALL
            SELECT i, 1 + (i - %(large)s) %% %(others)s, ((i - %(large)s) / %(others)s) %% %(each)s,
                1 + ((i - %(large)s) / %(others)s) / %(each)s FROM generate_series(%(large)s, %(all)s - 1) i
        ) t JOIN quizzes q ON q.n = t.quiz JOIN learners l ON l.n = t.learner
        """,
        {
            "large": size.large,
            "all": size.attempts,
            "others": len(quizzes) - 1,
            "each": max((size.attempts - size.large) * 9 // 10 // (len(quizzes) - 1), 1),
        },
    )
    cursor.execute("ANALYZE taken")


_RIGHT = "(hashint8(t.id * 16 + p) & 1023) < 1023 * (0.15 + 0.55 * t.able + 0.03 * p)"

_ATTEMPTS = f"""
    INSERT INTO mpquiz_attempt (id, public_id, user_id, guest, quiz_id, number, open, title, rules, maximum, score,
        deadline, started_at, finished_at, ended, trial, retry_of_id, waiting, reached, revision)
    SELECT t.id, gen_random_uuid(), t.user_id, NULL, t.quiz_id, t.number, NULL,
        jsonb_build_object('en', t.title_en, 'ar', t.title_ar), '{{}}', {ASKED},
        (SELECT COUNT(*) FROM generate_series(1, {ASKED}) p WHERE {_RIGHT}),
        NULL, t.started_at, t.started_at + (60 + (hashint8(t.id) & 511)) * interval '1 second', 'finished', FALSE,
        NULL, 0, 1, {ASKED}
    FROM taken t"""

_ANSWERS = f"""
    INSERT INTO mpquiz_answer (attempt_id, position, points, version_id, question_id, "order", asks, given, tally,
        counted_in_id, flagged, left_out, language, fraction, marked_with_id, answered_at, marked_at, comment,
        revision)
    SELECT t.id, a.position, 1, a.version_id, a.question_id, '["a", "b", "c", "d"]', TRUE, to_jsonb(g.given), g.given,
        CASE WHEN t.number = 1 THEN t.quiz_id END, FALSE, FALSE, t.language,
        CASE WHEN g.given = 'a' THEN 1 ELSE 0 END, a.version_id, m.at, m.at, '', 1
    FROM taken t JOIN asked a ON a.quiz_id = t.quiz_id
    CROSS JOIN LATERAL (SELECT a.position AS p) b
    CROSS JOIN LATERAL (SELECT CASE WHEN {_RIGHT} THEN 'a'
        ELSE substr('bcd', 1 + (hashint8(t.id * 16 + p + 8) & 1023) % 3, 1) END AS given) g
    CROSS JOIN LATERAL (SELECT t.started_at + p * interval '7 seconds' AS at) m
    ORDER BY t.started_at, a.position"""


@contextmanager
def _bare() -> Iterator[None]:
    """The two large tables without indexes and foreign keys; with them again at the end."""
    with connection.cursor() as cursor:
        keys = _definitions(cursor, _FOREIGN_KEYS)
        others = _definitions(cursor, _CONSTRAINTS)
        for table, name, _definition in (*keys, *others):
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        indexes = _definitions(cursor, _INDEXES)
        for _table, name, _definition in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for _table, _name, definition in indexes:
            cursor.execute(definition)
        for table, name, definition in (*others, *keys):
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')


def _definitions(cursor: Any, sql: str) -> list[tuple[str, str, str]]:
    cursor.execute(sql, {"tables": list(_LARGE)})
    found: list[tuple[str, str, str]] = cursor.fetchall()
    return found


_OF_KIND = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype IN ({kinds}) AND conrelid::regclass::text = ANY(%(tables)s) AND NOT EXISTS (
        SELECT 1 FROM pg_constraint o WHERE o.contype = 'f' AND o.conindid = pg_constraint.conindid
        AND o.oid <> pg_constraint.oid)"""
_FOREIGN_KEYS = _OF_KIND.format(kinds="'f'").split(" AND NOT EXISTS")[0]
_CONSTRAINTS = _OF_KIND.format(kinds="'u'")
_INDEXES = """
    SELECT tablename, indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%(tables)s)
    AND indexname NOT IN (SELECT conname FROM pg_constraint)"""


def large_quiz() -> Quiz:
    """The quiz that a tenth of the attempts are of."""
    return Quiz.objects.get(slug="quiz-0")


def some_attempt() -> Attempt:
    return Attempt.objects.filter(quiz=large_quiz()).order_by("pk")[500]
