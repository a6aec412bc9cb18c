"""Publishing from the list: quizzes that ask nothing stay drafts, and asking takes no query per quiz."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz.editing.asking import asking
from mpquiz.models import Quiz
from tests.factories import make_page, make_pool, make_question, make_quiz, make_tag

pytestmark = pytest.mark.django_db


def test_a_quiz_asks_something_by_its_own_questions_or_by_its_pools():
    own = make_quiz(make_question(), slug="own")
    pages = make_quiz(make_page(), slug="pages")
    broken = make_quiz(make_question("Wrong", "Worse"), slug="broken")
    drawn = make_quiz(make_page(), slug="drawn")
    make_pool(drawn, make_tag("Sound", make_question()))
    vain = make_quiz(make_page(), slug="vain")
    make_pool(vain, make_tag("Unsound", make_question("Wrong", "Worse")))
    assert asking([own, pages, broken, drawn, vain]) == {own.pk, drawn.pk}


def test_many_quizzes_are_asked_in_as_many_queries_as_few():
    def count(number):
        for _one in range(number - Quiz.objects.count()):
            slug = f"quiz-{Quiz.objects.count()}"
            quiz = make_quiz(make_page(), slug=slug)
            make_pool(quiz, make_tag(slug, make_question()))
        with CaptureQueriesContext(connection) as queries:
            assert len(asking(Quiz.objects.all())) == number
        return len(queries)

    assert count(3) == count(12)
