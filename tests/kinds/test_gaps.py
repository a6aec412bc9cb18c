"""Gaps in a text: where they stand, what is taken as an answer, what it earns, what an editor must mend."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal
from mpquiz.kinds import blanks
from mpquiz.kinds.base import exact
from mpquiz.words import to_html
from tests.patience import patience

GAPS = kinds.get("gaps")


def content(prompt, *fills, parts=None, **fields):
    """A question whose choices are (part, what fills it, whether that is right), or whole choices."""
    choices = []
    for index, fill in enumerate(fills):
        part, filled, right = fill if len(fill) == 3 else (*fill, True)
        text = {"en": filled} if isinstance(filled, str) else {}
        value = "" if text else str(filled)
        choices.append(ChoiceContent(key=key_at(index), part=part, text=text, value=value, right=right))
    prompt = {"en": prompt} if isinstance(prompt, str) else prompt
    settings = {} if parts is None else {"parts": parts}
    return QuestionContent(
        key="book/one", kind="gaps", prompt=prompt, choices=tuple(choices), settings=settings, **fields
    )


CITIES = content(
    "[[1]] lies on the [[river]], *[[3]]* m above the sea.",
    ("1", "Cairo"),
    ("river", "Nile"),
    ("river", "Tigris", False),
    ("3", 23),
    parts={"river": {"kind": "single", "weight": 2}, "3": {"kind": "number"}},
)
RIGHT = {"1": "cairo", "river": "1", "3": "23"}


def stored(given_, question=CITIES):
    return GAPS.clean(given_, question, GAPS.order(question, shuffle=False))


def refusal(question, value):
    with pytest.raises(Refusal) as caught:
        stored(value, question)
    assert caught.value.code == "bad_answer"
    return str(caught.value.message), list(caught.value.parts)


# Where the gaps stand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("a [[1]] b", "<p>a {1} b</p>\n"),
        ("[[1]][[b]]", "<p>{1}{b}</p>\n"),
        ("**[[1]]** _[[2]]_", "<p><strong>{1}</strong> <em>{2}</em></p>\n"),
        ("`x = [[1]]`", '<p><code dir="ltr">x = {1}</code></p>\n'),
        ("```\nf([[1]])\n```", '<pre dir="ltr"><code>f({1})\n</code></pre>\n'),
        (r"literal \[\[1]] and [[2]]", "<p>literal [[1]] and {2}</p>\n"),
        (r"literal \[[1]] and \\[[2]]", r"<p>literal [[1]] and \{2}</p>" + "\n"),
        ("[[1]](/x)", "<p>{1}(/x)</p>\n"),
        ("[[X]] [[1 ]] [[]] [1] [[a-b]]", "<p>[[X]] [[1 ]] [[]] [1] [[a-b]]</p>\n"),
        ("\ue0001\ue001 [[1]]", "<p>\ufffd1\ufffd {1}</p>\n"),
        ("a < [[1]] & b", "<p>a &lt; {1} &amp; b</p>\n"),
        ("- [[1]]\n- b", "<ul>\n<li>{1}</li>\n<li>b</li>\n</ul>\n"),
    ],
)
def test_a_gap_stands_in_the_text(source, html):
    pieces = blanks.pieces(source)
    put_together = "".join(f"{{{piece.name}}}" if isinstance(piece, blanks.Blank) else piece for piece in pieces)
    assert put_together == html


@pytest.mark.parametrize(
    "source",
    [
        "![see [[1]]](/media/x.png)",
        '![x](/media/x.png "[[1]]")',
        "[see [[1]] there](/x)",
        "[x](/[[1]])",
        '[x](/y "[[1]]")',
    ],
)
def test_a_gap_in_a_link_or_a_picture_is_none(source):
    assert blanks.names(source) == ["1"]
    assert blanks.visible_names(source) == []
    assert "<input" not in "".join(blanks.pieces(source))
    assert ("prompt", None, True) in problems(content(source, ("1", "x")))


@given(st.text(alphabet="a1[]\\`*<>&\"'!()\n\ue000\ue001 _|$", max_size=60))
def test_put_together_again_the_prompt_is_what_it_was(source):
    pieces = blanks.pieces(source)
    gaps = [piece for piece in pieces if isinstance(piece, blanks.Blank)]
    assert {gap.name for gap in gaps} <= set(blanks.names(source))
    assert not any(char in str(piece) for piece in pieces for char in "\ue000\ue001")
    if not blanks.names(source) and "\ue000" not in source and "\ue001" not in source:
        assert "".join(pieces) == to_html(source)


@pytest.mark.parametrize("unit", ["[[", "[[1", "\\", "[[1]]", "]]", "<", '<a href="', "`[[1]]"])
def test_a_long_hostile_prompt_does_not_hang(unit):
    with patience():
        blanks.names(unit * (500_000 // len(unit)))
        list(blanks._parts(unit * (500_000 // len(unit))))


# What it earns ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "fraction"),
    [
        (RIGHT, "1"),
        (RIGHT | {"river": "2"}, "0.5"),
        (RIGHT | {"1": "Giza"}, "0.75"),
        (RIGHT | {"1": "Giza", "3": "24"}, "0.5"),
        ({"1": "Giza", "3": "24", "river": 2}, "0"),
    ],
)
def test_each_gap_earns_by_its_weight(given_, fraction):
    assert GAPS.mark(CITIES, stored(given_)) == Decimal(fraction)


def test_what_is_stored_is_what_each_kind_stores():
    assert stored({"1": " cairo ", "river": 2, "3": 23.0}) == {"1": "cairo", "river": "c", "3": "23"}


def test_the_places_in_a_gap_are_those_shown():
    order = ["c", "b"]
    assert GAPS.clean(RIGHT, CITIES, order)["river"] == "c"
    (gap,) = [gap for gap in GAPS.asked(CITIES, order).gaps if gap.name == "river"]
    assert [offer.text.source for offer in gap.offered.offers] == ["Tigris", "Nile"]


def test_a_gap_with_a_share_of_its_own_is_partly_right():
    question = replace(CITIES, choices=(*CITIES.choices, partial := choice_of("1", "Giza", "0.5")))
    assert partial.weight == Decimal("0.5")
    assert GAPS.mark(question, stored(RIGHT | {"1": "giza"}, question)) == Decimal("0.875")
    shown = GAPS.answered(question, ["b", "c"], stored(RIGHT | {"1": "giza"}, question))
    assert [gap.state for gap in shown.gaps] == ["partly", "right", "right"]


def choice_of(part, text, weight):
    return ChoiceContent(key="z", part=part, text={"en": text}, weight=Decimal(weight))


def test_an_answer_to_a_gap_that_is_gone_breaks_nothing():
    assert GAPS.mark(CITIES, {"old": "x", "1": "Cairo"}) == Decimal("0.25")
    assert GAPS.mark(CITIES, {"river": "gone"}) == 0


@pytest.mark.parametrize(
    ("value", "numbers", "parts"),
    [
        (None, "1, 2, 3.", ["1", "river", "3"]),
        ({}, "1, 2, 3.", ["1", "river", "3"]),
        (RIGHT | {"river": ""}, "2.", ["river"]),
        (RIGHT | {"1": " ", "3": None}, "1, 3.", ["1", "3"]),
    ],
)
def test_an_empty_gap_is_named_by_its_place_in_the_text(value, numbers, parts):
    message, wrong = refusal(CITIES, value)
    assert message.endswith(f"Still empty: {numbers}")
    assert wrong == parts


def test_the_numbers_are_those_of_the_language_that_is_read():
    prompt = {"en": "[[a]] then [[b]]", "ar": "ثم [[b]] بعد [[a]]"}
    question = content(prompt, ("a", "x"), ("b", "y"))
    assert refusal(question, {"a": "x"})[0].endswith("2.")
    with translation.override("ar"):
        assert [gap.name for gap in GAPS.asked(question, []).gaps] == ["b", "a"]
        assert "1" in refusal(question, {"a": "x"})[0]


def test_what_a_kind_refuses_is_said_with_the_number_of_the_gap():
    message, parts = refusal(CITIES, RIGHT | {"river": "7", "3": "many"})
    assert message.startswith("Gap 2: ")
    assert " Gap 3: " in message
    assert parts == ["river", "3"]


@pytest.mark.parametrize("value", ["1", ["1", "2", "3"], {"4": "x"}, RIGHT | {"river": ["1"]}, RIGHT | {"3": True}])
def test_what_is_no_answer_is_refused(value):
    refusal(CITIES, value)


@pytest.mark.parametrize("number", [10**5000, -(10**5000), float("nan"), float("inf"), "9" * 5000], ids=lambda _: "")
def test_a_number_of_any_size_is_refused_kindly(number):
    refusal(CITIES, RIGHT | {"3": number})


# What is shown ------------------------------------------------------------------------------------------------


def test_before_the_answer_a_gap_tells_its_choices_and_nothing_else():
    shown = GAPS.asked(CITIES, GAPS.order(CITIES, shuffle=False))
    assert [(gap.number, gap.kind, gap.state, gap.given.source, gap.right.source) for gap in shown.gaps] == [
        (1, "text", "", "", ""),
        (2, "single", "", "", ""),
        (3, "number", "", "", ""),
    ]
    assert [[offer.text.source for offer in gap.offered.offers] for gap in shown.gaps] == [[], ["Nile", "Tigris"], []]
    seen = GAPS.visible(CITIES)["parts"]
    assert seen["river"]["choices"] == [{"en": "Nile"}, {"en": "Tigris"}]
    assert "Cairo" not in str(seen)
    assert "23" not in str(seen)


def test_what_may_be_seen_does_not_depend_on_the_key():
    turned = replace(
        CITIES,
        choices=(
            replace(CITIES.choices[0], text={"en": "Giza"}, feedback={"en": "No."}),
            replace(CITIES.choices[1], right=False, weight=Decimal("0.5")),
            replace(CITIES.choices[2], right=True),
            replace(CITIES.choices[3], value="24:1"),
        ),
    )
    assert GAPS.visible(CITIES) == GAPS.visible(turned)
    order = GAPS.order(CITIES, shuffle=False)
    assert order == GAPS.order(turned, shuffle=False)
    assert GAPS.asked(CITIES, order) == GAPS.asked(turned, order)


def test_shuffling_turns_the_choices_of_a_gap_unless_it_keeps_them():
    assert len({tuple(GAPS.order(CITIES, shuffle=True)) for _ in range(60)}) == 2
    kept = replace(CITIES, settings={"parts": {"river": {"kind": "single", "keep_order": True}}})
    assert {tuple(GAPS.order(kept, shuffle=True)) for _ in range(20)} == {("b", "c")}


def test_after_the_answer_each_gap_tells_what_was_given_and_what_is_right():
    shown = GAPS.answered(CITIES, ["b", "c"], {"1": "Giza", "river": "b", "3": "24"})
    assert [(gap.state, gap.given.source, gap.right.source) for gap in shown.gaps] == [
        ("wrong", "Giza", "Cairo"),
        ("right", "Nile", "Nile"),
        ("wrong", "24", "23"),
    ]
    skipped = GAPS.answered(CITIES, ["b", "c"], None)
    assert [(gap.state, gap.given.source) for gap in skipped.gaps] == [("", "")] * 3
    assert [gap.right.source for gap in skipped.gaps] == ["Cairo", "Nile", "23"]


def test_what_is_said_is_that_of_each_gap_in_the_order_of_the_text():
    fills = [("b", "y"), ("a", "x")]
    question = content("[[a]] [[b]]", *fills)
    question = replace(
        question, choices=tuple(replace(c, feedback={"en": f"About {c.part}."}) for c in question.choices)
    )
    assert [text.source for text in GAPS.said(question, {"a": "x", "b": "y"})] == ["About a.", "About b."]
    assert [text.source for text in GAPS.said(question, {"a": "x", "b": "z"})] == ["About a."]
    assert GAPS.said(question, None) == []


def test_an_answer_in_words_numbers_the_gaps():
    given_ = {"1": "1 < 2", "river": "c", "3": "24"}
    assert [text.plain for text in GAPS.in_words(CITIES, given_)] == ["1: 1 < 2", "2: Tigris", "3: 24"]
    assert GAPS.in_words(CITIES, None) == []


# What an editor must mend -------------------------------------------------------------------------------------


def problems(question):
    return [(one.field, one.choice, one.blocks) for one in GAPS.problems(question)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (CITIES, []),
        (content({}, ("1", "x")), [("prompt", None, True)]),
        (content("No gap.", ("1", "x")), [("prompt", None, True)]),
        (content(r"Literal \[\[1]] only.", ("1", "x")), [("prompt", None, True)]),
        (content("[[1]] and [[1]]", ("1", "x")), [("prompt", None, True)]),
        (content({"en": "[[1]] [[2]]", "ar": "[[1]]"}, ("1", "x"), ("2", "y")), [("prompt", None, True)]),
        (content({"en": "[[1]]", "ar": "[[2]]"}, ("1", "x"), ("2", "y")), [("prompt", None, True)] * 2),
        (content({"en": "[[1]] [[2]]", "ar": "[[2]] [[1]]"}, ("1", "x"), ("2", "y")), []),
        (content("[[1]] [[2]]", ("1", "x")), [("choices", None, True)]),
        (content("[[1]]", ("1", "x"), ("2", "y")), [("part", 1, False)]),
        (content("[[1]]", ("1", "x"), ("", "y")), [("part", 1, False)]),
        (content("[[1]]", ("1", "x"), parts=[]), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"2": {}}), [("settings", None, False)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"kind": "essay"}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"kind": ["text"]}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"weight": 0}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"weight": "x"}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"weight": "1e-999999999"}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"weight": "NaN"}}), [("settings", None, True)]),
        (content("[[1]]", ("1", "x", False)), [("choices", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"kind": "single"}}), [("choices", None, True)]),
        (content("[[1]]", ("1", "x"), parts={"1": {"kind": "number"}}), [("value", 0, True)]),
        (
            content("[[2]] [[1]]", ("1", "x"), ("2", "y"), ("1", "z"), parts={"1": {"kind": "single"}}),
            [("right", 2, True)],
        ),
        (
            content(" ".join(f"[[{n}]]" for n in range(101)), *((str(n), "x") for n in range(101))),
            [("prompt", None, True)],
        ),
    ],
)
def test_what_an_editor_must_mend(question, found):
    assert problems(question) == found


# Properties ---------------------------------------------------------------------------------------------------


@st.composite
def weighed(draw):
    """(question of gaps with choices, what is chosen in each: right or not)."""
    weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=6))
    names = [f"g{n}" for n in range(len(weights))]
    fills = [fill for name in names for fill in ((name, "yes"), (name, "no", False))]
    parts = {name: {"kind": "single", "weight": weight} for name, weight in zip(names, weights, strict=True)}
    return (
        content(" ".join(f"[[{name}]]" for name in names), *fills, parts=parts),
        weights,
        draw(st.lists(st.booleans(), min_size=len(weights), max_size=len(weights))),
    )


@given(weighed())
def test_the_whole_mark_is_for_all_gaps_right_and_one_more_never_lowers_it(case):
    question, weights, rights = case
    answer = {f"g{n}": "1" if right else "2" for n, right in enumerate(rights)}
    fraction = GAPS.mark(question, stored(answer, question))
    earned = sum(weight for weight, right in zip(weights, rights, strict=True) if right)
    assert fraction == exact(Fraction(earned, sum(weights)))
    assert (fraction == 1) is all(rights)
    for name in answer:
        assert GAPS.mark(question, stored(answer | {name: "1"}, question)) >= fraction
