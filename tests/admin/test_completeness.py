"""How much is translated, as editors see it: bars in lists, filters, what lacks where."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.html import strip_tags

from mpquiz import exchange, importing
from mpquiz.formats import yaml
from mpquiz.models import Question, Quiz, StaleText, completeness
from tests.admin.conftest import Editor, errors_of, told, words_said
from tests.factories import make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

BOTH = {"en": "How many bits?", "ar": "كم بتًا؟"}
BITS = {"en": "Bits", "ar": "بتات"}


def whole(**fields):
    return make_question({"text": "16", "right": True}, "`8`", prompt=BOTH, explanation=None, **fields)


def english(**fields):
    return make_question({"text": "16", "right": True}, "`8`", prompt="How many bits?", explanation=None, **fields)


def half(**fields):
    return make_question({"text": BOTH, "right": True}, "Eight", prompt=BOTH, explanation="Since.", **fields)


def arabic_half(**fields):
    return make_question({"text": {"ar": "ثمانية"}, "right": True}, "Two", prompt=BOTH, explanation=None, **fields)


def plain(html):
    return " ".join(strip_tags(str(html).replace("</li>", "</li> ")).replace("\N{NO-BREAK SPACE}", " ").split())


def column(page, name="translated"):
    """What a column says, row by row."""
    html = page.content.decode()
    cells = re.findall(rf'<td class="field-{name}">(.*?)</td>', html, re.DOTALL)
    return [plain(cell) for cell in cells]


# The list of quizzes -----------------------------------------------------------------------------------------------


def test_the_list_of_quizzes_has_a_bar_for_each_language(admin):
    make_quiz(whole(), half(), title={"en": "Floats", "ar": "أعداد"}, published=())
    page = admin.list("quiz")
    assert column(page) == ["English 100 % العربيّة 66 %"]
    assert '<meter min="0" max="100" value="66" aria-hidden="true"></meter>' in page.content.decode()


@pytest.mark.parametrize(
    ("published", "although", "told"), [(("ar",), False, True), (("ar",), True, False), (("en",), False, False)]
)
def test_the_list_marks_what_is_published_half_translated(admin, published, although, told):
    quiz = make_quiz(half(), published=published)
    quiz.languages.update(although_incomplete=although)
    assert ("published half translated" in admin.list("quiz").content.decode()) is told


@pytest.mark.parametrize("model", ["quiz", "question"])
def test_queries_of_a_list_do_not_grow_with_its_rows(admin, query_count, model):
    def fill(start, end):
        for number in range(start, end):
            quiz = make_quiz(half(), english(), slug=f"quiz-{number}")
            make_pool(quiz, make_tag(f"tag-{number}", whole()))

    fill(0, 10)
    few = query_count(lambda: admin.list(model))
    fill(10, 100)
    assert query_count(lambda: admin.list(model)) == few
    assert Quiz.objects.count() == 100


# The page of a quiz ------------------------------------------------------------------------------------------------


def rows_of(page):
    return [(plain(row.name), [plain(cell) for cell in row.cells]) for row in page.context_data["translated_rows"]]


def test_the_page_of_a_quiz_says_what_lacks_where(admin):
    lacking = half()
    quiz = make_quiz(whole(), lacking, title={"ar": "أعداد"}, description={"en": "Said", "ar": "قيل"})
    pooled = english()
    make_pool(quiz, make_tag("Bits", pooled))
    page = admin.page("quiz", quiz)
    assert rows_of(page) == [
        ("The quiz itself", ["title", ""]),
        ("How many bits?", ["", "explanation · choice 2"]),
        ("How many bits?", ["", "all texts"]),
    ]
    html = page.content.decode()
    assert all(admin.address("question", question) in html for question in (lacking, pooled))


def test_feedback_and_matches_are_named(admin):
    question = make_question(
        {"text": "1", "feedback": "Good", "right": True}, {"text": "2", "match_en": "Two"}, prompt=BOTH
    )
    question.explanation_en = ""
    question.save()
    assert rows_of(admin.page("quiz", make_quiz(question, title={"en": "1"}))) == [
        ("How many bits?", ["", "choice 1: feedback · choice 2: match"])
    ]


def test_the_page_of_a_whole_quiz_says_so(admin):
    page = admin.page("quiz", make_quiz(whole(), title={"en": "Floats", "ar": "أعداد"}))
    assert "Every text that needs a translation has one." in page.content.decode()


def test_a_long_list_ends_with_how_many_more(admin):
    quiz = make_quiz(*(english() for _number in range(53)), title={"en": "1"})
    page = admin.page("quiz", quiz)
    assert len(page.context_data["translated_rows"]) == 50
    assert "… and 3 more questions" in page.content.decode()


def test_queries_of_a_quiz_page_do_not_grow_with_what_lacks(admin, query_count):
    few, many = (make_quiz(*(half() for _number in range(count)), slug=f"of-{count}") for count in (2, 40))
    assert query_count(lambda: admin.page("quiz", few)) == query_count(lambda: admin.page("quiz", many))


def test_whoever_may_not_see_questions_gets_no_links_to_them(staff):
    quiz = make_quiz(half())
    editor = staff("view_quiz", "change_quiz")
    html = editor.page("quiz", quiz).content.decode().split('id="mpquiz-lacking"')[1]
    assert "explanation" in html and "/question/" not in html.split("</section>")[0]


def test_a_new_quiz_has_nothing_that_lacks(admin):
    assert "mpquiz-lacking" not in admin.page("quiz").content.decode()


def test_another_editors_question_is_not_named(client, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"MAY_EDIT": "tests.admin.test_completeness.only_mine"}
    make_quiz(other := english(), slug="another")
    quiz = make_quiz(half(), slug="mine-it-is")
    make_pool(quiz, make_tag("Bits", other))
    user = make_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="mpquiz"))
    client.force_login(user)
    assert [cells for _name, cells in rows_of(Editor(client).page("quiz", quiz))] == [
        ["", "title"],
        ["", "explanation · choice 2"],
    ]


def only_mine(user, quizzes, doing):
    return quizzes.filter(slug__startswith="mine")


# The list of questions ---------------------------------------------------------------------------------------------


def test_the_list_of_questions_tells_the_state_of_each_language(admin):
    whole()
    english()
    half()
    assert set(column(admin.list("question"))) == {
        "English whole العربيّة whole",
        "English whole العربيّة none",
        "English whole العربيّة half (2 / 4)",
    }


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("lacks-ar", {"english", "half", "mixed"}),
        ("lacks-en", {"mixed"}),
        ("mixed", {"mixed"}),
        ("lacks-fr", {"whole", "english", "half", "mixed"}),
        ("", {"whole", "english", "half", "mixed"}),
    ],
)
def test_questions_are_filtered_by_what_lacks(admin, value, found):
    for make, name in ((whole, "whole"), (english, "english"), (half, "half"), (arabic_half, "mixed")):
        make(key=f"site/{name}")
    page = admin.list("question", translation=value)
    keys = {row.key.removeprefix("site/") for row in page.context_data["cl"].result_list}
    assert keys == found


@pytest.mark.parametrize(("language", "lacks", "mixed"), [("en", "lacks Arabic", "mixed"), ("ar", "العربيّة", None)])
def test_the_filters_are_named_in_the_readers_language(admin, language, lacks, mixed):
    admin.language = language
    with translation.override(language):
        html = admin.list("question").content.decode()
    assert "translation=lacks-ar" in html and "translation=mixed" in html
    assert lacks in html
    assert Question.objects.count() == 0


# Publishing --------------------------------------------------------------------------------------------------------


def published(quiz):
    return {row.language: row.although_incomplete for row in quiz.languages.all()}


def refused(page):
    """What the page says at the field, as plain text."""
    return [plain(message) for message in errors_of(page).get("published", ())]


def test_half_a_translation_is_not_published(admin):
    lacking = half()
    quiz = make_quiz(whole(), lacking, title=BITS, published=())
    page = admin.save("quiz", quiz, published=["en", "ar"])
    assert refused(page) == [
        "It is not published in Arabic, where texts are missing. Add them, or tick the language below. "
        "How many bits?: explanation · choice 2"
    ]
    assert f'<a href="{admin.address("question", lacking)}">' in page.content.decode()
    assert not published(quiz)


def test_what_is_whole_or_not_translated_at_all_is_published(admin):
    quiz = make_quiz(whole(), english(), title=BITS, published=())
    assert told(admin, admin.save("quiz", quiz, published=["en", "ar"])) == [
        "1 question is not translated into Arabic. Learners read it in another language."
    ]
    assert published(quiz) == {"en": False, "ar": False}


COUNTRIES = {
    "en": "T::Capital of Jordan? {=Amman#Well done. =%50%Zarqa}\n\nA river in Egypt: {=Nile =the Nile}\n",
    "ar": "T::عاصمة الأردن؟ {=عمّان#أحسنت.}\n\nنهر في مصر: {=النيل}\n",
}


def test_a_course_whose_answers_are_typed_is_brought_over_by_two_commands_and_published_in_both_languages(
    admin, tmp_path
):
    for language, text in COUNTRIES.items():
        file = tmp_path / f"{language}.gift"
        file.write_text(text)
        call_command("mpquiz_import", file, "--into", "jo", "--language", language, stdout=StringIO())
    quiz = Quiz.objects.get()
    titles = {"title_en": "Jordan", "title_ar": "الأردن"}
    assert told(admin, admin.save("quiz", quiz, published=["en", "ar"], **titles)) == []
    assert published(quiz) == {"en": False, "ar": False}
    jordan = Question.objects.get(prompt_en__contains="Jordan")
    assert [(one.text_en, one.text_ar) for one in jordan.choices.all()] == [
        ("Amman", ""),
        ("Zarqa", ""),
        ("", "عمّان"),
    ]
    changed = {"choices-0-text_en": "Amman City", "choices-2-text_ar": "عمان"}
    assert told(admin, admin.save("question", jordan, **changed)) == []
    assert not StaleText.objects.exists()


def test_a_language_in_which_no_answer_is_accepted_is_half_translated(admin):
    quiz = make_quiz(make_question({"text": "Amman", "right": True}, prompt=BOTH, explanation=None, kind="text"))
    quiz.publish(())
    page = admin.save("quiz", quiz, published=["en", "ar"], title_en="Bits", title_ar="بتات")
    assert "How many bits?: choice 1" in refused(page)[0]
    assert not published(quiz)


def test_it_is_published_although_texts_are_missing_where_the_editor_says_so(admin):
    quiz = make_quiz(half(), title=BITS, published=())
    assert told(admin, admin.save("quiz", quiz, published=["ar"], although=["ar"])) == []
    assert published(quiz) == {"ar": True}
    form = admin.page("quiz", quiz).context_data["adminform"].form
    assert form["although"].value() == ["ar"]
    told(admin, admin.save("quiz", quiz, although=[]))
    assert published(quiz) == {"ar": False}


def test_although_is_said_for_each_language(admin):
    quiz = make_quiz(arabic_half(), title=BITS, published=())
    page = admin.save("quiz", quiz, published=["en", "ar"], although=["ar"])
    assert [said.split(",")[0] for said in refused(page)] == ["It is not published in English"]


def test_the_quizs_own_words_count(admin):
    quiz = make_quiz(whole(), title=BITS, description="Said", published=())
    assert refused(admin.save("quiz", quiz, published=["ar"]))[0].endswith("The quiz itself: description")
    assert admin.save("quiz", quiz, published=["ar"], description_ar="قيل").status_code == 302


@pytest.mark.parametrize("added", ["row", "search", "pool"])
def test_questions_that_come_with_the_publication_count(admin, added):
    quiz = make_quiz(whole(), title=BITS, published=())
    coming = half()
    typed = {
        "row": {"places__1__question": coming.pk},
        "search": {"add_questions": [coming.pk]},
        "pool": {"pools__0__tag": make_tag("Bits", coming).pk, "pools__0__count": "1"},
    }
    assert refused(admin.save("quiz", quiz, published=["ar"], **typed[added]))
    assert admin.save("quiz", quiz, published=["en"], **typed[added]).status_code == 302


def test_a_question_that_is_taken_out_counts_no_more(admin):
    quiz = make_quiz(half(), whole(), title=BITS, published=())
    assert admin.save("quiz", quiz, published=["ar"], places__0__DELETE="on").status_code == 302


def test_a_new_quiz_is_judged_too(admin):
    typed = {"title_en": "Bits", "title_ar": "بتات", "slug": "bits", "places__0__question": half().pk}
    assert refused(admin.save("quiz", **typed, published=["ar"]))
    assert admin.save("quiz", **typed, published=["ar"], although=["ar"]).status_code == 302
    assert published(Quiz.objects.get()) == {"ar": True}


def test_a_long_refusal_names_the_first(admin):
    quiz = make_quiz(*(half() for _number in range(7)), title=BITS, published=())
    said = refused(admin.save("quiz", quiz, published=["ar"]))[0]
    assert said.count("choice 2") == 5 and said.endswith("· …")


def test_what_is_published_already_is_saved_with_a_warning(admin):
    quiz = make_quiz(half(), title=BITS, published=("ar",))
    assert [plain(one) for one in told(admin, admin.save("quiz", quiz, pass_mark="50"))] == [
        "Learners are offered this quiz in Arabic, where texts are missing. How many bits?: explanation · choice 2"
    ]
    quiz.languages.update(although_incomplete=True)
    assert told(admin, admin.save("quiz", quiz, pass_mark="60")) == []


def test_queries_of_a_refusal_do_not_grow(admin, query_count):
    def queries(count):
        """Those that the refusal takes beside what saving takes."""
        quiz = make_quiz(*(half() for _number in range(count)), title=BITS, slug=f"of-{count}", published=())
        refused = query_count(lambda: admin.save("quiz", quiz, published=["ar"]))
        return refused - query_count(lambda: admin.save("quiz", quiz, published=["ar"], pass_mark="101"))

    assert queries(6) == queries(25)


def test_whoever_saves_a_question_half_translated_is_told_who_is_offered_it(admin):
    question = whole()
    quiz = make_quiz(question, title=BITS, published=("ar", "en"))
    make_quiz(question, title={"en": "Draft"}, slug="draft", published=())
    pooled = make_quiz(title={"en": "Pool"}, slug="pool", published=("ar",))
    make_pool(pooled, make_tag("algebra"))
    make_tag("Algebra/Vectors", question)
    answer = admin.save("question", question, explanation_en="Since.")
    said = [one for one in told(admin, answer) if "offered" in one]
    assert [plain(one) for one in said] == [
        "Learners are offered 2 quizzes with it in Arabic, where it lacks: explanation: Bits · Pool"
    ]
    assert f'href="{admin.address("quiz", quiz)}"' in said[0]
    quiz.languages.update(although_incomplete=True)
    pooled.languages.all().delete()
    answer = admin.save("question", question, explanation_en="Because.")
    assert not [one for one in told(admin, answer) if "offered" in one]


def test_whoever_puts_a_question_into_a_published_quiz_is_warned(admin):
    quiz = make_quiz(whole(), title=BITS, published=("ar",))
    question = half()
    data = {"action": "put_into_quiz", "_selected_action": [question.pk], "quiz": quiz.pk, "answered": "1"}
    page = admin.client.post(admin.address("question", view="changelist"), data, follow=True)
    said = [plain(message) for message in words_said(page)]
    assert any(one.startswith("Learners are offered this quiz in Arabic") for one in said), said


def test_offered_half_takes_the_same_queries_for_many_quizzes():
    def queries(count):
        question = half()
        for number in range(count):
            make_quiz(question, slug=f"of-{count}-{number}", published=("ar",))
        with CaptureQueriesContext(connection) as taken:
            assert len(completeness.offered_half(question)["ar"]) == count
        return len(taken)

    assert queries(1) == queries(9) == 4


@pytest.mark.parametrize("permissions", [["view_quiz"], ["view_quiz", "view_question"]])
def test_whoever_may_only_look_sees_the_page(staff, permissions):
    assert staff(*permissions).page("quiz", make_quiz(half(), title=BITS)).status_code == 200


# Imports -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_file_publishes_what_it_says_and_is_warned(dry_run):
    data = a_file()
    brought = importing.bring(data, format="yaml", dry_run=dry_run)
    assert not brought.errors, brought.errors
    where = next(placed.key for placed in brought.content.questions)
    told = f"Published in “ar” although texts are missing there: {where}."
    assert [entry.message for entry in brought.warnings] == [told]
    assert [quiz.published_languages for quiz in Quiz.objects.all()] == ([] if dry_run else [["en", "ar"]])


def test_the_warning_of_an_import_names_no_question_of_another_editor(settings):
    theirs, own = half(), half()
    make_quiz(theirs, slug="other", title=BITS)
    quiz = make_quiz(own, slug="own", title=BITS, published=("ar",))
    make_pool(quiz, make_tag("Bits", theirs), count=1)
    data = yaml.render(exchange.dump(quiz, whole=True))
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": lambda user, quizzes, doing: quizzes.filter(slug="own")}
    told = {}
    for name, by in {"editor": make_user("editor"), "command": None}.items():
        (told[name],) = [entry.message for entry in importing.bring(data, format="yaml", by=by).warnings]
    assert told["editor"].endswith(f"are missing there: {own.key}, ….")
    assert theirs.key in told["command"]


def a_file():
    """A file of a quiz that is published half translated, as this site writes it."""
    quiz = make_quiz(half(), title=BITS, published=("en", "ar"))
    data = yaml.render(exchange.dump(quiz, whole=True))
    Question.objects.all().delete()
    quiz.delete()
    return data


def test_of_the_samples_of_the_demo_one_is_half_translated_and_all_are_published():
    warned = set()
    for file in Path("project/samples").glob("*.yaml"):
        brought = importing.bring(file.read_bytes(), name=file.name)
        assert brought.quiz.published_languages == ["en", "ar"]
        warned |= {file.stem for _entry in brought.warnings}
    assert warned == {"floating-point"}
