"""Which choices name others by their place or letter, in English and in Arabic."""

from dataclasses import replace

import pytest

from mpquiz import kinds
from mpquiz.content import ChoiceContent, QuestionContent
from mpquiz.kinds.places import names_others

ENGLISH = [
    "All of the above",
    "None of the above.",
    "None of the above",
    "Both of the above",
    "Neither of the above",
    "all the above",
    "None of the answers above",
    "Any of the preceding",
    "All of the below",
    "Both A and B",
    "Neither a nor b",
    "A and B only",
    "Only A and B are correct",
    "Options 1 and 3",
    "Answers (a) and (c)",
    "A and C are correct",
    "One of the above",
    "The previous two answers",
    "**None of the above**",
    "All of the statements above are true",
    "The first two options",
    "None of the following",
]

ARABIC = [
    "كل ما سبق",
    "جميع ما سبق",
    "جميع ما سبق صحيح",
    "كلّ ما سبقَ",
    "لا شيء مما سبق",
    "لا شئ مما سبق",
    "ليس أيًّا مما سبق",
    "ما ذكر أعلاه",
    "كل ما ذُكر أعلاه",
    "جميع ما ورد أعلاه",
    "لا شيء مما ذكر",
    "جميع الإجابات السابقة",
    "كل الخيارات أعلاه",
    "الإجابتان السابقتان",
    "الخياران أ و ب",
    "أ و ب معًا",
    "(أ) و(ب) فقط",
    "كل من أ وب",
    "لا شيء مما يلي",
    "جميع ما يلي",
    "كل ما هو أدناه",
    "الخيار الأول",
    "كافة ما تقدم",
    "ما ذكر أدناه",
    "كلا الخيارين السابقين",
    "جميع ما سبق ذكره",
    "All of the above",
]

OTHER_ENGLISH = [
    "Any value above 10",
    "All elements below the diagonal",
    "The loop above prints 5",
    "One of them",
    "All of them",
    "None of these",
    "none",
    "Above sea level",
    "It takes the first option that fits",
    "A",
    "1 and 2",
    "both ends",
    "Each number above zero is positive",
    "A and B",
    "Statement 1 only",
    "the following code",
    "Both are right",
    "Only one of the two",
    "above",
    "All numbers above 3 are prime",
]

OTHER_ARABIC = [
    "يطبع ما يلي: 5",
    "الكود أعلاه يطبع 5",
    "كل القيم أكبر من صفر",
    "لا شيء",
    "ما ذكره العلماء",
    "ما ورد في النص",
    "قيمة ما",
    "العبارة السابقة خاطئة",
    "كل ما هو أكبر من 3",
    "و",
    "خيار",
    "لا يوجد حل",
    "ليس عددًا أوليًّا",
    "ما سبقه",
    "جميع الأعداد الأولية",
    "لا أعلم",
    "كلها",
    "ينفذ كل ما يلي: أ",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_that_names_others_is_found(text):
    assert names_others(text, "en")
    assert names_others(text, "en-gb")


@pytest.mark.parametrize("text", ARABIC)
def test_arabic_that_names_others_is_found(text):
    assert names_others(text, "ar")


@pytest.mark.parametrize("text", OTHER_ENGLISH)
def test_english_that_stands_alone_is_not(text):
    assert not names_others(text, "en")


@pytest.mark.parametrize("text", OTHER_ARABIC)
def test_arabic_that_stands_alone_is_not(text):
    assert not names_others(text, "ar")


def test_english_that_stayed_in_another_language_is_found():
    assert names_others("None of the above", "fr")
    assert not names_others("Aucune idée", "fr")


def test_a_long_text_says_something_of_its_own():
    assert not names_others("All of the above " + "and more " * 30, "en")


@pytest.mark.parametrize("text", ["", "   ", "`a`", "$x$", "(" * 200, "كل " * 66, "a and " * 33])
def test_whatever_is_written_is_read(text):
    assert names_others(text, "ar") is False
    assert names_others(text, "en") is False


# What the kinds of choices say of it ------------------------------------------------------------------------


def asked(*texts, kind="single", settings=None, **choice):
    choices = [ChoiceContent(key=f"c{n}", text=text, right=n == 0) for n, text in enumerate(texts)]
    choices[-1] = replace(choices[-1], **choice)
    return QuestionContent(
        key="book/one", kind=kind, prompt={"en": "Which?"}, choices=tuple(choices), settings=settings or {}
    )


def told(content):
    kind = kinds.get(content.kind)
    return [(one.field, one.choice, one.blocks) for one in kind.problems(kind.complete(content))]


@pytest.mark.parametrize("kind", ["single", "multiple"])
@pytest.mark.parametrize("last", [{"en": "None of the above"}, {"en": "No", "ar": "لا شيء مما سبق"}])
def test_such_a_choice_is_odd_and_can_be_asked(kind, last):
    content = asked({"en": "Three"}, {"en": "Four"}, last, kind=kind)
    assert told(content) == [("keeps_place", 2, False)]
    assert kinds.get(kind).blocking(content) == []


def test_it_is_not_odd_where_it_keeps_its_place_or_all_do():
    texts = ({"en": "Three"}, {"en": "Four"}, {"en": "None of the above"})
    assert told(asked(*texts, keeps_place=True)) == []
    assert told(asked(*texts, settings={"keep_order": True})) == []


def test_in_a_gap_it_is_told_at_the_choice_of_the_whole_question():
    content = asked({"en": "Three"}, {"en": "Four"}, {"en": "None of the above"}, kind="gaps")
    content = replace(
        content,
        prompt={"en": "It is [[1]]."},
        choices=tuple(replace(choice, part="1") for choice in content.choices),
        settings={"parts": {"1": {"kind": "single"}}},
    )
    assert told(content) == [("keeps_place", 2, False)]
