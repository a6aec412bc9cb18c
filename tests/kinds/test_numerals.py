"""Numbers as they are typed in several countries and scripts, and what an editor accepts."""

from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from mpquiz.exceptions import Refusal
from mpquiz.kinds import numerals

SCRIPTS = {"western": "0123456789", "arabic": "٠١٢٣٤٥٦٧٨٩", "persian": "۰۱۲۳۴۵۶۷۸۹", "devanagari": "०१२३४५६७८९"}


def refusal(function, text):
    with pytest.raises(Refusal) as caught:
        function(text)
    assert caught.value.code == "bad_answer"
    return caught.value.message


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("3", "3"),
        ("007", "7"),
        ("+5", "5"),
        ("-5", "-5"),
        ("- 5", "-5"),
        ("\u22125", "-5"),
        ("–5", "-5"),
        ("-0", "0"),
        ("\u200e-5\u200f", "-5"),
        ("\u2066-5\u2069", "-5"),
        (" 3 ", "3"),
        ("3.14", "3.14"),
        ("3,14", "3.14"),
        ("٣٫١٤", "3.14"),
        ("۳٫۱۴", "3.14"),
        ("٣,١٤", "3.14"),
        ("٣،١٤", "3.14"),
        ("३.१४", "3.14"),
        ("３．１４", "3.14"),
        ("3.142", "3.142"),
        ("1.234", "1.234"),
        ("0,123", "0.123"),
        ("1234,567", "1234.567"),
        ("1,2345", "1.2345"),
        (",5", "0.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1 234", "1234"),
        ("1\u00a0234\u202f567", "1234567"),
        ("1 234,567", "1234.567"),
        ("1'234.567", "1234.567"),
        ("1’234", "1234"),
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234.567,891", "1234567.891"),
        ("12,34,567", "1234567"),
        ("١٬٢٣٤٬٥٦٧٫٨٩", "1234567.89"),
        ("١٬٢٣٤", "1234"),
        ("1,234٫5", "1234.5"),
        ("1e3", "1000"),
        ("1E-3", "0.001"),
        ("1.5 e +3", "1500"),
        ("1,5e3", "1500"),
        ("1×10^3", "1000"),
        ("1 × 10^-3", "0.001"),
        ("1·10³", "1000"),
        ("1x10⁻³", "0.001"),
        ("3*10**5", "300000"),
        ("٣×١٠^٥", "300000"),
        ("٣أس٥", "300000"),
        ("10^3", "1000"),
        ("-10^-3", "-0.001"),
        ("10⁶", "1000000"),
        ("1e300", "1e300"),
        ("1e-300", "1e-300"),
    ],
)
def test_numbers_are_read_as_they_are_typed(typed, number):
    assert numerals.read(typed) == Decimal(number)


@pytest.mark.parametrize("typed", ["1,234", "-1,234", "٩٩٩،٠٠٠", "12,345", "1,234e5"])
def test_what_may_be_two_numbers_is_refused_with_both(typed):
    assert "may be two numbers" in refusal(numerals.read, typed)
    assert "\u2066-1234\u2069 or \u2066-1.234\u2069" in refusal(numerals.read, "-1,234")


@pytest.mark.parametrize(
    "typed",
    [
        *("x", "5 km", "3-5", "--5", "+-5", "5-", ".", ",", "-", "e5", "1e", "1e1.5", "1ee5", "NaN", "inf", "1_000"),
        *("0x10", "1.2.3", "12 34", "1234 567", "1,23,45", "1.234,567,890", "0.123.456", "1,234 567", "1'234,567.8"),
        *(
            "3٫1٫4",
            "٣٫١٬٤",
            "1٬23",
            "2^10",
            "100^2",
            "5²",
            "10^",
            "½",
            "Ⅷ",
            "五",
            "1/2",
            "3 14",
            "<b>1</b>",
            "1\x002",
        ),
        *("\ud800", "3..5"),
    ],
)
def test_what_is_no_number_is_refused_with_how_to_write_one(typed):
    assert "1.5e3" in refusal(numerals.read, typed)


def test_what_is_empty_too_long_or_too_large_is_refused_as_such():
    assert refusal(numerals.read, " \u200f") == "Write a number first."
    assert "100" in refusal(numerals.read, "1" * 101)
    for text in ("1e301", "1e-301", "1e999999999", "10^" + "9" * 9):
        assert "too large" in refusal(numerals.read, text)
    assert numerals.read("9" * 100) == 10**100 - 1


