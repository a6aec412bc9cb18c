"""GIFT: what is read by the rules of Moodle's reader, what is told with its line, and what is written."""

from decimal import Decimal

import pytest

from mpquiz.content import ChoiceContent, PlacedQuestion, PoolContent, QuestionContent, QuizContent, TagContent
from mpquiz.formats import gift
from mpquiz.formats.report import Log


def parse(text, language="en", **options):
    return gift.parse(text if isinstance(text, bytes) else text.encode(), language=language, **options)


def read(text, **options):
    """The contents of the questions of a file without errors."""
    parsed = parse(text, **options)
    assert parsed.report.errors == ()
    return [placed.content for placed in parsed.quiz.questions]


def one(text, **options):
    [content] = read(text, **options)
    return content


def said(words):
    """The one text of words, in whatever language."""
    return next(iter(words.values()), "")


def choices(content):
    return [
        (said(choice.text) or choice.value, 1 if choice.right and choice.weight is None else choice.weight)
        for choice in content.choices
    ]


def feedback(content):
    return [said(choice.feedback) for choice in content.choices]


def warnings(text, **options):
    return [(entry.line, entry.message) for entry in parse(text, **options).report.warnings]


def errors(text, **options):
    parsed = parse(text, **options)
    assert (parsed.quiz is None) == bool(parsed.report.errors)
    return [(entry.line, entry.message) for entry in parsed.report.errors]


def test_choices_are_shuffled_as_moodle_does():
    """Whoever writes GIFT by hand puts the right answer first."""
    assert parse("Which? {=right ~wrong}").quiz.shuffle_choices
    assert parse("$CATEGORY: empty").quiz.shuffle_choices
    assert parse("Which? {=right").quiz is None


# Questions and their names -------------------------------------------------------------------------------------


def test_questions_are_parted_by_blank_lines_and_named_by_their_places():
    quiz = parse("One? {T}\n\n \t\nTwo? {F}\n\u200f\nThree {}").quiz
    assert [placed.key for placed in quiz.questions] == [f"{quiz.slug}/q{number}" for number in (1, 2, 3)]
    assert quiz.slug == quiz.namespace and quiz.slug.startswith("import-") and len(quiz.slug) == 17
    assert quiz.title == {} and quiz.published == ()


def test_the_same_file_has_the_same_name_and_another_language_another():
    assert parse("One? {T}").quiz.slug == parse("One? {T}").quiz.slug
    assert len({parse("One? {T}", language).quiz.slug for language in ("en", "ar")}) == 2


def test_lines_of_questions_are_told():
    parsed = parse("// a remark\n\n// [id:a]\n::A:: One?\n{T}\n\n\nTwo? {F}")
    assert parsed.lines == {("question", f"{parsed.quiz.slug}/a"): 4, ("question", f"{parsed.quiz.slug}/q2"): 8}


def test_a_comment_within_a_question_leaves_a_blank_line():
    assert said(one("One\n   // a remark amid\ntwo {}").prompt) == "One\n\ntwo"


@pytest.mark.parametrize(
    ("text", "title", "prompt"),
    [
        ("::Name::Text {}", "Name", "Text"),
        (":: Name \n::\nText {}", "Name", "Text"),
        ("::الاسم::النص؟ {}", "الاسم", "النص؟"),
        ("\u200f::الاسم::النص؟ {}", "الاسم", "النص؟"),
        ("::A\\:\\:B\\:::Text {}", "A::B:", "Text"),
        ("Text ::no name:: {}", "", "Text ::no name::"),
        ("// remark\n::Name::Text // no remark {}", "Name", "Text // no remark"),
        ("A\\: \\{1\\=1\\} \\# \\~ a\\\\b {}", "", "A: {1=1} # ~ a\\b"),
        ("One\\nTwo \\\\neq {}", "", "One\nTwo \\neq"),
    ],
)
def test_names_comments_and_escapes(text, title, prompt):
    content = one(text)
    assert said(content.title) == title
    plain = said(
        one(
            f"::x::[plain]{prompt.translate(str.maketrans({c: chr(92) + c for c in '{}=#~:' + chr(92)}))} {{}}"
        ).prompt
    )
    assert said(content.prompt).replace("\\\n", "\n").split() == plain.replace("\\\n", "\n").split()


