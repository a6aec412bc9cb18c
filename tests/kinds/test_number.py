"""Numbers: what is taken, what it earns, what is shown and what an editor must mend."""

from decimal import Decimal

import pytest

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal

KIND = kinds.get("number")


def accepts(value, right=False, weight=None, feedback=None):
    weight = None if weight is None else Decimal(str(weight))
    return {"value": value, "right": right, "weight": weight, "feedback": {"en": feedback} if feedback else {}}


def content(*choices, prompt="How many?"):
    rows = tuple(ChoiceContent(key=key_at(place), **choice) for place, choice in enumerate(choices))
    return QuestionContent(key="book/one", kind="number", prompt={"en": prompt}, choices=rows)


PI = content(
    accepts("3.14:0.005", True, feedback="Pi."),
    accepts("3..4", weight=0.25, feedback="Roughly."),
    accepts("2.72", feedback="That is e."),
    accepts("*", feedback="No."),
)


@pytest.mark.parametrize(
    ("given", "stored", "fraction", "words"),
    [
        ("3.14", "3.14", "1", "Pi."),
        ("٣٫١٤", "3.14", "1", "Pi."),
        ("3,14", "3.14", "1", "Pi."),
        ("3.145", "3.145", "1", "Pi."),
        ("3.135", "3.135", "1", "Pi."),
        ("3.1451", "3.1451", "0.25", "Roughly."),
        ("4", "4", "0.25", "Roughly."),
        ("3", "3", "0.25", "Roughly."),
        ("2.720", "2.72", "0", "That is e."),
        ("-1e2", "-100", "0", "No."),
        (3, "3", "0.25", "Roughly."),
        (3.14, "3.14", "1", "Pi."),
        (1e21, "1e21", "0", "No."),
        (Decimal("3.140"), "3.14", "1", "Pi."),
    ],
)
def test_what_a_number_is_stored_as_and_earns(given, stored, fraction, words):
    cleaned = KIND.clean(given, PI, [])
    assert cleaned == stored
    assert KIND.mark(PI, cleaned) == Decimal(fraction)
    assert [text.source for text in KIND.said(PI, cleaned)] == [words]


@pytest.mark.parametrize(
    "given",
    [None, "", "x", "1,234", True, [3], {"1": 3}, float("nan"), float("inf"), 1e301, 1 << 20_000, "9" * 5000],
    ids=lambda given: repr(given)[:9] if not isinstance(given, int) else "int",
)
def test_what_is_no_number_is_refused(given):
    with pytest.raises(Refusal) as caught:
        KIND.clean(given, PI, [])
    assert caught.value.code == "bad_answer"


def test_an_accepted_value_that_cannot_be_read_fits_nothing():
    broken = content(accepts("about 3", True))
    assert KIND.mark(broken, "3") == 0
    assert [text.source for text in KIND.answered(broken, [], "3").accepted] == ["about 3"]


def test_before_the_answer_nothing_tells_the_key():
    other = content(accepts("7", True))
    assert KIND.asked(PI, []) == KIND.asked(other, [])
    assert KIND.visible(PI) == KIND.visible(other)
    assert KIND.order(PI, shuffle=True) == []


@pytest.mark.parametrize(
    ("given", "state", "accepted"),
    [
        ("3.14", "right", []),
        ("3.9", "partly", ["3.14\u00a0±\u00a00.005"]),
        ("7", "wrong", ["3.14\u00a0±\u00a00.005"]),
        (None, "", ["3.14\u00a0±\u00a00.005"]),
    ],
)
def test_after_the_answer_the_number_as_it_was_read_and_the_right_one_are_told(given, state, accepted):
    shown = KIND.answered(PI, [], given)
    assert (shown.given and shown.given.source, shown.state) == (given, state)
    assert [text.source for text in shown.accepted] == accepted


def test_a_number_reads_from_the_left():
    shown = KIND.answered(PI, [], "-7")
    assert {text.dir for text in (shown.given, *shown.accepted, *KIND.in_words(PI, "-7"))} == {"ltr"}


def test_a_right_number_is_not_repeated():
    assert KIND.answered(content(accepts("٧", True)), [], "7").accepted == ()


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (PI, []),
        (content(accepts("3,14", True)), []),
        (content(), [("choices", None, True)]),
        (content(accepts("3", True), prompt=""), [("prompt", None, True)]),
        (content(accepts("3", weight=0.5)), [("choices", None, True)]),
        (content(accepts("3", True), accepts("")), [("value", 1, True)]),
        (content(accepts("5..3", True)), [("value", 0, True)]),
        (content(accepts("3:-1", True)), [("value", 0, True)]),
        (content(accepts("1,234", True)), [("value", 0, True)]),
        (content(accepts("3", True), accepts("٣٫٠")), [("value", 1, False)]),
        (content(accepts("3", True), accepts("*", weight=2)), [("weight", 1, True)]),
        (content(accepts("3", True, 0.5)), [("weight", 0, True)]),
    ],
)
def test_what_an_editor_must_mend(question, found):
    problems = KIND.problems(question)
    assert [(problem.field, problem.choice, problem.blocks) for problem in problems] == found
    assert all(str(problem.message) for problem in problems)
