"""Native files: what is read, every error with its line, and back to a file."""

import base64
import re
import string
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import yaml as pyyaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mpquiz import files
from mpquiz.content import (
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    PoolContent,
    QuestionContent,
    QuizContent,
    TagContent,
    clean,
)
from mpquiz.formats import FORMATS, of_file, yaml
from mpquiz.formats.report import Log
from mpquiz.formats.yaml import rules, tree
from mpquiz.rules import Review
from tests import strategies
from tests.patience import patience

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "project" / "samples").glob("*.yaml"))

WHOLE = """\
mpquiz: 1
namespace: handbook
guides:
  - slug: floats
    title: {en: Floats, ar: الأعداد}
    address: /guides/floats/
quiz:
  slug: floats
  title: {en: Floating point, ar: الفاصلة العائمة}
  description: {en: Short.}
  level: beginner
  pass_mark: 62.5
  published: [en, ar]
  guides: [floats]
  shuffle_choices: true
  preview: false
questions:
  - key: sum
    kind: multiple
    points: 2
    guides: [floats]
    prompt:
      en: |
        Which?

            x = 1
      ar: أي؟
    choices:
      - text: {en: One, ar: واحد}
        right: true
        weight: 1
        feedback: {en: Yes.}
      - key: two
        text: {en: Two, ar: اثنان}
        weight: -0.5
    explanation: {en: Because.}
    settings: {size: 3, deep: [1.5, null, true, "no"]}
  - use: other/shared
    points: 0.5
"""

ONE = """\
mpquiz: 1
namespace: handbook
quiz:
  slug: one
  title: Title
questions:
  - key: first
    kind: single
    prompt: Prompt
    choices:
      - text: Right
        right: true
      - text: Wrong
"""


def parse(text, language="en", **options):
    return yaml.parse(text if isinstance(text, bytes) else text.encode(), language=language, **options)


def errors(text, **options):
    return [(entry.line, entry.message) for entry in parse(text, **options).report.errors]


def read(text, **options):
    parsed = parse(text, **options)
    assert parsed.report.errors == ()
    return parsed.quiz


# What is read -------------------------------------------------------------------------------------------------


def test_a_whole_file():
    quiz = read(WHOLE)
    assert quiz == QuizContent(
        slug="floats",
        namespace="handbook",
        title={"en": "Floating point", "ar": "الفاصلة العائمة"},
        description={"en": "Short."},
        level="beginner",
        pass_mark=Decimal("62.5"),
        published=("en", "ar"),
        guides=("floats",),
        shuffle_choices=True,
        preview=False,
        questions=(
            PlacedQuestion(
                key="handbook/sum",
                points=Decimal(2),
                content=QuestionContent(
                    key="handbook/sum",
                    kind="multiple",
                    prompt={"en": "Which?\n\n    x = 1", "ar": "أي؟"},
                    choices=(
                        ChoiceContent(
                            key="a",
                            text={"en": "One", "ar": "واحد"},
                            right=True,
                            weight=Decimal(1),
                            feedback={"en": "Yes."},
                        ),
                        ChoiceContent(key="two", text={"en": "Two", "ar": "اثنان"}, weight=Decimal("-0.5")),
                    ),
                    explanation={"en": "Because."},
                    guides=("floats",),
                    settings={"size": 3, "deep": [1.5, None, True, "no"]},
                ),
            ),
            PlacedQuestion(key="other/shared", points=Decimal("0.5")),
        ),
        known_guides=(
            GuideContent(slug="floats", title={"en": "Floats", "ar": "الأعداد"}, address="/guides/floats/"),
        ),
    )


def test_the_lines_of_what_a_file_names():
    lines = parse(WHOLE).lines
    assert lines["quiz", "floats"] == 8
    assert lines["guide", "floats"] == 4
    assert lines["question", "handbook/sum"] == 18
    assert lines["question", "other/shared"] == 38


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_the_samples_are_sound_and_come_back_the_same(file):
    parsed = parse(file.read_bytes())
    assert parsed.report.warnings == parsed.report.errors == ()
    assert read(yaml.render(parsed.quiz)) == parsed.quiz


@pytest.mark.parametrize("language", ["en", "ar"])
def test_plain_strings_are_in_the_language_of_the_call(language):
    quiz = read(ONE, language=language)
    assert quiz.title == {language: "Title"}
    assert quiz.questions[0].content.choices[1].text == {language: "Wrong"}


def test_a_regional_language_serves_as_its_base():
    assert read(ONE, language="ar-eg").title == {"ar": "Title"}


def test_plain_strings_in_a_language_the_site_lacks_are_errors():
    assert errors(ONE, language="fr")[0] == (
        5,
        "quiz: title: the text is only in fr, and the languages of this site are en, ar.",
    )


