"""Content that GIFT can hold comes back equal, whatever stands in its texts; what it cannot hold is told."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mpquiz.content import ChoiceContent, GuideContent, PlacedQuestion, QuestionContent, QuizContent, clean, key_at
from mpquiz.formats.gift import parse, render
from mpquiz.formats.report import Log


def quiz_of(*contents, points=1, **values):
    placed = tuple(PlacedQuestion(key=one.key, points=Decimal(points), content=one) for one in contents)
    return QuizContent(slug="book", namespace="book", questions=placed, **values)


def again(*contents, language="en"):
    """The questions as they come back, in the namespace that they came from."""
    data = render(quiz_of(*contents))
    parsed = parse(data, language=language)
    assert parsed.quiz is not None, (parsed.report.errors, data.decode())
    return [replace(one.content, key=f"book/{one.key.partition('/')[2]}") for one in parsed.quiz.questions]


SIGNS = [
    *"~=#{}:\\%$*_`<>&[]",
    "->", "####", "::", "//", "%50%", "[html]", "[plain]", "\\n", "\\=", "{T}", "\n", "\n\n", "\n\n\n// a",
    "$CATEGORY: x",
    "[id:x]", "[tag:y]", "[[1]]", "\u200f", "\u202e", "\u2067", "\u2069", "\u061c", "صِلة", "١٢٣", "😀", "</span>",
    '<span lang="en" class="multilang">', "{mlang ar}", "{mlang}", " ",
]  # fmt: skip
_letters = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=6)
_text = st.lists(st.sampled_from(SIGNS) | _letters, min_size=1, max_size=6).map("".join)
_line = _text.map(lambda text: " ".join(text.split()))
LANGUAGES = st.sampled_from([("en",), ("ar",), ("en", "ar")])


def words(texts, languages):
    """Words in all of the languages."""
    found = st.fixed_dictionaries(dict.fromkeys(languages, texts)).map(clean)
    return found.filter(lambda one: len(one) == len(languages))


def maybe(texts, languages):
    return st.just({}) | words(texts, languages)


@st.composite
def shown(draw, languages, count):
    """The texts and feedbacks of choices that can be told apart in each language."""
    found = draw(st.lists(words(_text, languages), min_size=count, max_size=count))
    texts = [{language: f"{text} {place}" for language, text in one.items()} for place, one in enumerate(found)]
    return [{"text": one, "feedback": draw(maybe(_text, languages))} for one in texts]


def choices_of(draw, kind, languages):
    """The values of the choices, without their keys."""
    if kind == "single":
        weights = draw(st.lists(st.none() | st.sampled_from(["-0.25", "0.3333333", "0.5"]), min_size=1, max_size=3))
        values = draw(shown(languages, len(weights) + 1))
        shares = [{"weight": None if one is None else Decimal(one)} for one in weights]
        return [one | share for one, share in zip(values, [{"right": True}, *shares], strict=True)]
    if kind == "multiple":
        shares = [("0.5", True), ("0.5", True), ("-1", False), ("0", False)]
        values = draw(shown(languages, len(shares)))
        return [
            one | {"weight": Decimal(share), "right": right}
            for one, (share, right) in zip(values, shares, strict=True)
        ]
    if kind == "true_false":
        right = draw(st.booleans())
        return [{"right": one, "feedback": draw(maybe(_text, languages))} for one in (right, not right)]
    if kind == "number":
        values = draw(st.lists(st.sampled_from(["3.14", "-2:0.5", "3..5", "0"]), min_size=1, max_size=3, unique=True))
        found = [{"value": value, "right": place == 0} for place, value in enumerate(values)]
        return [*found, {"value": "*", "feedback": draw(words(_text, languages))}]
    if kind == "matching":
        values = [one["text"] for one in draw(shown(languages, 2))]
        rights = [dict.fromkeys(languages, name) for name in ("one", "يقابل", "three")]
        pairs = [{"text": left, "match": right} for left, right in zip(values, rights, strict=False)]
        return [*pairs, {"match": rights[2]}]
    return []


@st.composite
def contents(draw, key):
    kind = draw(st.sampled_from(["single", "multiple", "true_false", "number", "matching", "essay", "page"]))
    languages = draw(LANGUAGES)
    found = choices_of(draw, kind, languages)
    return QuestionContent(
        key=f"book/{key}",
        kind=kind,
        title=draw(maybe(st.sampled_from(["Name", "A::B", "{x} = #1", "اسم", "a\\:b"]), languages)),
        prompt=draw(words(_text, languages)),
        choices=tuple(ChoiceContent(key=key_at(place), **one) for place, one in enumerate(found)),
        explanation={} if kind == "page" else draw(maybe(_text, languages)),
        tags=tuple(draw(st.lists(st.sampled_from(["a", "A/B", "وسم", "x]y", "{=#}"]), max_size=2, unique=True))),
    )


def holds(content):
    """Without what the writer says that it changes: “->” where GIFT reads it as the sign of a pair."""
    texts = [text for words in content.words().values() for text in words.values()]
    return not (content.kind in ("matching", "number") and any("->" in text for text in texts))


@given(contents("one").filter(holds), contents("two").filter(holds))
def test_what_gift_can_hold_comes_back_equal(first, second):
    languages = {language for one in (first, second) for language in one.prompt}
    read = again(first, second, language="ar" if languages == {"ar"} else "en")
    titled = [replace(one, title={}) for one in read]
    assert titled == [replace(first, title={}), replace(second, title={})]


@given(_text.map(lambda text: clean({"en": text})).filter(bool))
@example({"en": "a\n\n// b\n\n$CATEGORY: c\n\nd {T}"})
@example({"en": "[html] \\n \\\\n \\= {=a ~b}"})
@example({"en": "::a::b"})
@example({"en": "\u200f// \u2067"})
def test_any_prompt_comes_back(prompt):
    content = QuestionContent(key="book/a", kind="essay", prompt=prompt)
    assert again(content) == [content]


@pytest.mark.parametrize("accepted", ["*", "a*b", "\\*", "a = b", "{x}", "#1", "%50%", "5 : 6", "نعم*", "[html]x"])
def test_accepted_answers_come_back(accepted):
    right = ChoiceContent(key="a", text={"en": "certain"}, right=True)
    other = ChoiceContent(key="b", text={"en": accepted}, weight=Decimal("0.25"), feedback={"en": "Nearly: {x}"})
    content = QuestionContent(key="book/a", kind="text", prompt={"en": "Which?"}, choices=(right, other))
    assert again(content) == [content]


def test_what_gift_cannot_hold_is_told_with_its_questions():
    first = QuestionContent(
        key="book/a", kind="ordering", prompt={"en": "Order"}, choices=(ChoiceContent(key="a", text={"en": "1"}),)
    )
    second = QuestionContent(
        key="book/b",
        kind="essay",
        prompt={"en": "Why? ![x](mpquiz:" + "a" * 40 + ".png)"},
        guides=("floats",),
        settings={"longest": 10},
    )
    log = Log()
    data = render(
        quiz_of(first, second, points=2, title={"en": "T"}, known_guides=(GuideContent(slug="floats"),)), log=log
    )
    told = "\n".join(entry.message for entry in log.warnings)
    assert "no questions of this kind. (book/a)" in told
    for sort in ("the title of the quiz", "The points", "The guides", "The settings", "The files"):
        assert sort in told
    assert b"book/a: left out" in data
