"""How many queries a page takes, for 8 and for 100 questions, with database sessions and a signed-in user."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mpquiz import remarking
from mpquiz.models import Accommodation, Answer, Attempt, Question, Quiz
from tests.factories import (
    learner,
    make_essay,
    make_guide,
    make_page,
    make_pool,
    make_question,
    make_quiz,
    make_tag,
    make_user,
)
from tests.views.conftest import hidden

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
IN_PLACE = {"HX-Request": "true"}
EARLIER, LATER = (timezone.now() + timedelta(hours=hours) for hours in (-48, 48))


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
    assert_at_most(6, lambda: amal.post(address(attempt, 4), {"given": "1"}))


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


# Exams --------------------------------------------------------------------------------------------------------

RULES = {
    "at end": {"feedback": "at_end"},
    "at end, one way": {"feedback": "at_end", "one_way": True},
    "at once, one way": {"one_way": True},
    "timed": {"time_limit": 30, "opens_at": EARLIER, "closes_at": LATER},
    "limited": {"attempts_allowed": 9, "wait": 1, "pass_mark": 50, "counting": "average"},
    "password": {"password": "secret"},
    "groups": {"access": "groups"},
    "drawn": {"shuffle_questions": True, "shuffle_choices": True},
    "all of it": {
        "feedback": "at_end",
        "time_limit": 30,
        "closes_at": LATER,
        "attempts_allowed": 9,
        "access": "groups",
        "password": "secret",
        "shuffle_questions": True,
        "show_score": "close",
        "pass_mark": 50,
    },
}


def make_exam(count, user, **rules):
    """An exam of so many questions, a fifth of them from two pools, with grants for the user and for groups."""
    guides = [make_guide(f"guide-{n}") for n in range(3)]
    questions = [make_question(prompt=f"Question {n}?", guides=guides) for n in range(1, count + 1)]
    pooled = count // 4 * 2 if rules.get("shuffle_questions") else 0
    quiz = make_quiz(*questions[pooled:], guides=guides, **rules)
    for number in range(2 if pooled else 0):
        tag = make_tag(f"Tag {number}", *questions[number * pooled // 2 : (number + 1) * pooled // 2])
        make_pool(quiz, tag, count=pooled // 4 or 1)
    for number in range(3):
        group = Group.objects.create(name=f"Group {number}")
        user.groups.add(group)
        quiz.groups.add(group)
        Accommodation.objects.create(quiz=quiz, group=group, time_factor=1 + number, extra_attempts=number)
    Accommodation.objects.create(quiz=quiz, user=user, time_factor=2)
    return quiz


@pytest.fixture(params=[8, 100])
def size(request):
    return request.param


EXAMS = [(rules, 8) for rules in RULES] + [(rules, 100) for rules in ("drawn", "all of it")]


@pytest.fixture(params=EXAMS, ids=lambda one: f"{one[0]}-{one[1]}")
def exam(request, user):
    """Taken several times by its learner, and by others, a while ago."""
    rules, size = request.param
    quiz = make_exam(size, user, **RULES[rules])
    for name in ("others", user.username):
        owner = learner(user if name == user.username else make_user(name))
        owner.user.groups.set(Group.objects.all())
        for _time in range(3):  # so that each question was asked before
            Attempt.objects.start(quiz, owner, password="secret").finish()
            Attempt.objects.update(started_at=EARLIER, finished_at=EARLIER)
    return quiz


@pytest.fixture
def running(exam, user):
    return Attempt.objects.start(exam, learner(user), password="secret")


def test_the_page_of_an_exam(amal, exam):
    assert_at_most(8, lambda: amal.get(PAGE))


def test_the_page_of_an_exam_that_runs(amal, running):
    assert_at_most(8, lambda: amal.get(PAGE))


def test_the_lists_with_an_exam(amal, running):
    assert_at_most(7, lambda: amal.get("/en/quizzes/"))
    assert_at_most(5, lambda: amal.get("/en/quizzes/mine/"))


def test_the_start_of_an_exam(amal, exam):
    form = hidden(amal.get(PAGE)) | {"password": "secret", "given": "1"}
    assert_at_most(14, lambda: amal.post(f"{PAGE}start/", form))
    assert Attempt.objects.unfinished().count() == 1


def test_the_start_of_an_exam_when_versions_are_new(amal, exam):
    Question.objects.update(prompt_en="Another question?")
    form = hidden(amal.get(PAGE)) | {"password": "secret", "given": "1"}
    assert_at_most(16, lambda: amal.post(f"{PAGE}start/", form))
    assert Attempt.objects.unfinished().count() == 1


def test_a_question_and_an_answer_of_an_exam(amal, running):
    assert_at_most(5, lambda: amal.get(address(running, 1)))
    seen = hidden(amal.get(address(running, 1)))
    assert_at_most(7, lambda: amal.post(address(running, 1), seen | {"given": "1", "to": "next"}))
    assert Answer.objects.get(attempt=running, position=1).answered_at


def test_what_is_changed_flagged_and_passed_in_an_exam(amal, running):
    for form in ({"given": "1"}, {"given": "2"}, {"given": "2", "flag": "1"}, {"to": "finish", "skip": "yes"}):
        assert_at_most(8, lambda form=form: amal.post(address(running, 1), form))


def test_the_end_of_an_exam(amal, running):
    here = f"/en/quizzes/attempts/{running.public_id}/"
    assert_at_most(3, lambda: amal.get(f"{here}seconds/"))
    if running.changeable:
        assert_at_most(5, lambda: amal.get(f"{here}summary/"))
    assert_at_most(8, lambda: amal.post(f"{here}finish/", {"confirm": "yes"}))
    assert_at_most(7, lambda: amal.get(here))


@pytest.mark.parametrize("rules", [{}, {"time_limit": 30}, {"feedback": "at_end", "attempts_allowed": 5}])
def test_all_on_one_page(amal, user, size, rules):
    make_exam(size, user, layout="all", **rules)
    assert_at_most(8, lambda: amal.get(PAGE))
    if rules:
        amal.post(f"{PAGE}start/", hidden(amal.get(PAGE)))
        page, here = (lambda: amal.get(address(attempt, 1))), None
        attempt = Attempt.objects.get()
    else:
        attempt, page, here = None, (lambda: amal.get(PAGE)), f"{PAGE}start/"
    assert_at_most(8, page)
    form = _every_field(page()) | {f"q{position}-given": "1" for position in range(1, size + 1)}
    here = here or address(attempt, 1)
    if attempt is not None:
        assert_at_most(14, lambda: amal.post(here, form | {"save": "1"}))
        form |= _every_field(page()) | {f"q{position}-given": "2" for position in range(1, size + 1)}
    assert_at_most(14, lambda: amal.post(here, form | {"to": "finish"}))
    done = Attempt.objects.get()
    assert (done.ended, done.answers.exclude(answered_at=None).count()) == ("finished", size)
    assert_at_most(7, lambda: amal.get(f"/en/quizzes/attempts/{done.public_id}/"))


def test_all_on_one_page_taken_back(amal, user, size):
    attempt = Attempt.objects.start(make_exam(size, user, layout="all", time_limit=30), learner(user))
    attempt.hand_in(dict.fromkeys(range(1, size + 1), 1), finish=False)
    form = _every_field(amal.get(address(attempt, 1)))
    half = {f"q{position}-given": "1" for position in range(1, size, 2)}
    assert_at_most(14, lambda: amal.post(address(attempt, 1), form | half | {"to": "finish"}))
    assert attempt.answers.filter(answered_at=None).count() == size // 2


def _every_field(response):
    """The hidden fields of a page of all questions."""
    pairs = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', response.content.decode())
    return dict(pairs)


def test_a_result_that_was_marked_anew(amal, user):
    question = make_question(prompt="Which?")
    quiz = make_quiz(question, *[make_question(prompt=f"Question {n}?") for n in range(7)])
    for number in range(1, 4):
        attempt = Attempt.objects.start(quiz, learner(user), number=number)
        attempt.answer(1, 2)
        attempt.finish()
    for policy in ("full_marks", "leave_out"):
        remarking.remark(quiz, question, policy, by=make_user(policy), reason="A mistake.")
    assert_at_most(7, lambda: amal.get(f"/en/quizzes/attempts/{attempt.public_id}/"))
    assert_at_most(5, lambda: amal.get("/en/quizzes/mine/"))


def test_my_quizzes_once_they_are_closed(amal, user):
    """What is seen of each asks for the last closing time of its quiz, in the same query."""
    for number in range(12):
        quiz = make_quiz(slug=f"quiz-{number}", count=1, closes_at=LATER, show_score="close")
        Accommodation.objects.create(quiz=quiz, user=user, closes_at=LATER)
        Attempt.objects.start(quiz, learner(user)).finish()
    Accommodation.objects.update(closes_at=EARLIER)
    Quiz.objects.update(closes_at=EARLIER)
    assert_at_most(5, lambda: amal.get("/en/quizzes/mine/"))
    assert_at_most(7, lambda: amal.get("/en/quizzes/"))
