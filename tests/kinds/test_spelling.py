"""What is alike in a typed answer: the documented table, the wildcard, and what holds for any text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpquiz.kinds import spelling
from tests.patience import patience

README = Path(__file__).parents[2] / "README.md"
TRICKY = (
    "اأإآٱىيیئؤءةهۀكک\u064b\u0651\u0654\u0655\u0670ـ\u06e5٣۳3 \u200c\u200d\u200f\u202e\ufe0fßſİıÅe\u0301´…²½.*\\'’"
)
TYPED = st.text(max_size=40) | st.text(st.sampled_from(TRICKY), max_size=12)


@pytest.mark.parametrize("row", spelling.ALIKE, ids=lambda row: row.typed)
def test_what_is_documented_as_alike_is(row):
    assert spelling.matches(row.accepted, row.typed)


@pytest.mark.parametrize("row", spelling.ALIKE[:-1], ids=lambda row: row.typed)
def test_it_is_alike_the_other_way_round(row):
    assert spelling.matches(row.typed, row.accepted)


@pytest.mark.parametrize("row", spelling.DIFFERENT, ids=lambda row: row.typed)
def test_what_is_documented_as_different_is(row):
    assert not spelling.matches(row.accepted, row.typed)
    assert not spelling.matches(row.typed, row.accepted)


@pytest.mark.parametrize(
    ("accepted", "typed"),
    [
        ("قرآن", "قران"),
        ("القُرْآنُ الكَرِيمُ", "القران الكريم"),
        ("أ", "ٱ"),
        ("رأي", "راى"),
        ("شؤون", "شئون"),
        ("ملجئ", "ملجی\u0654"),
        ("الرحمن", "الرَّحْمَٰنِ"),
        ("مكتبة", "مكتبـة"),
        ("الله", "ﷲ"),
        ("سلام", "ﺳﻼﻡ"),
        ("فارسی", "فارسي"),
        ("خانه", "خانۀ"),
        ("١٢٣", "۱۲۳"),
        ("16", "১৬"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("file", "ﬁle"),
        ("Å", "A\u030a"),
        ("İ", "i\u0307"),
        ("it´s", "it's"),
        ("«لا»", '"لا"'),
        ("etc.", "etc"),
        ("❤️", "❤"),
        ("a\tb", "a\n\u00a0b"),
    ],
)
def test_more_that_is_alike(accepted, typed):
    assert spelling.matches(accepted, typed)
    assert spelling.matches(typed, accepted)


@pytest.mark.parametrize(
    ("accepted", "typed"),
    [("ı", "i"), ("قلم", "قلمه"), ("كل", "قل"), ("2", "3"), (".", ""), ("a", ""), ("", "a"), ("", ""), ("a.b", "ab")],
)
def test_more_that_differs(accepted, typed):
    assert not spelling.matches(accepted, typed)


@pytest.mark.parametrize(
    ("accepted", "typed", "fits"),
    [
        ("قَلَم", "قلم", False),
        ("أحمد", "احمد", False),
        ("Paris", "paris", False),
        ("Paris", "Paris.", False),
        ("١", "1", False),
        ("don't", "don’t", False),
        ("Paris", "  Paris\u200f ", True),
        ("New York", "New   York", True),
        ("\u00e9", "e\u0301", True),
        ("Pa*", "Paris", True),
        ("Pa*", "paris", False),
    ],
)
def test_strict_spelling_forgives_only_what_nobody_sees(accepted, typed, fits):
    assert spelling.matches(accepted, typed, strict=True) is fits


@pytest.mark.parametrize(
    ("accepted", "typed", "fits"),
    [
        ("*", "anything", True),
        ("**", "anything", True),
        ("col*r", "colour", True),
        ("col*r", "Color", True),
        ("col*r", "colours", False),
        ("*cat*", "the CAT sat", True),
        ("*cat*", "cat", True),
        ("a*a", "a", False),
        ("a*b*c", "a-b-b-c", True),
        ("a*bc*c", "abc", False),
        ("*قلم*", "هذا قَلَمٌ أزرق", True),
        (r"2\*3", "2*3", True),
        (r"2\*3", "2 and 3", False),
        (r"a\\*", "a\\b", True),
        (r"C:\new", r"C:\new", True),
        ("C:\\", "C:\\", True),
        ("New *", "New York", True),
        ("New *", "Newark", False),
        ("*ّ*", "مد", False),
    ],
)
def test_a_star_stands_for_anything(accepted, typed, fits):
    assert spelling.matches(accepted, typed) is fits


@pytest.mark.parametrize(
    ("accepted", "shown"),
    [("cat", "cat"), ("*cat*", "…cat…"), (r"2\*3", "2*3"), ("a**b", "a…b"), (r"\\", "\\"), ("*", "…")],
)
def test_what_is_accepted_is_readable(accepted, shown):
    assert spelling.readable(accepted) == shown


def test_only_a_star_alone_is_anything_else():
    assert [spelling.is_anything(text) for text in ("*", " ** ", "a*", r"\*", "", "*ّ*")] == [True, True, *[False] * 4]


@pytest.mark.parametrize("text", ["ّ", "ـ", "ـــ", "َُِ", "ۥ"])
def test_an_answer_of_nothing_but_marks_is_still_an_answer(text):
    assert spelling.folded(text)
    assert spelling.matches(text, text)
    assert not spelling.matches(text, "")


@pytest.mark.parametrize("text", ["", " ", "\u200f", "\u200b\u2060", "\x00", "\ud800", "\uffff", "\ufe0f", "\n"])
def test_what_nobody_sees_is_no_answer(text):
    assert spelling.strict_form(text) == spelling.folded(text) == ""


def test_what_is_stored_is_one_line_as_it_was_typed():
    typed = "  \u202eAl-\u00c4\u200cpfel\x00\ud800 ١\n٢\u202c ❤\ufe0f "
    assert spelling.tidy(typed) == "Al-\u00c4\u200cpfel ١ ٢ ❤\ufe0f"


@given(TYPED)
def test_folding_again_changes_nothing(text):
    assert spelling.folded(spelling.folded(text)) == spelling.folded(text)
    assert spelling.strict_form(spelling.strict_form(text)) == spelling.strict_form(text)


@given(TYPED)
def test_folding_leaves_something_of_every_answer(text):
    assert bool(spelling.folded(text)) is bool(spelling.strict_form(text))


@given(TYPED, st.booleans())
def test_every_accepted_answer_matches_itself(text, strict):
    accepted = text.replace("\\", r"\\").replace("*", r"\*")
    assert spelling.matches(accepted, text, strict=strict) is bool(spelling.strict_form(text))
    with_stars = text.replace("\\", "")
    assert spelling.matches(with_stars, with_stars, strict=strict) is bool(spelling.strict_form(with_stars))


@given(TYPED)
def test_what_is_stored_is_alike_to_what_was_typed(text):
    assert spelling.strict_form(spelling.tidy(text)) == spelling.strict_form(text)


@given(TYPED, TYPED)
def test_strict_spelling_accepts_nothing_that_the_other_refuses(accepted, typed):
    if spelling.matches(accepted, typed, strict=True):
        assert spelling.matches(accepted, typed)


def test_many_stars_are_not_tried_in_every_way():
    with patience():
        assert not spelling.matches("*a" * 500 + "b", "a" * 1000)
        assert not spelling.matches("*" + "ab*" * 300 + "c", "ab" * 500)


def test_the_readme_has_the_table():
    wanted = [_row(row) for row in (*spelling.ALIKE, *spelling.DIFFERENT)]
    section = README.read_text(encoding="utf-8").split("## Typed answers")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*`) \| (`.*`) \| (.*) \|$", section, re.MULTILINE)
    assert rows == wanted


def _row(row):
    typed = "".join(char if char.isprintable() else f" U+{ord(char):04X} " for char in row.typed)
    return f"`{row.accepted}`", f"`{re.sub(' +(?=U)', ' ', typed).strip()}`", row.why
