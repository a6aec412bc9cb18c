"""What editors are warned of: each rule by what it tells and by what it leaves alone, in both languages."""

from dataclasses import replace

import pytest
from django.http import HttpResponse
from django.urls import re_path, reverse
from django.utils import translation

from mpquiz import lint
from mpquiz.content import ChoiceContent, QuestionContent, key_at
from mpquiz.lint import bidi
from tests.patience import patience

LONG = "a value that is reckoned anew each time from what the memory of the device holds at that moment"
NOWHERE = "/nowhere/at-all/"


def asked(*choices, prompt=None, kind="single", right=0, language="en", **more):
    """A question with these choices, the first of them right; a text is of ``language`` unless it is a dict."""
    rows = tuple(
        ChoiceContent(key=key_at(place), text=in_language(text, language), right=place == right)
        for place, text in enumerate(
            choices or {"en": ("One", "Two", "Three"), "ar": ("واحد", "اثنان", "ثلاثة")}[language]
        )
    )
    words = in_language(prompt or {"en": "How many are there?", "ar": "كم عددها؟"}[language], language)
    return QuestionContent(key="site/q", kind=kind, prompt=words, choices=rows, **more)


def in_language(text, language):
    return text if isinstance(text, dict) else {language: text}


def ar(*choices, **more):
    return asked(*choices, language="ar", **more)


def codes(content, **how):
    return [found.code for found in lint.warnings(content, **how)]


def test_a_sound_question_is_left_alone():
    assert codes(asked()) == [] == codes(ar())


TOLD = {
    "names_places": [
        asked("One", "Two", "None of the above"),
        asked("One", "Two", "Both A and B"),
        ar("واحد", "اثنان", "كل ما سبق"),
        ar("واحد", "اثنان", "لا شيء مما سبق"),
        ar("واحد", "اثنان", "الإجابة الأخيرة"),
    ],
    "odd": [asked("One", "Two", "Two"), ar("واحد", "اثنان", "اثنان")],
    "points_at": [
        asked(explanation={"en": "Option B is right, since there are two."}),
        asked(explanation={"en": "The first answer leaves one out."}),
        ar(explanation={"ar": "الإجابة (ب) صحيحة لأنهما اثنان."}),
        ar(explanation={"ar": "الخيار الأول خطأ."}),
    ],
    "labels": [
        asked("A) One", "B) Two", "C) Three", "D) Four"),
        asked("a. One", "b. Two", "Three", "d. Four"),
        asked("1) One", "2) Two"),
        asked("(1) One", "(2) Two", kind="ordering"),
        ar("أ) واحد", "ب) اثنان", "ج) ثلاثة"),
        ar("أ- واحد", "ب- اثنان", "ت- ثلاثة"),
        ar("أ. واحد", "ب. اثنان", "ج. ثلاثة", "د. أربعة", "هـ. خمسة"),
    ],
    "gives_away": [asked(LONG, "a number", "a name"), ar(LONG, "عدد", "اسم")],
    "negation": [
        asked(prompt="Which of these is not a number?"),
        asked(prompt="Which of these isn't a number?"),
        asked(prompt="All of the following are numbers except:"),
        asked(prompt="What does the language not support?"),
        ar(prompt="أي مما يلي ليس عددًا؟"),
        ar(prompt="أيّ العبارات التالية لا تصف العدد؟"),
        ar(prompt="كل ما يلي أعداد عدا:"),
    ],
    "copied": [asked(prompt={"en": "How many are there?", "ar": "How many are there?"})],
    "script": [
        asked(prompt={"en": "كم عددها في السطر؟"}),
        ar(prompt={"ar": "How many are there?"}),
        asked(explanation={"en": "هذا لأن العدد اثنان."}),
    ],
    "turned": [
        ar(prompt="ما نسبة 50% من العدد؟"),
        ar(prompt="ما القيمة المطلقة للعدد -5 هنا؟"),
        ar(prompt="الأعداد من 1-5 فقط"),
        ar(prompt="أجاب عن 3 / 10 من الأسئلة"),
        ar(prompt="كُتب البرنامج بلغة C++ قديمًا"),
        ar(prompt="كُتب البرنامج بلغة C# قديمًا"),
        ar(prompt="السرعة 5 km في الساعة"),
        ar(prompt="ما ناتج 2 + 3 هنا؟"),
        ar(prompt="تعمل على منصة .NET فقط"),
        ar(prompt="ماذا تفعل print() هنا؟"),
        ar("-5", "5", "7"),
        ar("C++", "Java", "Python"),
        ar(prompt="كم؟", explanation={"ar": "لأن الحد 10 = x هنا."}),
    ],
    "controls": [
        asked(prompt="How many \u202aare there?"),
        asked(prompt="How many are there\u2069?"),
        asked(prompt="How \u202emany\u202c are there?"),
        ar(prompt="كم \u2067عددها؟"),
    ],
    "unseen_in_code": [asked(prompt="What does `f(\u200fx)` do?"), ar(prompt="ماذا يفعل `f(x\u200b)` هنا؟")],
    "brackets": [
        asked(prompt="How many (in all are there?"),
        asked(prompt="How many in all) are there?"),
        ar(prompt="كم عددها (في السطر؟"),
        ar(prompt="ما ناتج f(x]) هنا؟"),
    ],
    "quotes": [
        asked(prompt='What does "many mean?'),
        asked(prompt="What does “many mean?"),
        ar(prompt="ما معنى «كم؟"),
    ],
    "formula": [asked(prompt=r"What is $\frac{1}{2$ here?"), ar(prompt=r"كم $\nosuchcommand{2}$ هنا؟")],
    "link": [
        asked(explanation={"en": f"See [the page]({NOWHERE})."}),
        ar(explanation={"ar": f"انظر [الصفحة]({NOWHERE})."}),
    ],
    "punctuation": [ar(prompt="كم عددها?"), ar(prompt="كم عددها, هنا"), ar(prompt="كم عددها; هنا")],
}
TOLD_PAIRS = [(code, content) for code, contents in TOLD.items() for content in contents]