def test_ids_and_tags_stand_in_comments():
    content = one("// question: 7  name: x\n// [id:Set 2/B]\n//[tag:algebra] [tag:a\\]b][tag: two  words ]\nText {}")
    assert content.key.endswith("/set-2-b")
    assert content.tags == ("algebra", "a]b", "two words")


def test_an_id_that_is_taken_or_cannot_be_a_name():
    text = "// [id:one]\nOne {}\n\n// [id:one]\nTwo {}\n\n// [id:سؤال]\nThree {}"
    assert [content.key.split("/")[1] for content in read(text)] == ["one", "q2", "q3"]
    assert [line for line, _message in warnings(text)] == [5, 8]


def test_an_id_that_looks_like_a_place():
    text = "// [id:q2]\nOne {}\n\nTwo {}"
    assert [content.key.split("/")[1] for content in read(text)] == ["q2", "q2-2"]


def test_two_questions_of_one_name_are_both_kept():
    text = "::Same::One {T}\n\n::Same::Two {F}"
    assert [said(content.title) for content in read(text)] == ["Same", "Same"]
    assert [line for line, _message in warnings(text)] == [3]


def test_a_name_without_an_end_is_taken_for_text():
    assert [line for line, _message in warnings("Q {}\n\n::Name\nText {}")] == [3]


# Categories ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("$course$/top/Default for Algebra", ("Default for Algebra",)),
        ("$course$/Algebra/Vectors/", ("Algebra/Vectors",)),
        ("$system$/top/ الجبر / المتجهات", ("الجبر/المتجهات",)),
        ("Unit 1\\: a", ("Unit 1: a",)),
        ("top", ()),
    ],
)
def test_a_category_is_a_tag_of_what_follows(path, tags):
    assert one(f"$CATEGORY: {path}\n\nText {{}}").tags == tags


def test_a_category_holds_until_the_next():
    text = "Zero {}\n\n$CATEGORY: a\n\nOne {}\n\nTwo {}\n\n$CATEGORY: b/c\n\n// [tag:t]\nThree {}"
    assert [content.tags for content in read(text)] == [(), ("a",), ("a",), ("b/c", "t")]


def test_a_question_right_below_a_category_is_read_and_told():
    text = "$CATEGORY: a\nOne {T}"
    assert one(text).tags == ("a",)
    assert "blank line" in dict(warnings(text))[2]


def test_a_keyword_in_another_language_is_text_and_told():
    text = "$الفئة: جبر\n\nس؟ {T}"
    assert [content.kind for content in read(text, language="ar")] == ["page", "true_false"]
    assert [line for line, _message in warnings(text)] == [1]


# Kinds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Read this.", "page"),
        ("Write. {}", "essay"),
        ("Write. { }", "essay"),
        ("Write. {####Well done.}", "essay"),
        ("1+1? {#2}", "number"),
        ("1+1? {#2~#no}", "number"),
        ("Who? {~a =b}", "single"),
        ("Who? {~%50%a ~%50%b ~c}", "multiple"),
        ("Who? {~a -> b =c}", "single"),
        ("Match. {=a -> b =c -> d}", "matching"),
        ("True? {T}", "true_false"),
        ("True? {\u200fFALSE\u200f}", "true_false"),
        ("True? {TRUE#no#yes}", "true_false"),
        ("Who? {True}", "text"),
        ("Who? {=T}", "text"),
        ("Who? {one}", "text"),
        ("Who? {=a =b}", "text"),
        ("من؟ {=أ ~ب}", "single"),
        ("من؟ {أ}", "text"),
    ],
)
def test_which_kind_it_is(text, kind):
    assert one(text).kind == kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{~a =b}", [("a", None), ("b", 1)]),
        ("{~قاهرة~%50%بغداد=دمشق}", [("قاهرة", None), ("بغداد", Decimal("0.5")), ("دمشق", 1)]),
        ("{=a ~%-25%b}", [("a", 1), ("b", Decimal("-0.25"))]),
        ("{=a ~%0%b}", [("a", 1), ("b", None)]),
        ("{=\\= 1 ~\\~ 2}", [("= 1", 1), ("~ 2", None)]),
        ("{\n~a\n\n=b}".replace("\n\n", "\n"), [("a", None), ("b", 1)]),
    ],
)
def test_single_choices(text, found):
    content = one(f"Which? {text}")
    assert content.kind == "single"
    assert choices(content) == found


