"""Aiken: what is read, strictly and as course writers are taught, and every error with its line."""

import pytest

from mpquiz.formats import aiken

TWO = """\
What is 2 + 2?
A. 3
B) 4

ANSWER: B

Text <b> & *this*:
A)One
B)Two
C) Three
ANSWER: A
"""


def parse(text, language="en", **options):
    return aiken.parse(text if isinstance(text, bytes) else text.encode(), language=language, **options)


def read(text, **options):
    """(prompt, choices, the right one) of each question of a file without errors."""
    parsed = parse(text, **options)
    assert parsed.report.errors == ()
    contents = [placed.content for placed in parsed.quiz.questions]
    assert {content.kind for content in contents} == {"single"}
    return [
        (
            next(iter(content.prompt.values())),
            [next(iter(choice.text.values())) for choice in content.choices],
            [choice.key for choice in content.choices if choice.right],
        )
        for content in contents
    ]


def errors(text, **options):
    return [(entry.line, entry.message) for entry in parse(text, **options).report.errors]


def warnings(text, **options):
    return [(entry.line, entry.message) for entry in parse(text, **options).report.warnings]


def test_questions_with_their_choices():
    assert read(TWO) == [
        ("What is 2 + 2?", ["3", "4"], ["b"]),
        ("Text \\<b> & \\*this\\*:", ["One", "Two", "Three"], ["a"]),
    ]
    assert warnings(TWO) == []


def test_line_ends_of_any_system_and_bytes_in_front():
    assert read(b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode()) == read(TWO)
    assert read(TWO.replace("\n", "\r")) == read(TWO)
    assert read(TWO.encode("utf-16")) == read(TWO)


def test_lines_and_language():
    parsed = parse(TWO, language="ar")
    assert list(parsed.lines.values()) == [1, 7]
    assert set(parsed.quiz.questions[0].content.prompt) == {"ar"}


ARABIC = """\
ما عاصمة مصر؟
أ) القاهرة
ب) بغداد
ج) دمشق
د) تونس
{last}) الرباط
الإجابة: ج
"""


@pytest.mark.parametrize("last", ["ه", "هـ"])
def test_letters_of_the_arabic_alphabet(last):
    text = ARABIC.format(last=last)
    assert read(text, language="ar") == [("ما عاصمة مصر؟", ["القاهرة", "بغداد", "دمشق", "تونس", "الرباط"], ["c"])]
    assert [line for line, _message in warnings(text)] == [2, 7]


@pytest.mark.parametrize(
    ("letters", "answer"),
    [
        ("أبجد", "ANSWER: ب"),
        ("أبتث", "ANSWER: ب"),
        ("ابجد", "ANSWER: ب"),
        ("אבגד", "ANSWER: ב (תשובה:)"),
        ("אבגד", "תשובה: ב"),
        ("ABCD", "Answer: B"),
        ("ABCD", "الجواب: B"),
        ("ABCD", "\u200fANSWER:\u200e B\u200f"),
    ],
)
def test_labels_and_key_words(letters, answer):
    lines = "\n".join(f"{letter}. choice {place}" for place, letter in enumerate(letters, 1))
    assert read(f"Q?\n{lines}\n{answer}") == [("Q?", [f"choice {place}" for place in (1, 2, 3, 4)], ["b"])]


@pytest.mark.parametrize("label", ["\u200fأ)", "أ\u200f)", "أ -", "(أ)", "\u202bأ.", "الف)"])
def test_spellings_of_a_label(label):
    text = f"س؟\n{label} نعم\nب) لا\nANSWER: أ"
    assert read(text, language="ar") == [("س؟", ["نعم", "لا"], ["a"])]


def test_a_prompt_may_begin_like_a_label_of_another_alphabet():
    assert read("أ. محمد من؟\nA) x\nB) y\nANSWER: A") == [("أ. محمد من؟", ["x", "y"], ["a"])]


def test_each_sort_of_leniency_is_told_once():
    text = ARABIC.format(last="ه")
    assert [line for line, _message in warnings(f"{text}\n{text}", language="ar")] == [2, 7]


def test_what_stands_behind_the_letter_is_told():
    assert warnings("Q?\nA. x\nB. y\nANSWER: B (see page 2)") == [
        (4, "What stands after the letter is left out: “B (see page 2)”.")
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [1]),
        ("Q?\nA) x\nANSWER: A", [3]),
        ("A) x", [1]),
        ("ANSWER: A", [1]),
        ("Q?\nA) x\nB) y", [1]),
        ("Q?\nA) x\nB) y\n\nR?\nA) x\nB) y\nANSWER: A", [5]),
        ("Q?\nmore of it\nA) x\nB) y\nANSWER: A", [2]),
        ("Q?\nA) x\nB) y\nANSWER: C", [4]),
        ("Q?\nA) x\nB) y\nANSWER: A, B", [4]),
        ("Q?\nA) x\nB) y\nANSWER:", [4]),
        ("Q?\nA) x\nB) y\nANSWER: Both", [4]),
        ("Q?\nA) x\nC) y\nANSWER: A", [3]),
        ("Q?\nB) x\nA) y\nANSWER: A", [2, 3]),
        ("Q?\nA) x\nB)\nANSWER: A", [3]),
        ("س؟\nأ) نعم\nد) لا\nANSWER: أ", [3]),
        ("Q?\nA) x\nANSWER: A\n\nB) y\nANSWER: B", [3, 5, 6]),
        (b"Q?\nA) \xff", [2]),
    ],
)
def test_every_error_has_its_line_and_nothing_is_kept(text, lines):
    assert [line for line, _message in errors(text)] == lines
    assert parse(text).quiz is None


def test_equal_choices_are_told():
    assert warnings("Q?\nA) x\nB) x\nANSWER: A") == [(3, "Another choice reads the same.")]
