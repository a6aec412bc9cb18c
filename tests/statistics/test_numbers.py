"""The numbers of a quiz and of its questions, against numpy and scipy over the raw answers."""

import random
from decimal import Decimal

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpquiz import statistics
from mpquiz.models import Answer, Attempt, Question, QuizQuestion
from tests.factories import make_question, make_quiz, make_user
from tests.statistics import naive
from tests.statistics.taken import Given, by_guests, taken

pytestmark = pytest.mark.django_db
OF_QUIZ = ("n", "mean", "median", "deviation", "skewness", "kurtosis", "consistency")
OF_QUESTION = ("n", "facility", "deviation", "discrimination", "efficiency")
NEARLY = {"rel": 1e-6, "abs": 1e-6}

FRACTIONS = st.sampled_from([0, 1, 0.5, 0.3333333, None])


def close(value):
    return value if value is None else pytest.approx(value, **NEARLY)


def assert_as_naive(quiz, which="first"):
    """All numbers are those of the slow way, which knows no estimate of the consistency."""
    numbers = statistics.of(quiz, which=which)
    attempts = naive.counted(quiz, which)
    of_quiz = naive.of_quiz(attempts)
    if numbers.varied:
        assert numbers.consistency is None or numbers.consistency <= 100
        of_quiz["consistency"] = numbers.consistency
    assert {name: getattr(numbers, name) for name in OF_QUIZ} == {
        name: close(value) for name, value in of_quiz.items()
    }
    slow = {key: naive.of_question(*rows) for key, rows in naive.questions(attempts).items()}
    assert {one.question or -one.version for one in numbers.questions} == slow.keys()
    roots = sum(max(one["covariance"] or 0, 0) ** 0.5 for one in slow.values())
    for one in numbers.questions:
        expected = slow[one.question or -one.version]
        assert {name: getattr(one, name) for name in OF_QUESTION} == {
            name: close(expected[name]) for name in OF_QUESTION
        }
        if one.weight is not None:
            assert one.weight == pytest.approx(100 * max(expected["covariance"], 0) ** 0.5 / roots, **NEARLY)
    return numbers


def some_quiz(*points):
    quiz = make_quiz(count=len(points))
    for place, worth in zip(quiz.places.order_by("place"), points, strict=True):
        QuizQuestion.objects.filter(pk=place.pk).update(points=worth)
    return quiz


def drawn(rows, questions, seed=7):
    """Marks of so many learners, the better of whom are better in each question."""
    lot = random.Random(seed)
    for _one in range(rows):
        able = lot.random()
        yield [
            lot.choice([1, 1, 0.5]) if lot.random() < able else lot.choice([0, 0, None]) for _q in range(questions)
        ]


def test_the_numbers_are_those_of_scipy():
    quiz = some_quiz(1, 2, "0.5", 3)
    by_guests(quiz, drawn(80, 4))
    numbers = assert_as_naive(quiz)
    assert numbers.error_ratio == pytest.approx(100 * (1 - numbers.consistency / 100) ** 0.5)
    assert numbers.standard_error == pytest.approx(numbers.error_ratio * numbers.deviation / 100)
    assert sum(numbers.histogram) == 80
    assert sum(one.weight for one in numbers.questions) == pytest.approx(100)


def test_a_worked_example():
    """Four learners, two questions: all by hand."""
    quiz = some_quiz(1, 1)
    by_guests(quiz, [[1, 1], [1, 0], [0, 1], [0, 0]])
    numbers = statistics.of(quiz)
    assert (numbers.n, numbers.mean, numbers.median) == (4, 50, 50)
    assert numbers.deviation == pytest.approx(40.8248290464)
    assert numbers.consistency == pytest.approx(0)
    assert [one.facility for one in numbers.questions] == [0.5, 0.5]
    assert [one.discrimination for one in numbers.questions] == [0, 0]
    assert [one.weight for one in numbers.questions] == [50, 50]
    assert [one.guess for one in numbers.questions] == [pytest.approx(1 / 3)] * 2
    assert numbers.histogram == (1, 0, 0, 0, 0, 2, 0, 0, 0, 1)


