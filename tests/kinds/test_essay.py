"""Essays: what is taken as a text, how long it may be, what an editor must mend, what is never told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import kinds
from mpquiz.content import QuestionContent
from mpquiz.exceptions import Refusal
from mpquiz.kinds.essay import notes_in

ESSAY = kinds.get("essay")


def content(**settings):
    return QuestionContent(key="book/one", kind="essay", prompt={"en": "Why?"}, settings=settings)


def refused(given, **settings):
    with pytest.raises(Refusal) as caught:
        ESSAY.clean(given, content(**settings), [])
    assert caught.value.code == "bad_answer"
    return str(caught.value.message)


@pytest.mark.parametrize("given", [None, "", "   ", "\r\n\n\t", "\0", 5, True, ["text"], {"1": "text"}])
def test_what_is_no_text_is_refused(given):
    assert refused(given)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("One\r\ntwo\rthree\nfour", "One\ntwo\nthree\nfour"),
        ("  \n  لأن البت الأول للإشارة \n", "لأن البت الأول للإشارة"),
        ("a\0b\ud800c", "abc"),
        ("<b>*1*</b>", "<b>*1*</b>"),
    ],
)
def test_a_text_is_stored_as_it_was_written_with_one_sort_of_line_break(given, stored):
    assert ESSAY.clean(given, content(), []) == stored


def test_the_length_counts_characters_once_line_breaks_are_one():
    assert ESSAY.clean("1\r\n3\r\n5", content(longest=5), []) == "1\n3\n5"
    assert ESSAY.clean("👩‍🚀", content(longest=3), []) == "👩‍🚀"


def test_a_longer_text_is_refused_with_both_numbers():
    assert (
        refused("x" * 12, longest=10) == "Your text has 12 characters; at most 10 characters are taken. Shorten it."
    )
    assert "10001" in refused("x" * 10_001).replace(",", "")
    assert ESSAY.clean("x" * 10_000, content(), [])


@given(st.text())
def test_whatever_is_taken_is_taken_again_as_it_is(text):
    try:
        stored = ESSAY.clean(text, content(), [])
    except Refusal:
        return
    assert ESSAY.clean(stored, content(), []) == stored
    assert not set(stored) & set("\0\r")


def test_a_person_marks_it():
    assert ESSAY.mark(content(), "text") is None


def test_only_the_prompt_is_visible():
    with_notes = content(notes={"en": "Look for the exponent."}, longest=10)
    assert ESSAY.visible(with_notes) == ESSAY.visible(content()) == {"kind": "essay", "prompt": {"en": "Why?"}}
    assert "exponent" not in repr((ESSAY.asked(with_notes, []), ESSAY.answered(with_notes, [], "text")))


def test_a_text_is_no_markdown():
    (told,) = ESSAY.in_words(content(), "2*3*4 <b>")
    assert (told.plain, told.html, told.dir) == ("2*3*4 <b>", "<p>2*3*4 &lt;b&gt;</p>", "auto")
    assert ESSAY.in_words(content(), None) == []


@pytest.mark.parametrize("longest", [0, -1, 100_001, "10", 1.5, True, None, [10]])
def test_a_limit_that_is_none_is_the_editor_s_to_mend(longest):
    assert [problem.field for problem in ESSAY.blocking(content(longest=longest))] == ["settings"]


@pytest.mark.parametrize(
    "notes", ["Look for it.", ["a"], 5, None, {"en": 5}, {"en": None}, {"en": "Look.", "ar": {"a": "b"}}]
)
def test_notes_have_a_text_for_each_language(notes):
    assert [problem.field for problem in ESSAY.blocking(content(notes=notes))] == ["settings"]


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        ({}, {}),
        ({"notes": {"en": "Look.", "ar": "انظر."}}, {"en": "Look.", "ar": "انظر."}),
        ({"notes": {"en": 5, "ar": "انظر."}}, {"ar": "انظر."}),
        ({"notes": {"en": None}}, {}),
        ({"notes": "Look."}, {}),
        ({"notes": None}, {}),
    ],
)
def test_notes_are_words_or_nothing_whatever_stands_in_an_old_question(settings, read):
    assert notes_in(content(**settings)) == read


def test_a_sound_essay_needs_no_settings():
    assert ESSAY.blocking(content()) == []
    assert ESSAY.blocking(content(longest=1, notes={"en": "Look.", "ar": "انظر."})) == []
