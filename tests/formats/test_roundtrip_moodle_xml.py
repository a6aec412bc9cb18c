"""Content that Moodle XML can hold comes back equal; what it cannot hold is told."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpquiz import files
from mpquiz.content import (
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    QuestionContent,
    QuizContent,
    TagContent,
    clean,
    key_at,
)
from mpquiz.formats import markup
from mpquiz.formats.moodle_xml import parse, render
from mpquiz.formats.moodle_xml.numbers import pattern
from mpquiz.formats.report import Log
from mpquiz.rules import Review
from mpquiz.words import to_plain

from .moodle import png


def quiz_of(*contents: QuestionContent, points: Any = 1, **values: Any) -> QuizContent:
    placed = tuple(PlacedQuestion(key=one.key, points=Decimal(points), content=one) for one in contents)
    return QuizContent(slug="book", namespace="book", questions=placed, **values)


def again(quiz: QuizContent, *, log: Log | None = None, language: str | None = None, **values: Any) -> QuizContent:
    """The quiz as it comes back, its own words and the namespace aside."""
    data = render(quiz, log=log, language=language, **values)
    parsed = parse(data, language=language or _only_language(quiz) or "en")
    assert parsed.quiz is not None, (parsed.report.errors, data.decode())
    placed = tuple(_named(one, quiz.namespace) for one in parsed.quiz.questions)
    return replace(quiz, questions=placed, known_tags=parsed.quiz.known_tags)


def _only_language(quiz: QuizContent) -> str | None:
    """The language of a quiz in one language, which its file does not say."""
    contents = [placed.content for placed in quiz.questions if placed.content is not None]
    return "ar" if contents and all("en" not in content.prompt for content in contents) else None


def _named(placed: PlacedQuestion, namespace: str) -> PlacedQuestion:
    key = f"{namespace}/{placed.key.partition('/')[2]}"
    assert placed.content is not None
    content = replace(placed.content, key=key, tags=tuple(sorted(placed.content.tags)))
    return replace(placed, key=key, content=content)


def told(quiz: QuizContent, **values: Any) -> list[str]:
    log = Log()
    render(quiz, log=log, **values)
    return [entry.message for entry in log.warnings]


# Anything --------------------------------------------------------------------------------------------------------

_NASTY = ["]]>", "&amp;", "&", "<b>", "</text>", "{1:SA:=x}", "{", "}", "~", "#", "=", "%50%", "\\", "$", "*", "_"]
_MARKS = [
    "\u200f",
    "\u202e",
    "\u2067",
    "\u2069",
    "\u061c",
    "\u200d",
    "صِلة",
    "١٢٣",
    "٪",
    "-->",
    "<![CDATA[",
    "@@PLUGINFILE@@/x",
]
_letters = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"])
_scraps = st.sampled_from([*_NASTY, *_MARKS]) | st.text(_letters, min_size=1, max_size=6)
_line = st.lists(_scraps, min_size=1, max_size=4).map(" ".join).filter(lambda text: "[[" not in text)


def _settled(text: str) -> str:
    """Markdown as our readers write it."""
    return markup.from_markdown(markup.from_plain(text))


def _same(text: str) -> bool:
    return bool(text) and markup.from_markdown(text) == text and markup.from_html(markup.to_html(text)) == text


_markdown = st.lists(_line, min_size=1, max_size=2).map("\n".join).map(_settled).filter(_same)
_plain = _line.map(markup.from_plain).filter(lambda text: text and markup.from_plain(to_plain(text)) == text)
_typed = _line.map(lambda text: pattern(f"x {text}").strip())
_places = st.sampled_from(["en", "ar"])


def both(texts: st.SearchStrategy[str], languages: list[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(dict.fromkeys(languages, texts))


_shares = st.decimals("-0.9999999", "0.9999999", places=7).filter(bool)
_positive = st.decimals("0.0000001", "0.9999999", places=7)
_languages = st.sampled_from([["en"], ["ar"], ["en", "ar"]])


@st.composite
def _contents(draw: st.DrawFn, key: str) -> QuestionContent:
    kind = draw(st.sampled_from(list(_CHOICES)))
    languages = draw(_languages)
    choices, settings, prompt = _CHOICES[kind](draw, languages)
    if draw(st.booleans()):
        settings["feedback"] = {"right": draw(both(_markdown, languages)), "wrong": draw(both(_markdown, languages))}
    return QuestionContent(
        key=f"book/{key}",
        kind=kind,
        title=draw(st.just({}) | both(_plain, languages)),
        prompt=draw(both(_markdown, languages)) if prompt is None else prompt,
        choices=tuple(replace(choice, key=key_at(place)) for place, choice in enumerate(choices)),
        explanation=draw(st.just({}) | both(_markdown, languages)),
        tags=tuple(sorted(draw(st.sets(_plain_tags, max_size=3)))),
        settings=settings,
    )


_plain_tags = st.lists(st.text(_letters, min_size=1, max_size=5), min_size=1, max_size=3).map(" ".join)
Drawn = tuple[list[ChoiceContent], dict[str, Any], dict[str, str] | None]


def _shown(draw: st.DrawFn, languages: list[str], **values: Any) -> ChoiceContent:
    feedback = draw(st.just({}) | both(_markdown, languages))
    return ChoiceContent(key="", text=draw(both(_markdown, languages)), feedback=feedback, **values)


def _single(draw: st.DrawFn, languages: list[str]) -> Drawn:
    wrong = [
        _shown(draw, languages, weight=weight)
        for weight in draw(st.lists(st.none() | _shares, min_size=1, max_size=3))
    ]
    settings = {"keep_order": True} if draw(st.booleans()) else {}
    return [_shown(draw, languages, right=True), *wrong], settings, None


def _multiple(draw: st.DrawFn, languages: list[str]) -> Drawn:
    right = Decimal("0.3333333") if draw(st.booleans()) else Decimal("0.5")
    rights = [
        _shown(draw, languages, right=True, weight=right) for _place in range(3 if right < Decimal("0.5") else 2)
    ]
    weights = draw(st.lists(st.decimals("-1", "0", places=7), max_size=2))
    return [*rights, *(_shown(draw, languages, weight=weight) for weight in weights)], {}, None


def _true_false(draw: st.DrawFn, languages: list[str]) -> Drawn:
    right = draw(st.booleans())
    said = st.just({}) | both(_markdown, languages)
    return [ChoiceContent(key="", right=one, feedback=draw(said)) for one in (right, not right)], {}, None


def _text(draw: st.DrawFn, languages: list[str]) -> Drawn:
    texts = draw(st.lists(both(_typed, languages), min_size=1, max_size=3))
    choices = [ChoiceContent(key="", text=texts[0], right=True)]
    for text in texts[1:]:
        feedback = draw(st.just({}) | both(_markdown, languages))
        choices.append(ChoiceContent(key="", text=text, weight=draw(st.none() | _positive), feedback=feedback))
    return choices, {"strict": True} if draw(st.booleans()) else {}, None


def _number(draw: st.DrawFn, languages: list[str]) -> Drawn:
    values = draw(
        st.lists(st.sampled_from(["3.14", "-2:0.5", "1000", "0", "0.001:1"]), min_size=1, max_size=3, unique=True)
    )
    choices = [ChoiceContent(key="", value=value, right=place == 0) for place, value in enumerate(values)]
    return [*choices, ChoiceContent(key="", value="*", feedback=draw(both(_markdown, languages)))], {}, None


def _matching(draw: st.DrawFn, languages: list[str]) -> Drawn:
    pairs = draw(st.lists(st.tuples(both(_markdown, languages), both(_plain, languages)), min_size=2, max_size=3))
    rights = [tuple(sorted(right.items())) for _left, right in pairs]
    texts = [text for _left, right in pairs for text in right.values()]
    if len(set(rights)) < 2 or len(set(texts)) < len(texts):
        pairs = [(pairs[0][0], dict.fromkeys(languages, "one")), (pairs[1][0], dict.fromkeys(languages, "two"))]
    distractor = ChoiceContent(key="", match=dict.fromkeys(languages, "three"))
    return [*(ChoiceContent(key="", text=left, match=right) for left, right in pairs), distractor], {}, None


def _ordering(draw: st.DrawFn, languages: list[str]) -> Drawn:
    texts = draw(
        st.lists(both(_markdown, languages), min_size=3, max_size=3, unique_by=lambda one: tuple(one.values()))
    )
    return [ChoiceContent(key="", text=text) for text in texts], {}, None


def _gaps(draw: st.DrawFn, languages: list[str]) -> Drawn:
    prompt = {}
    for language in languages:
        first, second, third = (draw(_line) for _place in range(3))
        prompt[language] = _settled(f"{first} [[1]] {second}[[2]]{third} [[3]]")
    said = st.just({}) | both(_markdown, languages)
    typed = ChoiceContent(key="", text={"en": "Nile"}, right=True, part="1", feedback=draw(said))
    choices = [typed, ChoiceContent(key="", text={"en": "*"}, part="1", feedback=draw(said))]
    choices += [
        ChoiceContent(key="", text=draw(both(_markdown, languages)), right=right, part="2") for right in (True, False)
    ]
    choices.append(ChoiceContent(key="", value=draw(st.sampled_from(["1", "2.5:0.1", "-3"])), right=True, part="3"))
    parts: dict[str, Any] = {"1": {"kind": "text", "strict": True}, "2": {"kind": "single"}, "3": {"kind": "number"}}
    if draw(st.booleans()):
        parts["3"]["weight"] = 2
    return choices, {"parts": parts}, prompt


def _essay(draw: st.DrawFn, languages: list[str]) -> Drawn:
    return [], {"notes": draw(both(_markdown, languages))} if draw(st.booleans()) else {}, None


def _page(draw: st.DrawFn, languages: list[str]) -> Drawn:
    return [], {}, None


_CHOICES = {
    "single": _single,
    "multiple": _multiple,
    "true_false": _true_false,
    "text": _text,
    "number": _number,
    "matching": _matching,
    "ordering": _ordering,
    "gaps": _gaps,
    "essay": _essay,
    "page": _page,
}


@settings(deadline=None, max_examples=60)
@given(_contents("one"), _contents("two"), st.decimals("0", "9999.99", places=2))
def test_content_comes_back_equal(first: QuestionContent, second: QuestionContent, points: Decimal):
    quiz = quiz_of(first, second, points=points)
    assert _same_whatever_the_language(again(quiz)) == _same_whatever_the_language(quiz)


def _same_whatever_the_language(quiz: QuizContent) -> list[PlacedQuestion]:
    """What a gap accepts does not say its language in Moodle's text."""
    return [replace(placed, content=_without_language(placed.content)) for placed in quiz.questions]


