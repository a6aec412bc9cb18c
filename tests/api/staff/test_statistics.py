"""Statistics by the API for staff: the numbers are those that the pages of admin lay out."""

import json

import pytest

from mpquiz import statistics
from mpquiz.models import Question
from tests.admin.test_statistics import answered, own_alone, two_languages
from tests.api.conftest import Api
from tests.factories import make_guide, make_question, make_quiz, make_user
from tests.statistics.taken import Given, by_guests, taken

from .editors import editor, queries

pytestmark = pytest.mark.django_db
RIGHTS = ("view_guide", "view_quiz", "view_attempt")
NUMBERS = (
    "which",
    "language",
    "n",
    "mean",
    "median",
    "deviation",
    "skewness",
    "kurtosis",
    "consistency",
    "error_ratio",
    "standard_error",
    "varied",
)
OF_QUESTION = (
    "question",
    "n",
    "skipped",
    "points",
    "facility",
    "deviation",
    "guess",
    "discrimination",
    "efficiency",
    "weight",
)


@pytest.fixture
def noura(db):
    return editor("noura", *RIGHTS)


def told_of(api, quiz, **query):
    answer = api.get(f"staff/quizzes/{quiz.slug}/statistics/", **query)
    assert answer.status_code == 200, answer.json()
    assert answer["Cache-Control"] == "no-store"
    return answer.json()


# A quiz -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [{}, {"which": "all"}, {"which": "highest", "language": "ar"}])
def test_the_numbers_of_a_quiz_and_of_its_questions_are_told(noura, chosen):
    quiz = answered(two_languages(2))
    taken(quiz, [1, 1], guest="trial", trial=True)
    numbers, told = statistics.of(quiz, **chosen), told_of(noura, quiz, **chosen)
    assert {name: told[name] for name in NUMBERS} == {name: getattr(numbers, name) for name in NUMBERS}
    assert told["histogram"] == list(numbers.histogram)
    assert told["languages"] == list(numbers.languages)
    assert (told["left_out"]["trials"], told["minimum"]) == (1, 30)
    for one, expected in zip(told["questions"], numbers.questions, strict=True):
        assert {name: one[name] for name in OF_QUESTION} == {name: getattr(expected, name) for name in OF_QUESTION}
        assert [(each["key"], each["n"]) for each in one["choices"]] == [
            (each.key, each.n) for each in expected.choices
        ]
        assert [(each["language"], each["n"]) for each in one["languages"]] == [
            (each.language, each.n) for each in expected.languages
        ]
        assert [(each["code"], each["text"]) for each in one["flags"]] == [
            (each.code, each.text) for each in expected.flags
        ]


def test_what_is_odd_is_flagged_in_the_reader_s_language_with_the_choices(noura):
    quiz = two_languages()
    by_guests(quiz, [[Given(int(n > 0), "ar", "ab"[n == 0])] for n in range(40)])
    for language, words in (("en", "A choice that nobody takes."), ("ar", None)):
        [one] = told_of(noura, quiz, lang=language)["questions"]
        [flag] = [each for each in one["flags"] if each["code"] == "unchosen"]
        assert flag["choices"] == ["c"]
        assert flag["text"] == words or (words is None and not flag["text"].isascii())
    assert one["prompt"] == "كم، 0؟"
    first = one["choices"][0]
    assert (first["text"], first["right"], first["n"], first["languages"]) == ("اثنان", True, 39, {"ar": 39})


def test_attempts_are_told_over_time(noura):
    quiz = two_languages(2)
    by_guests(quiz, [[1, 1], [0, 0]])
    [period] = told_of(noura, quiz)["over_time"]["periods"]
    assert (period["n"], period["mean"]) == (2, 50)


def test_a_quiz_that_nobody_took_has_no_numbers(noura):
    told = told_of(noura, two_languages())
    assert (told["n"], told["mean"], told["questions"], told["over_time"]) == (
        0,
        None,
        [],
        {"step": "day", "periods": []},
    )


def test_a_deleted_question_is_told_as_it_was_asked(noura):
    quiz = answered(two_languages(2))
    Question.objects.order_by("pk").first().delete()
    gone = told_of(noura, quiz)["questions"][-1]
    assert (gone["question"], gone["url"], gone["prompt"]) == (None, None, "How many, 0?")


