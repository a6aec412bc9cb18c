"""Reading Moodle XML: each type of question, texts in two languages, categories, files, and what is told."""

import base64
from decimal import Decimal

import pytest

from mpquiz import files
from mpquiz.content import TagContent
from mpquiz.formats.moodle_xml import parse

from .moodle import answer, category, document, errors, file, only, png, question, read, text, warnings

BOTH = '<span lang="en" class="multilang">{}</span><span lang="ar" class="multilang">{}</span>'


def weights(content):
    return [(choice.right, choice.weight) for choice in content.choices]


# Kinds ---------------------------------------------------------------------------------------------------------


def test_a_choice_is_single_where_nothing_is_said():
    content = only(
        question("multichoice", answer("<p>Two</p>", 100, "Yes."), answer("Three", "33.33333"), answer("4"))
    )
    assert content.kind == "single"
    assert [choice.text for choice in content.choices] == [{"en": "Two"}, {"en": "Three"}, {"en": "4"}]
    assert weights(content) == [(True, None), (False, Decimal("0.3333333")), (False, None)]
    assert content.choices[0].feedback == {"en": "Yes."}
    assert [choice.key for choice in content.choices] == ["a", "b", "c"]


def test_several_right_choices_keep_their_shares():
    single = "<single>false</single>"
    content = only(
        question("multichoice", single, answer("a", 50), answer("b", 50), answer("c", -100), answer("d", 0))
    )
    assert content.kind == "multiple"
    assert weights(content) == [
        (True, Decimal("0.5")),
        (True, Decimal("0.5")),
        (False, Decimal(-1)),
        (False, Decimal(0)),
    ]


@pytest.mark.parametrize(
    ("said", "kept"), [("false", True), ("0", True), ("true", False), ("1", False), (None, False)]
)
def test_only_an_explicit_no_keeps_the_order(said: str | None, kept: bool):
    shuffle = "" if said is None else f"<shuffleanswers>{said}</shuffleanswers>"
    content = only(question("multichoice", shuffle, answer("a", 100), answer("b")))
    assert content.settings.get("keep_order", False) is kept


@pytest.mark.parametrize(
    ("said", "shuffled"),
    [
        (("true", "true"), True),
        (("1", None), True),
        (("false", "TRUE"), True),
        (("false", "0"), False),
        ((None, None), False),
        (("false", ""), False),
    ],
)
def test_a_quiz_shuffles_where_one_of_its_questions_says_so(said: tuple[str | None, ...], shuffled: bool):
    shuffles = ("" if one is None else f"<shuffleanswers>{one}</shuffleanswers>" for one in said)
    parsed = read(*(question("multichoice", shuffle, answer("a", 100), answer("b")) for shuffle in shuffles))
    assert parsed.quiz is not None
    assert parsed.quiz.shuffle_choices is shuffled


@pytest.mark.parametrize("sort", ["match", "ddmatch", "essay"])
def test_only_a_question_that_is_kept_says_whether_choices_are_shuffled(sort: str):
    pair = "<subquestion format='html'><text>{}</text><answer><text>{}</text></answer></subquestion>"
    pairs = (pair.format("a", "b"), pair.format("c", "d"))
    parsed = read(question(sort, "<shuffleanswers>1</shuffleanswers>", *pairs), question("description"))
    assert parsed.quiz is not None
    assert parsed.quiz.shuffle_choices is (sort == "match")


def test_true_stands_before_false_whatever_the_order_in_the_file():
    content = only(question("truefalse", answer("false", 100, "Indeed."), answer("true", 0, "No.")))
    assert content.kind == "true_false"
    assert [(choice.text, choice.right, choice.feedback) for choice in content.choices] == [
        ({}, False, {"en": "No."}),
        ({}, True, {"en": "Indeed."}),
    ]


@pytest.mark.parametrize(("yes", "no"), [("صح", "خطأ"), ("Verdadero", "Falso")])
def test_true_and_false_in_another_language_go_by_their_order_with_a_warning(yes: str, no: str):
    parsed = read(question("truefalse", answer(yes, 100), answer(no, 0)))
    assert parsed.quiz.questions[0].content.choices[0].right
    assert [yes in message and no in message for message in warnings(parsed)] == [True]