@pytest.mark.parametrize("text", ["No", "yes", "null", "~", "1", "1.50", "2024-01-02", "0x10", "1e3", "12:30"])
def test_a_text_is_what_stands_in_the_file(text):
    quiz = read(ONE.replace("prompt: Prompt", f"prompt: {text}"))
    assert quiz.questions[0].content.prompt == {"en": text}
    quiz = read(ONE.replace("prompt: Prompt", f"prompt: {{en: {text}}}"))
    assert quiz.questions[0].content.prompt == {"en": text}


def test_a_statement_may_leave_its_two_texts_out():
    text = (
        ONE.replace("single", "true_false").replace("text: Right\n        ", "").replace("text: Wrong", "right: no")
    )
    content = read(text).questions[0].content
    assert [(choice.text, choice.right) for choice in content.choices] == [({}, True), ({}, False)]


def test_choices_without_a_key_are_named_by_place():
    text = ONE + "      - key: mine\n        text: Third\n      - text: Fourth\n"
    assert [choice.key for choice in read(text).questions[0].content.choices] == ["a", "b", "mine", "d"]


def test_a_byte_order_mark_and_windows_line_breaks_do_no_harm():
    assert read(b"\xef\xbb\xbf" + ONE.replace("\n", "\r\n").encode()) == read(ONE)


def test_another_encoding_can_be_named():
    text = ONE.replace("Prompt", "سؤال")
    assert read(text.encode("cp1256"), language="ar", encoding="cp1256") == read(text, language="ar")
    assert read(ONE.encode("utf-16"), encoding="utf-16") == read(ONE)


@pytest.mark.parametrize(
    ("value", "flag"), [("true", True), ("yes", True), ("On", True), ("false", False), ("no", False)]
)
def test_yes_and_no(value, flag):
    assert read(ONE.replace("slug: one", f"slug: one\n  preview: {value}")).preview is flag


def test_arabic_digits_are_numbers_too():
    assert read(ONE.replace("slug: one", "slug: one\n  pass_mark: ٧٠")).pass_mark == 70


def test_values_left_empty_are_as_if_they_were_not_there():
    text = ONE.replace("slug: one", "slug: one\n  description:\n  level:\n  pass_mark:\n  published:\n  preview:")
    assert read(text) == read(ONE)


def test_a_language_that_the_site_lacks_is_left_out_with_one_warning():
    text = WHOLE.replace("ar:", "fr:").replace("published: [en, ar]", "published: [en, fr]")
    parsed = parse(text)
    assert parsed.report.errors == ()
    assert [(entry.line, entry.message) for entry in parsed.report.warnings] == [
        (5, "What is in “fr” is left out: the languages of this site are en, ar.")
    ]
    assert parsed.quiz.published == ("en",)
    assert parsed.quiz.title == {"en": "Floating point"}


# Rules --------------------------------------------------------------------------------------------------------

EXAM = ONE.replace(
    "  title: Title\n",
    """\
  title: Title
  publishes_answers: true
  shuffle_questions: true
  draw: 1
  pools:
    - tag: Algebra
      count: 3
    - {tag: Algebra/Vectors, points: 0.5, after: 0}
  feedback: at_end
  one_way: true
  review: {score: finish, right_answer: close}
  time_limit: 30
  opens_at: 2026-01-31T08:00+03:00
  closes_at: 2026-01-31 12:30:15Z
  runs_past_closing: true
  attempts_allowed: 2
  wait: 60
  counting: average
  access: signed_in
""",
).replace("- text: Wrong", "- text: Wrong\n        keeps_place: true")


def test_the_rules_of_an_exam():
    quiz = read(EXAM)
    assert quiz == replace(
        read(ONE),
        publishes_answers=True,
        shuffle_questions=True,
        draw=1,
        pools=(
            PoolContent(tag="Algebra", count=3, place=1),
            PoolContent(tag="Algebra/Vectors", points=Decimal("0.5")),
        ),
        feedback="at_end",
        one_way=True,
        review=Review(score="finish", right_answer="close"),
        time_limit=30,
        opens_at=datetime(2026, 1, 31, 5, tzinfo=UTC),
        closes_at=datetime(2026, 1, 31, 12, 30, 15, tzinfo=UTC),
        runs_past_closing=True,
        attempts_allowed=2,
        wait=60,
        counting="average",
        access="signed_in",
        questions=quiz.questions,
    )
    assert [choice.keeps_place for choice in quiz.questions[0].content.choices] == [False, True]


def with_rule(rule, *, start=ONE):
    return start.replace("title: Title", f"title: Title\n  {rule}", 1)