@given(st.lists(st.tuples(FRACTIONS, FRACTIONS, FRACTIONS), max_size=12), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_properties_of_any_attempts(db, rows, data):
    Attempt.objects.all().delete()
    quiz = _the_quiz()
    by_guests(quiz, rows)
    numbers = assert_as_naive(quiz)
    for one in numbers.questions:
        assert 0 <= one.facility <= 1
        assert one.discrimination is None or -100 <= one.discrimination <= 100
        assert one.efficiency is None or one.efficiency <= 100 + 1e-9
    weights = [one.weight for one in numbers.questions if one.weight is not None]
    assert sum(weights) == pytest.approx(100 if any(weights) else 0)
    assert sum(numbers.histogram) == numbers.n == len(rows)
    Attempt.objects.all().delete()
    by_guests(quiz, data.draw(st.permutations(rows)))
    assert _comparable(statistics.of(quiz)) == _comparable(numbers)
    by_guests(quiz, rows)
    twice = statistics.of(quiz)
    assert (twice.mean, twice.median) == (close(numbers.mean), close(numbers.median))
    assert [one.facility for one in twice.questions] == [one.facility for one in numbers.questions]
    assert [one.discrimination for one in twice.questions] == [close(one.discrimination) for one in numbers.questions]


def _the_quiz():
    """One quiz for all examples of a test."""
    question = Question.objects.order_by("pk").first()
    return question.quizzes.get() if question else some_quiz(1, 2, 1)


def _comparable(numbers):
    return [getattr(numbers, name) for name in OF_QUIZ], [
        [getattr(one, name) for name in OF_QUESTION] + [one.choices] for one in numbers.questions
    ]


# Which attempts -----------------------------------------------------------------------------------------------


@pytest.fixture
def tried_often():
    """Five users with up to four attempts each, guests and somebody erased."""
    quiz = some_quiz(1, 2)
    lot = random.Random(3)
    for n in range(5):
        user = make_user(f"user{n}")
        for number in range(1, 2 + n % 4):
            taken(quiz, [lot.choice([0, 0.5, 1]), lot.choice([0, 1])], user=user, number=number)
            taken(quiz, [lot.choice([0, 0.5, 1]), lot.choice([0, 1])], guest=f"guest{n}", number=number)
    taken(quiz, [1, 1], number=1)
    return quiz


@pytest.mark.parametrize("which", ["first", "last", "highest", "all"])
def test_which_attempts_are_counted_can_be_chosen(tried_often, which):
    numbers = assert_as_naive(tried_often, which)
    assert numbers.left_out.others == Attempt.objects.count() - numbers.n
    assert numbers.n == {"first": 11, "last": 11, "highest": 11, "all": Attempt.objects.count()}[which]


def test_each_attempt_of_somebody_erased_stands_for_a_learner():
    quiz, user = some_quiz(1, 1), make_user()
    for number, marks in enumerate([(0, 0), (1, 0), (0, 1)], 1):
        taken(quiz, marks, user=user, number=number)
    user.delete()
    assert {which: statistics.of(quiz, which=which).n for which in ("first", "last", "highest", "all")} == {
        "first": 1,
        "last": 3,
        "highest": 3,
        "all": 3,
    }


def test_of_equally_good_attempts_the_later_is_the_best():
    quiz, user = some_quiz(1, 1), make_user()
    taken(quiz, [1, 0], user=user, number=1)
    taken(quiz, [0, 1], user=user, number=2)
    assert [one.facility for one in statistics.of(quiz, which="highest").questions] == [0, 1]
    assert [one.facility for one in statistics.of(quiz, which="first").questions] == [1, 0]


def test_what_does_not_count_is_left_out_and_told():
    quiz, user = some_quiz(1, 1), make_user()
    first = taken(quiz, [1, 0], user=user)
    taken(quiz, [0, 0], user=user, number=2, retry_of=first)
    taken(quiz, [0, 0], user=user, number=3)
    taken(quiz, [0, 0], guest="trial", trial=True)
    taken(quiz, [0, 0], guest="left", ended="abandoned")
    taken(quiz, [0, 0], guest="runs", open=True, ended="", finished_at=None)
    taken(quiz, [Given(None, "en", ""), 0], guest="waits", waiting=1)
    taken(quiz, [Given(0, left_out=True), Given(0, left_out=True)], guest="nothing")
    numbers = assert_as_naive(quiz)
    assert numbers.n == 1
    assert numbers.left_out == statistics.LeftOut(
        trials=1, practice=1, running=1, abandoned=1, others=1, waiting=1, worthless=1
    )


def test_a_which_that_is_none_is_refused():
    with pytest.raises(ValueError, match="median"):
        statistics.of(some_quiz(1), which="median")


# Edges --------------------------------------------------------------------------------------------------------


def test_of_no_attempt_there_is_nothing_to_tell():
    numbers = statistics.of(some_quiz(1, 1))
    assert (numbers.n, numbers.mean, numbers.consistency, numbers.questions) == (0, None, None, ())
    assert numbers.error_ratio is numbers.standard_error is None


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 0.5, None]],
        [[1, 0, 0.5], [1, 0, 0.5], [1, 0, 0.5]],
        [[0.3333333, 0.3333333, 0.3333333]] * 7,
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],  # equal scores of different answers
        [[None, None, None], [None, None, None]],
        [[1, 1, 1], [0, 0, 0]],
    ],
)
def test_few_or_equal_attempts_give_the_numbers_that_there_are(rows):
    quiz = some_quiz(1, 1, 1)
    by_guests(quiz, rows)
    assert_as_naive(quiz)