def test_typed_answers_are_counted(noura):
    quiz = make_quiz(make_question({"text": "Paris", "right": True}, kind="text"))
    by_guests(quiz, [[Given(0, tally="lyon")], [Given(1, tally="paris")], [Given(1, tally="paris")]])
    [one] = told_of(noura, quiz)["questions"]
    assert [(each["text"], each["n"]) for each in one["typed"]] == [("paris", 2), ("lyon", 1)]
    assert sum(each["share"] for each in one["typed"]) == 1


@pytest.mark.parametrize("query", [{"which": "worst"}, {"language": "fr"}, {"page": "1"}, {"colour": "red"}])
def test_what_cannot_be_asked_is_told(noura, query):
    answer = noura.get(f"staff/quizzes/{two_languages().slug}/statistics/", **query)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, list(query))


def test_thirty_questions_take_as_many_queries_as_three(noura):
    few, many = (answered(two_languages(count, slug=f"of-{count}"), 4) for count in (3, 30))
    counts = [queries(noura, f"staff/quizzes/{quiz.slug}/statistics/") for quiz in (few, many)]
    assert counts[0] == counts[1] <= 16


# Guides -----------------------------------------------------------------------------------------------------


def test_what_is_missed_of_a_guide_is_told_the_most_missed_first(noura):
    guide = make_guide(title={"en": "Floats", "ar": "الأعداد"})
    quiz = make_quiz(*[make_question(prompt=f"Q{n}?", guides=[guide]) for n in range(2)])
    by_guests(quiz, [[1, 0], [1, 0], [0, 0], [1, 1]])
    [one] = noura.get("staff/missed/", lang="ar").json()["results"]
    assert (one["guide"], one["title"]["text"]) == ("floats", "الأعداد")
    assert (one["n"], one["missed"], one["share"]) == (8, 4, 0.5)
    told = noura.get(one["url"]).json()
    assert [(each["prompt"], each["n"], each["missed"], each["share"]) for each in told["questions"]] == [
        ("Q1?", 4, 3, 0.75),
        ("Q0?", 4, 1, 0.25),
    ]


def test_guides_come_in_pages_and_take_as_many_queries_for_many_as_for_few(noura):
    def fill(start, stop):
        for n in range(start, stop):
            quiz = make_quiz(make_question(guides=[make_guide(f"g{n}")]), slug=f"quiz-{n}")
            by_guests(quiz, [[1]])

    fill(0, 1)
    few = queries(noura, "staff/missed/")
    fill(1, 8)
    assert queries(noura, "staff/missed/") == few <= 9
    answer = noura.get("staff/missed/", page_size=3, page=3, ordering="slug")
    assert [one["guide"] for one in answer.json()["results"]] == ["g6", "g7"]


# Who may ----------------------------------------------------------------------------------------------------


def test_statistics_are_for_whoever_may_view_quizzes_and_attempts():
    quiz, guide = two_languages(), make_guide()
    paths = (f"staff/quizzes/{quiz.slug}/statistics/", "staff/missed/", f"staff/guides/{guide.slug}/missed/")
    lacking = [editor(f"editor{n}", *rights) for n, rights in enumerate((RIGHTS[:2], RIGHTS[::2], ("view_tag",)))]
    for path in paths:
        for api in (Api(), Api(make_user(f"learner{path}")), *lacking):
            assert api.get(path).status_code in (401, 403)
    assert editor("huda", *RIGHTS[1:]).get(paths[0]).status_code == 200
    assert editor("samir", *RIGHTS[1:]).get(paths[1]).status_code == 403


def test_an_editor_of_other_quizzes_reads_none_of_their_numbers(noura, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": own_alone}
    guide = make_guide()
    own, other = (answered(two_languages(slug=slug)) for slug in ("own", "other"))
    for quiz in (own, other):
        quiz.questions.get().guides.set([guide])
    assert told_of(noura, own)["n"] == 40
    assert noura.get("staff/quizzes/other/statistics/").status_code == 403  # which they may change
    told = noura.get(f"staff/guides/{guide.slug}/missed/").json()
    assert {one["question"]: one["n"] for one in told["questions"]} == {
        own.questions.get().pk: 40,
        other.questions.get().pk: 0,
    }
    assert told["n"] == noura.get("staff/missed/").json()["results"][0]["n"] == 40


def test_no_number_is_one_that_json_has_not(noura):
    quiz = two_languages(2)
    by_guests(quiz, [[0, 0]])
    json.dumps(told_of(noura, quiz), allow_nan=False)
