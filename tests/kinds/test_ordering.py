"""Things to put in order: what is taken as an answer, what it earns, what is shown, what an editor must mend."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal
from mpquiz.kinds.base import exact

ORDERING = kinds.get("ordering")


def content(*texts, prompt="In which order?", **fields):
    """A question whose right order is that of the texts, in English where no language is given."""
    words = [{"en": text} if isinstance(text, str) else text for text in texts]
    choices = tuple(ChoiceContent(key=key_at(n), text=text) for n, text in enumerate(words))
    return QuestionContent(
        key="book/one", kind="ordering", prompt={"en": prompt} if prompt else {}, choices=choices, **fields
    )


FOUR = content("load", "forward", "backward", "step")
# The first and the third are one step in English and two in Arabic.
HALF = content({"en": "stir", "ar": "حرّك"}, "heat", {"en": "stir", "ar": "اخلط"})


def refusal(question, value):
    with pytest.raises(Refusal) as caught:
        ORDERING.clean(value, question, ORDERING.order(question, shuffle=False))
    assert caught.value.code == "bad_answer"
    return str(caught.value.message)


@pytest.mark.parametrize(
    ("given_", "fraction"),
    [
        ("abcd", "1"),
        ("dcba", "0"),
        ("bcda", "0.6666667"),
        ("dabc", "0.6666667"),
        ("abdc", "0.6666667"),
        ("badc", "0.3333333"),
        ("cdab", "0.3333333"),
        ("dcab", "0.3333333"),
        ("abc", "0.6666667"),
        ("", "0"),
        (["a", "gone", "b"], "0.3333333"),
    ],
)
def test_the_longest_part_in_the_right_order_counts(given_, fraction):
    assert ORDERING.mark(FOUR, list(given_)) == Decimal(fraction)


@pytest.mark.parametrize(
    ("given_", "fraction"),
    [("abcde", "1"), ("cbade", "1"), ("edcba", "0.5"), ("bacde", "0.75"), ("acbde", "0.75"), ("bdace", "0.5")],
)
def test_items_that_read_the_same_are_interchangeable(given_, fraction):
    assert ORDERING.mark(content("x", "y", "x", "z", "w"), list(given_)) == Decimal(fraction)


@pytest.mark.parametrize(("language", "fraction", "right"), [("en", "1", 3), ("ar", "0", 0), ("", "1", 3)])
def test_what_whoever_answered_could_not_tell_apart_is_interchangeable(language, fraction, right):
    kind = kinds.kept("ordering", kinds.Seen(HALF, language))
    for looked_at_in in ("en", "ar"):
        with translation.override(looked_at_in):
            assert kind.mark(HALF, ["c", "b", "a"]) == Decimal(fraction)
            shown = kind.answered(HALF, ["a", "b", "c"], ["c", "b", "a"])
            assert [part.state for part in shown.parts].count("right") == right


def test_what_read_alike_is_interchangeable_also_once_the_words_were_mended():
    mended = content("stir once", "heat", "stir again")
    assert kinds.kept("ordering", kinds.Seen(HALF, "en")).mark(mended, ["c", "b", "a"]) == 1
    assert kinds.kept("ordering", kinds.Seen(HALF, "ar")).mark(mended, ["c", "b", "a"]) == 0


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_was_given_stays_what_was_sent_whatever_the_right_order(language):
    with translation.override(language):
        for places in permutations("123"):
            sent = dict(zip("123", places, strict=True))
            assert ORDERING.entered(HALF, ["b", "c", "a"], ORDERING.clean(sent, HALF, ["b", "c", "a"])).parts == sent


def test_the_positions_are_of_the_items_as_shown():
    assert ORDERING.clean({"1": "4", "2": "1", "3": 2, "4": "3"}, FOUR, ["d", "a", "b", "c"]) == ["a", "b", "c", "d"]
    assert ORDERING.clean({1: 1, 2: 2, 3: 3, 4: 4}, FOUR, ["d", "a", "b", "c"]) == ["d", "a", "b", "c"]


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (None, "Still free: 1, 2, 3, 4."),
        ({}, "Still free: 1, 2, 3, 4."),
        ({"1": "2", "2": "", "3": "4"}, "Still free: 1, 3."),
        ({"1": "2", "2": "2", "3": "4", "4": "4"}, "more than once: 2, 4."),
        ({"1": "2", "2": "2"}, "more than once: 2."),
    ],
)
def test_positions_left_free_and_chosen_twice_are_named(value, named):
    assert refusal(FOUR, value).endswith(named)


@pytest.mark.parametrize("place", ["0", "5", "-1", "x", 1.0, True, "9" * 5000, ["1"]])
def test_what_is_no_position_is_refused(place):
    refusal(FOUR, {"1": place, "2": "1", "3": "2", "4": "3"})


@pytest.mark.parametrize("value", ["1", [1, 2, 3, 4], {"5": "1"}, {"a": "1"}])
def test_what_names_no_item_is_refused(value):
    refusal(FOUR, value)


# The order shown ----------------------------------------------------------------------------------------------


def test_the_order_shown_does_not_depend_on_the_right_one():
    texts = ("load", "forward", "backward", "step")
    shown = {
        tuple(part.text.source for part in ORDERING.asked(one, ORDERING.order(one, shuffle=False)).parts)
        for one in (content(*order) for order in permutations(texts))
    }
    assert len(shown) == 1
    assert len({str(ORDERING.visible(content(*order))) for order in permutations(texts)}) == 1


def test_over_many_questions_every_order_is_shown_alike_often():
    counts = dict.fromkeys(permutations("abc"), 0)
    for number in range(600):
        three = replace(content("one", "two", "three"), key=f"book/{number}")
        counts[tuple(ORDERING.order(three, shuffle=False))] += 1
    assert all(60 <= count <= 145 for count in counts.values()), counts  # 100 expected, standard deviation 9


def test_shuffling_shows_every_order_unless_it_is_kept():
    assert len({tuple(ORDERING.order(FOUR, shuffle=True)) for _ in range(2000)}) == 24
    kept = replace(FOUR, settings={"keep_order": True})
    assert ORDERING.order(kept, shuffle=True) == ORDERING.order(FOUR, shuffle=False)


# What is shown ------------------------------------------------------------------------------------------------


def test_before_the_answer_nothing_is_right_or_wrong():
    shown = ORDERING.asked(FOUR, ["d", "a", "c", "b"])
    assert [(part.name, part.text.source, part.state) for part in shown.parts] == [
        ("1", "step", ""),
        ("2", "load", ""),
        ("3", "backward", ""),
        ("4", "forward", ""),
    ]
    assert (shown.positions, shown.right_order) == (["1", "2", "3", "4"], ())


@pytest.mark.parametrize(
    ("given_", "states"),
    [
        ("abcd", ["right"] * 4),
        ("bcda", ["right", "right", "right", "wrong"]),
        ("dcba", ["wrong"] * 4),
        ("dabc", ["wrong", "right", "right", "right"]),
    ],
)
def test_after_the_answer_what_earned_points_is_in_order(given_, states):
    shown = ORDERING.answered(FOUR, ["d", "a", "c", "b"], list(given_))
    assert [part.state for part in shown.parts] == states
    assert [text.source for text in shown.right_order] == (
        [] if given_ == "abcd" else ["load", "forward", "backward", "step"]
    )


def test_a_skipped_question_shows_the_right_order_alone():
    shown = ORDERING.answered(FOUR, ["d", "a", "c", "b"], None)
    assert (shown.parts, len(shown.right_order)) == ([], 4)
    assert ORDERING.in_words(FOUR, None) == []


def test_an_answer_in_words_is_the_items_in_the_learner_s_order():
    assert [text.plain for text in ORDERING.in_words(FOUR, ["d", "a", "gone"])] == ["step", "load"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (FOUR, []),
        (content("x", "y", "x"), []),
        (content("x", "y", prompt=""), [("prompt", None, True)]),
        (content(), [("choices", None, True)]),
        (content("x"), [("choices", None, True)]),
        (content("x", "x"), [("choices", None, True)]),
        (content("x", {"en": " "}), [("text", 1, True)]),
        (HALF, [("text", 2, False)]),
        (content(*map(str, range(101))), [("choices", None, True)]),
    ],
)
def test_what_an_editor_must_mend(question, found):
    assert [(one.field, one.choice, one.blocks) for one in ORDERING.problems(question)] == found


# Properties ---------------------------------------------------------------------------------------------------


def longest(texts, given_):
    """The size of the largest common subsequence, by trying all."""
    right = {chosen for size in range(len(texts) + 1) for chosen in combinations(texts, size)}
    return max(
        len(chosen) for size in range(len(given_) + 1) for chosen in combinations(given_, size) if chosen in right
    )


@given(st.data())
def test_the_mark_is_that_of_trying_all_subsets(data):
    texts = data.draw(st.lists(st.sampled_from("vwxyz"), min_size=2, max_size=6))
    question = content(*texts)
    keys = data.draw(st.permutations([choice.key for choice in question.choices]))
    given_ = [texts[ord(key) - ord("a")] for key in keys]
    fraction = ORDERING.mark(question, keys)
    assert fraction == exact(Fraction(longest(texts, given_) - 1, len(texts) - 1))
    assert 0 <= fraction <= 1
    assert (fraction == 1) is (given_ == texts)


@given(st.integers(2, 30), st.data())
def test_the_whole_mark_is_for_the_right_order_alone_whatever_was_shown(count, data):
    question = content(*(f"step {n}" for n in range(count)))
    keys = [choice.key for choice in question.choices]
    shown = data.draw(st.permutations(keys))
    positions = data.draw(st.permutations(range(1, count + 1)))
    stored = ORDERING.clean({str(n): position for n, position in enumerate(positions, 1)}, question, shown)
    assert sorted(stored) == sorted(keys)
    assert (ORDERING.mark(question, stored) == 1) is (stored == keys)