def test_accepted_texts_have_shares_and_wildcards():
    content = only(
        question(
            "shortanswer",
            "<usecase>1</usecase>",
            answer("Nile", 100, form="plain_text"),
            answer(r"a\*b\c", 50, form="moodle_auto_format"),
            answer("*", 0, "No."),
            answer("a_b <c> & d", 100, form="plain_text"),
        )
    )
    assert content.kind == "text"
    assert content.settings == {"strict": True}
    assert [choice.text["en"] for choice in content.choices] == ["Nile", r"a\*b\\c", "*", "a_b <c> & d"]
    assert weights(content) == [(True, None), (False, Decimal("0.5")), (False, None), (True, None)]
    assert content.choices[2].feedback == {"en": "No."}


def test_numbers_have_tolerances_and_units_are_told():
    content = question(
        "numerical",
        answer("3.140", 100).replace("</answer>", "<tolerance>0.010</tolerance></answer>"),
        answer("1e3", 50),
        answer("*", 0, "No."),
        "<units><unit><multiplier>1</multiplier><unit_name>cm</unit_name></unit></units>",
    )
    parsed = read(content)
    number = parsed.quiz.questions[0].content
    assert number.kind == "number"
    assert [choice.value for choice in number.choices] == ["3.14:0.01", "1000", "*"]
    assert ["cm" in message for message in warnings(parsed)] == [True]


def test_what_is_no_number_is_an_error_with_the_line_of_the_answer():
    parsed = read(question("numerical", answer("1", 100), answer("about 3", 50)))
    assert parsed.quiz is None
    assert [(line, "about 3" in message) for line, message in errors(parsed)] == [(6, True)]


@pytest.mark.parametrize(("written", "value"), [("3,5", "3.5"), ("٣٫٥", "3.5"), ("۱۲", "12")])
def test_numbers_in_other_signs_are_read_and_told(written: str, value: str):
    for made in (question("numerical", answer(written, 100)), question("cloze", prompt=f"{{1:NM:={written}}}")):
        parsed = read(made)
        assert [choice.value for choice in parsed.quiz.questions[0].content.choices] == [value]
        assert [written in message and value in message for message in warnings(parsed)] == [True]


def test_a_negative_share_of_what_is_typed_is_told():
    parsed = read(question("shortanswer", answer("a", 100), answer("b", -50)))
    assert weights(parsed.quiz.questions[0].content) == [(True, None), (False, None)]
    assert len(warnings(parsed)) == 1


def test_several_wholly_right_choices_may_each_be_chosen():
    parsed = read(question("multichoice", answer("a", 100), answer("b", 100), answer("c")))
    assert parsed.quiz.questions[0].content.settings == {"any_right": True}
    assert len(warnings(parsed)) == 1


@pytest.mark.parametrize("sort", ["match", "matching"])
def test_pairs_have_distractors(sort: str):
    def pair(left: str, right: str) -> str:
        return text("subquestion", left, more=f"<answer><text>{right}</text></answer>")

    content = only(question(sort, pair("<b>Egypt</b>", "Cairo"), pair("Iraq", "*b*"), pair("", "Paris")))
    assert content.kind == "matching"
    assert [(choice.text, choice.match) for choice in content.choices] == [
        ({"en": "**Egypt**"}, {"en": "Cairo"}),
        ({"en": "Iraq"}, {"en": r"\*b\*"}),
        ({}, {"en": "Paris"}),
    ]


def test_items_are_in_the_right_order():
    content = only(question("ordering", answer("one", "1.0000000"), answer("two", "2.0000000"), answer("three", "3")))
    assert content.kind == "ordering"
    assert [choice.text["en"] for choice in content.choices] == ["one", "two", "three"]


def test_an_essay_keeps_the_notes_for_whoever_marks():
    parsed = read(
        question(
            "essay",
            text("graderinfo", "Look at <b>style</b>."),
            text("responsetemplate", "Dear …"),
            "<maxwordlimit>9</maxwordlimit>",
        )
    )
    assert parsed.quiz.questions[0].content.settings == {"notes": {"en": "Look at **style**."}}
    assert len(warnings(parsed)) == 2


def test_a_description_is_a_page():
    assert only(question("description", prompt="<p>Read this.</p>")).kind == "page"


