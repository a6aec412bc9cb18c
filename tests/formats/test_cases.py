"""Real files of other systems, read as their right reading says. They are kept beside the project, not in it.

The folder is no part of a clone, so these tests are excused where it is absent, in the gate too; what each file shows
has a small fixture of our own in the tests of its format.
"""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from mpquiz.formats import FORMATS, recognised
from mpquiz.words import pick, to_plain

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8")) if CASES.is_dir() else {}

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the folder of cases is not beside the project")

KINDS = {
    "multichoice": ("single", "multiple"),
    "truefalse": ("true_false",),
    "shortanswer": ("text",),
    "numerical": ("number",),
    "match": ("matching",),
    "matching": ("matching",),
    "essay": ("essay",),
    "description": ("page",),
    "cloze": ("gaps",),
}
UNSUPPORTED = {"calculatedmulti", "ddwtos", "gapselect", "randomsamatch"}
_TAG = re.compile(r"<[^<>]*>")
_SIGNS = re.compile(r"[\W_]+")


def found(name):
    """Where the file of a case is: what we derived ourselves stands in a folder of its own."""
    path = CASES / name
    return path if path.exists() else CASES / "made" / path.name


def parse(path, **options):
    data = path.read_bytes()
    return FORMATS[recognised(data, path.name)].parse(data, language="en", **options)


def contents(path, **options):
    parsed = parse(path, **options)
    assert parsed.quiz is not None, parsed.report.errors
    return [placed.content for placed in parsed.quiz.questions]


def letters(text):
    """The letters and digits of a text, whatever its markup."""
    return _SIGNS.sub("", unescape(_TAG.sub("", text))).casefold()


def asked(path_cases):
    return [case for case in path_cases if case["kind"] != "category"]


def told(words):
    return letters(to_plain(next(iter(words.values()), "")))


def weight(choice):
    if choice.right:
        return 100.0 if choice.weight is None else float(choice.weight * 100)
    return float((choice.weight or 0) * 100)


def read_answers(content):
    if content.kind == "matching":
        return [[told(choice.text), told(choice.match)] for choice in content.choices]
    if content.kind == "true_false":
        return [choice.right for choice in content.choices]
    return [
        [letters(choice.value or next(iter(choice.text.values()), "")), weight(choice)] for choice in content.choices
    ]


def right_answers(case):
    if case["kind"] == "truefalse":
        right = case["correct"] if "correct" in case else case["answers"][0][1] == "100"
        return [right, not right]
    if case["kind"] in ("match", "matching"):
        return [[letters(left), letters(right)] for left, right in case.get("pairs", case.get("answers"))]
    return [[letters(text.removesuffix(":0")), float(share)] for text, share, *_ in case["answers"]]


def read_as(case, content):
    assert content.kind in KINDS[case["kind"]]
    if case["kind"] == "multichoice":
        assert (content.kind == "single") == (str(case["single"]).lower() in ("true", "1"))
    if name := case.get("name"):
        assert letters(pick(content.title, "en").plain) in letters(name)
    if case.get("text"):
        assert told(content.prompt).startswith(letters(case["text"])[:60])
    if case.get("gf"):
        assert content.explanation
    if case["kind"] in ("cloze", "essay", "description"):
        return
    read, right = read_answers(content), right_answers(case)
    assert len(read) == len(right)
    pictures = content.kind == "single" and any("<img" in text for text, *_ in case["answers"])
    for one, other in zip(read, right, strict=True):
        if pictures:
            assert one[1] == other[1]
        elif isinstance(one, list):
            assert other[0].startswith(one[0]) and one[1:] == other[1:]
        else:
            assert one == other


READABLE = [
    (name, cases)
    for group in ("gift", "moodle_xml")
    for name, cases in EXPECTED.get(group, {}).items()
    if isinstance(cases, list) and "broken" not in name
]


@pytest.mark.parametrize(("name", "cases"), READABLE, ids=[name for name, _cases in READABLE])
def test_a_file_reads_as_it_should(name, cases):
    parsed = parse(found(name))
    supported = [case for case in asked(cases) if case["kind"] not in UNSUPPORTED]
    assert parsed.quiz is not None, parsed.report.errors
    read = [placed.content for placed in parsed.quiz.questions]
    assert len(read) == len(supported)
    for case, content in zip(supported, read, strict=True):
        read_as(case, content)
    assert len(parsed.files) == sum(case.get("files", 0) for case in cases)
    for case in cases:
        if case["kind"] in UNSUPPORTED:
            assert any(case["kind"] in entry.message and entry.line for entry in parsed.report.warnings)