def test_rules_left_out_are_as_they_always_were():
    empty = with_rule("draw:\n  pools:\n  feedback:\n  review:\n  time_limit: ~\n  opens_at:\n  counting:\n  access:")
    assert read(empty) == read(ONE)
    assert read(ONE).unusual_rules() == {}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-31T08:00+03:00", datetime(2026, 1, 31, 5, tzinfo=UTC)),
        ("2026-01-31 08:00+0300", datetime(2026, 1, 31, 5, tzinfo=UTC)),
        ("2026-01-31T08:00:30.25Z", datetime(2026, 1, 31, 8, 0, 30, 250000, tzinfo=UTC)),
        ('"2026-01-31T08:00-00:30"', datetime(2026, 1, 31, 8, 30, tzinfo=UTC)),
        ("٢٠٢٦-٠١-٣١T٠٨:٠٠+٠٣:٠٠", datetime(2026, 1, 31, 5, tzinfo=UTC)),
    ],
)
def test_a_moment_says_its_offset(text, moment):
    assert read(with_rule(f"opens_at: {text}")).opens_at == moment


@pytest.mark.parametrize("text", ["2026-01-31T08:00", "2026-01-31 08:00:00", "2026-01-31T08:00:00.5"])
def test_a_moment_without_an_offset_is_an_error(text):
    [(line, message)] = errors(with_rule(f"opens_at: {text}"))
    assert (line, message) == (
        6,
        "quiz: opens_at: the offset from UTC is missing: write 2026-01-31T08:00+03:00, or Z at the end for UTC "
        "itself.",
    )


@pytest.mark.parametrize(
    "text",
    ["2026-01-31", "2026-02-30T08:00Z", "2026-01-31T08:00+25:00", "31.1.2026 8:00", "tomorrow", "2026-W05-6T08:00Z"],
)
def test_what_is_no_moment_is_an_error(text):
    [(line, message)] = errors(with_rule(f"opens_at: {text}"))
    assert line == 6 and "a moment with its offset from UTC is expected, such as" in message and text in message


@pytest.mark.parametrize(
    "text", ["1899-12-31T23:59Z", "9999-01-01T00:00Z", "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"]
)
def test_a_moment_that_is_no_date_everywhere_is_an_error(text):
    assert errors(with_rule(f"closes_at: {text}")) == [(6, "quiz: closes_at: a year from 1900 to 9998 is expected.")]


def test_moments_are_written_in_the_time_zone_of_the_site(settings):
    settings.TIME_ZONE = "Asia/Riyadh"
    written = yaml.render(read(EXAM)).decode()
    assert "  opens_at: 2026-01-31T08:00+03:00\n  closes_at: 2026-01-31T15:30:15+03:00\n" in written
    assert read(written) == read(EXAM)


@pytest.mark.parametrize(
    ("rule", "line", "message"),
    [
        ("shuffle_questions: maybe", 6, "true or false is expected"),
        ("draw: 0", 6, "draw: a whole number from 1 to 2147483647 is expected, not “0”."),
        ("draw: half", 6, "draw: a whole number"),
        ("draw: [1]", 6, "a whole number is expected"),
        ("time_limit: 30 minutes", 6, "a whole number from 1 to 527040 is expected, not “30 minutes”."),
        ("time_limit: 1.5", 6, "a whole number"),
        ("time_limit: 527041", 6, "a whole number"),
        ("time_limit: " + "9" * 5000, 6, "a whole number"),
        ("attempts_allowed: -1", 6, "a whole number from 1"),
        ("wait: -1", 6, "a whole number from 0"),
        ("feedback: at_the_end", 6, "did you mean “at_end”?"),
        ("feedback: {at: end}", 6, "one of at_once, at_end is expected"),
        ("layout: both", 6, "what may stand here: one, all"),
        ("counting: 1", 6, "best, last, first, average"),
        ("access: students", 6, "everyone, signed_in, groups"),
        ("password: secret", 6, "“password” is not known here"),
        ("groups: [students]", 6, "“groups” is not known here"),
        ("review: finish", 6, "names with values are expected here, such as right_or_wrong: …"),
        ("review: {scores: finish}", 6, "quiz, review: “scores” is not known here; did you mean “score”?"),
        ("review:\n    score: later", 7, "quiz, review: score: “later” is not known here"),
        ("review:\n    score: finish\n    right_answer: close", 8, "right_answer: the quiz never closes"),
        ("opens_at: 2026-01-31T08:00Z\n  closes_at: 2026-01-31T09:00+01:00", 7, "after the opening time"),
        ("layout: all\n  one_way: true", 7, "on one page there is no way"),
        ("pools: Algebra", 6, "a list is expected"),
        ("pools: [Algebra]", 6, "pool 1: names with values are expected here, such as tag: …"),
        ("pools:\n    - count: 3", 7, "pool 1: “tag” is missing"),
        ("pools:\n    - tag: A\n      count: 0", 8, "pool 1: count: a whole number from 1"),
        ("pools:\n    - tag: A\n      points: -1", 8, "between 0 and 9999.99"),
        ("pools:\n    - tag: A\n      after: 2", 8, "after: a whole number from 0 to 1 is expected"),
        ("pools:\n    - tag: A\n    - tag: ' a '", 8, "pool 2: tag: “a” was given to an earlier one"),
        ("pools:\n    - tag: " + "x" * 201, 7, "a text of at most 200 characters"),
    ],
)
def test_a_wrong_rule_is_an_error_with_its_line(rule, line, message):
    found = errors(with_rule(rule))
    assert [place for place, text in found if message in text] == [line], found
    assert len(found) == 1


