"""Pairs: what is taken as an answer, what it earns, what is shown, what an editor must mend."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal
from mpquiz.kinds.base import exact
from mpquiz.words import direction

MATCHING = kinds.get("matching")


def pair(key, text, match):
    """A pair in English, or in the languages that are given; without a text it is a distractor."""
    words = [{"en": side} if isinstance(side, str) and side else side or {} for side in (text, match)]
    return ChoiceContent(key=key, text=words[0], match=words[1])


def content(*choices, prompt="Which belong together?", **fields):
    return QuestionContent(
        key="book/one", kind="matching", prompt={"en": prompt} if prompt else {}, choices=choices, **fields
    )


CAPITALS = content(
    pair("a", "Egypt", "Cairo"), pair("b", "Yemen", "Sanaa"), pair("c", "Iraq", "Baghdad"), pair("d", "", "Amman")
)
# Two pairs share a right side; the colours of the first two read alike in English only.
SHARED = content(pair("a", "3", "odd"), pair("b", "4", "even"), pair("c", "5", "odd"))
HALF = content(
    pair("a", "river", {"en": "bank", "ar": "ضفة"}),
    pair("b", "money", {"en": "bank", "ar": "مصرف"}),
    pair("c", "sea", {"en": "shore", "ar": "شاطئ"}),
)


def rights(question, order=None):
    """``{right side in English: its place}`` as shown."""
    shown = MATCHING.asked(question, order or MATCHING.order(question, shuffle=False))
    return {match.text.source: str(match.place) for match in shown.offered.offers}


def answer(question, *chosen, order=None):
    """What is stored where the right sides of these names are chosen for the left sides in turn."""
    order = order or MATCHING.order(question, shuffle=False)
    places = rights(question, order)
    given_ = {str(place): places[name] for place, name in enumerate(chosen, 1)}
    return MATCHING.clean(given_, question, order)


def refusal(question, value):
    with pytest.raises(Refusal) as caught:
        MATCHING.clean(value, question, MATCHING.order(question, shuffle=False))
    assert caught.value.code == "bad_answer"
    return str(caught.value.message)


@pytest.mark.parametrize(
    ("question", "chosen", "fraction"),
    [
        (CAPITALS, ["Cairo", "Sanaa", "Baghdad"], "1"),
        (CAPITALS, ["Cairo", "Baghdad", "Sanaa"], "0.3333333"),
        (CAPITALS, ["Cairo", "Sanaa", "Amman"], "0.6666667"),
        (CAPITALS, ["Cairo", "Cairo", "Cairo"], "0.3333333"),
        (CAPITALS, ["Amman", "Amman", "Amman"], "0"),
        (SHARED, ["odd", "even", "odd"], "1"),
        (SHARED, ["odd", "odd", "odd"], "0.6666667"),
    ],
)
def test_each_pair_earns_an_equal_share(question, chosen, fraction):
    assert MATCHING.mark(question, answer(question, *chosen)) == Decimal(fraction)


def test_equal_right_sides_are_one_thing_to_choose():
    assert sorted(rights(SHARED)) == ["even", "odd"]
    assert answer(SHARED, "odd", "even", "odd") == {"a": "a", "b": "b", "c": "a"}


def read_in(language, seen=HALF):
    """The kind as it marks and shows an answer that was read in a language."""
    return kinds.kept("matching", kinds.Seen(seen, language))


@pytest.mark.parametrize(
    ("language", "fraction", "states"),
    [
        ("en", "1", ["right", "right", "right"]),
        ("ar", "0.3333333", ["wrong", "wrong", "right"]),
        ("", "1", ["right", "right", "right"]),
    ],
)
def test_right_sides_that_read_alike_to_whoever_answered_both_count(language, fraction, states):
    crossed, kind = {"a": "b", "b": "a", "c": "c"}, read_in(language)
    for looked_at_in in ("en", "ar"):
        with translation.override(looked_at_in):
            assert kind.mark(HALF, crossed) == Decimal(fraction)
            shown = kind.answered(HALF, MATCHING.order(HALF, shuffle=False), crossed)
            assert [part.state for part in shown.parts] == states


def test_what_read_alike_counts_also_once_the_words_were_mended():
    mended = replace(
        HALF, choices=(pair("a", "river", "shore of it"), pair("b", "money", "bank"), pair("c", "sea", "shore"))
    )
    assert read_in("en").mark(mended, {"a": "b", "b": "a", "c": "c"}) == 1
    assert read_in("en").mark(mended, {"a": "c", "b": "a", "c": "c"}) == Decimal("0.6666667")
    assert read_in("ar").mark(mended, {"a": "b", "b": "a", "c": "c"}) == Decimal("0.3333333")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_was_given_stays_what_was_sent_whatever_belongs_to_what(language):
    order = ["a", "b", "c", "c", "a", "b"]
    with translation.override(language):
        for places in product("123", repeat=3):
            sent = dict(zip("123", places, strict=True))
            assert MATCHING.entered(HALF, order, MATCHING.clean(sent, HALF, order)).parts == sent


def test_the_places_are_those_shown_and_what_is_stored_does_not_depend_on_them():
    order = ["c", "a", "b", "d", "b", "a", "c"]
    assert MATCHING.clean({"1": 4, "2": "3", "3": 1}, CAPITALS, order) == {"c": "c", "a": "a", "b": "d"}
    assert MATCHING.clean({1: 4, 2: 3, 3: 1}, CAPITALS, order) == {"c": "c", "a": "a", "b": "d"}


@pytest.mark.parametrize(
    ("value", "open_ones"),
    [
        (None, "1, 2, 3."),
        ({}, "1, 2, 3."),
        ({"1": "", "2": "1", "3": None}, "1, 3."),
        ({"2": " "}, "1, 2, 3."),
        ({"1": "1", "2": "2"}, "3."),
    ],
)
def test_what_is_left_open_is_named(value, open_ones):
    assert refusal(CAPITALS, value).endswith(open_ones)


@pytest.mark.parametrize("place", ["0", "5", "-1", "x", "1.0", 1.0, True, "9" * 5000, ["1"], {"1": "1"}, "a"])
def test_what_is_no_place_is_refused(place):
    refusal(CAPITALS, {"1": place, "2": "1", "3": "1"})


@pytest.mark.parametrize("value", ["1", ["1", "2", "3"], 1, {"1": "1", "2": "1", "3": "1", "4": "1"}, {"a": "1"}])
def test_what_names_no_pair_is_refused(value):
    refusal(CAPITALS, value)


# The order ----------------------------------------------------------------------------------------------------


def test_the_right_sides_stand_in_an_order_that_does_not_depend_on_what_belongs_to_what():
    turned = content(
        pair("a", "Egypt", "Amman"), pair("b", "Yemen", "Cairo"), pair("c", "Iraq", "Sanaa"), pair("d", "", "Baghdad")
    )
    assert rights(CAPITALS) == rights(turned)
    assert MATCHING.visible(CAPITALS) == MATCHING.visible(turned)
    orders = [MATCHING.order(one, shuffle=False) for one in (CAPITALS, turned)]
    assert MATCHING.asked(CAPITALS, orders[0]) == MATCHING.asked(turned, orders[1])


def test_over_many_questions_the_place_of_the_right_side_tells_nothing():
    places = [0] * 4
    for number in range(400):
        question = replace(CAPITALS, key=f"book/{number}")
        order = MATCHING.order(question, shuffle=False)
        assert order[:3] == ["a", "b", "c"]
        places[order[3:].index("a")] += 1
    assert all(60 <= count <= 140 for count in places), places  # 100 expected, standard deviation below 9


def test_shuffling_turns_both_sides_and_each_for_itself():
    orders = [MATCHING.order(CAPITALS, shuffle=True) for _ in range(2000)]
    assert len({tuple(order[:3]) for order in orders}) == 6
    assert len({tuple(order[3:]) for order in orders}) == 24
    first = sum(order[0] == order[3] for order in orders)
    assert 380 <= first <= 620  # 500 expected, standard deviation below 20


def test_an_order_that_is_kept_is_the_editor_s_on_the_left_and_mixed_on_the_right():
    kept = replace(CAPITALS, settings={"keep_order": True})
    assert MATCHING.order(kept, shuffle=True) == MATCHING.order(CAPITALS, shuffle=False)


# What is shown ------------------------------------------------------------------------------------------------


def test_before_the_answer_nothing_is_right_or_wrong():
    shown = MATCHING.asked(CAPITALS, MATCHING.order(CAPITALS, shuffle=False))
    assert [(part.name, part.text.source, part.state, part.given, part.right) for part in shown.parts] == [
        ("1", "Egypt", "", None, None),
        ("2", "Yemen", "", None, None),
        ("3", "Iraq", "", None, None),
    ]


def test_after_the_answer_each_pair_tells_what_was_chosen_and_what_is_right():
    order = ["b", "a", "c", "d", "c", "b", "a"]
    shown = MATCHING.answered(CAPITALS, order, {"a": "a", "b": "d", "c": "b"})
    assert [(part.text.source, part.state, part.given.source, part.right.source) for part in shown.parts] == [
        ("Yemen", "wrong", "Amman", "Sanaa"),
        ("Egypt", "right", "Cairo", "Cairo"),
        ("Iraq", "wrong", "Sanaa", "Baghdad"),
    ]
    skipped = MATCHING.answered(CAPITALS, order, None)
    first = skipped.parts[0]
    assert (first.state, first.given, first.right.source) == ("", None, "Sanaa")


def test_a_choice_that_is_gone_breaks_nothing():
    given_ = {"a": "gone", "b": "b"}
    assert MATCHING.mark(CAPITALS, given_) == Decimal("0.3333333")
    assert MATCHING.answered(CAPITALS, MATCHING.order(CAPITALS, shuffle=False), given_).parts[0].state == "wrong"


def test_an_answer_in_words_points_from_left_to_right_as_its_language_reads():
    arabic = content(pair("a", {"ar": "مصر"}, {"ar": "القاهرة"}), pair("b", {"ar": "اليمن"}, {"ar": "صنعاء"}))
    said = MATCHING.in_words(CAPITALS, {"a": "b", "b": "d", "c": "c"})
    assert [text.plain for text in said] == [
        "\u2068Egypt\u2069 → \u2068Sanaa\u2069",
        "\u2068Yemen\u2069 → \u2068Amman\u2069",
        "\u2068Iraq\u2069 → \u2068Baghdad\u2069",
    ]
    (first, _second) = MATCHING.in_words(arabic, {"a": "b", "b": "b"})
    assert (first.plain, direction(first.language)) == ("\u2068مصر\u2069 ← \u2068صنعاء\u2069", "rtl")
    assert MATCHING.in_words(CAPITALS, None) == []


@pytest.mark.parametrize(
    ("match", "labelled"),
    [
        ("plain *words* and `code`", False),
        ("![a tower](/media/tower.png)", True),
        ("a right side that is so long that no select list of a telephone could show it", True),
    ],
)
def test_what_does_not_fit_into_a_list_stands_above_it_under_a_letter(match, labelled):
    question = content(pair("a", "One", match), pair("b", "Two", "other"))
    shown = MATCHING.asked(question, ["a", "b", "b", "a"])
    assert shown.offered.labelled is labelled
    assert [one.label for one in shown.offered.offers] == ["A", "B"]


# What an editor must mend -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (CAPITALS, []),
        (SHARED, []),
        (content(pair("a", "Egypt", "Cairo"), pair("b", "", "Amman")), []),
        (content(pair("a", "Egypt", "Cairo"), pair("b", "Egypt", "Giza")), []),
        (content(pair("a", "Egypt", "Cairo"), pair("b", "", "Amman"), prompt=""), [("prompt", None, True)]),
        (content(), [("choices", None, True)]),
        (content(pair("a", "", "Cairo"), pair("b", "", "Amman")), [("choices", None, True)]),
        (content(pair("a", "Egypt", "Cairo")), [("choices", None, True)]),
        (content(pair("a", "3", "odd"), pair("b", "5", "odd")), [("choices", None, True)]),
        (content(pair("a", "3", "odd"), pair("b", "4", "even"), pair("c", "5", " ")), [("match", 2, True)]),
        (content(pair("a", "3", {"ar": "فردي"}), pair("b", {"ar": "4"}, "even")), []),
        (HALF, [("match", 1, False)]),
        (content(*(pair(key_at(n), str(n), f"no. {n}") for n in range(101))), [("choices", None, True)]),
    ],
)
def test_what_an_editor_must_mend(question, found):
    assert [(one.field, one.choice, one.blocks) for one in MATCHING.problems(question)] == found


# Properties ---------------------------------------------------------------------------------------------------


@st.composite
def answered(draw):
    """(question, what is stored as the answer)."""
    sides = draw(
        st.lists(st.sampled_from(["x", "y", "z", "w"]), min_size=2, max_size=6).filter(lambda s: len(set(s)) > 1)
    )
    extra = draw(st.lists(st.sampled_from(["u", "v", "x"]), max_size=2))
    choices = [pair(key_at(n), f"Left {n}", side) for n, side in enumerate(sides)]
    choices += [pair(key_at(n), "", side) for n, side in enumerate(extra, len(sides))]
    question = content(*choices)
    names = draw(st.lists(st.sampled_from([*sides, *extra]), min_size=len(sides), max_size=len(sides)))
    return question, sides, names


@given(answered())
def test_the_whole_mark_is_for_the_right_pairs_alone_and_each_is_worth_the_same(case):
    question, sides, names = case
    fraction = MATCHING.mark(question, answer(question, *names))
    right = sum(one == other for one, other in zip(sides, names, strict=True))
    assert fraction == exact(Fraction(right, len(sides)))
    assert (fraction == 1) is (names == sides)


@given(answered(), st.integers(0, 5))
def test_making_one_more_pair_right_never_lowers_the_mark(case, place):
    question, sides, names = case
    place %= len(sides)
    better = [*names[:place], sides[place], *names[place + 1 :]]
    before, after = (MATCHING.mark(question, answer(question, *those)) for those in (names, better))
    assert after >= before
