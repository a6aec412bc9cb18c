"""Short answers: what is taken, what it earns in any language, what is shown and what an editor must mend."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import translation

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.exceptions import Refusal

KIND = kinds.get("text")


def accepts(text, right=False, weight=None, feedback=None):
    texts = {"en": text} if isinstance(text, str) else text
    weight = None if weight is None else Decimal(str(weight))
    return {"text": texts, "right": right, "weight": weight, "feedback": feedback or {}}


def content(*choices, prompt="Which?", **settings):
    rows = [ChoiceContent(key=key_at(place), **choice) for place, choice in enumerate(choices)]
    return QuestionContent(key="book/one", kind="text", prompt={"en": prompt}, choices=tuple(rows), settings=settings)


ANIMAL = content(
    accepts({"en": "cat", "ar": "قطة"}, True, feedback={"en": "Meow.", "ar": "مياو."}),
    accepts("kitten", True),
    accepts("lion", weight=0.5, feedback={"en": "A larger one."}),
    accepts("dog", feedback={"en": "That barks."}),
    accepts("*", feedback={"en": "Think of mice."}),
)


def mark(question, typed):
    return KIND.mark(question, KIND.clean(typed, question, []))


def said(question, typed):
    return [text.source for text in KIND.said(question, typed)]


@pytest.mark.parametrize(
    ("typed", "fraction", "words"),
    [
        ("cat", "1", ["Meow."]),
        (" CAT. ", "1", ["Meow."]),
        ("قطة", "1", ["Meow."]),
        ("قِطّه", "1", ["Meow."]),
        ("kitten", "1", []),
        ("lion", "0.5", ["A larger one."]),
        ("dog", "0", ["That barks."]),
        ("mouse", "0", ["Think of mice."]),
    ],
)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_an_answer_earns_and_is_told_in_any_language(language, typed, fraction, words):
    assert mark(ANIMAL, typed) == Decimal(fraction)
    with translation.override("en"):
        assert said(ANIMAL, typed) == words
    with translation.override(language):
        assert mark(ANIMAL, typed) == Decimal(fraction)


def test_feedback_is_in_the_reader_s_language_whatever_the_answer_was_in():
    with translation.override("ar"):
        assert said(ANIMAL, "cat") == ["مياو."]


@pytest.mark.parametrize(
    ("choices", "typed", "fraction", "words"),
    [
        (
            [accepts("c*", weight=0.3, feedback={"en": "1"}), accepts("cat", True, feedback={"en": "2"})],
            "cat",
            1,
            ["2"],
        ),
        ([accepts("c*", feedback={"en": "1"}), accepts("*t", feedback={"en": "2"})], "cat", 0, ["1"]),
        ([accepts("*", weight=0.5, feedback={"en": "1"}), accepts("cat", feedback={"en": "2"})], "cat", 0, ["2"]),
        ([accepts("*", weight=0.5)], "cat", 0.5, []),
        ([accepts("*", True)], "cat", 1, []),
        ([accepts("cat", weight=-1)], "cat", 0, []),
        ([accepts("dog", True)], "cat", 0, []),
    ],
)
def test_the_first_match_with_the_highest_share_counts_and_a_star_where_nothing_else_fits(
    choices, typed, fraction, words
):
    question = content(*choices)
    assert mark(question, typed) == Decimal(str(fraction))
    assert said(question, typed) == words


def test_strict_spelling_is_the_question_s():
    question = content(accepts({"ar": "قُرآن"}, True))
    assert mark(question, "قران") == 1
    assert mark(replace(question, settings={"strict": True}), "قران") == 0
    assert mark(replace(question, settings={"strict": True}), " قُرآن\u200f") == 1


@pytest.mark.parametrize(
    "given", [None, "", "   ", "\u200f", "\x00", "x" * 1001, 5, True, ["cat"], {"1": "cat"}, {}, "\ud800"]
)
def test_what_is_no_answer_is_refused(given):
    with pytest.raises(Refusal) as caught:
        KIND.clean(given, ANIMAL, [])
    assert caught.value.code == "bad_answer"
    assert str(caught.value.message)


def test_what_is_stored_is_what_was_typed_on_one_line():
    assert KIND.clean(" Das \u202eMeer\n\x00 ", ANIMAL, []) == "Das Meer"
    assert len(KIND.clean("x" * 1000, ANIMAL, [])) == 1000


# What is shown ------------------------------------------------------------------------------------------------


def test_before_the_answer_nothing_tells_the_key():
    other = content(accepts("zebra", True), prompt="Which?")
    assert KIND.asked(ANIMAL, []) == KIND.asked(other, [])
    assert KIND.visible(ANIMAL) == KIND.visible(other) == {"kind": "text", "prompt": {"en": "Which?"}}
    assert KIND.order(ANIMAL, shuffle=True) == KIND.order(other, shuffle=False) == []


@pytest.mark.parametrize(
    ("typed", "language", "state", "accepted"),
    [
        ("cat", "en", "right", [("kitten", "en")]),
        ("CAT", "en", "right", [("kitten", "en")]),  # another spelling is no other answer
        ("lion", "en", "partly", [("cat", "en"), ("kitten", "en")]),
        ("dog", "ar", "wrong", [("قطة", "ar")]),  # the others say the same in another language
        (None, "en", "", [("cat", "en"), ("kitten", "en")]),
    ],
)
def test_after_the_answer_its_state_and_what_else_is_right_are_told(typed, language, state, accepted):
    with translation.override(language):
        shown = KIND.answered(ANIMAL, [], typed)
    assert (shown.given and shown.given.source, shown.state) == (typed, state)
    assert [(text.source, text.language) for text in shown.accepted] == accepted


def test_what_is_accepted_is_readable_and_said_once():
    rows = [accepts(text, True) for text in ("*", "colo*r", r"2\*3", r"2\*3", "a_b_*c*")]
    assert [text.inline for text in KIND.answered(content(*rows), [], "x").accepted] == ["colo…r", "2*3", "a_b_…c…"]


def test_a_teacher_reads_what_was_written_as_it_stands():
    [text] = KIND.in_words(ANIMAL, "*a* <b>")
    assert (text.plain, text.dir, str(text.inline)) == ("*a* <b>", "auto", "*a* &lt;b&gt;")
    assert KIND.in_words(ANIMAL, None) == []


# What an editor must mend -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (ANIMAL, []),
        (content(accepts("*", True)), []),
        (content(), [("choices", None, True)]),
        (content(accepts("cat", True), prompt=""), [("prompt", None, True)]),
        (content(accepts("cat", weight=0.5)), [("choices", None, True)]),
        (content(accepts("cat", True), accepts({})), [("text", 1, True)]),
        (content(accepts("cat", True), accepts({"ar": " \u200f"})), [("text", 1, True)]),
        (content(accepts("قطة", True), accepts({"ar": "قِطَّه"})), [("text", 1, False)]),
        (content(accepts("قطة", True), accepts({"ar": "قِطَّه"}), strict=True), []),
        (content(accepts({"en": "FP16", "ar": "FP16"}, True)), []),
        (content(accepts("a*", True), accepts("a**")), [("text", 1, False)]),
        (content(accepts("cat", True), accepts("dog", weight=1.5)), [("weight", 1, True)]),
        (content(accepts("cat", True), accepts("dog", weight=-2)), [("weight", 1, True)]),
        (content(accepts("cat", True, 0.5)), [("weight", 0, True)]),
        (content(accepts("cat", True, 1)), []),
        (content(accepts("cat", True), accepts("dog", weight=1)), [("weight", 1, True)]),
        (content(accepts("cat", True), accepts("dog", weight=-0.5)), []),
    ],
)
def test_what_an_editor_must_mend(question, found):
    problems = KIND.problems(KIND.complete(question))
    assert [(problem.field, problem.choice, problem.blocks) for problem in problems] == found
