"""The plain shape of a question: to and from JSON, its digest, what may be seen of it."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpquiz.content import (
    DEEPEST,
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    PoolContent,
    QuestionContent,
    QuizContent,
    clean,
    digest,
    is_storable,
    key_at,
)
from mpquiz.rules import Access, Counting, Feedback, Layout, Review

QUESTION = QuestionContent(
    key="book/sum",
    kind="multiple",
    prompt={"en": "Which?", "ar": "أي؟"},
    choices=(
        ChoiceContent(key="a", text={"en": "One"}, right=True, weight=Decimal("0.5"), feedback={"en": "Yes."}),
        ChoiceContent(key="b", text={"ar": "اثنان"}, feedback={"ar": "لا."}),
    ),
    explanation={"en": "Because."},
    guides=("floats", "codes"),
    settings={"size": 3},
)

_words = st.dictionaries(st.sampled_from(["en", "ar", "pt-br"]), st.text(max_size=30)).map(clean)
_choices = st.builds(
    ChoiceContent,
    key=st.text("abc", min_size=1, max_size=5),
    text=_words,
    right=st.booleans(),
    weight=st.none() | st.decimals(-1, 1, places=7),
    feedback=_words,
)
_questions = st.builds(
    QuestionContent,
    key=st.just("book/sum"),
    kind=st.sampled_from(["single", "multiple"]),
    prompt=_words,
    choices=st.lists(_choices, max_size=4).map(tuple),
    explanation=_words,
    guides=st.lists(st.text("abc", min_size=1), unique=True, max_size=3).map(lambda slugs: tuple(sorted(slugs))),
    settings=st.dictionaries(st.text(), st.integers() | st.text()),
)


@given(_questions)
def test_a_question_survives_json(question):
    stored = json.loads(json.dumps(question.to_json()))
    assert QuestionContent.from_json(stored) == question
    assert QuestionContent.from_json(stored).digest == question.digest


@pytest.mark.parametrize(
    "same",
    [
        replace(QUESTION, prompt={"ar": "أي؟", "en": "Which?"}),
        replace(QUESTION, prompt={"en": " Which?\n", "ar": "أي؟", "fr": "  "}),
        replace(QUESTION, guides=("codes", "floats")),
        replace(QUESTION, choices=(replace(QUESTION.choices[0], weight=Decimal("0.5000000")), QUESTION.choices[1])),
    ],
)
def test_equal_contents_have_equal_digests(same):
    assert same.digest == QUESTION.digest


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, prompt={"en": "Which?"}),
        replace(QUESTION, prompt={"en": "which?", "ar": "أي؟"}),
        replace(QUESTION, choices=QUESTION.choices[::-1]),
        replace(QUESTION, choices=(replace(QUESTION.choices[0], right=False), QUESTION.choices[1])),
        replace(QUESTION, choices=(replace(QUESTION.choices[0], weight=None), QUESTION.choices[1])),
        replace(QUESTION, kind="single"),
        replace(QUESTION, settings={"size": 4}),
    ],
)
def test_any_difference_shows_in_the_digest(other):
    assert other.digest != QUESTION.digest


def test_the_digest_stays_what_it_is():
    """Stored digests are compared with it: another one would store every question anew."""
    assert QUESTION.digest == "5300a5a22ad99f7ccf1cf1cf238e0391a19e5d985375d7fc89842ee8e328a464"
    assert digest({"b": 1, "a": "أ"}) == digest({"a": "أ", "b": 1})


def test_whatever_stands_in_a_row_has_a_digest():
    assert digest({"a": "\ud800"}) != digest({"a": "\udfff"})


def nested(levels):
    """Lists within lists, so many of them."""
    value = 1
    for _level in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(10**300), 1.5, "نعم 🎉 \\u0000", [], {}, {"a": [1, {"b": ("c", None)}]}, nested(DEEPEST)],
)
def test_plain_values_are_storable(value):
    assert is_storable(value)


@pytest.mark.parametrize(
    "value",
    [
        "a\0",
        "\ud83d",
        {"a": {"right": {"en": "\udc00"}}},
        {"\ud800": 1},
        {"a": {"\0": 1}},
        [float("nan")],
        float("-inf"),
        10**400,
        Decimal(1),
        {"a": b"bytes"},
        nested(DEEPEST + 1),
        {"a": nested(DEEPEST)},
        nested(100_000),
    ],
)
def test_what_some_database_or_page_could_not_keep_is_not_storable(value):
    assert not is_storable(value)


def test_line_breaks_and_signs_of_zero_make_no_difference():
    assert clean({"en": "a\r\nb\rc\n"}) == {"en": "a\nb\nc"}
    nought = [ChoiceContent(key="a", weight=Decimal(text)).to_json() for text in ("0", "-0", "0.00", "0E+3")]
    assert [choice["weight"] for choice in nought] == ["0"] * 4


def test_what_a_later_release_added_leaves_the_digests_of_before_alone():
    assert not {"title", "tags"} & QUESTION.to_json().keys()
    assert not {"match", "value", "part"} & QUESTION.choices[0].to_json().keys()


def test_titles_tags_pairs_numbers_and_gaps_come_back_from_json():
    choice = ChoiceContent(key="a", match={"en": "Cairo"}, value="3.14", part="1")
    question = replace(QUESTION, title={"en": "Capitals"}, tags=("Algebra/Vectors",), choices=(choice,), guides=())
    assert QuestionContent.from_json(json.loads(json.dumps(question.to_json()))) == question


def test_the_feedback_of_an_outcome_is_words_or_nothing():
    question = replace(QUESTION, settings={"feedback": {"right": {"en": "Well done", "ar": 3}, "wrong": "no words"}})
    assert question.outcome_feedback("right") == {"en": "Well done"}
    assert question.outcome_feedback("wrong") == question.outcome_feedback("open") == {}


WORDED = replace(
    QUESTION,
    title={"en": "Sums"},
    choices=(ChoiceContent(key="a", text={"en": "A"}, match={"en": "B"}),),
    settings={"feedback": {"right": {"en": "Yes"}, "wrong": {"ar": "لا"}}, "notes": {"en": "Mind"}, "size": 3},
)


def test_all_words_of_a_question_are_found_where_they_stand():
    found = {where: words for where, words in WORDED.words().items() if words}
    assert found == {
        ("title",): {"en": "Sums"},
        ("prompt",): {"en": "Which?", "ar": "أي؟"},
        ("explanation",): {"en": "Because."},
        ("choices", 0, "text"): {"en": "A"},
        ("choices", 0, "match"): {"en": "B"},
        ("settings", "feedback", "right"): {"en": "Yes"},
        ("settings", "feedback", "wrong"): {"ar": "لا"},
        ("settings", "notes"): {"en": "Mind"},
    }


def test_words_that_are_not_changed_leave_the_question_as_it_is():
    assert WORDED.with_words(lambda _where, words: words) == WORDED


def test_words_of_settings_that_have_no_language_left_go():
    arabic = WORDED.with_words(lambda _where, words: {la: text for la, text in words.items() if la == "ar"})
    assert arabic.settings == {"feedback": {"wrong": {"ar": "لا"}}, "size": 3}
    assert arabic.prompt == {"ar": "أي؟"}
    assert arabic.choices[0].text == {}


@pytest.mark.parametrize("odd", [{"feedback": 3}, {"feedback": {"right": [1]}, "notes": "plain"}, {"feedback": {}}])
def test_settings_that_hold_no_words_stay_as_they_are(odd):
    question = replace(QUESTION, settings=odd)
    assert question.with_words(lambda _where, words: {}).settings == odd


def test_a_choice_is_found_by_its_key():
    assert QUESTION.choice("b") is QUESTION.choices[1]
    assert QUESTION.choice("z") is None


def test_keys_of_choices_go_on_after_z():
    assert [key_at(index) for index in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a",
        "z",
        "aa",
        "ab",
        "az",
        "ba",
        "zz",
        "aaa",
    ]


def test_a_quiz_s_json_names_its_questions_and_holds_plain_values():
    quiz = QuizContent(slug="floats", title={"en": " T "}, pass_mark=Decimal("70.00"), published=("en", "ar"))
    value = json.loads(json.dumps(quiz.to_json()))
    assert (value["title"], value["pass_mark"], value["published"]) == ({"en": "T"}, "70", ["ar", "en"])
    assert GuideContent(slug="a", title={"en": ""}).to_json() == {"slug": "a", "title": {}, "address": ""}


# Rules of a quiz ----------------------------------------------------------------------------------------------

QUIZ = QuizContent(
    slug="floats",
    title={"en": "T"},
    pass_mark=Decimal(70),
    published=("en", "ar"),
    questions=(PlacedQuestion(key="a/b"),),
)
RULES = {
    "publishes_answers": True,
    "shuffle_questions": True,
    "draw": 5,
    "feedback": Feedback.AT_END,
    "layout": Layout.ALL,
    "one_way": True,
    "review": Review(score="finish"),
    "time_limit": 30,
    "opens_at": datetime(2026, 1, 31, 5, tzinfo=UTC),
    "closes_at": datetime(2026, 1, 31, 6, tzinfo=UTC),
    "runs_past_closing": True,
    "attempts_allowed": 2,
    "wait": 0,
    "counting": Counting.AVERAGE,
    "access": Access.GROUPS,
    "pools": (PoolContent(tag="Algebra"),),
}


def test_the_digest_of_a_quiz_with_the_usual_rules_is_that_of_the_first_release():
    """Stored digests are compared with it: another one would take each quiz for changed in admin."""
    assert digest(QUIZ.to_json()) == "5d0fac94479980cfdb6cdef2170e2ff723ed3ab368cd85234257251e42f158f1"


def test_each_rule_that_is_not_as_usual_shows_in_the_json_alone():
    assert QUIZ.unusual_rules() == {}
    for name, value in RULES.items():
        assert list(replace(QUIZ, **{name: value}).unusual_rules()) == [name]
        assert replace(QUIZ, **{name: value}).to_json().keys() - QUIZ.to_json().keys() == {name}


def test_the_json_of_rules_is_plain():
    plain = json.loads(json.dumps(replace(QUIZ, **RULES).unusual_rules()))
    assert plain["feedback"] == "at_end"
    assert plain["review"] == {"score": "finish"}
    assert plain["opens_at"] == "2026-01-31T05:00:00+00:00"
    assert plain["pools"] == [["Algebra", 1, "1", 0]]


def test_equal_moments_have_equal_json_whatever_their_offsets():
    riyadh = RULES["opens_at"].astimezone(timezone(timedelta(hours=3)))
    assert replace(QUIZ, opens_at=riyadh).to_json() == replace(QUIZ, opens_at=RULES["opens_at"]).to_json()


def test_what_stays_behind_is_no_part_of_the_content():
    assert replace(QUIZ, left_behind=("password",)) == QUIZ
    assert replace(QUIZ, left_behind=("password",)).to_json() == QUIZ.to_json()
