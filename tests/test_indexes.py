"""What a large site counts stands in indexes, whole: PostgreSQL says by which it reads where it may not read all."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz import statistics
from mpquiz.models import Answer, Attempt, Question, Quiz, WaitingAnswer
from tests.factories import learner, make_quiz, make_user

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="other databases have no such indexes"),
]


@pytest.fixture
def quiz():
    quiz = make_quiz()
    for number in range(20):
        Attempt.objects.start(quiz, learner(make_user(f"learner-{number}"))).finish()
    return quiz


def plan(sql):
    """How a statement is carried out where neither whole tables nor their pages in order may be read.

    The planner knows what is there, and reckons with pages that were vacuumed, as they are on a large site: what
    other tests left in the files of the tables and of their indexes would tip the balance.
    """
    tables = ("mpquiz_attempt", "mpquiz_answer", "mpquiz_question")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"REINDEX TABLE {table}")
        cursor.execute(f"ANALYZE {', '.join(tables)}")
        cursor.execute("UPDATE pg_class SET relallvisible = relpages WHERE relname = ANY(%s)", [list(tables)])
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {sql}")
        return "\n".join(line for (line,) in cursor.fetchall())


def statement(asked, *parts):
    """The one statement, of those asked, that has these parts."""
    (found,) = [one["sql"] for one in asked.captured_queries if all(part in one["sql"] for part in parts)]
    return found


def test_the_answers_that_count_are_summed_up_over_an_index(quiz):
    with CaptureQueriesContext(connection) as asked:
        statistics.of(quiz)
    assert "Index Only Scan using mpquiz_counted" in plan(statement(asked, 'FROM "mpquiz_answer"', "fraction"))


def test_choices_are_counted_over_an_index(quiz):
    counts = Answer.objects.filter(counted_in=quiz).order_by().values_list("question", "tally", "language")
    # Either has all of it; where both are small, their sizes by chance say which is read.
    assert re.search("Index Only Scan using mpquiz_(tally|counted)", plan(counts.distinct().query))


def test_attempts_of_a_language_are_found_over_an_index(quiz):
    with CaptureQueriesContext(connection) as asked:
        assert not Attempt.objects.filter(quiz=quiz).read_in("en").count()
    assert "Index Only Scan using mpquiz_read_in" in plan(statement(asked, "EXISTS"))


@pytest.mark.parametrize(
    ("model", "index"), [(Question, "mpquiz_answer_question_id"), (Quiz, "mpquiz_attempt_quiz_id")]
)
def test_a_list_counts_attempts_and_answers_over_an_index(quiz, rf, model, index):
    request = rf.get("/")
    request.user = get_user_model().objects.create_superuser("boss")
    rows = admin.site.get_model_admin(model).get_queryset(request)
    assert f"Index Only Scan using {index}" in plan(rows.query)


def test_what_was_marked_by_hand_is_found_by_an_index_of_it(quiz):
    rows = WaitingAnswer.objects.all().marked_by_hand()
    assert "using mpquiz_by_hand" in plan(rows.values("pk").query)