def _without_language(content: QuestionContent | None) -> QuestionContent:
    assert content is not None
    typed = {name for name, part in content.settings.get("parts", {}).items() if part["kind"] == "text"}
    bare = (
        replace(one, text={"": "".join(one.text.values())}) if one.part in typed else one for one in content.choices
    )
    return replace(content, choices=tuple(bare))


@pytest.mark.parametrize("language", ["en", "ar"])
@settings(deadline=None, max_examples=50)
@given(content=_contents("one"))
def test_one_language_comes_back_as_that_language(language: str, content: QuestionContent):
    quiz = quiz_of(content)
    [placed] = again(quiz, language=language).questions
    if clean(content.prompt).keys() == {"en", "ar"}:
        assert placed.content.prompt == {language: content.prompt[language]}
    assert set(placed.content.prompt) == {language}


# Particular things -----------------------------------------------------------------------------------------------


def page(**values: Any) -> QuestionContent:
    return QuestionContent(**{"key": "book/page", "kind": "page", "prompt": {"en": "Read."}} | values)


def choices(*texts: Any, **values: Any) -> QuestionContent:
    made = [ChoiceContent(key=key_at(place), **text) for place, text in enumerate(texts)]
    return QuestionContent(
        **{"key": "book/q", "kind": "single", "prompt": {"en": "Which?"}, "choices": tuple(made)} | values
    )


