"""Quizzes and guides by the API: what is public and how it is narrowed; what may be read ahead; progress."""

import pytest

from mpquiz.models import Attempt, Quiz
from tests.api.conftest import Api
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


def slugs(response):
    assert response.status_code == 200, response.content
    return [row["slug"] for row in response.json()["results"]]


@pytest.fixture
def quizzes():
    guide = make_guide("floats")
    make_quiz(slug="a", title="Numbers", level="beginner", guides=[guide], place=2, count=1)
    make_quiz(slug="b", title={"ar": "الأعداد"}, level="advanced", published=["ar"], place=1, count=1)
    make_quiz(make_question(guides=[guide]), slug="c", title="Others", description="On numbers.", place=3)
    make_quiz(slug="d", published=[], count=1)
    return guide


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["a", "c"]),
        ({"lang": "ar"}, ["b", "a", "c"]),
        ({"language": "ar"}, ["b", "a", "c"]),
        ({"level": "beginner"}, ["a"]),
        ({"guide": "floats"}, ["a", "c"]),
        ({"search": "numbers"}, ["a", "c"]),
        ({"search": ""}, ["a", "c"]),
        ({"search": "أعداد", "lang": "ar"}, ["b"]),
        ({"ordering": "-slug"}, ["c", "a"]),
        ({"ordering": "created", "language": "ar"}, ["a", "b", "c"]),
    ],
)
def test_quizzes_are_narrowed_and_ordered(visitor, quizzes, query, found):
    assert slugs(visitor.get("quizzes/", **query)) == found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level", "hard"),
        ("guide", "none"),
        ("guide", "no slug!"),
        ("language", "xx"),
        ("ordering", "title"),
        ("ordering", "-title_en"),
        ("search", "\0"),
        ("search", "x" * 201),
        ("user", "1"),
    ],
)
def test_a_filter_that_is_none_is_named(visitor, quizzes, field, value):
    response = visitor.get("quizzes/", **{field: value})
    assert (response.status_code, list(response.json()["fields"])) == (400, [field])


def test_a_quiz_tells_its_rules_and_no_answer(visitor, quizzes):
    told = visitor.get("quizzes/a/").json()
    assert told["title"]["text"] == "Numbers"
    assert told["languages"] == ["en", "ar"]
    assert [guide["slug"] for guide in told["guides"]] == ["floats"]
    assert (told["question_count"], told["asks_password"], told["time_limit"]) == (1, False, None)
    (question,) = told["questions"]
    assert question["kind"] == "single"
    assert [choice["place"] for choice in question["shown"]["choices"]] == [1, 2, 3]
    assert set(question["shown"]["choices"][0]) == {"place", "text"}
    for secret in ("right", "Because it is."):
        assert secret not in str(told["questions"])


@pytest.mark.parametrize(
    "rule", [{"time_limit": 5}, {"password": "x"}, {"shuffle_questions": True}, {"preview": False}]
)
def test_questions_are_not_told_before_the_start_where_that_gets_around_a_rule(visitor, rule):
    make_quiz(**rule)
    assert visitor.get("quizzes/floats/").json()["questions"] is None