def test_several_choices_with_weights():
    content = one("Which? {~%33.33333%a ~%33.33333%b ~%-100%c ~%33.33333%d ~e}")
    weight = Decimal("0.3333333")
    assert [choice.weight for choice in content.choices] == [weight, weight, -1, weight, 0]
    assert [choice.right for choice in content.choices] == [True, True, False, True, False]


def test_several_right_ones_beside_wrong_ones_each_earn_all_and_that_is_told():
    text = "Seasons? {\n=spring\n=summer\n~easter}"
    content = one(text)
    assert content.settings == {"any_right": True}
    assert choices(content) == [("spring", 1), ("summer", 1), ("easter", None)]
    assert "Several choices are right" in warnings(text)[0][1]


def test_the_first_feedback_of_true_and_false_is_for_the_wrong_answer():
    assert feedback(one("It is. {TRUE#is wrong#is right}")) == ["is right", "is wrong"]
    assert feedback(one("It is. {F#is wrong#is right####Why.}")) == ["is wrong", "is right"]
    assert feedback(one("It is. {T# #is right}")) == ["is right", ""]
    assert [choice.right for choice in one("It is. {F}").choices] == [False, True]


def test_accepted_answers():
    content = one("Which? {=Frog#Good! =%50%Cat#Why? =%0%*#No. =a\\\\b =\\\\*}")
    assert choices(content) == [("Frog", 1), ("Cat", Decimal("0.5")), ("*", None), ("a\\\\b", 1), ("\\*", 1)]
    assert feedback(content) == ["Good!", "Why?", "No.", "", ""]


def test_accepted_answers_are_no_markup():
    assert choices(one("[html]Which? {=a_b <i> =[html]*x*}")) == [("a_b <i>", 1), ("*x*", 1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{#1822}", [("1822", 1)]),
        ("{#3.14:0.005}", [("3.14:0.005", 1)]),
        ("{#3.1..3.2}", [("3.1..3.2", 1)]),
        ("{#-3..3}", [("-3..3", 1)]),
        ("{#=1822:0 =%50%1822:2}", [("1822", 1), ("1822:2", Decimal("0.5"))]),
        ("{#3:2~#No.}", [("3:2", 1), ("*", None)]),
        ("{#=5 =%0%*#No.}", [("5", 1), ("*", None)]),
        ("{#1e3}", [("1000", 1)]),
        ("{# \u200f5 }", [("5", 1)]),
    ],
)
def test_numbers(text, found):
    assert choices(one(f"How much? {text}")) == found


def test_arabic_digits_are_read_and_told():
    assert choices(one("كم؟ {#٣٫١٤:٠٫٠١}", language="ar")) == [("3.14:0.01", 1)]
    assert "3.14:0.01" in warnings("كم؟ {#٣٫١٤:٠٫٠١}")[0][1]


def test_pairs_and_distractors():
    content = one("Match. {=one -> 1\n=[html]<b>two</b> -> a->b\n= -> 3}")
    assert [(said(choice.text), said(choice.match)) for choice in content.choices] == [
        ("one", "1"),
        ("**two**", "a->b"),
        ("", "3"),
    ]


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("Two and two are {=four}.", "Two and two are _____."),
        ("{=Asia} is large.", "_____ is large."),
        ("عاصمة فرنسا هي {=باريس}؟", "عاصمة فرنسا هي _____؟"),
        ("Ends here {=x}", "Ends here"),
        ("Below\n{=x}\n", "Below"),
    ],
)
def test_a_missing_word_leaves_a_blank(text, prompt):
    assert said(one(text).prompt).replace("\\", "") == prompt


def test_general_feedback_is_the_explanation():
    content = one("Who? {=a#yes ####First ####last}")
    assert said(content.explanation) == "last"
    assert said(one("Who? {####Because.}").explanation) == "Because."


# Texts ---------------------------------------------------------------------------------------------------------