def test_a_wrong_place_of_a_choice_is_an_error():
    assert "true or false" in errors(EXAM.replace("keeps_place: true", "keeps_place: last"))[0][1]


@pytest.mark.parametrize(
    ("rule", "line", "message"),
    [
        ("draw: 2", 6, "quiz: draw: the quiz has only 1 question of its own to draw from."),
        ("access: groups", 6, "quiz: access: files name no groups; choose them in admin."),
        (
            "review: {right_or_wrong: finish, explanation: never}",
            6,
            "quiz, review: right_answer tells whether an answer was right, and is seen before “right_or_wrong”.",
        ),
    ],
)
def test_a_rule_that_is_odd_comes_in_with_a_warning(rule, line, message):
    parsed = parse(with_rule(rule))
    assert parsed.quiz is not None
    assert (line, message) in [(entry.line, entry.message) for entry in parsed.report.warnings]


def test_a_page_to_read_is_not_drawn():
    page = ONE + "  - key: second\n    kind: page\n    prompt: Read.\n  - use: other/shared\n"
    assert parse(with_rule("draw: 2", start=page)).report.warnings == ()
    assert "only 2 questions" in parse(with_rule("draw: 3", start=page)).report.warnings[0].message


def test_rules_are_written_for_people():
    written = yaml.render(read(EXAM)).decode()
    assert "  review: {score: finish, right_answer: close}\n  time_limit: 30\n" in written
    pools = "  pools:\n    - tag: Algebra\n      count: 3\n    - tag: Algebra/Vectors\n      count: 1\n"
    assert pools + "      points: 0.5\n      after: 0\n" in written
    assert "layout" not in written  # it is as usual


def test_the_examples_of_the_readme_are_read():
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    whole, exam = re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL)
    questions = "".join(f"  - {{key: q{number}, kind: essay, prompt: Why?}}\n" for number in range(12))
    shown = parse(f"mpquiz: 1\nnamespace: handbook\n{exam}questions:\n{questions}")
    assert shown.report.warnings == shown.report.errors == ()
    assert len(shown.quiz.unusual_rules()) == 12
    assert re.findall(r"^  (\w+):", exam, re.MULTILINE)[2:] == [
        name for name in rules.NAMES if name not in ("shuffle_choices", "preview", "publishes_answers")
    ]
    assert parse(whole.split("files:  ")[0]).report.errors == ()


def test_what_stays_on_its_site_is_told_and_not_written():
    quiz = replace(read(EXAM), left_behind=("password", "groups", "accommodations"))
    log = Log()
    assert read(yaml.render(quiz, log=log)) == quiz
    assert [entry.message for entry in log.warnings] == [
        "What is of this site alone is not in the file: the password, the groups that may take it, what single "
        "learners are granted."
    ]


# Errors -------------------------------------------------------------------------------------------------------