def test_questions_are_told_only_to_whoever_may_start(visitor, amal):
    make_quiz(access="signed_in")
    assert visitor.get("quizzes/floats/").json()["questions"] is None
    shown = amal.get("quizzes/floats/")
    assert len(shown.json()["questions"]) == 3
    assert shown["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("slug", ["b", "d", "none"])
def test_a_quiz_that_is_not_offered_is_not_there(visitor, amal, quizzes, slug):
    for one in (visitor, amal):
        assert one.get(f"quizzes/{slug}/").status_code == 404
        assert one.post(f"quizzes/{slug}/start/").status_code == 404
    assert not Attempt.objects.exists()


def test_staff_see_drafts(quizzes):
    staff = Api(make_user("staff", is_staff=True, is_superuser=True))
    assert staff.get("quizzes/d/").status_code == 200
    assert slugs(staff.get("quizzes/")) == ["a", "c"]


def test_a_guide_tells_the_quizzes_that_name_it(visitor, quizzes):
    told = visitor.get("guides/floats/").json()
    assert (told["address"], [quiz["slug"] for quiz in told["quizzes"]]) == ("/guides/floats/", ["a", "c"])


@pytest.mark.parametrize("path", ["quizzes/", "guides/", "guides/floats/", "quizzes/a/"])
def test_what_is_public_is_the_same_for_everybody_and_is_sent_once(visitor, amal, quizzes, path):
    first, second = visitor.get(path), amal.get(path)
    assert (first.content, first["ETag"]) == (second.content, second["ETag"])
    again = visitor.client.get(f"/api/v1/{path}", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


# Progress ---------------------------------------------------------------------------------------------------


def test_progress_tells_how_far_a_learner_is_in_each_quiz(amal, user, quizzes):
    done = Attempt.objects.start(Quiz.objects.get(slug="a"), learner(user))
    done.answer(1, 1)
    Attempt.objects.start(Quiz.objects.get(slug="c"), learner(user))
    make_quiz(slug="e", count=1, place=9)
    rows = {row["quiz"]["slug"]: row for row in amal.get("progress/").json()["results"]}
    assert list(rows) == ["a", "c", "e"]
    assert [(row["state"], row["percent"], row["completed"]) for row in rows.values()] == [
        ("finished", 100, True),
        ("open", None, False),
        ("new", None, False),
    ]
    assert amal.get(rows["c"]["attempt"]).json()["state"] == "open"


def test_progress_keeps_a_quiz_that_was_begun_and_is_offered_no_more(amal, user, quizzes):
    Attempt.objects.start(Quiz.objects.get(slug="a"), learner(user)).answer(1, 2)
    Quiz.objects.update(archived=True)
    assert [row["quiz"]["slug"] for row in amal.get("progress/").json()["results"]] == ["a"]


def test_progress_tells_no_score_before_it_is_shown(amal, user):
    quiz = make_quiz(count=1, pass_mark=50, show_score="never")
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    (row,) = amal.get("progress/").json()["results"]
    assert (row["state"], row["percent"], row["passed"], row["completed"]) == ("finished", None, None, False)


def test_a_visitor_and_a_stranger_have_none_of_it(visitor, stranger, user, quizzes):
    Attempt.objects.start(Quiz.objects.get(slug="a"), learner(user))
    assert visitor.get("progress/").json()["results"] == []
    assert visitor.get("attempts/").json()["results"] == []
    assert {row["state"] for row in stranger.get("progress/").json()["results"]} == {"new"}
    assert stranger.get("attempts/").json()["results"] == []


# Queries ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [10, 100])
def test_lists_take_as_many_queries_for_many_as_for_few(amal, user, count, django_assert_max_num_queries):
    guides = [make_guide(f"guide-{n}") for n in range(3)]
    questions = [make_question(), make_page(), make_essay()]
    for number in range(count):
        quiz = make_quiz(*questions, slug=f"quiz-{number}", guides=guides)
        Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    for path, limit in (("quizzes/", 6), ("attempts/", 4), ("progress/", 7), ("guides/", 4)):
        with django_assert_max_num_queries(limit):
            assert amal.get(path, page_size=100).json()["count"] == (3 if path == "guides/" else count)


@pytest.mark.parametrize("count", [8, 100])
def test_a_quiz_takes_as_many_queries_for_many_questions_as_for_few(amal, count, django_assert_max_num_queries):
    make_quiz(count=count, guides=[make_guide()])
    with django_assert_max_num_queries(7):
        assert len(amal.get("quizzes/floats/").json()["questions"]) == count
    with django_assert_max_num_queries(4):
        assert amal.get("quizzes/floats/start/").json()["number"] == 1
