"""What editors are told to look at, and what not."""

import random

import pytest
from django.utils import translation

from mpquiz import statistics
from tests.factories import make_question, make_quiz
from tests.statistics.taken import Given, by_guests

pytestmark = pytest.mark.django_db


def flags(quiz, place=1):
    """{code: choices} of a question by its place."""
    return {flag.code: flag.choices for flag in statistics.of(quiz).questions[place - 1].flags}


def learners(count, seed=5):
    lot = random.Random(seed)
    return [(n / count, lot) for n in range(count)]


def right_if(able, lot, *, language="en"):
    right = lot.random() < able
    return Given(int(right), language, "a" if right else lot.choice("bc"))


def test_a_sound_question_is_not_flagged():
    quiz = make_quiz(count=6)
    by_guests(quiz, [[right_if(0.05 + 0.9 * able, lot) for _q in range(6)] for able, lot in learners(200)])
    assert [flags(quiz, place) for place in range(1, 7)] == [{}] * 6


def test_a_wrong_key_is_noticed_by_what_good_learners_choose():
    quiz = make_quiz(count=5)
    rows = []
    for able, lot in learners(150):
        row = [right_if(0.1 + 0.8 * able, lot) for _q in range(5)]
        row[0] = Given(0, "en", "b") if row[0].fraction else Given(lot.randint(0, 1), "en", "a")
        rows.append(row)
    by_guests(quiz, rows)
    found = flags(quiz)
    assert found["key"] == ("b",)
    assert "negative" in found
    assert not flags(quiz, 2)


def test_learners_who_disagree_by_chance_raise_no_doubt_of_the_key():
    quiz = make_quiz(count=4)
    rows = []
    for able, lot in learners(90):
        row = [right_if(0.1 + 0.8 * able, lot) for _q in range(4)]
        row[0] = lot.choice([Given(1, "en", "a"), Given(0, "en", "b")])
        rows.append(row)
    by_guests(quiz, rows)
    assert "key" not in flags(quiz)


@pytest.mark.parametrize(("facility", "code"), [(0.99, "easy"), (0.1, "guessed")])
def test_what_is_too_easy_or_no_better_than_guessing_is_told(facility, code):
    quiz = make_quiz(count=3)
    by_guests(
        quiz, [[right_if(facility, lot), right_if(able, lot), right_if(able, lot)] for able, lot in learners(300)]
    )
    assert code in flags(quiz)


def test_what_cannot_be_guessed_is_too_hard():
    quiz = make_quiz(make_question({"text": "Paris", "right": True}, kind="text"), make_question())
    by_guests(quiz, [[Given(int(able > 0.9), tally="x"), right_if(able, lot)] for able, lot in learners(60)])
    assert "hard" in flags(quiz)


def test_what_tells_nobody_apart_is_told():
    quiz = make_quiz(count=5)
    by_guests(quiz, [[right_if(0.5, lot), *(right_if(able, lot) for _q in range(4))] for able, lot in learners(2000)])
    assert "low" in flags(quiz)


def test_a_negative_covariance_has_no_weight_and_is_told():
    quiz = make_quiz(count=4)
    by_guests(quiz, [[int(able < 0.5), *[int(able >= 0.5)] * 3] for able, _lot in learners(100)])
    numbers = statistics.of(quiz)
    assert {"negative", "covariance"} <= flags(quiz).keys()
    assert [one.weight is None for one in numbers.questions] == [True, False, False, False]
    assert sum(one.weight or 0 for one in numbers.questions) == pytest.approx(100)


def test_a_choice_that_nobody_takes_is_named():
    quiz = make_quiz(count=2)
    by_guests(
        quiz, [[Given(int(able > 0.4), tally="ab"[able <= 0.4]), right_if(able, lot)] for able, lot in learners(60)]
    )
    assert flags(quiz)["unchosen"] == ("c",)


def test_few_answers_raise_no_flag():
    quiz = make_quiz(count=2)
    by_guests(quiz, [[1, 0]] * (statistics.MINIMUM - 1))
    assert flags(quiz) == {}
    by_guests(quiz, [[1, 0]])
    assert "easy" in flags(quiz)


# Languages ----------------------------------------------------------------------------------------------------


def read_in_two(count, harder_by, weaker_by=0.0, questions=6):
    """Attempts in English and Arabic, the first question of which is harder in Arabic, and its readers weaker."""
    rows = []
    for able, lot in learners(count):
        language = lot.choice(["en", "ar"])
        able = 0.25 + 0.65 * able - (weaker_by if language == "ar" else 0)
        row = [right_if(able, lot, language=language) for _q in range(questions)]
        row[0] = right_if(able - (harder_by if language == "ar" else 0), lot, language=language)
        rows.append(row)
    return rows


def test_a_question_that_is_harder_in_one_language_is_told():
    quiz = make_quiz(count=6)
    by_guests(quiz, read_in_two(400, harder_by=0.4))
    found = {flag.code: flag for flag in statistics.of(quiz).questions[0].flags}
    assert (found["language"].values["harder"], found["language"].values["easier"]) == ("ar", "en")
    assert 20 <= found["language"].values["points"] <= 60
    assert not any("language" in flags(quiz, place) for place in range(2, 7))
    assert "Read in Arabic it goes worse than read in English" in found["language"].text
    with translation.override("ar"):
        assert "%(" not in found["language"].text


def test_weaker_readers_of_a_language_make_no_question_harder():
    """The gap is there, and the translation is not what makes it."""
    quiz = make_quiz(count=12)
    by_guests(quiz, read_in_two(300, harder_by=0, weaker_by=0.25, questions=12))
    numbers = statistics.of(quiz)
    gaps = [{one.language: one.facility for one in question.languages} for question in numbers.questions]
    assert all(one["en"] - one["ar"] > 0.1 for one in gaps)
    assert not any("language" in flags(quiz, place) for place in range(1, 13))


def test_a_question_alone_is_compared_as_it_is():
    quiz = make_quiz(count=1)
    by_guests(
        quiz, [[Given(int(n % 4 > 0), "en")] for n in range(40)] + [[Given(int(n % 4 == 0), "ar")] for n in range(40)]
    )
    [gap] = statistics.of(quiz).questions[0].gaps
    assert (gap.harder, gap.size) == ("ar", 0.5)
    assert "language" in flags(quiz)


def test_few_readers_of_a_language_are_not_compared():
    quiz = make_quiz(count=2)
    rows = {la: [[Given(1, la), Given(0, la)], [Given(0, la), Given(1, la)]] for la in ("en", "ar")}
    by_guests(quiz, rows["en"] * 20 + rows["ar"] * 9 + rows["ar"][:1])
    assert all(one.gaps == () for one in statistics.of(quiz).questions)
    by_guests(quiz, rows["ar"][:1])
    assert [len(one.gaps) for one in statistics.of(quiz).questions] == [1, 1]


def test_whoever_has_no_equals_in_the_other_language_is_not_compared():
    quiz = make_quiz(count=2)
    by_guests(quiz, [[Given(1, "en"), Given(1, "en")]] * 40 + [[Given(0, "ar"), Given(0, "ar")]] * 40)
    assert all(one.gaps == () for one in statistics.of(quiz).questions)  # nobody has an equal who read the other


@pytest.mark.parametrize("code", sorted(statistics.flags._TEXTS))
def test_every_flag_has_words(code):
    values = {"harder": "xx", "easier": "en", "points": 12} if code == "language" else {}
    assert "%(" not in statistics.Flag(code, (), values).text