def test_gaps_stand_where_the_sub_questions_stood():
    parsed = read(
        question(
            "cloze",
            prompt="<p>{2:MC:=Cairo#Yes~Rome~%50%Giza} lies on the {1:SAC:=Nile~*#No}, with {:NM:=20:2} million.</p>",
        )
    )
    placed = parsed.quiz.questions[0]
    content = placed.content
    assert content.kind == "gaps"
    assert content.prompt == {"en": "[[1]] lies on the [[2]], with [[3]] million."}
    assert content.settings["parts"] == {
        "1": {"kind": "single", "weight": 2},
        "2": {"kind": "text", "strict": True},
        "3": {"kind": "number"},
    }
    assert [(one.part, one.text.get("en") or one.value, one.right, one.weight) for one in content.choices] == [
        ("1", "Cairo", True, None),
        ("1", "Rome", False, None),
        ("1", "Giza", False, Decimal("0.5")),
        ("2", "Nile", True, None),
        ("2", "*", False, None),
        ("3", "20:2", True, None),
    ]
    assert content.choices[0].feedback == {"en": "Yes"}
    assert placed.points == 4


def test_what_only_looks_like_a_gap_is_none():
    content = only(question("cloze", prompt="a [[2]] b [[1]] {1:SA:=x}"))
    assert content.prompt["en"].count("[[") - content.prompt["en"].count(r"\[[") == 1
    assert content.prompt["en"].endswith("[[1]]")


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("no gap", "no sub-questions"),
        ("{1:MULTICHOICE}", "no answers"),
        ("{1:MULTICHOICE:=one}", "two choices"),
        ("{1:MULTICHOICE:a~%50%b}", "wholly right"),
        ("{1:NM:=zero}", "zero"),
        ("{1:SA:=open", "not closed"),
    ],
)
def test_a_faulty_sub_question_is_an_error_with_its_line(prompt: str, told: str):
    parsed = read(question("cloze", prompt="first line<br>\n" + prompt))
    assert parsed.quiz is None
    [(line, message)] = errors(parsed)
    assert told in message
    assert line in (4, 5)


def test_a_sub_question_with_several_answers_keeps_the_question_out_by_name():
    parsed = read(question("cloze", prompt="{1:MULTIRESPONSE:=a~=b}"), question("description"))
    assert [placed.content.kind for placed in parsed.quiz.questions] == ["page"]
    assert ["MULTIRESPONSE" in message for message in warnings(parsed)] == [True]


@pytest.mark.parametrize("sort", ["calculated", "ddwtos", "randomsamatch", "novelty"])
def test_other_types_are_left_out_by_name_and_line(sort: str):
    parsed = read(question("description"), question(sort, answer("{={a}*{b}}", 100), name="Area"))
    assert len(parsed.quiz.questions) == 1
    assert [(entry.line, sort in entry.message, "Area" in entry.message) for entry in parsed.report.warnings] == [
        (6, True, True)
    ]


def test_what_moodle_hides_is_left_out_with_a_warning():
    parsed = read(question("description", "<hidden>1</hidden>", name="Old"))
    assert parsed.quiz.questions == ()
    assert ["Old" in message for message in warnings(parsed)] == [True]


# What all questions have -----------------------------------------------------------------------------------------


def test_name_explanation_points_id_and_tags_are_kept():
    parsed = read(
        question(
            "description",
            text("generalfeedback", "Because."),
            "<defaultgrade>1.1100000</defaultgrade>",
            "<idnumber>Rivers 1</idnumber>",
            "<tags><tag><text>Africa</text></tag><tag><text>أنهار</text></tag></tags>",
            name="a_b *c*",
        )
    )
    [placed] = parsed.quiz.questions
    assert placed.key == f"{parsed.quiz.namespace}/rivers-1"
    assert placed.points == Decimal("1.11")
    assert placed.content.title == {"en": r"a_b \*c\*"}
    assert placed.content.explanation == {"en": "Because."}
    assert placed.content.tags == ("Africa", "أنهار")
    assert parsed.lines["question", placed.key] == 3