def test_formats_are_inherited_from_the_prompt():
    content = one("[html]<b>Which?</b> {=<i>a</i>#<b>x</b> ~[plain]<i>b</i>#[markdown]*y* ####<b>z</b>}")
    assert said(content.prompt) == "**Which?**"
    assert [said(choice.text) for choice in content.choices] == ["*a*", "\\<i>b\\</i>"]
    assert feedback(content) == ["**x**", "*y*"]
    assert said(content.explanation) == "**z**"


def test_an_unknown_format_is_text():
    assert "[xyz]" in said(one("[xyz]Which? {T}").prompt).replace("\\", "")


def test_both_languages_of_a_text():
    spans = '<span lang\\="en" class\\="multilang">{0}</span><span lang\\="ar" class\\="multilang">{1}</span>'
    content = one(
        f"::{spans.format('Name', 'اسم')}::[html]{spans.format('Which?', 'أي؟')} "
        f"{{={spans.format('One', 'واحد')}#{spans.format('Yes', 'نعم')} "
        "~\\{mlang en\\}Two\\{mlang\\}\\{mlang ar\\}اثنان\\{mlang\\}}"
    )
    assert content.title == {"en": "Name", "ar": "اسم"}
    assert content.prompt == {"en": "Which?", "ar": "أي؟"}
    assert [choice.text for choice in content.choices] == [
        {"en": "One", "ar": "واحد"},
        {"en": "Two", "ar": "اثنان"},
    ]
    assert content.choices[0].feedback == {"en": "Yes", "ar": "نعم"}


def test_a_file_in_one_language_fills_the_one_that_is_named():
    assert one("س؟ {=أ ~ب}", language="ar").choices[0].text == {"ar": "أ"}
    assert one("Q? {=a ~b}", language="en").prompt == {"en": "Q?"}


def test_script_is_left_out():
    text = (
        "[html]Pick <img src\\=x onerror\\=alert(1)>"
        '{=ok <script>alert(1)</script>#<a href\\="javascript\\:x">why</a> ~no}'
    )
    content = one(text)
    assert "script" not in repr(content.to_json()).replace("description", "")
    assert "onerror" not in repr(content.to_json())


# What is told --------------------------------------------------------------------------------------------------

ODD = [
    ("Q. {صح}", 1, "looks like true or false"),
    ("Q. {خَطَأ}", 1, "looks like true or false"),
    ("Q. {نعم}", 1, "looks like true or false"),
    ("Q. {לא נכון#x}", 1, "looks like true or false"),
    ("Q. {true}", 1, "looks like true or false"),
    ("Q.\n{\n=1 first\n=2 second\n=3 third}", 3, "look like an order"),
    ("س.\n{\n=١. أولا\n=٢. ثانيا}", 3, "look like an order"),
    ("Q {T}\n$TAG: x", 2, "is no directive"),
    ("Q {T}\";", 1, "rest of a sentence"),
    ("Q1 {T}\nQ2 {F}", 1, "blank line missing"),
    ("Q\n\\frac12 {T}", 2, "escapes nothing"),
    ("Q a\\neq b {T}", 1, "is a line break"),
    ("Q {\n=x\n~x}", 3, "reads the same"),
    ("Q {~%40%a ~%40%b ~c}", 1, "add up to"),
    ("Q {\n=a\n~b\n~ }", 4, "empty answer"),
    ("Q {\na\n=b}", 2, "neither = nor ~") if False else ("Q {\na\n~b\n=c}", 2, "neither = nor ~"),
    ("Q {\n=%50%a\n~b}", 2, "part of its text"),
    ("Q {\n=<a href=\"x\">y</a>\n~b}", 2, "tag of HTML is cut"),
    ("Q {\n=%-50%a\n=b}", 2, "no less than nothing"),
    ("Q {#5\n~6#no}", 2, "nothing is read"),
    ("Q {#3,5}", 1, "was read as 3.5"),
    ("[html]Q <img src\\=\"@@PLUGINFILE@@/a.png\"> {T}", 1, "“a.png” is missing"),
    (
        '<span lang\\="tlh" class\\="multilang">nuq</span><span lang\\="en" class\\="multilang">Q</span> {T}',
        1,
        "tlh",
    ),
    ("$CATEGORY: only", 1, "holds no questions"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), ODD)
def test_what_is_odd_is_told_with_its_line(text, line, message):
    assert errors(text) in ([], [(2, "")]) or "one answer" in text
    found = warnings(text)
    assert [at for at, told in found if message in told] == [line], found