# (what is replaced in ONE, by what, the line, what the message holds)
WRONG = [
    ("mpquiz: 1\n", "", 1, "“mpquiz: 1”, the version of the format, is missing"),
    ("mpquiz: 1", "mpquiz: 2", 1, "of version 2 of the format; version 1 is read"),
    ("mpquiz: 1", "mpquiz: [1]", 1, "of version … of the format"),
    ("namespace: handbook\n", "", 1, "“namespace” is missing"),
    ("namespace: handbook", "namespace: Handbook", 2, "namespace: “Handbook” is no name"),
    ("namespace: handbook", "namespace: [a]", 2, "a name in small Latin letters"),
    ("namespace: handbook", "namespace: " + "a" * 81, 2, "longer than 80"),
    ("namespace: handbook", "namespace: دليل", 2, "is no name"),
    ("quiz:\n  slug: one\n  title: Title\n", "", 1, "“quiz” is missing"),
    ("slug: one", "slug: One!", 4, "slug: “One!” is no name"),
    ("  slug: one\n", "", 4, "quiz: “slug” is missing"),
    ("\nquiz:", "\ntags: [{description: A}]\nquiz:", 3, "tag 1: “name” is missing"),
    ("\nquiz:", "\ntags: [{name: A}, {name: A}]\nquiz:", 3, "“A” was given to an earlier one"),
    ("prompt: Prompt", "tags: [" + "x" * 201 + "]\n    prompt: Prompt", 9, "a text of at most 200 characters"),
    ("- text: Wrong", "- text: Wrong\n        part: " + "x" * 21, 14, "the name of a gap has at most 20 characters"),
    ("- text: Wrong", "- text: Wrong\n        value: '" + "1" * 101 + "'", 14, "a number, a range or * is expected"),
    ("title: Title", "titel: Title", 5, "“titel” is not known here; did you mean “title”?"),
    ("title: Title", "title: Title\n  title: Again", 6, "“title” stands here twice"),
    ("title: Title", "title: {en: A, en: B}", 5, "“en” stands here twice"),
    ("title: Title", "title: {fr: Titre}", 5, "only in fr, and the languages of this site are en, ar"),
    ("title: Title", "title: {english: Title}", 5, "“english” is not the code of a language"),
    ("title: Title", "title: [Title]", 5, "a text or a text for each language is expected"),
    ("title: Title", "title: {en: [Title]}", 5, "title.en: a text is expected here"),
    ("title: Title", "title:\n    en: A\n    ar: " + "x" * 201, 7, "in “ar” is longer than 200"),
    ("title: Title", "title: Title\n  level: easy", 6, "beginner, intermediate, advanced"),
    ("title: Title", "title: Title\n  level: begginer", 6, "did you mean “beginner”?"),
    ("title: Title", "title: Title\n  pass_mark: 101", 6, "between 0 and 100, and this is 101"),
    ("title: Title", "title: Title\n  pass_mark: -1", 6, "between 0 and 100"),
    ("title: Title", "title: Title\n  pass_mark: 70.125", 6, "at most 2 digits after the point"),
    ("title: Title", "title: Title\n  pass_mark: 70%", 6, "a number is expected, such as 1 or 0.5, not “70%”"),
    ("title: Title", "title: Title\n  pass_mark: [70]", 6, "a number is expected"),
    ("title: Title", "title: Title\n  published: [English]", 6, "“english” is not the code of a language"),
    ("title: Title", "title: Title\n  published: [{a: b}]", 6, "is not the code of a language"),
    ("title: Title", "title: Title\n  preview: maybe", 6, "true or false is expected, not “maybe”"),
    ("title: Title", "title: Title\n  guides: [Floats!]", 6, "“Floats!” is no name"),
    ("title: Title", "title: Title\n  guides: [[a]]", 6, "a name in small Latin letters"),
    ("quiz:\n", "guides:\n  - title: A\nquiz:\n", 4, "guide 1: “slug” is missing"),
    ("quiz:\n", "guides: [{slug: a}, {slug: a}]\nquiz:\n", 3, "guide 2: slug: “a” was given to an earlier one"),
    ("quiz:\n", "guides: [{slug: a, address: 'javascript://x'}]\nquiz:\n", 3, "an address with https://"),
    ("quiz:\n", "guides: [{slug: a, address: " + "x" * 501 + "}]\nquiz:\n", 3, "longer than 500"),
    ("quiz:\n", "guides: {slug: a}\nquiz:\n", 3, "a list is expected"),
    ("quiz:\n", "guides: [a]\nquiz:\n", 3, "names with values are expected here, such as slug: …"),
    ("quiz:\n", "? [a]\n: b\nquiz:\n", 3, "a name is expected before the colon"),
    ("questions:", "question:", 6, "did you mean “questions”?"),
    ("key: first", "kee: first", 7, "did you mean “key”?"),
    ("key: first", "key: handbook/first", 7, "“handbook/first” is no name"),
    ("kind: single", "kind: singel", 8, "did you mean “single”?"),
    ("    kind: single\n", "", 7, "“kind” is missing"),
    ("    prompt: Prompt\n", "", 7, "Write the prompt in at least one language."),
    ("prompt: Prompt", "prompt: {en: }", 9, "Write the prompt in at least one language."),
    ("prompt: Prompt", "prompt: {fr: Question}", 9, "only in fr"),
    ("prompt: Prompt", "prompt: Prompt\n    points: -1", 10, "between 0 and 9999.99"),
    ("prompt: Prompt", "prompt: Prompt\n    points: 10000", 10, "between 0 and 9999.99"),
    ("prompt: Prompt", "prompt: Prompt\n    points: .inf", 10, "a number is expected"),
    ("prompt: Prompt", "prompt: Prompt\n    settings: [1]", 10, "names with values are expected"),
    ("prompt: Prompt", "prompt: Prompt\n    settings: {a: {b: 1, b: 2}}", 10, "“b” stands here twice"),
    ("        right: true\n", "", 10, "Mark the right choice."),
    ("- text: Wrong", "- text: Wrong\n        right: true", 14, "this kind of question has one right choice"),
    ("- text: Wrong", "- right: false", 13, "Write the choice in at least one language."),
    ("- text: Wrong", "- text: Wrong\n        weight: 1.5", 14, "between -1 and 1"),
    ("- text: Wrong", "- text: Wrong\n        weight: 0.123456789", 14, "at most 7 digits"),
    ("- text: Wrong", "- text: Wrong\n        right: perhaps", 14, "true or false is expected"),
    ("- text: Wrong", "- text: Wrong\n        key: a", 14, "“a” was given to an earlier one"),
    ("- text: Wrong", "- text: Wrong\n        key: " + "a" * 41, 14, "at most 40 characters"),
    ("      - text: Wrong\n", "", 10, "Give at least two choices."),
    ("- text: Wrong", "- text: Wrong\n  - use: handbook/first", 14, "“first” was given to an earlier one"),
    ("- text: Wrong", "- text: Wrong\n  - use: shared", 14, "the full key of a question is expected"),
    ("- text: Wrong", "- text: Wrong\n  - use: a/b\n    kind: single", 15, "“kind” is not known here"),
    ("prompt: Prompt", 'prompt: "a\\0b"', 9, "control character (U+0000)"),
    ("prompt: Prompt", "prompt: a\x07b", 9, "control character (U+0007)"),
    ("prompt: Prompt", "prompt: !!python/object/apply:os.system [x]", 9, "Tags (tag:yaml.org,2002:python/object"),
    ("prompt: Prompt", "prompt: !!str x", 9, "a text in quotes is always a text"),
    ("prompt: Prompt", "prompt: &x Prompt\n    explanation: *x", 10, "References (*name) are not read"),
    ("prompt: Prompt", "prompt: a: b", 9, "This is not YAML: mapping values are not allowed"),
    ("prompt: Prompt", "prompt: 'a", 9, "This is not YAML"),
    ("- text: Wrong", "- text: Wrong\n---\nmpquiz: 1", 14, "A second document begins here"),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), WRONG)