def only(quiz: QuizContent, **values: Any) -> QuestionContent:
    [placed] = again(quiz, **values).questions
    assert placed.content is not None
    return placed.content


@pytest.mark.parametrize(
    "text",
    [
        "The sum $a_1 + b$ of $$\\frac{a}{b}$$",
        "A **bold** *word* and `code_with *stars*`",
        "- one\n- two",
        "1. one\n2. two",
        "A [link](https://example.org/a_b?c=d&e=f)",
        "> said",
        "```\nif a < b:\n    c\n```",
        "\\{1:SA:=x}",
        "ليس **مهمًّا** `a < b`",
    ],
)
def test_markup_comes_back(text: str):
    content = page(prompt={"en": text})
    assert only(quiz_of(content)) == content
    both_languages = page(prompt={"en": text, "ar": text + "؟" if not text.endswith("`") else text})
    assert only(quiz_of(both_languages)) == both_languages


def test_files_travel_within_the_file():
    data = png()
    image = f"![Red]({files.reference(files.of(data).name)})"
    content = choices(
        {"text": {"en": image}, "right": True}, {"text": {"en": "b"}, "feedback": {"en": f"See {image}"}}
    )
    quiz = quiz_of(content)
    assert only(quiz, files={files.of(data).name: data}.get) == content
    written = render(quiz, files={files.of(data).name: data}.get)
    assert parse(written, language="en").files == {files.of(data).name: data}
    assert b"mpquiz:" not in written


