"""How many queries a page takes, for 8 and for 100 questions, with database sessions and a signed-in user."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from mpquiz.models import Attempt
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_user
from tests.views.conftest import hidden

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
IN_PLACE = {"HX-Request": "true"}


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def amal(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(params=["8 questions", "100 questions", "100 with pages and essays among them"])
def quiz(request):
    guides = [make_guide(f"guide-{n}") for n in range(3)]
    count, *others = request.param.split(maxsplit=1)
    makers = {3: make_page, 5: make_essay} if others[0].startswith("with") else {}
    questions = [_made(makers.get(n % 6), f"Question {n}?", guides) for n in range(1, int(count) + 1)]
    return make_quiz(*questions, guides=guides)


def _made(maker, prompt, guides):
    if maker is None:
        return make_question(prompt=prompt, guides=guides)
    question = maker(prompt)
    question.guides.set(guides)
    return question


@pytest.fixture
def attempt(quiz, user):
    """An open attempt after several others."""
    for number in range(1, 5):
        Attempt.objects.start(quiz, learner(user), number=number).finish()
    return Attempt.objects.start(quiz, learner(user))


def count(ask):
    """The statements of a request; bulk_create's batches count as one."""
    with CaptureQueriesContext(connection) as captured:
        response = ask()
    assert response.status_code < 400, response.content
    found = [query["sql"] for query in captured if not query["sql"].startswith(_FRAME)]
    batches = sum(sql.startswith('INSERT INTO "mpquiz_answer"') or "INTO `mpquiz_answer`" in sql for sql in found)
    return len(found) - max(batches - 1, 0), found


_FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def assert_at_most(limit, ask):
    number, statements = count(ask)
    assert number <= limit, "\n".join(statements)


def test_the_list(amal, attempt):
    for number in range(20):
        make_quiz(slug=f"more-{number}", count=1, guides=attempt.quiz.guides.all())
    assert_at_most(7, lambda: amal.get("/en/quizzes/"))


def test_the_quiz_page(amal, quiz):
    assert_at_most(8, lambda: amal.get(PAGE))


def test_the_quiz_page_with_an_open_attempt(amal, attempt):
    attempt.answer(1, 1)
    assert_at_most(8, lambda: amal.get(PAGE))


def test_a_question(amal, attempt):
    assert_at_most(5, lambda: amal.get(address(attempt, 4)))


def test_a_feedback(amal, attempt):
    attempt.answer(4, 1)
    assert_at_most(6, lambda: amal.get(address(attempt, 4)))


def test_an_answer(amal, attempt):
    assert_at_most(7, lambda: amal.post(address(attempt, 4), {"given": "1"}))


def test_an_answer_with_its_fragment(amal, attempt):
    assert_at_most(9, lambda: amal.post(address(attempt, 4), {"given": "1"}, headers=IN_PLACE))


def test_a_start_with_the_first_answer(amal, attempt):
    attempt.finish()
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    assert_at_most(14, lambda: amal.post(f"{PAGE}start/", form))
    assert Attempt.objects.count() == 6


def test_a_start_when_versions_are_new(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    assert_at_most(16, lambda: amal.post(f"{PAGE}start/", form))


def test_a_result(amal, attempt):
    attempt.answer(1, 1)
    attempt.answer(2, 2)
    attempt.finish()
    assert_at_most(7, lambda: amal.get(f"/en/quizzes/attempts/{attempt.public_id}/"))


def test_a_result_of_which_answers_wait(amal, user):
    quiz = make_quiz(*[maker() for maker in (make_page, make_essay, make_question) for _time in range(10)])
    attempt = Attempt.objects.start(quiz, learner(user))
    for position in range(11, 21):
        attempt.answer(position, "Because.")
    attempt.finish()
    assert_at_most(7, lambda: amal.get(f"/en/quizzes/attempts/{attempt.public_id}/"))


def test_a_page_to_read(amal, user):
    quiz = make_quiz(*[maker() for maker in (make_page, make_essay, make_question) for _time in range(10)])
    attempt = Attempt.objects.start(quiz, learner(user))
    assert_at_most(5, lambda: amal.get(address(attempt, 4)))
    assert_at_most(8, lambda: amal.get(PAGE))


def test_my_quizzes(amal, attempt):
    assert_at_most(5, lambda: amal.get("/en/quizzes/mine/"))


def address(attempt, position):
    return f"/en/quizzes/attempts/{attempt.public_id}/{position}/"