@pytest.mark.parametrize(("code", "content"), TOLD_PAIRS)
def test_it_is_told(code, content):
    assert codes(content) == [code]


def test_every_rule_has_a_case_of_its_own():
    assert lint.RULES.keys() - TOLD.keys() == {"guide"}  # which has tests of its own below


LEFT_ALONE = [
    # names_places, points_at
    replace(asked("One", "Two", "None of the above"), settings={"keep_order": True}),
    asked("One", "Two", "All of it"),
    asked(explanation={"en": "Answer a question with a question. An option a day."}),
    asked(explanation={"en": "C is a language, and B was one before it."}),
    ar(explanation={"ar": "الإجابة الصحيحة اثنان، والخيار بسيط."}),
    # labels
    asked("A", "B", "C"),
    asked("A minor", "B minor", "C minor"),
    asked("1.5 metres", "2.5 metres", "3.5 metres"),
    asked("B) One", "A) Two"),
    asked("x) One", "Two", "Three"),
    ar("أب", "بيت", "جمل"),
    ar("أ", "ب", "ج"),
    # gives_away
    asked(LONG, LONG + "s", "a name"),
    asked("a number", LONG, "a name"),
    asked("a number of many digits", "one", "two"),
    asked(LONG, "a number"),
    # negation
    asked(prompt="Which of these is **not** a number?"),
    asked(prompt="Which of these is NOT a number?"),
    asked(prompt="Which error is raised if the file is not there?"),
    asked(prompt="What happens when it does not stop?"),
    asked(prompt="Why does it not stop?"),
    asked(prompt="The file is not there. Which error is raised?"),
    asked(prompt="Which name is that of a value that is not a number?"),
    ar(prompt="أي مما يلي *ليس* عددًا؟"),
    ar(prompt="أي خطأ يقع إذا لم يكن الملف موجودًا؟"),
    ar(prompt="لا يعمل البرنامج. أي سطر فيه خطأ؟"),
    QuestionContent(key="site/q", kind="essay", prompt={"en": "Which of these is not a number, and why?"}),
    # copied, script
    asked(prompt={"en": "`a + b * c`", "ar": "`a + b * c`"}),
    asked(prompt={"en": "TCP/IP", "ar": "TCP/IP"}),
    asked({"en": "Hello my dear world", "ar": "Hello my dear world"}, "Two", "Three"),
    ar(prompt="ما معنى the quick brown fox هنا؟"),
    asked(prompt="What does السلام عليكم ورحمة mean?"),
    ar("import numpy as np", "load the numpy module", "read numpy again"),
    # turned
    ar(prompt="أجاب عن 3/10 من الأسئلة"),
    ar(prompt="لدينا f(x)=2 هنا"),
    ar(prompt="ما نسبة `50%` من العدد؟"),
    ar(prompt='ما نسبة <bdi dir="ltr">50%</bdi> من العدد؟'),
    ar(prompt="ما ناتج $2 + 3$ هنا؟"),
    ar(prompt="صدر عام 1999، ثم في 2010."),
    ar(prompt="كُتب بلغة Python 3.11 (الحديثة)."),
    ar(prompt="الذاكرة 16GB هنا"),
    ar(prompt="تقنيات TCP/IP و (GPU) معًا"),
    ar(prompt="ما نسبة \u206650%\u2069 من العدد؟"),
    ar(prompt="ما نسبة ٥٠٪ من العدد؟"),
    ar("5", "50%", "7.5"),
    asked(prompt="What is 50% of -5, in C++?"),
    # controls
    asked(prompt="The word \u2067كم\u2069 means how many."),
    ar(prompt="الاسم \u202aC++\u202c هنا"),
    ar(prompt="كم\u200f عددها؟"),
    # brackets and quotes
    asked(prompt="How many :) are there :-( here ;)?"),
    asked(prompt="Say:\n\na) how many\n\nb) how much, and 1) why"),
    asked(prompt="In [0, 1) or (0, 1], or in ]2; 3[ too?"),
    asked(prompt="What does `f(x` do, and ``[``?"),
    asked(prompt="What is $[0, 1)$ here?"),
    asked(prompt="How many (in [all]) are there?"),
    asked(prompt='A 5" disk of the 80\'s: it\'s "old".'),
    asked(prompt="„Wie viele“ means “how many”, and «combien» too. The editors’ word."),
    ar(prompt="قل: أ) كم عددها، ب) ولماذا؟"),
    ar(prompt='ما معنى «كم» و"كيف"؟'),
    # formulas and links
    asked(prompt=r"What is $\frac{1}{2}$ of $5?"),
    asked(explanation={"en": "See [elsewhere](https://example.org/none/) or [here](#there)."}),
    asked(explanation={"en": "See [the file](mpquiz:0123456789abcdef.png)."}),
    # punctuation
    ar(prompt="كم عددها في Python? وما معنى a, b؟"),
    ar(prompt="كم عددها في `f(x, y)?`"),
    # typed answers are no Markdown, and have no order
    asked("1) *", "2) (", "3) *", kind="text"),
]


