"""Moodle's embedded answers: their syntax, alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpquiz.formats.moodle_xml.cloze import (
    MULTIPLE,
    NUMBER,
    SINGLE,
    STRICT,
    TEXT,
    Alternative,
    Subquestion,
    pieces,
    written,
)
from tests.patience import patience


def subquestions(text: str) -> list[Subquestion]:
    return [piece for piece in pieces(text) if isinstance(piece, Subquestion)]


def alternatives(text: str) -> list[tuple[str, str, str]]:
    [found] = subquestions(text)
    return [(one.text, str(one.percent), one.feedback) for one in found.alternatives]


def test_a_text_is_cut_around_its_sub_questions():
    before, gap, after = pieces("عاصمة فرنسا {2:SHORTANSWER:=باريس} حقًّا")
    assert (before, after) == ("عاصمة فرنسا ", " حقًّا")
    assert gap == Subquestion("SHORTANSWER", TEXT, Decimal(2), (Alternative("باريس", Decimal(100)),), place=12)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("=Paris", [("Paris", "100", "")]),
        ("%100%Paris#Yes~*#No", [("Paris", "100", "Yes"), ("*", "0", "No")]),
        ("wrong~=right~%50%half#so so", [("wrong", "0", ""), ("right", "100", ""), ("half", "50", "so so")]),
        ("~=first~second", [("first", "100", ""), ("second", "0", "")]),
        ("%-33.333%a~%33,5%b", [("a", "-33.333", ""), ("b", "33.5", "")]),
        (r"=a\}b\#c\~d\/e#f\}g", [("a}b#c~d/e", "100", "f}g")]),
        ("=it&#39;s#one # two", [("it&#39;s", "100", "one # two")]),
        ("=one\n~ two ", [("one", "100", ""), ("two", "0", "")]),
        ("=a<br />~%50%b", [("a<br />", "100", ""), ("b", "50", "")]),
        ("=100%~50%", [("100%", "100", ""), ("50%", "0", "")]),
    ],
)
def test_alternatives_have_shares_feedback_and_escapes(body: str, expected: list[tuple[str, str, str]]):
    assert alternatives(f"{{1:MC:{body}}}") == expected


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *((name, TEXT) for name in ("SHORTANSWER", "SA", "MW")),
        *((name, STRICT) for name in ("SHORTANSWER_C", "SAC", "MWC")),
        *((name, NUMBER) for name in ("NUMERICAL", "NM")),
        *((name, SINGLE) for name in ("MULTICHOICE", "MC", "MCV", "MCH", "MCS", "MCVS", "MCHS", "MULTICHOICE_HS")),
        *((name, MULTIPLE) for name in ("MULTIRESPONSE", "MR", "MRH", "MRS", "MRHS", "MULTIRESPONSE_S")),
        ("COLOUR", None),
    ],
)
def test_every_type_and_its_short_names_are_known(name: str, form: str | None):
    [found] = subquestions(f"{{:{name}:=1}}")
    assert (found.form, found.weight) == (form, 1)


def test_what_is_no_type_of_moodle_stays_in_the_text():
    assert "".join(piece for piece in pieces("{1:ABC:x} {a} {1:sa:x}") if isinstance(piece, str)) == (
        "{1:ABC:x} {a} {1:sa:x}"
    )


def test_one_without_answers_is_found():
    assert subquestions("{1:MULTICHOICE}")[0].alternatives == ()
    assert subquestions("{1:MULTICHOICE:}")[0].alternatives == ()


def test_one_that_is_not_closed_is_told():
    [found] = subquestions("a {1:SA:=b")
    assert not found.closed


_texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20)
_html = _texts.map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;").strip()).filter(len)
_alternatives = st.builds(
    Alternative, text=_html, percent=st.sampled_from([0, 100, 50, -25]).map(Decimal), feedback=st.just("") | _html
)


def decoded(html: str) -> str:
    for sign in "\\~#{}=%":
        html = html.replace(f"&#{ord(sign)};", sign)
    return html


@given(st.lists(_alternatives, min_size=1, max_size=4), st.sampled_from([TEXT, STRICT, NUMBER, SINGLE]))
def test_what_is_written_is_read_back(choices: list[Alternative], form: str):
    text = f"before {written(Subquestion('', form, Decimal(3), tuple(choices)))} after"
    before, found, after = pieces(text)
    assert (before, after) == ("before ", " after")
    assert isinstance(found, Subquestion)
    assert (found.form, found.weight) == (form, 3)
    again = [(decoded(one.text), one.percent, decoded(one.feedback)) for one in found.alternatives]
    assert again == [(one.text, one.percent, one.feedback) for one in choices]


@pytest.mark.parametrize(
    "text",
    [
        "{1:SA:" * 200_000,
        "{1:SA:" + "#" * 1_000_000,
        "{1:MC:" + "~" * 1_000_000 + "}",
        "{" * 1_000_000,
        "{1:SA:" + "\\" * 1_000_000,
    ],
)
def test_a_long_line_does_not_hang(text: str):
    with patience():
        assert list(pieces(text))