@pytest.mark.parametrize(
    ("written", "points", "told"),
    [("1.0000000", "1", 0), ("0", "0", 0), ("2.345", "2.34", 1), ("-1", "1", 1), ("10000", "1", 1), ("many", "1", 1)],
)
def test_points_are_kept_within_bounds(written: str, points: str, told: int):
    parsed = read(question("description", f"<defaultgrade>{written}</defaultgrade>"))
    assert parsed.quiz.questions[0].points == Decimal(points)
    assert len(warnings(parsed)) == told


def test_feedback_by_the_outcome_is_kept_and_moodles_own_phrases_are_told_once():
    content = question(
        "multichoice",
        text("correctfeedback", "<p>Well done.</p>"),
        text("partiallycorrectfeedback", "Your answer is partially correct."),
        text("incorrectfeedback", "<p>Your answer is incorrect.</p>"),
        answer("a", 100),
        answer("b"),
    )
    parsed = read(content, content.replace("Name", "Other"))
    assert parsed.quiz.questions[0].content.settings == {"feedback": {"right": {"en": "Well done."}}}
    assert ["4 places" in message for message in warnings(parsed)] == [True]


def test_penalties_and_hints_are_told_once():
    hint = '<penalty>0.25</penalty><hint format="html"><text>Think.</text></hint>'
    parsed = read(question("description", hint, name="A"), question("description", hint, name="B"))
    assert sorted("2 questions" in message for message in warnings(parsed)) == [True, True]
    assert warnings(read(question("description", "<penalty>0.3333333</penalty><hint><text></text></hint>"))) == []


# Languages -------------------------------------------------------------------------------------------------------


def test_two_languages_in_one_text_fill_both():
    content = only(
        question(
            "multichoice",
            answer(BOTH.format("Cairo", "القاهرة"), 100, BOTH.format("Yes", "نعم")),
            answer("{mlang en}Rome{mlang}{mlang ar}روما{mlang}"),
            name=BOTH.format("Capital", "العاصمة"),
            prompt="<p>" + BOTH.format("Which?", "أي؟") + "</p>",
        )
    )
    assert content.title == {"en": "Capital", "ar": "العاصمة"}
    assert content.prompt == {"en": "Which?", "ar": "أي؟"}
    assert content.choices[0].text == {"en": "Cairo", "ar": "القاهرة"}
    assert content.choices[0].feedback == {"en": "Yes", "ar": "نعم"}
    assert content.choices[1].text == {"en": "Rome", "ar": "روما"}


def test_a_gap_may_stand_between_texts_in_two_languages():
    content = only(
        question(
            "cloze", prompt=BOTH.format("On the ", "على ") + "{1:SA:=Nile~=النيل}" + BOTH.format(" now.", " الآن.")
        )
    )
    assert content.prompt == {"en": "On the [[1]] now.", "ar": "على [[1]] الآن."}


def test_a_text_that_names_no_language_is_in_the_named_one():
    content = only(question("shortanswer", answer("النيل", 100), prompt="ما هو؟"), language="ar")
    assert content.prompt == {"ar": "ما هو؟"}
    assert content.choices[0].text == {"ar": "النيل"}


@pytest.mark.parametrize(
    ("form", "written", "read_as"),
    [
        ("html", "<b>a</b>_b", r"**a**\_b"),
        ("plain_text", "*a*", r"\*a\*"),
        ("markdown", "*a*", "*a*"),
        ("wiki_like", "<b>a</b>", "**a**"),
        ("unheard", "<b>a</b>", "**a**"),
    ],
)
def test_every_format_of_a_text_becomes_markdown(form: str, written: str, read_as: str):
    content = only(question("description", prompt=text("questiontext", written, form=form)))
    assert content.prompt == {"en": read_as}


def test_answers_without_a_format_have_that_of_the_question():
    plain = '<answer fraction="{}"><text>{}</text><feedback><text>*a*</text></feedback></answer>'
    content = only(
        question(
            "multichoice",
            plain.format(100, "*b*"),
            plain.format(0, "c"),
            prompt=text("questiontext", "Which?", form="markdown"),
        )
    )
    assert content.choices[0].text == {"en": "*b*"}
    assert content.choices[0].feedback == {"en": "*a*"}


# Categories ------------------------------------------------------------------------------------------------------