def test_categories_are_tags_of_what_follows():
    assert [one.tags for one in contents(found("xml/moodle42-categories_reverse_order.xml"))] == [
        ("Sigma/Tau",),
        ("Sigma",),
    ]
    assert {one.tags for one in contents(found("gift/moodle42-questions_in_category.gift.txt"))} == {
        ("Default for New Features",)
    }


def test_faulty_gaps_are_errors_each_with_its_line():
    parsed = parse(found("xml/moodle42-broken_cloze_questions.xml"))
    assert parsed.quiz is None
    assert len(parsed.report.errors) == 5
    assert all(entry.line for entry in parsed.report.errors)


def test_both_languages_of_a_file_fill_both():
    single, text = contents(found("xml/ar-fa-11-multilang-entities.xml"))
    assert set(single.title) == set(single.prompt) == {"en", "ar"}
    assert [choice.right for choice in single.choices] == [True, False]
    assert list(text.choices[0].text.values()) == ["کوئیز"]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("gift/ar-09-olama-seven-kinds.gift.txt", ["صح", "order", "reads the same"]),
        ("gift/he-02-truefalse-hebrew-letters.gift.txt", ["ל", "נ", "לא נכון"]),
        ("gift/he-07-category-translated-keyword.gift.txt", ["$קטגוריה:"]),
        ("gift/peg-escapeColon.gift", ["Several choices are right"]),
        ("gift/moodle42-questions.gift.txt", ["same name", '";']),
    ],
)
def test_what_the_writer_hardly_meant_is_told(name, texts):
    messages = " ".join(entry.message for entry in parse(found(name)).report.warnings)
    for text in texts:
        assert text in messages


@pytest.mark.parametrize(
    "name", ["gift/moodle42-questions_encoding_windows-1252.gift.txt", "made/ar-09-cp1256.gift.txt"]
)
def test_bytes_that_are_not_utf_8_are_refused_with_the_encodings_to_choose(name):
    [error] = parse(found(name)).report.errors
    assert error.line
    assert "windows-1256" in error.message


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("made/ar-09-cp1256.gift.txt", {"encoding": "windows-1256"}),
        ("made/ar-09-bom-crlf.gift.txt", {}),
        ("made/ar-09-utf16le-bom.gift.txt", {}),
    ],
)
def test_the_same_seven_in_other_encodings(name, options):
    same = contents(found("gift/ar-09-olama-seven-kinds.gift.txt"))
    read = contents(found(name), **options)
    assert [(one.kind, one.title, one.prompt, one.choices) for one in read] == [
        (one.kind, one.title, one.prompt, one.choices) for one in same
    ]


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("aiken/moodle42-questions.aiken.txt", [(4, 1), (2, 0)]),
        ("aiken/moodle33-questions-crlf.aiken.txt", [(4, 1), (2, 0)]),
        ("aiken/he-08-hebrew-letters.aiken.txt", [(4, 3), (6, 0)]),
        ("made/ar-10-strict-utf8.aiken.txt", [(4, 0), (6, 2)]),
        ("made/ar-10-arabic-letters.aiken.txt", [(4, 0), (6, 2)]),
    ],
)
def test_aiken_has_the_right_choice_at_its_place(name, right):
    read = contents(found(name))
    assert [(len(one.choices), [choice.right for choice in one.choices].index(True)) for one in read] == right


def test_errors_of_aiken_have_their_lines():
    parsed = parse(found("aiken/moodle42-aiken_errors.txt"))
    assert parsed.quiz is None
    assert [entry.line for entry in parsed.report.errors] == EXPECTED["aiken"]["aiken/moodle42-aiken_errors.txt"][
        "errors_at_line"
    ]


@pytest.mark.parametrize("name", ["made/xxe-external-entity.xml", "made/xml-entity-bomb.xml"])
def test_entities_are_refused(name):
    parsed = parse(found(name))
    assert parsed.quiz is None
    assert len(parsed.report.errors) == 1


def test_no_script_is_left():
    [content] = contents(found("made/script-in-answer.gift.txt"))
    shown = " ".join(
        f"{pick(text).html} {pick(text).inline}"
        for text in (content.title, content.prompt, *(choice.text for choice in content.choices))
    )
    assert "<script" not in shown and "onerror=" not in re.sub(r"&lt;[^&]*&gt;", "", shown)
    assert "javascript:" not in shown