def test_a_file_that_is_lost_is_told():
    content = page(prompt={"en": f"![Red](mpquiz:{'0' * 40}.png)"})
    assert ["missing" in message and "book/page" in message for message in told(quiz_of(content))] == [True]


def test_a_name_that_was_made_up_is_no_title():
    content = page(prompt={"en": "One two three " * 20})
    data = render(quiz_of(content)).decode()
    assert "<text>One two three One" in data
    assert only(quiz_of(content)).title == {}


def test_a_literal_gap_is_none_when_it_comes_back():
    content = QuestionContent(
        key="book/q",
        kind="gaps",
        prompt={"en": r"\[\[2]] is no gap, [[1]] is"},
        choices=(ChoiceContent(key="a", text={"en": "x"}, right=True, part="1"),),
        settings={"parts": {"1": {"kind": "text"}}},
    )
    assert only(quiz_of(content)) == content


def test_categories_come_back_where_all_questions_have_one():
    tags = (
        TagContent(name="Algebra/Vectors", description={"en": "Arrows."}),
        TagContent(name="Later", description={"en": "Not yet.", "ar": "ليس بعد."}),
    )
    contents = [
        page(key="book/1", tags=("Algebra/Vectors", "easy")),
        page(key="book/2", tags=("Algebra/Vectors",)),
        page(key="book/3", tags=("Later",)),
    ]
    quiz = quiz_of(*contents, known_tags=tags)
    data = render(quiz).decode()
    assert data.count('type="category"') == 2
    back = again(quiz)
    assert back.questions == quiz.questions
    assert back.known_tags == tags


def test_tags_stay_tags_where_a_question_has_no_category():
    tags = (TagContent(name="Algebra/Vectors", description={"en": "Arrows."}),)
    quiz = quiz_of(page(key="book/1", tags=("Algebra/Vectors",)), page(key="book/2"), known_tags=tags)
    back = again(quiz)
    assert back.questions == quiz.questions
    assert back.known_tags == tags


@pytest.mark.parametrize("tag", ["top", "$course$", "a//b", "/a", "a/", "a / b", "$x$/y", "//"])
def test_odd_tags_come_back(tag: str):
    quiz = quiz_of(page(tags=(tag,)))
    assert again(quiz).questions == quiz.questions