def test_categories_become_tags_in_any_order():
    parsed = read(
        question("description", name="None"),
        category("$course$/top/Sigma/Tau", "<b>Deep</b>"),
        question("description", "<tags><tag><text>extra</text></tag></tags>", name="Tau"),
        category("$system$/Sigma", "Wide"),
        question("description", name="Sigma"),
        category("top/in//out"),
        question("description", name="Slash"),
    )
    assert [placed.content.tags for placed in parsed.quiz.questions] == [
        (),
        ("Sigma/Tau", "extra"),
        ("Sigma",),
        ("in//out",),
    ]
    assert parsed.quiz.known_tags == (
        TagContent(name="Sigma/Tau", description={"en": "**Deep**"}),
        TagContent(name="Sigma", description={"en": "Wide"}),
    )


def test_a_category_in_two_languages_is_named_in_one():
    path = "$course$/" + BOTH.format("Rivers", "أنهار").replace("/", "//").replace("<", "&lt;") + "/Nile"
    for language, tag in (("en", "Rivers/Nile"), ("ar", "أنهار/Nile")):
        assert only(category(path), question("description"), language=language).tags == (tag,)


def test_what_is_not_known_in_a_question_is_told_once():
    parsed = read(*(question("description", "<novelty>1</novelty>", name=name) for name in "AB"))
    assert ["<novelty>" in message and "2 questions" in message for message in warnings(parsed)] == [True]


def test_the_id_of_a_category_is_told():
    with_id = category("Alpha").replace("</question>", "<idnumber>{}</idnumber></question>")
    assert len(warnings(read(with_id.format("alpha"), question("description")))) == 1
    assert warnings(read(with_id.format(""), question("description"))) == []


# Files -----------------------------------------------------------------------------------------------------------


def stored(data: bytes) -> str:
    return files.reference(files.of(data).name)


def test_files_come_along_wherever_they_stand():
    red, blue = png("red"), png("blue")
    parsed = read(
        question(
            "multichoice",
            answer('<img src="@@PLUGINFILE@@/flag.png" alt="Blue flag">', 100, more=file("flag.png", blue)),
            answer("<p>none</p>"),
            text(
                "generalfeedback",
                '<img src="@@PLUGINFILE@@/deep/flag.png" alt="">',
                more=file("flag.png", red, "/deep/"),
            ),
            prompt=text(
                "questiontext",
                '<p><img src="@@PLUGINFILE@@/my%20flag.png?forcedownload=1" alt="Red flag" width="3"></p>',
                more=file("my flag.png", red),
            ),
        )
    )
    content = parsed.quiz.questions[0].content
    assert content.prompt["en"] == f"![Red flag]({stored(red)})"
    assert content.choices[0].text["en"] == f"![Blue flag]({stored(blue)})"
    assert stored(red) in content.explanation["en"]
    assert parsed.files == {files.of(data).name: data for data in (red, blue)}
    assert warnings(parsed) == []


def test_an_image_within_the_text_comes_the_same_way():
    data = png()
    src = "data:image/png;base64," + base64.b64encode(data).decode()
    parsed = read(question("description", prompt=f'<img src="{src}" alt="Red">'))
    assert parsed.quiz.questions[0].content.prompt["en"] == f"![Red]({stored(data)})"
    assert list(parsed.files.values()) == [data]


def test_files_of_sub_questions_come_along():
    data = png()
    prompt = text("questiontext", '{1:MC:=<img src="@@PLUGINFILE@@/a.png" alt="A">~b} here', more=file("a.png", data))
    content = only(question("cloze", prompt=prompt))
    assert content.choices[0].text == {"en": f"![A]({stored(data)})"}


def test_links_in_markdown_are_rewritten_too():
    data = png()
    prompt = text("questiontext", "![A](@@PLUGINFILE@@/a.png)", more=file("a.png", data), form="markdown")
    assert only(question("description", prompt=prompt)).prompt["en"] == f"![A]({stored(data)})"


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_a_missing_file_is_told_and_its_words_stay(form: str):
    written = {
        "html": '<img src="@@PLUGINFILE@@/gone.png" alt="The map"> <a href="@@PLUGINFILE@@/gone.pdf">The text</a>',
        "markdown": "![The map](@@PLUGINFILE@@/gone.png) [The text](@@PLUGINFILE@@/gone.pdf)",
    }
    parsed = read(question("description", prompt=text("questiontext", written[form], form=form)))
    assert parsed.quiz.questions[0].content.prompt["en"].split() == ["The", "map", "The", "text"]
    assert [(entry.line, "gone" in entry.message) for entry in parsed.report.warnings] == [(4, True)] * 2