def test_a_quiz_of_one_question_has_nothing_to_compare_it_with():
    quiz = some_quiz(2)
    by_guests(quiz, [[1], [0], [0.5]] * 20)
    numbers = assert_as_naive(quiz)
    [one] = numbers.questions
    assert (one.discrimination, one.efficiency, one.weight, numbers.consistency) == (None, None, 100, None)


def test_what_a_person_gave_counts_in_place_of_the_fraction():
    quiz = some_quiz(3, 1)
    by_guests(quiz, [[Given("0.4166667", awarded="1.25"), 1], [Given("0.5", awarded="1.5"), 0], [0, 0]])
    assert statistics.of(quiz).questions[0].facility == pytest.approx(2.75 / 9, abs=1e-12)
    assert_as_naive(quiz)


def test_answers_left_out_and_worthless_questions_are_no_answers():
    quiz = some_quiz(1, 1, 0)
    by_guests(quiz, [[1, 1, 1], [Given(0, left_out=True), 0, 1], [0, 1, 0]])
    numbers = assert_as_naive(quiz)
    assert [one.n for one in numbers.questions] == [2, 3]
    assert numbers.varied


def test_attempts_that_ask_different_questions_are_estimated_together():
    quiz = some_quiz(1, 1, 1, 1)
    ids = list(quiz.places.order_by("place").values_list("question", flat=True))
    for n, row in enumerate(drawn(60, 2)):
        taken(quiz, row, questions=[ids[n % 4], ids[(n + 1 + n // 4 % 3) % 4]], guest=f"g{n}")
    assert assert_as_naive(quiz).varied


def test_a_question_keeps_its_numbers_once_it_was_deleted():
    quiz = some_quiz(1, 1)
    by_guests(quiz, drawn(40, 2))
    before = statistics.of(quiz)
    prompt = before.questions[0].content.prompt
    Question.objects.get(pk=before.questions[0].question).delete()
    after = assert_as_naive(quiz)
    gone = after.questions[-1]
    assert gone.question is None
    assert gone.content.prompt == prompt
    assert (gone.facility, gone.discrimination) == (before.questions[0].facility, before.questions[0].discrimination)


def test_versions_of_one_question_are_one_question():
    quiz = some_quiz(1, 1)
    by_guests(quiz, drawn(20, 2))
    Question.objects.order_by("pk").first().choices.update(text_en="Anew")
    by_guests(quiz, drawn(20, 2, seed=8))
    assert [one.n for one in assert_as_naive(quiz).questions] == [40, 40]


def test_questions_stand_in_the_order_of_the_quiz():
    quiz = make_quiz(*[make_question(prompt=f"Q{n}?") for n in range(3)])
    for place in quiz.places.all():
        QuizQuestion.objects.filter(pk=place.pk).update(place=9 - place.place)
    by_guests(quiz, drawn(3, 3))
    QuizQuestion.objects.filter(place=8).delete()
    assert [one.content.prompt["en"] for one in statistics.of(quiz).questions] == ["Q2?", "Q1?", "Q0?"]


def test_what_was_asked_for_different_points_is_a_share_of_them():
    quiz = some_quiz(1, 1)
    by_guests(quiz, [[Given(1, points=2), 1], [Given(0, points=1), 1], [Given(1, points=1), 0]])
    one = assert_as_naive(quiz).questions[0]
    assert one.facility == 0.75
    assert one.points == pytest.approx(4 / 3)


# Choices ------------------------------------------------------------------------------------------------------


def test_choices_are_counted_by_language():
    quiz = some_quiz(1)
    rows = [Given(1, "en", "a"), Given(1, "ar", "a"), Given(0, "ar", "b"), Given(0, "ar", "b"), None]
    by_guests(quiz, [[one] for one in rows])
    [one] = statistics.of(quiz).questions
    assert [(choice.key, choice.n, choice.share, choice.languages) for choice in one.choices] == [
        ("a", 2, 0.4, {"en": 1, "ar": 1}),
        ("b", 2, 0.4, {"ar": 2}),
        ("c", 0, 0, {}),
    ]
    assert (one.n, one.skipped) == (5, 1)
    assert [(la.language, la.n, la.facility) for la in one.languages] == [
        ("ar", 3, pytest.approx(1 / 3)),
        ("en", 1, 1),
    ]


def test_of_several_choices_each_is_counted():
    quiz = make_quiz(make_question(("One", True), "Two", ("Three", True), kind="multiple"))
    by_guests(quiz, [[Given(1, tally="a c")], [Given(0.5, tally="a")], [Given(0, tally="a b c")]])
    assert [(one.key, one.n) for one in statistics.of(quiz).questions[0].choices] == [("a", 3), ("b", 1), ("c", 2)]


def test_a_choice_that_is_there_no_longer_is_told_by_its_words():
    quiz = some_quiz(1)
    by_guests(quiz, [[1], [0]])
    Question.objects.get().choices.filter(key="b").delete()
    gone = statistics.of(quiz).questions[0].choices[-1]
    assert (gone.key, gone.choice.text, gone.n, gone.there) == ("b", {"en": "Wrong"}, 1, False)


def test_the_most_common_typed_answers_are_told():
    quiz = make_quiz(make_question({"text": "Paris", "right": True}, kind="text"))
    by_guests(quiz, [[Given(1, tally="paris")]] * 3 + [[Given(0, tally="rome")]] * 2 + [[None]])
    by_guests(quiz, [[Given(0, tally=f"town {n:02}")] for n in range(20)])
    typed = statistics.of(quiz).questions[0].typed
    assert [(one.text, one.n) for one in typed[:3]] == [("paris", 3), ("rome", 2), ("town 00", 1)]
    assert len(typed) == 10
    assert statistics.of(quiz).questions[0].choices == ()
    assert [one.n for one in statistics.of(quiz, which="all").questions[0].typed[:2]] == [3, 2]


@pytest.mark.parametrize("which", ["first", "all"])
def test_shares_of_typed_answers_are_of_all_that_were_typed_in_attempts_that_wait_too(which):
    question = make_question({"text": "Paris", "right": True}, kind="text")
    quiz = make_quiz(question, make_question({"text": "1", "right": True}, kind="text"))
    lot = random.Random(3)
    rows = [[Given(0, tally=f"town {lot.randrange(14):02}"), Given(1, tally="1")] for _one in range(40)]
    by_guests(quiz, rows[:10])
    by_guests(quiz, [[None, Given(1, tally="1")]])
    for attempt in by_guests(quiz, rows[10:]):
        Attempt.objects.filter(pk=attempt.pk).update(waiting=1)
    numbers = statistics.of(quiz, which=which)
    towns = naive.typed(quiz, question)
    found = numbers.questions[0].typed
    assert numbers.n == 11
    assert [(one.text, one.n, one.share) for one in found] == [(text, n, n / 40) for text, n in towns[:10]]
    assert sum(one.share for one in found) < 1 < len(towns) - len(found)
    assert [(one.n, one.share) for one in numbers.questions[1].typed] == [(41, 1)]


def test_shares_of_choices_are_of_the_marked_attempts_that_are_counted():
    quiz = some_quiz(1)
    by_guests(quiz, [[1], [1], [0], [None]])
    for attempt in by_guests(quiz, [[1]] * 6):
        Attempt.objects.filter(pk=attempt.pk).update(waiting=1)
    right, wrong, *_others = statistics.of(quiz).questions[0].choices
    assert (right.n, right.share, wrong.n, wrong.share) == (2, 0.5, 1, 0.25)


# Languages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["first", "all"])
def test_one_language_narrows_to_attempts_read_in_it_alone(which):
    quiz = some_quiz(1, 1)
    english, arabic = Given(1, "en"), Given(0, "ar")
    by_guests(quiz, [[english, None], [arabic, arabic], [arabic, None], [english, arabic], [None, None]])
    assert [statistics.of(quiz, which=which, language=la).n for la in ("en", "ar", "fr")] == [1, 2, 0]
    numbers = statistics.of(quiz, which=which, language="ar")
    assert [(one.n, one.skipped, one.facility) for one in numbers.questions] == [(2, 0, 0), (2, 1, 0)]
    assert numbers.left_out.others == 3


# Queries ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["first", "last", "highest", "all"])
def test_many_attempts_and_questions_take_as_many_queries_as_few(django_assert_num_queries, which):
    few, many = make_quiz(count=2, slug="few"), make_quiz(count=20, slug="many")
    by_guests(few, drawn(2, 2))
    by_guests(many, drawn(30, 20))
    statements = 6 if connection.vendor != "postgresql" else 7
    for quiz in (few, many):
        with django_assert_num_queries(statements + 2):  # with a savepoint
            statistics.of(quiz, which=which)
    assert Answer.objects.filter(fraction=Decimal("0.5")).exists()
