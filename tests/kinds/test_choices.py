"""Single, multiple and true or false: what is taken as an answer, what it earns, what an editor must mend."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal


def choice(key, right=False, weight=None, text=None, feedback=None):
    weight = None if weight is None else Decimal(str(weight))
    texts = {"en": f"Choice {key}"} if text is None else text
    return ChoiceContent(key=key, text=texts, right=right, weight=weight, feedback=feedback or {})


def content(kind, *choices, prompt="Which?"):
    return QuestionContent(key="book/one", kind=kind, prompt={"en": prompt} if prompt else {}, choices=choices)


def mark(question, *places, order=None):
    """What the choices at these places earn in the order shown (the editor's by default)."""
    kind = kinds.get(question.kind)
    order = order or [choice.key for choice in question.choices]
    return kind.mark(question, kind.clean(list(places), question, order))


def refusal(question, value):
    with pytest.raises(Refusal) as caught:
        kinds.get(question.kind).clean(value, question, [choice.key for choice in question.choices])
    return caught.value.code


def problems(question):
    kind = kinds.get(question.kind)
    return [(problem.field, problem.choice) for problem in kind.problems(kind.complete(question))]


SINGLE = content("single", choice("a", True), choice("b"), choice("c"))
PARTIAL = content("single", choice("a", True), choice("b", weight=0.5), choice("c", weight=-0.5))
MULTIPLE = content("multiple", choice("a", True), choice("b"), choice("c", True), choice("d"))
THREE = content("multiple", choice("a", True), choice("b", True), choice("c", True), choice("d"))
WEIGHED = content("multiple", choice("a", True, 0.7), choice("b", True, 0.3), choice("c", weight=-0.2), choice("d"))
ROUGH = content("multiple", *(choice(key, True, 0.333) for key in "abc"), choice("d", weight=0))
ANY_RIGHT = replace(content("single", *(choice(key, key != "c") for key in "abc")), settings={"any_right": True})
STATEMENT = content("true_false", choice("true", True, text={}), choice("false", text={}))


@pytest.mark.parametrize(
    ("question", "places", "fraction"),
    [
        (SINGLE, [1], "1"),
        (SINGLE, [2], "0"),
        (PARTIAL, [1], "1"),
        (PARTIAL, [2], "0.5"),
        (PARTIAL, [3], "0"),
        (content("single", choice("a", True, 0.5), choice("b")), [1], "1"),
        (ANY_RIGHT, [1], "1"),
        (ANY_RIGHT, [2], "1"),
        (ANY_RIGHT, [3], "0"),
        (STATEMENT, [1], "1"),
        (STATEMENT, [2], "0"),
        (MULTIPLE, [1, 3], "1"),
        (MULTIPLE, [1], "0.5"),
        (MULTIPLE, [1, 2], "0"),
        (MULTIPLE, [1, 2, 3], "0.5"),
        (MULTIPLE, [1, 2, 3, 4], "0"),
        (MULTIPLE, [2, 4], "0"),
        (THREE, [1], "0.3333333"),
        (THREE, [1, 2], "0.6666667"),
        (THREE, [1, 2, 4], "0.3333333"),
        (WEIGHED, [1], "0.7"),
        (WEIGHED, [2], "0.3"),
        (WEIGHED, [1, 2], "1"),
        (WEIGHED, [1, 3], "0.5"),
        (WEIGHED, [1, 4], "0.2"),
        (WEIGHED, [1, 2, 3], "0.8"),
        (WEIGHED, [2, 4], "0"),
        (ROUGH, [1, 2, 3], "1"),
        (ROUGH, [1, 2], "0.666"),
        (ROUGH, [1, 2, 3, 4], "0.999"),
    ],
)
def test_what_an_answer_earns(question, places, fraction):
    assert mark(question, *places) == Decimal(fraction)


@st.composite
def questions(draw, kind="multiple"):
    weights = st.none() | st.decimals(-1, 1, places=3)
    rights = draw(st.lists(st.booleans(), min_size=2, max_size=7).filter(any))
    return content(kind, *(choice(key_at(n), right, draw(weights)) for n, right in enumerate(rights)))


@st.composite
def answered(draw):
    """(question, chosen keys, two orders in which its choices were shown)."""
    question = draw(questions(draw(st.sampled_from(["single", "multiple"]))))
    keys = [choice.key for choice in question.choices]
    most = 1 if question.kind == "single" else len(keys)
    chosen = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=most, unique=True))
    return question, chosen, draw(st.permutations(keys)), draw(st.permutations(keys))


def earned(question, chosen, order):
    return mark(question, *(order.index(key) + 1 for key in chosen), order=order)


@given(answered())
def test_a_fraction_lies_between_0_and_1_and_no_order_changes_it(case):
    question, chosen, order, another = case
    fraction = earned(question, chosen, order)
    assert 0 <= fraction <= 1
    assert fraction == round(fraction, 7)
    assert fraction == earned(question, chosen[::-1], another)


@given(questions())
def test_all_the_right_ones_and_nothing_else_is_the_whole_mark(question):
    assert mark(question, *(n for n, choice in enumerate(question.choices, 1) if choice.right)) == 1


def test_what_is_stored_does_not_depend_on_the_order_shown():
    kind = kinds.get("multiple")
    assert kind.clean(["3", "1"], MULTIPLE, ["d", "a", "b", "c"]) == ["b", "d"]
    assert kinds.get("single").clean("1", SINGLE, ["c", "a", "b"]) == "c"


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", [], [""], [None], "0", "4", "-1", "1.0", "٤", "x", "1 ", "99999", "a", True, [True], 1.0, {}),
        *([["1"]], {"1": "1"}, ["1"] * 10_000, "9" * 5000, "²", [None, None]),
    ],
)
def test_what_is_no_answer_is_refused(value):
    assert refusal(SINGLE, value) == "bad_answer"
    assert refusal(replace(SINGLE, kind="multiple"), value) == "bad_answer"