def test_an_error_has_its_line(old, new, line, message):
    assert old in ONE
    found = errors(ONE.replace(old, new, 1))
    assert [place for place, text in found if message in text][:1] == [line], found


@pytest.mark.parametrize("title", ["", "  title: {}\n", "  title: {en: '  '}\n"])
def test_a_quiz_without_a_title_comes_in_with_a_warning(title):
    parsed = yaml.parse(ONE.replace("  title: Title\n", title, 1).encode(), language="en")
    assert parsed.quiz is not None
    assert [entry.message for entry in parsed.report.warnings] == [
        "quiz: the quiz has no title; its slug stands in its place."
    ]


PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


def with_picture():
    name = files.of(PICTURE).name
    return name, with_prompt(f"Which? ![a dot](mpquiz:{name})")


def test_files_that_texts_refer_to_come_along():
    name, quiz = with_picture()
    data = yaml.render(quiz, files={name: PICTURE}.get)
    parsed = parse(data)
    assert parsed.quiz == quiz
    assert parsed.files == {name: PICTURE}


def test_a_file_that_is_gone_is_told():
    name, quiz = with_picture()
    log = Log()
    assert parse(yaml.render(quiz, log=log)).files == {}
    assert [entry.message for entry in log.warnings] == [f"The file {name} is not in it, only the reference."]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.png", "!!!", "the bytes of the file are expected, as base64"),
        ("x.png", base64.b64encode(b"<svg xmlns='x'></svg>").decode(), "is an SVG, which may carry scripts"),
        ("x.png", base64.b64encode(PICTURE).decode(), "the bytes are those of another file"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused(name, data, message):
    found = errors(ONE + f"files:\n  - name: {name}\n    data: '{data}'\n")
    assert any(message in text for _line, text in found), found


def test_choices_that_read_the_same_come_in_with_a_warning():
    parsed = yaml.parse(ONE.replace("- text: Wrong", "- text: Right", 1).encode(), language="en")
    assert parsed.quiz is not None
    told = [(entry.line, entry.message) for entry in parsed.report.warnings]
    assert told == [(13, "question 1, choice 2: Another choice reads the same.")]


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "The file is empty."),
        (b"\xef\xbb\xbf# nothing\n", 1, "The file is empty."),
        (b"- mpquiz: 1\n", 1, "does not begin with"),
        (b"mpquiz", 1, "does not begin with"),
        (b"mpquiz: 1\nnamespace: \xff\n", 2, "This line is not UTF-8."),
        ("mpquiz: 1\nnamespace: دليل".encode("cp1256"), 2, "This line is not UTF-8."),
        (b"\n[" * 100, 42, "nested too deep"),
        (b"a" * 25_000_001, None, "larger than 25 MB"),
    ],
)
def test_a_file_that_cannot_be_read(data, line, message):
    parsed = parse(data)
    assert parsed.quiz is None
    [entry] = parsed.report.errors
    assert entry.line == line
    assert message in entry.message


def test_an_unknown_encoding():
    for encoding in ("klingon", "hex"):
        assert "There is no encoding named" in errors(ONE, encoding=encoding)[0][1]


def test_all_errors_of_a_file_are_told_in_order():
    text = ONE.replace("slug: one", "slug: One!").replace("single", "singel").replace("Wrong", "{fr: Faux}")
    assert [line for line, _ in errors(text)] == [4, 8, 13]


def test_an_error_is_told_once():
    assert len(errors(ONE.replace("prompt: Prompt", "prompt: {fr: Question}"))) == 1
    assert len(errors(ONE.replace("right: true", "right: maybe"))) == 1
    assert len(errors(ONE.replace("text: Right", "text: [Right]"))) == 1