def test_what_moodle_cannot_hold_is_told_once_with_the_keys():
    guided = [page(key=f"book/{n}", guides=("floats",)) for n in range(3)]
    quiz = quiz_of(
        *guided,
        title={"en": "Title"},
        level="beginner",
        pass_mark=Decimal(50),
        guides=("floats",),
        known_guides=(GuideContent(slug="floats"),),
    )
    messages = told(quiz)
    assert len(messages) == 2
    assert any("title" in message and "level" in message and "pass mark" in message for message in messages)
    assert any("guides" in message and "book/0, book/1, book/2" in message for message in messages)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (page(kind="hosts-own"), "Left out"),
        (page(title={"en": "**Bold**"}), "markup"),
        (page(prompt={"en": "a\x01b"}), "Control"),
        (page(settings={"colour": "red"}), "Settings"),
        (page(settings={"feedback": {"right": {"en": "Yes."}}}), "outcome"),
        (page(kind="essay", settings={"longest": 5}), "limit"),
        (choices({"value": "3..5", "right": True}, kind="number"), "range"),
        (
            choices({"text": {"en": "a"}, "right": True}, {"text": {"en": "b"}, "keeps_place": True}),
            "keep their place",
        ),
        (choices({"text": {"en": r"a\\*"}, "right": True}, kind="text"), "backslash"),
        (
            choices({"text": {"en": "Yes"}, "right": True}, {"text": {"en": "No"}}, kind="true_false"),
            "True and false",
        ),
        (
            choices({"text": {"en": "a"}, "match": {"en": "b"}, "feedback": {"en": "c"}}, kind="matching"),
            "feedback",
        ),
        (
            choices(
                {"text": {"en": "x"}, "right": True, "part": "name"},
                kind="gaps",
                prompt={"en": "[[name]]"},
                settings={"parts": {"name": {"weight": 0.5}}},
            ),
            "numbered",
        ),
    ],
)
def test_each_thing_that_is_lost_is_told(content: QuestionContent, word: str):
    assert any(word in message and content.key in message for message in told(quiz_of(content)))


def test_the_rules_of_a_quiz_are_told():
    exam = quiz_of(page(), feedback="at_end", review=Review(score="never"), wait=60, left_behind=("groups",))
    assert told(exam) == [
        "Moodle’s files hold questions only; left out are: when feedback is given, what learners see when, the wait "
        "between attempts, the groups that may take it."
    ]


def test_shares_that_the_kind_reckons_are_written_out():
    content = choices(
        {"text": {"en": "a"}, "right": True},
        {"text": {"en": "b"}, "right": True},
        {"text": {"en": "c"}},
        kind="multiple",
    )
    assert [choice.weight for choice in only(quiz_of(content)).choices] == [
        Decimal("0.5"),
        Decimal("0.5"),
        Decimal("-0.5"),
    ]


def test_a_range_is_written_as_its_middle():
    content = choices({"value": "3..5", "right": True}, kind="number")
    assert only(quiz_of(content)).choices[0].value == "4:1"


def test_a_quiz_that_shuffles_says_so_of_its_questions():
    content = choices({"text": {"en": "a"}, "right": True}, {"text": {"en": "b"}})
    assert b"<shuffleanswers>true" in render(quiz_of(content, shuffle_choices=True))
    assert b"shuffleanswers" not in render(quiz_of(content))
    for shuffles in (True, False):
        read = parse(render(quiz_of(content, shuffle_choices=shuffles)), language="en").quiz
        assert read is not None
        assert read.shuffle_choices is shuffles


@pytest.mark.parametrize("odd", [5, "Well done", [1], None, {"right": 5}, {"right": {"en": 5}}, {"right": None}])
def test_feedback_and_notes_that_are_no_words_are_not_written(odd):
    content = choices({"text": {"en": "a"}, "right": True}, {"text": {"en": "b"}}, settings={"feedback": odd})
    assert only(quiz_of(content)).settings == {}
    essay = QuestionContent(key="book/q", kind="essay", prompt={"en": "Why?"}, settings={"notes": odd})
    assert only(quiz_of(essay)).settings == {}


def test_control_characters_are_left_out_so_that_the_file_stays_readable():
    content = page(prompt={"en": "a\x01b\ufffec"}, tags=("x\x02",))
    assert only(quiz_of(content)).prompt == {"en": "abc"}
