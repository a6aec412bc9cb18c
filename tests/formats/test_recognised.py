"""Which format a file is in, by its name and by what it holds."""

import pytest

from mpquiz.formats import FORMATS, of_file, recognised


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("quiz.yaml", "yaml"),
        ("quiz.YML", "yaml"),
        ("export.xml", "moodle_xml"),
        ("questions.gift", "gift"),
        ("questions.gift.txt", None),
        ("questions.aiken", "aiken"),
        ("questions.txt", None),
        ("", None),
    ],
)
def test_by_name(name, found):
    assert of_file(name) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mpquiz: 1\nquiz:\n  slug: x", "yaml"),
        ("# a remark\nmpquiz: 1\n", "yaml"),
        ('<?xml version="1.0"?>\n<quiz>', "moodle_xml"),
        ("\n <quiz><question>", "moodle_xml"),
        ("Q?\nA) x\nB) y\nANSWER: A", "aiken"),
        ("س؟\nأ) نعم\nب) لا\nالإجابة: أ", "aiken"),
        ("س؟\nأ) نعم\nب) لا\n\u200fתשובה: א", "aiken"),
        ("::Name::Text {T}", "gift"),
        ("Two and two are {=four}.", "gift"),
        ("$CATEGORY: x\n", "gift"),
        ("// a remark\nText", "gift"),
        ("Only words.", None),
        ("a \\{ b", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_by_content(text, found, encoding):
    assert recognised(text.encode(encoding), "questions.txt") == found


def test_a_name_comes_before_the_content():
    assert recognised(b"::Name::Text {T}", "quiz.yaml") == "yaml"


def test_bytes_that_cannot_be_read_are_recognised_by_their_signs():
    assert recognised("سؤال {=نعم ~لا}".encode("windows-1256")) == "gift"
    assert recognised("الإجابة: A\nANSWER: A".encode("windows-1256")) == "aiken"


def test_all_that_may_be_found_is_there():
    assert set(FORMATS) == {"yaml", "gift", "moodle_xml", "aiken"}
    assert all(hasattr(module, "parse") for module in FORMATS.values())
    assert {name for name, module in FORMATS.items() if hasattr(module, "render")} == {"yaml", "gift", "moodle_xml"}