def test_a_refusal_is_in_the_reader_s_language():
    with translation.override("ar"):
        assert "\u2066-3.14\u2069" in refusal(numerals.read, "x")


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=6) | st.builds(
    lambda digits, power: Decimal(digits).scaleb(power), st.integers(-(10**20), 10**20), st.integers(-250, 250)
)


@given(NUMBERS, st.sampled_from(sorted(SCRIPTS)), st.sampled_from(".,٫"))
def test_a_written_number_is_read_back_in_the_digits_of_any_script(number, script, mark):
    text = numerals.written(number)
    assert numerals.read(text) == number
    if mark == "," and len(text.partition("e")[0].partition(".")[2]) == 3:
        mark = "."
    typed = text.replace(".", mark).translate(str.maketrans(SCRIPTS["western"], SCRIPTS[script]))
    assert numerals.read(typed) == number
    assert numerals.written(numerals.read(typed)) == text


@given(st.integers(1000, 10**15), st.sampled_from(["\u00a0", "\u202f", " ", "٬", "'"]))
def test_grouped_thousands_are_read(number, mark):
    assert numerals.read(f"{number:,}".replace(",", mark)) == number


@given(st.text(st.sampled_from("0123456789.,٫٬ '-+e×10^*x…:± "), max_size=100) | st.text(max_size=100))
def test_whatever_is_typed_is_a_number_or_a_refusal(text):
    for function in (numerals.read, numerals.accepted):
        try:
            function(text)
        except Refusal as caught:
            assert caught.code == "bad_answer"


@pytest.mark.parametrize(
    ("number", "text"),
    [("1.50", "1.5"), ("-0", "0"), ("100", "100"), ("1E+3", "1000"), ("1e21", "1e21"), ("-1.25e-30", "-1.25e-30")],
)
def test_a_number_has_one_spelling(number, text):
    assert numerals.written(Decimal(number)) == text


# What an editor accepts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "canonical", "shown"),
    [
        ("3.14", "3.14", "3.14"),
        ("٣٫١٤", "3.14", "3.14"),
        ("3.14:0.01", "3.14:0.01", "3.14 ± 0.01"),
        ("3,14 ± 0,01", "3.14:0.01", "3.14 ± 0.01"),
        ("3.14+-0.01", "3.14:0.01", "3.14 ± 0.01"),
        ("3.14 +/- 0.01", "3.14:0.01", "3.14 ± 0.01"),
        ("٣٫١٤:٠٫٠١", "3.14:0.01", "3.14 ± 0.01"),
        ("1822:0", "1822", "1822"),
        ("3..5", "3..5", "3 – 5"),
        ("3 – 5", "3..5", "3 – 5"),
        ("3…5", "3..5", "3 – 5"),
        ("-5..-3", "-5..-3", "-5 – -3"),
        ("3..3.0", "3", "3"),
        ("*", "*", "…"),
        (" * ", "*", "…"),
    ],
)
def test_what_is_accepted_has_one_spelling(typed, canonical, shown):
    found = numerals.accepted(typed)
    assert (found.text, found.shown.replace("\u00a0", " ")) == (canonical, shown)
    assert numerals.canonical(canonical) == canonical


@pytest.mark.parametrize(
    "typed", ["", " ", "a", "x", "×", "5..3", "3:-1", "3:", ":1", "..", "3..", "..3", "1..2..3", "3:1:1", "3-5", "**"]
)
def test_what_cannot_be_accepted_is_told(typed):
    assert refusal(numerals.canonical, typed)


@pytest.mark.parametrize(
    ("accepted", "number", "held"),
    [
        ("3.14:0.01", "3.15", True),
        ("3.14:0.01", "3.13", True),
        ("3.14:0.01", "3.1500000000000000000000000000000000000000000000001", False),
        ("0.3", "0.30", True),
        ("3..5", "3", True),
        ("3..5", "5", True),
        ("3..5", "2.999", False),
        ("-5..-3", "-4", True),
        ("1e300:1e-300", "1e300", True),
        ("1e300:1e-300", "1.1e300", False),
        ("*", "-1e300", True),
    ],
)
def test_both_ends_are_in_exactly(accepted, number, held):
    assert numerals.accepted(accepted).holds(numerals.read(number)) is held