@pytest.mark.parametrize("content", LEFT_ALONE)
def test_it_is_left_alone(content):
    assert codes(content) == []


# What is told of it ---------------------------------------------------------------------------------------------


def only(content, **how):
    [found] = lint.warnings(content, **how)
    return found


def test_a_warning_says_where():
    found = only(ar("واحد", "-5", "ثلاثة"))
    assert (found.code, found.field, found.choice, found.language) == ("turned", "text", 1, "ar")
    assert found.where == ["choice 2", "text", "العربيّة"]
    assert str(found.message) == (
        "Seen the other way round here: \u2068\u2066-5\u2069\u2069. Write \u2068\u2066`-5`\u2069\u2069 or "
        '\u2068\u2066<bdi dir="ltr">-5</bdi>\u2069\u2069 instead.'
    )


def test_what_a_warning_says_is_translated_when_it_is_read():
    found = only(asked("One", "Two", "Two"))
    with translation.override("ar"):
        assert str(found.message) != "Another choice reads the same."


def test_no_more_than_three_parts_of_a_text_are_quoted():
    found = only(ar(prompt="هنا 10% وهنا 20% وهنا 30% وهنا 40%"))
    assert "30%" in str(found.message)
    assert "40%" not in str(found.message)


@pytest.mark.parametrize(
    "part", ["2024-05-01", "2 + 3 = 5", "-5 + 3", "25 °C", "1-5 km", "3 * 4 = x", "123-456-789", "0.5 – 1.5 %"]
)
def test_what_belongs_together_is_quoted_as_a_whole(part):
    assert f"\u2066`{part}`\u2069" in str(only(ar(prompt=f"انظر {part} هنا.")).message)


def test_numbers_of_a_list_are_told_apart():
    assert "\u2066`-5`\u2069" in str(only(ar(prompt="الأعداد 3، -5 هنا")).message)


def test_places_are_nothing_odd_where_nothing_is_shuffled():
    content = asked("One", "Two", "None of the above", explanation={"en": "Option B is right."})
    assert codes(content, shuffles=False) == []
    assert codes(content, shuffles=True) == codes(content) == ["names_places", "points_at"]


def test_a_choice_that_keeps_its_place_names_others_in_peace():
    content = asked("One", "Two", "None of the above")
    first, second, third = content.choices
    assert codes(replace(content, choices=(first, second, replace(third, keeps_place=True)))) == []


def test_what_blocks_is_not_told_here():
    assert codes(asked("One", kind="single", right=5)) == []


