"""What is translated: neutral texts, what is wanted where, and when a translation is to be checked."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from mpquiz.translations import NEUTRAL, State, Texts, is_neutral, is_wanted, to_check
from tests.patience import patience

TEXTS = {
    "": True,
    "16": True,
    " 1.5e": False,
    "3 < 4": True,
    "[1, 2]": True,
    "{1}~^_|\\ (2)!\"'#%&*+,-./:;<=>?@": True,
    "1\r\n2\t3": True,
    "`float16`": True,
    "`a` = ``b``": True,
    "`نصّ`": True,
    "`a\nb`": True,
    "`a`b": False,
    "`open": False,
    "``a`": False,
    "$x + y$, `z`": True,
    "$$x$$": True,
    "$س$": True,
    "$5 and $6": False,
    "$ a $": False,
    "bits": False,
    "بت": False,
    "٣": False,
    "é": False,
}


@pytest.mark.parametrize(("text", "neutral"), TEXTS.items())
def test_numbers_code_and_math_need_no_translation(text, neutral):
    assert is_neutral(text) is neutral


SIGNS = st.text(st.sampled_from("`$aش1 .[]\\^-_~\n"), max_size=12)


def _as_the_database_reads(texts):
    placeholder, operator = {
        "sqlite": ("%s", "REGEXP"),
        "postgresql": ("%s::text", "~"),
        "mysql": ("%s", "REGEXP BINARY"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join(f"{placeholder} {operator} %s" for _text in texts),
            [value for text in texts for value in (text, NEUTRAL)],
        )
        return [bool(value) for value in cursor.fetchone()]


@pytest.mark.django_db
@given(st.lists(SIGNS, min_size=1, max_size=30))
def test_the_database_reads_the_expression_as_python_does(texts):
    assert _as_the_database_reads(texts) == [is_neutral(text) for text in texts]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["1" * 99_999, "`a` " * 25_000, "`" * 99_999, "$" * 99_999, "$a " * 33_000, "$a$" * 33_000]
)
def test_a_long_text_is_read_once(text):
    with patience():
        assert _as_the_database_reads([text + "x"]) == [False]
        assert not is_neutral(text * 5 + "x")


def test_a_text_is_wanted_once_one_language_has_words():
    assert is_wanted({"en": "Two"}) and is_wanted({"en": "2", "ar": "اثنان"})
    assert not is_wanted({}) and not is_wanted({"en": "2"}) and not is_wanted({"en": "", "ar": "`x`"})


def test_neutral_texts_count_nowhere():
    texts = Texts.of([{"en": "2"}, {"en": "Two"}, {"en": "Three", "ar": "ثلاثة"}, {}], ["en", "ar"])
    assert texts == Texts(2, {"en": 2, "ar": 1})
    assert (texts.percent("en"), texts.percent("ar"), texts.percent("fr")) == (100, 50, 0)


@pytest.mark.parametrize(
    ("wanted", "there", "state", "percent"),
    [
        (0, 0, State.WHOLE, 100),
        (3, 3, State.WHOLE, 100),
        (3, 1, State.HALF, 33),
        (3, 0, State.NONE, 0),
        (999, 998, State.HALF, 99),
    ],
)
def test_a_language_is_whole_half_or_nothing(wanted, there, state, percent):
    texts = Texts(wanted, {"ar": there})
    assert (texts.state("ar"), texts.percent("ar")) == (state, percent)


@pytest.mark.parametrize(
    ("there", "mixed"),
    [
        ({"en": 2, "ar": 2, "fr": 0}, True),
        ({"en": 3, "ar": 2, "fr": 1}, False),
        ({"en": 2, "ar": 0, "fr": 0}, False),
        ({"en": 0, "ar": 0, "fr": 0}, False),
    ],
)
def test_what_no_language_has_whole_and_several_have_in_part_is_mixed(there, mixed):
    assert Texts(3, there).is_mixed is mixed


# When a translation is to be checked -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "marked", "then"),
    [
        ({"en": "A", "ar": "ا"}, {"en": "B", "ar": "ا"}, "", "ar"),
        ({"en": "A", "ar": "ا"}, {"en": "A", "ar": "ب"}, "", "en"),
        ({"en": "A", "ar": "ا"}, {"en": "A", "ar": "ا"}, "", ""),
        ({"en": "A", "ar": "ا"}, {"en": "A", "ar": "ا"}, "ar", "ar"),
        ({"en": "A", "ar": "ا"}, {"en": "B", "ar": "ب"}, "", ""),
        ({"en": "A", "ar": "ا"}, {"en": "B", "ar": "ب"}, "ar", ""),
        ({"en": "A", "ar": "ا"}, {"en": "A", "ar": "ب"}, "ar", ""),
        ({"en": "A", "ar": "ا"}, {"en": "B", "ar": "ا"}, "ar", "ar"),
        ({"en": "A", "ar": "ا"}, {"en": "", "ar": "ا"}, "", ""),
        ({"en": "A", "ar": "ا"}, {"en": "A"}, "ar", ""),
        ({"en": "A"}, {"en": "A", "ar": "ا"}, "", ""),
        ({"en": "A"}, {"en": "B"}, "", ""),
        ({"en": "A"}, {"en": "B", "ar": "ا"}, "", ""),
        ({"en": "A b", "ar": "ا"}, {"en": " A\r\nb ", "ar": "ا"}, "", ""),
        ({"en": "A", "ar": "ا", "fr": "à"}, {"en": "B", "ar": "ا", "fr": "à"}, "", "ar fr"),
        ({"en": "A", "ar": "ا", "fr": "à"}, {"en": "B", "ar": "ب", "fr": "à"}, "", "fr"),
        ({"en": "A", "ar": "ا", "fr": "à"}, {"en": "A", "ar": "ب", "fr": "à"}, "ar fr", "fr"),
        ({"en": "A", "ar": "ا", "fr": "à"}, {"en": "A", "ar": "ب", "fr": "â"}, "ar", "en"),
        ({"en": "A", "ar": "", "fr": "à"}, {"en": "B", "ar": "", "fr": "à"}, "", "fr"),
    ],
)
def test_whoever_changes_one_language_has_the_others_checked(before, after, marked, then):
    assert to_check(before, after, marked.split()) == set(then.split())


LANGUAGES = ("en", "ar", "fr")
WORDS = st.dictionaries(st.sampled_from(LANGUAGES), st.sampled_from(["", "a", "b", " a "]))
MARKED = st.sets(st.sampled_from(LANGUAGES))


@given(WORDS, WORDS, MARKED)
def test_only_what_was_there_and_stayed_is_to_be_checked(before, after, marked):
    for language in to_check(before, after, marked):
        assert before[language].strip() == after[language].strip() != ""


@given(WORDS, MARKED)
def test_saving_again_changes_no_mark(texts, marked):
    marked = {language for language in marked if texts.get(language)}
    assert to_check(texts, texts, marked) == marked


@given(WORDS, WORDS, WORDS)
def test_catching_up_with_all_that_is_marked_leaves_nothing_to_check(before, after, anew):
    marked = to_check(before, after, ())
    caught_up = after | {language: f"{anew.get(language, '')} anew" for language in marked}
    assert to_check(after, caught_up, marked) == set()


@given(st.lists(WORDS, min_size=1, max_size=6), MARKED)
def test_a_mark_is_on_a_text_that_is_older_than_another(states, _marked):
    """Each step changes what it likes; what is marked was not changed later than a text of another language."""
    texts, marked, changed_at = {}, set(), {}
    for step, after in enumerate(states):
        marked = to_check(texts, after, marked)
        for language in LANGUAGES:
            if texts.get(language, "").strip() != after.get(language, "").strip():
                changed_at[language] = step
        texts = after
        for language in marked:
            assert any(changed_at.get(other, -1) > changed_at.get(language, -1) for other in LANGUAGES)