SOUND = [
    "Two and two are {=four}.",
    "Q {=1 =2}",
    "Q {=yes we can =no}",
    "Q {=a ~b} end",
    "a\\*b {=\\(x\\)}",
    "Q {#3.5:.1}",
]


@pytest.mark.parametrize("text", SOUND)
def test_nothing_is_told_of_what_is_sound(text):
    assert warnings(text) == []


WRONG = [
    ("Q {T", 1, "“{” has no “}”"),
    ("Q\nx {=a\n\nb}", 2, "“{” has no “}”"),
    ("Q T}", 1, "“}” has no “{”"),
    ("Q } {T", 1, "“}” has no “{”"),
    ("Q {~a}", 1, "at least two"),
    ("Q {~a ~b}", 1, "Mark the right choice"),
    ("Q {#}", 1, "at least one"),
    ("Q {#\n=five}", 2, "not accepted as a number"),
    ("Q {#5..3}", 1, "not accepted as a number"),
    ("Q {#1,234}", 1, "not accepted as a number"),
    ("Q {\n=a -> b\n=c}", 3, "“->” is missing"),
    ("Q {=a -> b}", 1, "at least two"),
    ("Q {\n=a\n~%150%b}", 3, "between -100 and 100"),
    ("Q {\n~%٥٠%a\n~%50%b}", 2, "percentage"),
    ("Q {=%50%a}", 1, "right"),
    ("", 1, "holds no questions"),
    ("// nothing\n\n", 1, "holds no questions"),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_what_cannot_be_read_is_an_error_with_its_line(text, line, message):
    found = errors(text)
    assert any(at == line and message in told for at, told in found), found


def test_reading_goes_on_after_an_error():
    assert [line for line, _message in errors("Q {T\n\nQ {~a}\n\nQ {T}\n\nQ {#x}")] == [1, 3, 7]


# What is written -----------------------------------------------------------------------------------------------


def question(kind="single", key="book/one", **fields):
    fields.setdefault("prompt", {"en": "Which?"})
    return QuestionContent(key=key, kind=kind, **fields)


def choice(key, text=None, right=False, **fields):
    return ChoiceContent(key=key, text={"en": text} if text else {}, right=right, **fields)


def quiz(*contents, **fields):
    placed = tuple(PlacedQuestion(key=content.key, content=content) for content in contents)
    return QuizContent(slug="book", namespace="book", questions=placed, **fields)


def written(*contents, **options):
    log = Log()
    text = gift.render(quiz(*contents), log=log, **options).decode()
    return text, [entry.message for entry in log.warnings]


def test_a_written_question():
    content = question(
        title={"en": "Name: 1"},
        prompt={"en": "Which {one}?\n\n$CATEGORY: x"},
        choices=(
            choice("a", "a=b", right=True, feedback={"en": "Yes."}),
            choice("b", "%50%", weight=Decimal("0.5")),
            choice("c", "[html]"),
        ),
        explanation={"en": "# Why"},
        tags=("algebra", "a]b"),
    )
    text, lost = written(content)
    assert text.split("\n", 2)[2] == (
        "// [id:one] [tag:algebra] [tag:a\\]b]\n"
        "::Name\\: 1::[markdown]Which \\{one\\}?\\n\\n$CATEGORY\\: x{\n"
        "\t=[markdown]a\\=b#[markdown]Yes.\n"
        "\t~%50%[markdown]%50%\n"
        "\t~[markdown][html]\n"
        "\t####[markdown]\\# Why\n"
        "}\n"
    )
    assert lost == []


def test_both_languages_are_written_or_one():
    content = question("essay", prompt={"en": "Write.", "ar": "اكتب."}, explanation={"en": "Why."})
    both, _lost = written(content)
    assert '<span lang\\="en" class\\="multilang">Write.</span>' in both
    assert read(both)[0].prompt == content.prompt
    assert read(both)[0].explanation == content.explanation
    arabic, _lost = written(content, language="ar")
    assert one(arabic, language="ar").prompt == {"ar": "اكتب."}
    assert "Why" not in arabic


def test_what_is_missing_in_the_one_language_is_told():
    text, lost = written(question("essay", prompt={"en": "Write."}), language="ar")
    assert "Write." in text
    assert [message for message in lost if "missing in the language" in message and "book/one" in message]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (question("ordering", choices=(choice("a", "1"), choice("b", "2"))), "no questions of this kind"),
        (question("gaps", prompt={"en": "[[1]]"}), "no questions of this kind"),
        (question("host_kind"), "no questions of this kind"),
        (question("page", explanation={"en": "Why."}), "explanation of a page"),
        (question("essay", settings={"longest": 5}), "settings are left out"),
        (question("essay", guides=("floats",)), "guides are left out"),
        (question("essay", tags=("a\\",)), "tag is left out"),
        (question("essay", title={"en": "*x*"}), "without their markup"),
        (question("essay", prompt={"en": "![x](mpquiz:" + "0" * 40 + ".png)"}), "files are left out"),
        (
            question("true_false", choices=(choice("a", "Yes", right=True), choice("b", "No"))),
            "words and weights of their own",
        ),
        (
            question("matching", choices=(choice("a", "1", match={"en": "2"}, feedback={"en": "x"}),)),
            "feedback of pairs",
        ),
        (question("text", choices=(choice("a", "\\\\*", right=True),)), "backslash before *"),
        (question(choices=(choice("a", "1", right=True), choice("b", "2", keeps_place=True))), "keep their place"),
        (question("text", choices=(choice("a", "a->b", right=True), choice("b", "c", right=True))), "for pairs"),
    ],
)
def test_what_gift_cannot_hold_is_told(content, message):
    _text, lost = written(content)
    assert [told for told in lost if message in told and "book/one" in told], lost


