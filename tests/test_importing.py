"""Files of others beside what is there: two languages become one quiz, and nothing is doubled or erased."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from mpquiz import exchange, files, formats, importing, words
from mpquiz.content import ChoiceContent, PlacedQuestion, PoolContent, QuestionContent, QuizContent, TagContent
from mpquiz.formats import Entry, Parsed, Report, naming
from mpquiz.models import Choice, Question, Quiz, Tag
from mpquiz.rules import Review
from tests.factories import make_guide, make_question, make_quiz
from tests.test_exchange import change, everything, names

pytestmark = pytest.mark.django_db

ENGLISH = """\
::Egypt:: The capital of Egypt? {=Cairo ~Alexandria #On the sea.}

::Sudan:: The capital of Sudan? {=Khartoum ~Omdurman}

::Rivers:: Which rivers meet there? {=White Nile =the White Nile}
"""
ARABIC = """\
::مصر:: عاصمة مصر؟ {=القاهرة ~الإسكندرية #على البحر.}

::السودان:: عاصمة السودان؟ {=الخرطوم ~أم درمان}

::أنهار:: أي نهر يلتقي هناك؟ {=النيل الأبيض}
"""


def bring(text, language="en", **options):
    brought = importing.bring(text.encode(), language=language, name="course.gift", **options)
    assert brought.errors == ()
    return brought


def refused(text, language="en", **options):
    before = everything()
    brought = importing.bring(text.encode(), language=language, name="course.gift", **options)
    assert brought.errors and brought.quiz is None
    assert everything() == before
    return [(entry.line, entry.message) for entry in brought.errors]


def content():
    return exchange.dump(Quiz.objects.get())


def prompts():
    return [placed.content.prompt for placed in content().questions]


def keys():
    return [placed.key for placed in content().questions]


def nothing_changed(text, language="en", **options):
    before = everything()
    brought = bring(text, language, **options)
    assert everything() == before
    return brought


@pytest.fixture
def joined():
    bring(ENGLISH, into="africa")
    return bring(ARABIC, "ar", into="africa")


# One file -----------------------------------------------------------------------------------------------------


def test_a_foreign_file_becomes_a_draft_named_by_its_bytes():
    brought = bring(ENGLISH)
    assert brought.quiz.slug == naming.namespace(ENGLISH.encode(), "en")
    assert brought.quiz.published_languages == []
    assert names(brought.loaded.created) == [
        *(f"question {brought.quiz.slug}/q{number}" for number in (1, 2, 3)),
        f"quiz {brought.quiz.slug}",
    ]


def test_into_names_the_quiz_and_its_questions():
    quiz = bring(ENGLISH, into="Africa_1").quiz
    assert (quiz.slug, quiz.namespace) == ("Africa_1", "africa-1")
    assert keys() == ["africa-1/q1", "africa-1/q2", "africa-1/q3"]


@pytest.mark.parametrize("into", [None, "africa"])
def test_twice_the_same_adds_nothing(into):
    bring(ENGLISH, into=into)
    again = nothing_changed(ENGLISH, into=into)
    assert len(again.loaded.unchanged) == 4
    assert again.loaded.created == again.loaded.updated == again.loaded.filled == again.loaded.kept == ()


def test_a_dry_run_tells_the_same_and_stores_nothing():
    before = everything()
    dry = importing.bring(ENGLISH.encode(), name="a.gift", dry_run=True)
    assert everything() == before
    assert dry.quiz is None
    assert dry.loaded.created == bring(ENGLISH).loaded.created


def test_errors_of_the_file_have_their_lines_and_nothing_is_stored():
    [(line, _message)] = refused(ENGLISH + "\nBroken? {=a\n")
    assert line == 7


@pytest.mark.parametrize("into", [None, "africa"])
def test_a_new_quiz_of_a_gift_file_shuffles_its_choices(into):
    assert bring(ENGLISH, into=into).quiz.shuffle_choices


@pytest.mark.parametrize("shuffles", [True, False])
def test_a_quiz_that_is_there_keeps_its_own_word_on_shuffling(shuffles):
    make_quiz(slug="africa", shuffle_choices=shuffles)
    for force in (False, True):
        bring(ENGLISH, into="africa", force=force)
        assert Quiz.objects.get().shuffle_choices is shuffles


# A second language --------------------------------------------------------------------------------------------


def test_a_second_language_fills_what_is_empty(joined):
    assert names(joined.loaded.filled) == [f"question africa/q{number}" for number in (1, 2, 3)]
    assert joined.loaded.created == joined.loaded.updated == ()
    first, _second, third = (placed.content for placed in content().questions)
    assert first.prompt == {"en": "The capital of Egypt?", "ar": "عاصمة مصر؟"}
    assert first.title == {"en": "Egypt", "ar": "مصر"}
    assert first.choices[1].text == {"en": "Alexandria", "ar": "الإسكندرية"}
    assert first.choices[1].feedback == {"en": "On the sea.", "ar": "على البحر."}
    assert [choice.text for choice in third.choices] == [
        {"en": "White Nile"},
        {"en": "the White Nile"},
        {"ar": "النيل الأبيض"},
    ]


@pytest.mark.usefixtures("joined")
def test_either_file_again_changes_nothing():
    assert len(nothing_changed(ARABIC, "ar", into="africa").loaded.unchanged) == 4
    assert len(nothing_changed(ENGLISH, into="africa").loaded.unchanged) == 4


def test_the_first_file_again_by_its_own_name_erases_no_other_language():
    slug = bring(ENGLISH).quiz.slug
    bring(ARABIC, "ar", into=slug)
    nothing_changed(ENGLISH)


def test_a_native_quiz_keeps_the_joined_language_when_its_file_comes_again():
    bring(ENGLISH, into="africa")
    native = formats.FORMATS["yaml"].render(content())
    Quiz.objects.all().delete()
    Question.objects.all().delete()
    importing.bring(native, name="africa.yaml")
    bring(ARABIC, "ar", into="africa")
    before = everything()
    again = importing.bring(native, name="africa.yaml")
    assert names(again.loaded.kept) == [f"question africa/q{number}" for number in (1, 2, 3)]
    assert everything() == before


def test_what_an_editor_wrote_is_filled_but_never_overwritten():
    bring(ENGLISH, into="africa")
    Question.objects.filter(key="africa/q1").update(prompt_ar="من المحرر")
    brought = bring(ARABIC, "ar", into="africa")
    assert prompts()[0]["ar"] == "من المحرر"
    assert content().questions[0].content.choices[0].text["ar"] == "القاهرة"
    assert names(brought.loaded.kept) == ["question africa/q1"]
    assert "question africa/q1: kept as it is, the file differs (prompt (ar))" in brought.lines()
    bring(ARABIC, "ar", into="africa", force=True)
    assert prompts()[0]["ar"] == "عاصمة مصر؟"


def test_a_quiz_of_the_admin_takes_a_file_by_place():
    choices = (("Cairo", True), "Alexandria")
    make_quiz(make_question(*choices, prompt="The capital of Egypt?"), slug="admin")
    brought = bring("عاصمة مصر؟ {=القاهرة ~الإسكندرية}", "ar", into="admin")
    assert len(brought.loaded.filled) == 1
    assert prompts() == [{"en": "The capital of Egypt?", "ar": "عاصمة مصر؟"}]


def test_ids_go_before_places():
    def file(*questions):
        return "\n\n".join(f"// [id:{name}]\n{prompt} {{=1 ~2}}" for name, prompt in questions)

    bring(file(("one", "First?"), ("two", "Second?")), into="course")
    brought = bring(file(("two", "الثاني؟"), ("three", "الثالث؟"), ("one", "الأول؟")), "ar", into="course")
    assert names(brought.loaded.created) == ["question course/three"]
    assert prompts() == [{"en": "First?", "ar": "الأول؟"}, {"en": "Second?", "ar": "الثاني؟"}, {"ar": "الثالث؟"}]
    assert keys() == ["course/one", "course/two", "course/three"]


def test_a_file_in_both_languages_fills_both():
    both = '<span lang="en" class="multilang">Two?</span><span lang="ar" class="multilang">اثنان؟</span> {=2 ~3}'
    bring("Two? {=2 ~3}", into="numbers")
    bring(both, into="numbers")
    assert prompts() == [{"en": "Two?", "ar": "اثنان؟"}]


def test_another_number_of_questions_is_refused_with_both_numbers():
    bring(ENGLISH, into="africa")
    [(line, message)] = refused(ARABIC + "\nرابع؟ {=1 ~2}\n", "ar", into="africa")
    assert line is None
    assert "The file has 4 questions and the quiz 3" in message


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("{=القاهرة ~الإسكندرية #على البحر.}", "{=القاهرة}", "the kind is “single” there and “text” here"),
        ("~الإسكندرية #على البحر.", "~الإسكندرية ~أسوان", "the number of choices is 2 there and 3 here"),
        ("{=القاهرة ~الإسكندرية", "{~القاهرة =الإسكندرية", "right is choice 1 there and 2 here"),
    ],
)
def test_a_question_that_does_not_fit_is_an_error_with_its_line(old, new, why):
    assert old in ARABIC
    bring(ENGLISH, into="africa")
    [(line, message)] = refused(ARABIC.replace(old, new), "ar", into="africa")
    assert line == 1
    assert message == f"This question would be joined to africa/q1 of the quiz, and does not fit it: {why}."


def test_other_points_stay_and_are_told():
    bring(ENGLISH, into="africa")
    Quiz.objects.get().places.filter(question__key="africa/q2").update(points=3)
    brought = bring(ARABIC, "ar", into="africa")
    assert "question africa/q2: kept as it is, the file differs (points)" in brought.lines()
    assert content().questions[1].points == 3


# The same language --------------------------------------------------------------------------------------------


MORE = "::Chad:: The capital of Chad? {=N'Djamena ~Abéché}\n"


def test_other_questions_are_added_at_the_end():
    bring(ENGLISH, into="africa")
    brought = bring(MORE, into="africa")
    assert names(brought.loaded.created) == ["question africa/q4"]
    assert keys()[-1] == "africa/q4"
    nothing_changed(MORE, into="africa")
    nothing_changed(ENGLISH, into="africa")


def test_as_many_other_questions_are_added_too():
    bring(ENGLISH, into="africa")
    other = "One? {=1 ~2}\n\nTwo? {=2 ~3}\n\nThree? {=3}"
    assert len(bring(other, into="africa").loaded.created) == 3
    assert len(keys()) == 6


def test_an_added_question_gets_a_key_that_is_free():
    bring(ENGLISH, into="africa")
    make_question(key="africa/q4")
    bring(MORE, into="africa")
    assert keys()[-1] == "africa/q5"


def test_a_quiz_without_questions_takes_all():
    Quiz.objects.create(slug="empty")
    assert len(bring(ENGLISH, into="empty").loaded.created) == 3
    assert [key.split("/")[0] for key in keys()] == ["site"] * 3


def test_a_file_that_was_mended_is_laid_beside_its_own_questions():
    bring(ENGLISH, into="africa")
    brought = bring(ENGLISH.replace("Which rivers meet", "Which river meets"), into="africa")
    assert names(brought.loaded.kept) == ["question africa/q3"]
    assert "prompt (en)" in " ".join(brought.lines())
    brought = bring(ENGLISH.replace("Which rivers meet", "Which river meets"), into="africa", force=True)
    assert names(brought.loaded.updated) == ["question africa/q3"]
    assert prompts()[2] == {"en": "Which river meets there?"}


def test_the_same_file_again_leaves_what_editors_changed_alone():
    bring(ENGLISH, into="africa")
    Question.objects.update(prompt_en="By the editor", explanation_en="Also.")
    Choice.objects.filter(text_en="the White Nile").delete()
    brought = nothing_changed(ENGLISH, into="africa")
    assert names(brought.loaded.kept) == [f"question africa/q{number}" for number in (1, 2, 3)]
    bring(ENGLISH, into="africa", force=True)
    assert prompts()[0] == {"en": "The capital of Egypt?"}
    assert len(content().questions[2].content.choices) == 2


@pytest.fixture
def enriched():
    """What a file brought, to which an editor then added whatever a question can have."""
    bring(ENGLISH, into="africa")
    row = Question.objects.get(key="africa/q1")
    row.explanation_en, row.title_en = "On the Nile.", "By the editor"
    row.settings = {"keep_order": True, "feedback": {"right": {"en": "Well done."}}}
    row.save()
    row.guides.add(make_guide("nile"))
    row.tags.add(Tag.objects.create(name="Rivers"))
    row.choices.filter(key="a").update(feedback_en="It is.", place=3)
    row.choices.filter(key="b").update(text_en="Alexandria!", place=2)
    Choice.objects.create(question=row, key="new", text_en="Aswan", place=1, right=False)


@pytest.mark.usefixtures("enriched")
def test_forced_a_question_gets_the_choices_of_its_file_back_and_loses_nothing_else():
    brought = bring(ENGLISH, into="africa", force=True)
    stored = content().questions[0].content
    assert [(one.key, one.text, one.right, one.feedback) for one in stored.choices] == [
        ("a", {"en": "Cairo"}, True, {"en": "It is."}),
        ("b", {"en": "Alexandria"}, False, {"en": "On the sea."}),
    ]
    assert stored.title == {"en": "Egypt"}
    assert stored.explanation == {"en": "On the Nile."}
    assert stored.settings == {"keep_order": True, "feedback": {"right": {"en": "Well done."}}}
    assert (stored.guides, stored.tags) == (("nile",), ("Rivers",))
    assert names(brought.loaded.updated) == ["question africa/q1"]
    assert (
        "question africa/q1: updated "
        "(the number of choices is 3 there and 2 here, choice 1 is taken out: “Aswan”, en)" in brought.lines()
    )
    assert nothing_changed(ENGLISH, into="africa").loaded.kept == ()


@pytest.mark.usefixtures("enriched")
def test_unforced_such_a_question_stays_as_the_editor_left_it():
    brought = nothing_changed(ENGLISH, into="africa")
    told = "question africa/q1: kept as it is, the file differs (the number of choices is 3 there and 2 here)"
    assert told in brought.lines()


@pytest.mark.usefixtures("enriched")
def test_forced_a_question_with_another_language_keeps_its_choices():
    """They would lose what the file cannot give back."""
    Choice.objects.filter(text_en="Aswan").update(text_ar="أسوان")
    before = exchange.dump(Quiz.objects.get()).questions[0]
    brought = bring(ENGLISH, into="africa", force=True)
    assert content().questions[0] == before
    assert names(brought.loaded.kept) == ["question africa/q1"]


def test_forced_a_question_of_another_kind_gets_that_of_its_file_back():
    bring(ENGLISH, into="africa")
    row = Question.objects.get(key="africa/q1")
    row.kind, row.explanation_en = "essay", "On the Nile."
    row.settings = {"longest": 100}
    row.save()
    row.choices.all().delete()
    brought = bring(ENGLISH, into="africa", force=True)
    stored = content().questions[0].content
    assert (stored.kind, len(stored.choices), stored.explanation) == ("single", 2, {"en": "On the Nile."})
    assert stored.settings == {"longest": 100}
    assert "the kind is “essay” there and “single” here" in " ".join(brought.lines())


def test_a_question_that_an_editor_took_out_stays_out_unless_forced():
    bring(ENGLISH, into="africa")
    Quiz.objects.get().places.filter(question__key="africa/q2").delete()
    brought = nothing_changed(ENGLISH, into="africa")
    assert "question africa/q2: kept as it is, the file differs (taken out of the quiz)" in brought.lines()
    bring(ENGLISH, into="africa", force=True)
    assert keys() == ["africa/q1", "africa/q3", "africa/q2"]


def test_two_equal_questions_of_a_file_stay_two():
    twice = "Same? {=1 ~2}\n\nSame? {=1 ~2}\n"
    bring(twice, into="twins")
    nothing_changed(twice, into="twins")
    assert len(keys()) == 2


def test_a_question_that_is_shared_is_filled_where_it_is():
    shared = make_question(("Cairo", True), "Alexandria", prompt="The capital of Egypt?", key="other/egypt")
    make_quiz(shared, slug="ours")
    bring("عاصمة مصر؟ {=القاهرة ~الإسكندرية}", "ar", into="ours")
    assert words.of(Question.objects.get(), "prompt")["ar"] == "عاصمة مصر؟"


# Kinds beside each other --------------------------------------------------------------------------------------


def choice(key, text=None, **fields):
    return ChoiceContent(key=key, text=text or {}, **fields)


def question(kind, *choices, prompt=None, **fields):
    return QuestionContent(
        key="x/q1", kind=kind, prompt=prompt or {"en": "Prompt [[1]] [[2]]"}, choices=choices, **fields
    )


GAPS = {"parts": {"1": {"kind": "text"}, "2": {"kind": "single"}}}
ENGLISH_AND_ARABIC = {
    "matching": (
        [choice("a", {"en": "Egypt"}, match={"en": "Cairo"}), choice("b", match={"en": "Fez"})],
        [choice("a", {"ar": "مصر"}, match={"ar": "القاهرة"}), choice("b", match={"ar": "فاس"})],
    ),
    "ordering": (
        [choice("a", {"en": "One"}), choice("b", {"en": "Two"})],
        [choice("a", {"ar": "١"}), choice("b", {"ar": "٢"})],
    ),
    "number": ([choice("a", value="3", right=True)], [choice("a", value="3", right=True, feedback={"ar": "نعم"})]),
    "essay": ([], []),
    "page": ([], []),
}


@pytest.fixture
def foreign(monkeypatch):
    """Makes a format of contents: what it is given next is what the file holds."""
    held = {}

    class Format:
        @staticmethod
        def parse(data, *, language, encoding=None):
            one = held["question"]
            namespace = naming.namespace(data, language)
            content = replace(one, key=f"{namespace}/{held.get('key', 'q1')}")
            placed = PlacedQuestion(key=content.key, content=content)
            quiz = QuizContent(
                slug=namespace,
                namespace=namespace,
                questions=(placed,),
                title=held.get("title", {}),
                known_tags=held.get("known_tags", ()),
            )
            return Parsed(quiz, Report(), {("question", content.key): 7}, held.get("files", {}))

    monkeypatch.setitem(formats.FORMATS, "held", Format)

    def bring(one, *, into="x", data=b"1", language="en", force=False, **more):
        held.clear()
        held.update(question=one, **more)
        return importing.bring(data, format="held", into=into, language=language, force=force)

    return bring


@pytest.mark.parametrize("kind", ENGLISH_AND_ARABIC)
def test_every_kind_takes_a_second_language(foreign, kind):
    english, arabic = ENGLISH_AND_ARABIC[kind]
    assert foreign(question(kind, *english)).errors == ()
    brought = foreign(question(kind, *arabic, prompt={"ar": "السؤال"}), data=b"2", language="ar")
    assert brought.errors == ()
    [placed] = content().questions
    assert placed.content.prompt == {"en": "Prompt [[1]] [[2]]", "ar": "السؤال"}
    assert len(placed.content.choices) == len(english)
    for one, other in zip(placed.content.choices, arabic, strict=True):
        assert other.text.items() <= one.text.items()
        assert other.match.items() <= one.match.items()
        assert other.feedback.items() <= one.feedback.items()


def test_gaps_take_typed_answers_by_what_they_say_and_others_by_place(foreign):
    english = [
        choice("a", {"en": "Cairo"}, part="1", right=True),
        choice("b", {"en": "one"}, part="2", right=True),
        choice("c", {"en": "two"}, part="2"),
    ]
    arabic = [
        choice("a", {"ar": "القاهرة"}, part="1", right=True),
        choice("b", {"ar": "قاهرة"}, part="1", right=True),
        choice("c", {"ar": "واحد"}, part="2", right=True),
        choice("d", {"ar": "اثنان"}, part="2"),
    ]
    foreign(question("gaps", *english, settings=GAPS))
    brought = foreign(
        question("gaps", *arabic, settings=GAPS, prompt={"ar": "[[1]] و[[2]]"}), data=b"2", language="ar"
    )
    assert brought.errors == ()
    stored = content().questions[0].content
    assert [(one.key, one.part, one.text) for one in stored.choices] == [
        ("a", "1", {"en": "Cairo"}),
        ("b", "2", {"en": "one", "ar": "واحد"}),
        ("c", "2", {"en": "two", "ar": "اثنان"}),
        ("d", "1", {"ar": "القاهرة"}),
        ("e", "1", {"ar": "قاهرة"}),
    ]


def test_what_is_accepted_already_is_not_added_but_its_feedback_is_filled(foreign):
    foreign(
        question("text", choice("a", {"en": "Cairo"}, right=True), choice("b", {"en": "*"}, feedback={"en": "No."}))
    )
    foreign(
        question(
            "text",
            choice("a", {"ar": "القاهرة"}, right=True),
            choice("b", {"ar": "*"}, feedback={"ar": "لا."}),
            prompt={"ar": "ما العاصمة؟"},
        ),
        data=b"2",
        language="ar",
    )
    stored = content().questions[0].content.choices
    assert [one.text for one in stored] == [{"en": "Cairo"}, {"en": "*"}, {"ar": "القاهرة"}]
    assert stored[1].feedback == {"en": "No.", "ar": "لا."}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (
            question("number", choice("a", value="3", right=True)),
            question("number", choice("a", value="4", right=True)),
            "the number is 3 there and 4 here",
        ),
        (
            question("matching", *ENGLISH_AND_ARABIC["matching"][0]),
            question("matching", *ENGLISH_AND_ARABIC["matching"][0][::-1]),
            "what belongs to nothing stands at another place",
        ),
        (
            question("gaps", choice("a", {"en": "x"}, part="1", right=True), prompt={"en": "[[1]]"}),
            question("gaps", choice("a", {"en": "x"}, part="2", right=True), prompt={"en": "[[2]]"}),
            "the gaps are 1 there and 2 here",
        ),
        (
            question("gaps", choice("a", {"en": "x"}, part="1", right=True), prompt={"en": "[[1]]"}),
            question(
                "gaps",
                choice("a", {"en": "x"}, part="1", right=True),
                choice("b", {"en": "y"}, part="1"),
                prompt={"en": "[[1]]"},
                settings={"parts": {"1": {"kind": "single"}}},
            ),
            "the gap 1 is of another kind",
        ),
    ],
)
def test_what_cannot_be_one_question_is_told(foreign, one, other, why):
    assert foreign(one).errors == ()
    arabic = other.with_words(lambda _where, words: {"ar": words["en"]} if words else {})
    [entry] = foreign(arabic, data=b"2", language="ar").errors
    assert entry.line == 7
    assert why in entry.message


def test_words_in_settings_are_filled_and_other_settings_stay(foreign):
    told = {"feedback": {"right": {"en": "Yes"}}, "keep_order": True}
    arabic = {
        "feedback": {"right": {"ar": "نعم"}, "wrong": {"ar": "لا"}},
        "notes": {"ar": "انتبه"},
        "keep_order": False,
    }
    choices = choice("a", {"en": "A"}, right=True), choice("b", {"en": "B"})
    foreign(question("single", *choices, settings=told))
    choices = choice("a", {"ar": "أ"}, right=True), choice("b", {"ar": "ب"})
    brought = foreign(question("single", *choices, settings=arabic, prompt={"ar": "؟"}), data=b"2", language="ar")
    assert content().questions[0].content.settings == {
        "feedback": {"right": {"en": "Yes", "ar": "نعم"}, "wrong": {"ar": "لا"}},
        "notes": {"ar": "انتبه"},
        "keep_order": True,
    }
    assert names(brought.loaded.kept) == ["question x/q1"]


def test_tags_of_the_second_course_come_along(foreign):
    algebra = TagContent(name="Algebra", description={"en": "Letters."})
    foreign(question("page", tags=("Algebra",)), known_tags=(algebra,))
    foreign(question("page", tags=("الجبر", "algebra"), prompt={"ar": "؟"}), data=b"2", language="ar")
    assert sorted(content().questions[0].content.tags) == ["Algebra", "الجبر"]
    assert Tag.objects.count() == 2


def test_a_title_is_filled_and_never_overwritten(foreign):
    foreign(question("page"), title={"en": "Africa"})
    brought = foreign(
        question("page", prompt={"ar": "؟"}), data=b"2", language="ar", title={"ar": "أفريقيا", "en": "Other"}
    )
    assert content().title == {"en": "Africa", "ar": "أفريقيا"}
    assert names(brought.loaded.kept) == ["quiz x"]


EXAM = {
    "shuffle_questions": True,
    "feedback": "at_end",
    "review": Review(score="finish"),
    "time_limit": 30,
    "opens_at": datetime(2026, 1, 31, 5, tzinfo=UTC),
    "counting": "last",
    "pools": (PoolContent(tag="Algebra", count=2, place=3),),
}


@pytest.mark.parametrize("force", [False, True])
def test_an_exam_keeps_its_rules_when_a_second_language_is_joined_to_it(force):
    bring(ENGLISH, into="africa")
    english = content()
    [egypt, *rest] = english.questions
    kept = replace(egypt.content.choices[1], keeps_place=True)
    egypt = replace(egypt, content=replace(egypt.content, choices=(egypt.content.choices[0], kept)))
    exam = exchange.load(replace(english, questions=(egypt, *rest), **EXAM), force=True).quiz
    change(exam, password="sesame")
    bring(ARABIC, "ar", into="africa", force=force)
    joined = content()
    assert joined.questions[0].content.prompt == {"en": "The capital of Egypt?", "ar": "عاصمة مصر؟"}
    assert [choice.keeps_place for choice in joined.questions[0].content.choices] == [False, True]
    assert {name: getattr(joined, name) for name in EXAM} == EXAM
    assert joined.left_behind == ("password",)


def test_a_question_that_is_added_comes_after_the_pools():
    bring(ENGLISH, into="africa")
    exchange.load(replace(content(), **EXAM), force=True)
    bring("Another one? {T}", into="africa")
    assert len(content().questions) == 4
    assert content().pools == EXAM["pools"]


# A whole course -----------------------------------------------------------------------------------------------

SAMPLE = Path(__file__).resolve().parents[1] / "project" / "samples" / "one-of-each.yaml"


@pytest.mark.parametrize("format", ["gift", "moodle_xml"])
def test_a_course_that_left_in_two_files_comes_back_as_one(format):
    course = formats.FORMATS["yaml"].parse(SAMPLE.read_bytes(), language="en").quiz
    module = formats.FORMATS[format]
    for language in ("en", "ar"):
        brought = importing.bring(
            module.render(course, language=language), format=format, language=language, into="course"
        )
        assert brought.errors == ()
    whole = importing.bring(module.render(course), format=format, into="whole")
    assert whole.errors == ()
    one, other = (exchange.dump(Quiz.objects.get(slug=slug)) for slug in ("course", "whole"))
    assert [placed.content.kind for placed in one.questions] == [placed.content.kind for placed in other.questions]
    for mine, theirs in zip(one.questions, other.questions, strict=True):
        assert mine.content.prompt == theirs.content.prompt
        assert mine.content.explanation == theirs.content.explanation
        if mine.content.kind not in ("text", "gaps"):
            assert mine.content.choices == theirs.content.choices


# Files --------------------------------------------------------------------------------------------------------

PDF = files.of(b"%PDF-1.4 small")


@pytest.fixture
def storage(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.mark.usefixtures("storage")
def test_files_of_a_file_are_stored_once(foreign):
    worded = question("page", prompt={"en": f"[read](mpquiz:{PDF.name})"})
    foreign(worded, files={PDF.name: PDF.data})
    assert files.read(PDF.name) == PDF.data
    assert foreign(worded, files={PDF.name: PDF.data}).errors == ()
    assert len(list(default_storage.listdir("mpquiz")[1])) == 1


@pytest.mark.usefixtures("storage")
def test_a_file_that_is_nowhere_is_warned_of_with_the_line(foreign):
    [warning] = foreign(question("page", prompt={"en": f"[read](mpquiz:{PDF.name})"})).warnings
    assert warning.line == 7
    assert PDF.name in warning.message


@pytest.mark.usefixtures("storage")
def test_files_of_what_is_refused_are_not_stored(foreign):
    assert foreign(question("single"), files={PDF.name: PDF.data}).errors
    assert files.read(PDF.name) is None


# Others at the same time --------------------------------------------------------------------------------------


def test_what_an_editor_changes_meanwhile_is_not_lost(monkeypatch):
    bring(ENGLISH, into="africa")
    join, done = importing.join, []

    def meanwhile(*args, **kwargs):
        joined = join(*args, **kwargs)
        if not done:
            done.append(Question.objects.filter(key="africa/q1").update(explanation_en="Meanwhile."))
        return joined

    monkeypatch.setattr(importing, "join", meanwhile)
    bring(ARABIC, "ar", into="africa")
    stored = content().questions[0].content
    assert stored.explanation == {"en": "Meanwhile."}
    assert stored.prompt["ar"] == "عاصمة مصر؟"


# The report ---------------------------------------------------------------------------------------------------


def test_the_report_tells_all_in_the_readers_language(joined):
    assert joined.lines() == [
        "gift: 3 questions (one right choice: 2, short answer: 1)",
        "question africa/q1: filled in (ar)",
        "question africa/q2: filled in (ar)",
        "question africa/q3: filled in (ar)",
        "1 is as the file has it.",
        "The quiz is “africa”. It is a draft: learners see it once it is published in admin.",
    ]


def test_warnings_and_errors_stand_with_the_file_or_the_line():
    brought = importing.Brought(warnings=(Entry("odd", 3),), errors=(Entry("wrong"),))
    assert brought.lines("a.gift") == ["a.gift:3: warning: odd", "a.gift: wrong"]
    assert brought.lines() == ["line 3: warning: odd", "wrong"]


def test_a_long_report_names_some_and_counts_the_others():
    many = "\n\n".join(f"Question {number}? {{=1 ~2}}" for number in range(30))
    lines = bring(many, into="many").lines()
    assert len(lines) == 1 + importing.MOST_NAMED + 1 + 1
    assert lines[-2] == "… and 11 more: created"


def test_lines_in_every_language_hold_no_unfilled_blank():
    with translation.override("ar"):
        assert not any("%(" in line for line in bring(ENGLISH).lines())


# Queries ------------------------------------------------------------------------------------------------------


def test_joining_takes_no_more_queries_for_more_questions():
    def cost(count, slug):
        english = "\n\n".join(f"Question {number}? {{=1 ~2}}" for number in range(count))
        arabic = "\n\n".join(f"سؤال {number}؟ {{=1 ~2}}" for number in range(count))
        bring(english, into=slug)
        with CaptureQueriesContext(connection) as found:
            assert len(bring(arabic, "ar", into=slug).loaded.filled) == count
        return len([query for query in found if "SAVEPOINT" not in query["sql"]])

    few, more = cost(2, "few"), cost(40, "more")
    assert few <= more <= few + 3