def test_a_file_that_nothing_refers_to_is_told():
    parsed = read(question("description", prompt=text("questiontext", "a", more=file("b.png", png()))))
    assert ["b.png" in message for message in warnings(parsed)] == [True]
    assert parsed.files == {}


@pytest.mark.parametrize(
    "written",
    [
        file("x.png", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        file("x.png", b"what is this"),
        '<file name="x.png" encoding="base64">!!!</file>',
        '<file name="x.png" encoding="hex">00</file>',
    ],
    ids=["svg", "unknown", "broken", "encoding"],
)
def test_a_refused_file_is_told_by_its_name_and_shows_its_words(written: str):
    prompt = text("questiontext", '<p><img src="@@PLUGINFILE@@/x.png" alt="The map"></p>', more=written)
    parsed = read(question("description", prompt=prompt))
    assert parsed.quiz.questions[0].content.prompt == {"en": "The map"}
    assert ["x.png" in message for message in warnings(parsed)] == [True]
    assert parsed.files == {}


# The file itself -------------------------------------------------------------------------------------------------

ARABIC = '<?xml version="1.0" encoding="{}"?>\n<quiz>' + question("description", prompt="نص") + "</quiz>"


@pytest.mark.parametrize(
    ("declared", "encoded", "given"),
    [
        ("UTF-8", "utf-8", None),
        ("utf-8", "utf-8-sig", None),
        ("UTF-16", "utf-16", None),
        ("windows-1256", "cp1256", None),
        ("UTF-8", "cp1256", "windows-1256"),
        ("utf-16", "utf-8", None),
    ],
)
def test_encodings_are_chosen_marked_or_declared(declared: str, encoded: str, given: str | None):
    parsed = parse(ARABIC.format(declared).encode(encoded), language="ar", encoding=given)
    assert parsed.quiz.questions[0].content.prompt == {"ar": "نص"}


def test_other_bytes_are_refused_with_the_first_bad_line():
    parsed = parse(ARABIC.format("UTF-8").encode("cp1256"), language="ar")
    assert parsed.quiz is None
    assert [entry.line for entry in parsed.report.errors] == [3]


@pytest.mark.parametrize("before", ["\n \n", "<!-- mine -->\n", "\ufeff\n"])
def test_what_stands_before_the_declaration_is_told(before: str):
    parsed = parse(before.encode() + document(question("description")), language="en")
    assert len(parsed.quiz.questions) == 1
    assert len(warnings(parsed)) == 1
    assert parsed.lines["question", parsed.quiz.questions[0].key] == 3 + before.count("\n")


def test_line_ends_of_other_systems_count_the_same():
    data = document(question("description"), question("novelty")).replace(b"\n", b"\r\n")
    assert [entry.line for entry in parse(data, language="en").report.warnings] == [6]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"not xml", 1),
        (b"<quiz>\n<question>\n</quiz>", 3),
        (b"<course>\n</course>", 1),
        (b"<quiz>\n\x01</quiz>", 2),
        (b"<quiz>\n<question type='description'><name><text>&nbsp;</text></name></question></quiz>", 2),
    ],
)
def test_what_is_no_file_of_moodle_is_refused_with_its_line(data: bytes, line: int):
    parsed = parse(data, language="en")
    assert parsed.quiz is None
    assert [entry.line for entry in parsed.report.errors] == [line]


def test_all_errors_are_reported_at_once():
    parsed = read(
        question("numerical", answer("x", 100)), question("multichoice", answer("a", "much")), question("description")
    )
    assert {line for line, _message in errors(parsed)} >= {5, 8}


def test_tags_in_a_text_are_an_error():
    prompt = "<questiontext><text><p>b</p></text></questiontext>"
    broken = f'<question type="description"><name><text>a</text></name>\n{prompt}</question>'
    assert [line for line, _message in errors(read(broken))] == [4]


def test_the_same_file_has_the_same_keys():
    data = document(question("description"))
    assert parse(data, language="en").quiz == parse(data, language="en").quiz
    assert parse(data, language="en").quiz.slug != parse(data, language="ar").quiz.slug