def test_what_is_left_out_is_told_once_with_its_questions_and_named_in_the_file():
    text, lost = written(*(question("ordering", key=f"book/{n}") for n in range(12)))
    [message] = lost
    assert "book/0, book/1" in message and message.endswith("…)") and "book/11" not in message
    assert text.count("// book/") == 12
    assert parse(text).report.errors != ()


def test_what_a_quiz_says_of_itself_is_told():
    log = Log()
    whole = quiz(
        question("essay"),
        title={"en": "T"},
        level="beginner",
        known_tags=(TagContent(name="t", description={"en": "d"}),),
    )
    gift.render(whole, log=log)
    [entry] = log.warnings
    assert "the title of the quiz" in entry.message and "what is said of tags" in entry.message


@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        ("single", {"title": {"en": "T"}}, True),
        ("single", {"title": {"en": "T"}, "shuffle_choices": True}, False),
        ("essay", {"title": {"en": "T"}}, False),
        ("single", {}, False),
    ],
)
def test_an_order_of_choices_that_a_reader_would_not_keep_is_told(kind, fields, told):
    log = Log()
    choices = () if kind == "essay" else (choice("a", "Yes", right=True), choice("b", "No"))
    gift.render(quiz(question(kind, choices=choices), **fields), log=log)
    assert any("keep their order" in entry.message for entry in log.warnings) is told


def test_the_rules_of_a_quiz_are_told():
    log = Log()
    gift.render(
        quiz(question("essay"), time_limit=30, pools=(PoolContent(tag="t"),), left_behind=("password",)), log=log
    )
    [entry] = log.warnings
    assert entry.message == "GIFT holds questions only; left out are: its pools, the time limit, the password."


def test_points_and_questions_from_elsewhere_are_told():
    log = Log()
    placed = (PlacedQuestion(key="book/one", points=Decimal(2), content=question("essay")), PlacedQuestion(key="a/b"))
    text = gift.render(QuizContent(slug="book", questions=placed), log=log).decode()
    assert ["points" in entry.message for entry in log.warnings].count(True) == 1
    assert "// a/b: left out" in text


def test_an_answer_with_an_arrow_is_written_without_the_sign_that_would_make_it_a_pair():
    content = question("text", choices=(choice("a", "a->b", right=True, feedback={"en": "Yes."}),))
    text, lost = written(content)
    assert lost == []
    assert one(text).choices == content.choices


def test_several_right_ones_come_back():
    content = question(
        choices=(choice("a", "a", right=True), choice("b", "b", right=True)), settings={"any_right": True}
    )
    text, lost = written(content)
    assert lost == []
    assert one(text).choices == content.choices
    assert one(text).settings == {"any_right": True}