@pytest.mark.parametrize("name", ["page", "essay", "number", "text", "matching", "ordering", "gaps", "gone-kind"])
def test_every_kind_is_looked_at(name):
    content = asked("(One", "Two", prompt="How many (are there?", kind=name)
    assert "brackets" in codes(content)


def test_true_and_false_are_the_kinds_own_words():
    content = QuestionContent(
        key="site/q",
        kind="true_false",
        prompt={"en": "It is so."},
        choices=(ChoiceContent(key="a", right=True), ChoiceContent(key="b")),
    )
    assert codes(content) == []


def test_all_words_of_a_question_are_looked_at():
    content = asked(
        "(One", "Two", settings={"feedback": {"right": {"en": "Well done (you"}}, "notes": {"en": "(Ask"}}
    )
    content = replace(content, choices=(replace(content.choices[0], feedback={"en": "Yes)"}), *content.choices[1:]))
    found = lint.warnings(content)
    assert [(one.field, one.choice) for one in found] == [
        ("text", 0),
        ("feedback", 0),
        ("settings", None),
        ("settings", None),
    ]


# Guides ---------------------------------------------------------------------------------------------------------


def test_a_guide_that_leads_nowhere_is_told():
    content = asked(guides=("floats",))
    assert codes(content) == []
    assert codes(content, guides={"floats": ""}) == ["guide"]
    assert codes(content, guides={"floats": NOWHERE}) == ["guide"]
    assert codes(content, guides={"floats": f"{NOWHERE}?page=2#end"}) == ["guide"]
    assert NOWHERE in str(only(content, guides={"floats": NOWHERE}).message)


def test_a_guide_of_this_site_or_of_another_is_left_alone(settings):
    settings.MEDIA_URL = "/media/"
    content = asked(guides=("floats",))
    here = reverse("mpquiz:quiz_list")
    for address in (here, f"{here}#top", here.rstrip("/"), "https://example.org/none/", "/media/guide.pdf"):
        assert codes(content, guides={"floats": address}) == []


def in_arabic(request, name):
    return HttpResponse()


urlpatterns = [re_path(r"^(?P<name>[^\W\d_]+)/$", in_arabic, name="in_arabic")]


def test_an_address_of_this_site_may_have_letters_of_any_script(settings):
    settings.ROOT_URLCONF = __name__
    there = reverse("in_arabic", args=["أعداد"])
    assert "%" in there
    assert codes(asked(guides=("floats",)), guides={"floats": there}) == []
    assert codes(ar(explanation={"ar": "انظر [الصفحة](/أعداد/) ثم [بقيتها](/أعداد/#ب)."})) == []
    assert codes(ar(explanation={"ar": "انظر [الصفحة](/أعداد/٢/)."})) == ["link"]


# Directions -----------------------------------------------------------------------------------------------------


def seen(text):
    shown = [""] * len(text)
    for char, place in zip(text, bidi.places(text), strict=True):
        shown[place] = char
    return "".join(shown)


@pytest.mark.parametrize(
    ("written", "from_the_left"),
    [
        ("ب 50%", "%50 ب"),
        ("ب -5", "5- ب"),
        ("ب 3 / 10", "10 / 3 ب"),
        ("ب 3/10", "3/10 ب"),
        ("ب C++", "++C ب"),
        ("ب 1-5", "5-1 ب"),
        ("ب f(x)=2 ب", "ب f(x)=2 ب"),
        ("50%", "50%"),
        ("-5", "5-"),
        ("ب (ab) ب", "ب )ab( ب"),
        ("ab (cd)", "ab (cd)"),
        ("ب 1,000.5 ب", "ب 1,000.5 ب"),
        ("ب 16GB ب", "ب 16GB ب"),
        ("ب 16 GB ب", "ب GB 16 ب"),
        ("", ""),
    ],
)
def test_a_line_is_seen_as_browsers_show_it(written, from_the_left):
    """The first six as they were measured in Chromium."""
    assert seen(written) == from_the_left


# Time -----------------------------------------------------------------------------------------------------------

HOSTILE = [
    "1",
    "1-",
    "1.",
    "a",
    "(",
    "([{",
    "()",
    "[0,",
    '"',
    "“",
    "\u2067",
    "-",
    "A) ",
    "$x$ ",
    "which not ",
    "أي ",
    "ليس? ",
    "`",
    "<bdi>",
    "a(1)ب ",
    "/",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_text_does_not_hang(piece):
    length = 30_000 if piece in ("([{", "[0,") else 200_000  # the two that take longest
    text = (piece * length)[:length]
    with patience():
        lint.warnings(ar(text, "ب", "ج", prompt=text))