def test_no_message_has_an_unfilled_blank():
    for old, new, _, _ in WRONG:
        assert all("%(" not in message for _, message in errors(ONE.replace(old, new, 1)))


# Hostile files ------------------------------------------------------------------------------------------------


def test_references_multiply_nothing():
    bomb = "a: &a [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1 or ''}, *a{n - 1 or ''}]\n" for n in range(1, 40))
    with patience():
        assert errors("mpquiz: 1\n" + bomb)


@pytest.mark.parametrize(
    "body",
    [
        "[" * 200_000,
        "{a: " * 100_000,
        "- " * 200_000,
        "? " * 200_000,
        "x: y\n" * 60_000,
        "a" * 300_000,
        "'" * 300_000,
        "a: |\n" + " x\n" * 100_000,
        "? a\n" * 60_000,
        "&a " * 100_000,
        "!" * 200_000,
        "%\n" * 100_000,
        "---\n" * 100_000,
    ],
    ids=lambda body: repr(body[:5]),
)
def test_a_hostile_file_does_not_hang(body):
    with patience():
        assert errors("mpquiz: 1\n" + body)


def test_a_thousand_errors_are_enough():
    found = errors(ONE + "  - {}\n" * 5000)
    assert len(found) == 1001
    assert "mend these first" in found[-1][1]


def test_a_file_of_too_many_values_is_refused_where_they_get_too_many(monkeypatch):
    monkeypatch.setattr(tree, "MOST_VALUES", 30)
    assert errors(WHOLE) == [(9, "The file holds more than half a million values. Split it.")]


@pytest.mark.parametrize("loader", [pyyaml.SafeLoader, getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)])
def test_both_loaders_read_the_same(monkeypatch, loader):
    monkeypatch.setattr(tree, "LOADER", loader)
    for file in SAMPLES:
        assert read(yaml.render(read(file.read_bytes()))) == read(file.read_bytes())
    assert errors(ONE.replace("slug: one", "slug: One!"))[0][0] == 4


# Back to a file -----------------------------------------------------------------------------------------------

_SIGNS = st.sampled_from(
    ["\t", " ", "  ", "\n", "\n\n", ":", ": ", " #", "#", "'", '"', "\\", "|", ">", "-", "- ", "`"]
)
_ODD = st.sampled_from(
    ["\u200f", "\u200e", "\u2067", "\u2069", "\u00a0", "\u0085", "\u2028", "\ufeff", "😀", "👩‍💻", "\x7f"]
)
_WORDS = st.sampled_from(
    ["No", "null", "~", "1.0", "2024-01-01", "<<", "=", "!!str", "&a", "*a", "%", "@", "[", "]", "{", "}", ","]
)
_PIECES = st.one_of(
    st.text(st.characters(exclude_categories=("Cs", "Cc"))),
    _SIGNS,
    _ODD,
    _WORDS,
    st.sampled_from(["سؤال", "word " * 30]),
)
_TEXT = st.lists(_PIECES, max_size=8).map("".join).map(lambda text: text.replace("\x7f", ""))
_ODD_WORDS = st.dictionaries(st.sampled_from(["en", "ar"]), _TEXT, max_size=2).map(clean)
_NEEDED = _ODD_WORDS.filter(bool)
_SLUG = st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=12)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


_TAG = _TEXT.map(lambda text: " ".join(text.split())[:200].strip()).filter(bool)


def _short(texts):
    return clean({language: text[:200] for language, text in texts.items()})


def _told(draw, key):
    return {language: f"{text} {key}" for language, text in draw(_NEEDED).items()}


def _marked(draw, key):
    """The first choice is right, the other may earn or take a share."""
    weight = draw(st.none() | st.decimals(-1, 0, places=3)) if key != "x" else None
    kept = draw(st.booleans())
    return {"key": key, "right": key == "x", "weight": weight, "feedback": draw(_ODD_WORDS), "keeps_place": kept}


def _typed(draw, key):
    return _marked(draw, key) | {"weight": None}


_CHOICES = {
    "single": lambda draw, key: _marked(draw, key) | {"text": _told(draw, key)},
    "multiple": lambda draw, key: _marked(draw, key) | {"text": _told(draw, key)},
    "true_false": _typed,
    "text": lambda draw, key: _typed(draw, key) | {"text": {"ar": f"نص * {key}", "en": f"\\* {key}"}},
    "number": lambda draw, key: _typed(draw, key) | {"value": {"x": "-3.14:0.01", "y": "*"}[key]},
    "matching": lambda draw, key: {"key": key, "text": _told(draw, key), "match": _told(draw, key)},
    "ordering": lambda draw, key: {"key": key, "text": _told(draw, key)},
    "gaps": lambda draw, key: _marked(draw, key) | {"text": {"en": f"gap {key}"}, "part": "1"},
    "essay": None,
    "page": None,
}