def test_two_answers_to_a_question_with_one_are_refused():
    assert refusal(SINGLE, [1, 2]) == "bad_answer"


def test_the_same_place_twice_is_one():
    assert mark(SINGLE, 1, "1") == 1
    assert mark(MULTIPLE, 1, 1, 3) == 1


def test_a_stored_answer_whose_choice_is_gone_earns_nothing():
    assert kinds.get("single").mark(SINGLE, "gone") == 0
    assert kinds.get("multiple").mark(MULTIPLE, ["gone"]) == 0


# What is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_before_the_answer_nothing_tells_the_key(kind):
    question = content(kind, choice("a", True, 0.5, feedback={"en": "Yes"}), choice("b"))
    turned = content(kind, choice("a"), choice("b", True, 0.5, feedback={"en": "Yes"}))
    shown = kinds.get(kind).asked(question, ["b", "a"])
    assert shown == kinds.get(kind).asked(turned, ["b", "a"])
    assert [(one.place, one.text.plain, one.right, one.state) for one in shown] == [
        (1, "Choice b", False, ""),
        (2, "Choice a", False, ""),
    ]


def test_after_the_answer_the_chosen_and_the_right_one_are_told():
    question = content(
        "single", choice("a", True, feedback={"en": "A"}), choice("b", feedback={"en": "B"}), choice("c")
    )
    shown = kinds.get("single").answered(question, ["c", "b", "a"], "b")
    assert [(one.state, one.chosen) for one in shown] == [("", False), ("wrong", True), ("right", False)]
    assert [text.source for text in kinds.get("single").said(question, "b")] == ["B"]
    assert kinds.get("single").said(question, "c") == kinds.get("single").said(question, None) == []
    assert not any(one.chosen for one in kinds.get("single").answered(question, ["c", "b", "a"], None))
    assert not any(one.chosen for one in kinds.get("multiple").answered(question, ["c", "b", "a"], None))


# What an editor must mend -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (SINGLE, []),
        (PARTIAL, []),
        (MULTIPLE, []),
        (WEIGHED, []),
        (ROUGH, []),
        (ANY_RIGHT, []),
        (STATEMENT, []),
        (content("single", choice("a", True), choice("b"), prompt=""), [("prompt", None)]),
        (content("single"), [("choices", None)]),
        (content("single", choice("a", True)), [("choices", None)]),
        (content("single", choice("a"), choice("b")), [("choices", None)]),
        (content("single", choice("a", True), choice("b", True), choice("c", True)), [("right", 1), ("right", 2)]),
        (content("single", choice("a", True), choice("b", text={})), [("text", 1)]),
        (content("single", choice("a", True), choice("b", text={"en": " "})), [("text", 1)]),
        (content("single", choice("a", True, text={"en": "x  y"}), choice("b", text={"en": "x y"})), [("text", 1)]),
        (content("single", choice("a", True, text={"en": "x"}), choice("b", text={"ar": "x"})), []),
        (content("single", choice("a", True), choice("b", weight=1.5)), [("weight", 1)]),
        (content("single", choice("a", True), choice("b", weight=-1.5)), [("weight", 1)]),
        (content("single", choice("a", True, weight=0), choice("b")), [("weight", 0)]),
        (content("multiple", choice("a", True, 0.7), choice("b", True, 0.2)), [("choices", None)]),
        (content("multiple", choice("a", True, 0.7), choice("b", True)), [("choices", None)]),
        (content("multiple", choice("a"), choice("b")), [("choices", None)]),
        (content("true_false", choice("a", True), choice("b"), choice("c")), [("choices", None)]),
        (content("true_false", choice("a", True, text={}), choice("b")), [("text", 0)]),
    ],
)
def test_what_an_editor_must_mend(question, found):
    assert problems(question) == found


@pytest.mark.parametrize(
    ("question", "blocks"),
    [
        (content("single", choice("a", True), choice("b", text={"en": "x"}), choice("c", text={"en": "x"})), False),
        (content("multiple", choice("a", True, 0.7), choice("b", True, 0.2)), False),
        (content("multiple", choice("a", True, 0.7), choice("b", True)), True),
        (content("single", choice("a", True), choice("b", True)), True),
    ],
)
def test_what_is_only_odd_keeps_no_question_from_being_asked(question, blocks):
    assert bool(kinds.get(question.kind).blocking(question)) is blocks


def test_all_the_right_ones_are_the_whole_mark_whatever_their_weights_add_up_to():
    too_little = content("multiple", choice("a", True, 0.3), choice("b", True, 0.3), choice("c"))
    too_much = content("multiple", choice("a", True, 0.8), choice("b", True, 0.8), choice("c"))
    assert mark(too_little, 1, 2) == mark(too_much, 1, 2) == 1


def test_a_statement_reads_true_and_false_in_every_language():
    done = kinds.get("true_false").complete(STATEMENT)
    assert [set(choice.text) for choice in done.choices] == [{"en", "ar"}] * 2
    assert [choice.text["en"] for choice in done.choices] == ["True", "False"]
    with translation.override("ar"):
        assert kinds.get("true_false").complete(STATEMENT) == done


def test_a_statement_with_words_of_its_own_keeps_them():
    own = content("true_false", choice("a", True, text={"ar": "صحيح"}), choice("b", text={"ar": "خطأ"}))
    assert kinds.get("true_false").complete(own) == own