@st.composite
def _questions(draw, number):
    kind = draw(st.sampled_from(sorted(_CHOICES)))
    made = _CHOICES[kind]
    gaps = kind == "gaps"
    content = QuestionContent(
        key=f"home/q{number}",
        kind=kind,
        title=draw(_ODD_WORDS.map(_short)),
        prompt={"en": "Fill in [[1]].", "ar": "املأ [[1]]."} if gaps else draw(_NEEDED),
        choices=tuple(ChoiceContent(**made(draw, key)) for key in ("x", "y")) if made else (),
        explanation=draw(_ODD_WORDS),
        guides=tuple(draw(st.lists(_SLUG, max_size=2, unique=True))),
        tags=tuple(draw(st.lists(_TAG, max_size=2, unique=True))),
        settings={"parts": {"1": {"kind": "single"}}} if gaps else draw(st.dictionaries(_TEXT, _JSON, max_size=2)),
    )
    return PlacedQuestion(key=content.key, points=draw(st.decimals(0, 9999, places=2)), content=content)


@st.composite
def quizzes(draw):
    questions = tuple(draw(_questions(number)) for number in range(draw(st.integers(0, 2))))
    return QuizContent(
        slug=draw(_SLUG),
        namespace="home",
        title=draw(_ODD_WORDS.map(_short)),
        description=draw(_ODD_WORDS),
        level=draw(st.sampled_from(["", "beginner"])),
        pass_mark=draw(st.none() | st.decimals(0, 100, places=2)),
        published=tuple(draw(st.lists(st.sampled_from(["en", "ar"]), unique=True))),
        guides=tuple(draw(st.lists(_SLUG, max_size=2, unique=True))),
        questions=questions,
        **draw(strategies.rules(len(questions))),
        known_guides=tuple(
            GuideContent(
                slug=slug,
                title=draw(_ODD_WORDS.map(_short)),
                address=draw(st.sampled_from(["", "/a/b/", "x:y", "https://example.org/#a"])),
            )
            for slug in draw(st.lists(_SLUG, max_size=2, unique=True))
        ),
        known_tags=tuple(
            TagContent(name=name, description=draw(_ODD_WORDS))
            for name in draw(st.lists(_TAG, max_size=2, unique=True))
        ),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(quizzes())
def test_what_was_rendered_reads_back_equal(quiz):
    parsed = parse(yaml.render(quiz))
    assert parsed.report.errors == ()
    assert parsed.quiz == quiz


def with_prompt(text):
    [placed] = read(ONE).questions
    content = QuestionContent(key=placed.key, kind="single", prompt={"en": text}, choices=placed.content.choices)
    quiz = QuizContent(slug="one", namespace="handbook", title={"en": "T"})
    return QuizContent(
        **{name: getattr(quiz, name) for name in quiz.__slots__ if name != "questions"},
        questions=(PlacedQuestion(key=placed.key, content=content),),
    )


@settings(max_examples=400, deadline=None)
@given(_TEXT.map(lambda text: clean({"en": text})).filter(bool))
@example({"en": "hard  \nbreak"})
@example({"en": "a\n\tb\n \n  c"})
@example({"en": "# no comment: 'really' \"no\" {a} [b]"})
@example({"en": "word  two  " + "three " * 40 + "end"})
@example({"en": "---\n...\n---"})
@example({"en": "\u200fعربي\u200e: نص # لا"})
def test_any_text_comes_back(texts):
    quiz = with_prompt(texts["en"])
    assert read(yaml.render(quiz)).questions[0].content.prompt == texts
    raw = pyyaml.safe_load(yaml.render(quiz))  # and any other reader finds a text there
    assert clean({"en": raw["questions"][0]["prompt"]["en"]}) == texts


def test_line_breaks_of_a_browser_are_written_as_line_breaks():
    assert read(yaml.render(with_prompt("a\r\nb"))).questions[0].content.prompt == {"en": "a\nb"}


def test_a_file_is_written_for_people():
    written = yaml.render(read(WHOLE)).decode()
    assert "الفاصلة العائمة" in written
    assert "      en: |\n        Which?\n\n            x = 1\n" in written
    assert "address: /guides/floats/" in written
    assert re.search("shuffle_choices: true\n  preview: false", written)
    assert "feedback: {}" not in written
    assert "preview" not in yaml.render(read(ONE)).decode()


def test_one_language_is_written_as_plain_strings():
    written = yaml.render(read(WHOLE), language="ar").decode()
    assert "  title: الفاصلة العائمة\n" in written
    assert "published: [ar]" in written
    assert "Floating point" not in written
    assert read(written, language="ar").questions[0].content.prompt == {"ar": "أي؟"}


def test_rendering_twice_gives_the_same_bytes():
    quiz = read(WHOLE)
    assert yaml.render(quiz) == yaml.render(read(yaml.render(quiz)))


def test_formats_are_known_by_name_and_by_ending():
    assert FORMATS["yaml"] is yaml
    assert of_file("a/Quiz.YML") == of_file("b.yaml") == "yaml"
    assert of_file("notes.txt") is None
