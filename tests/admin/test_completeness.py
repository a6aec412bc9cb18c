"""How much is translated, as editors see it: bars in lists, filters, what lacks where."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.utils import translation
from django.utils.html import strip_tags

from mpquiz.models import Question, Quiz
from tests.admin.conftest import Editor
from tests.factories import make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

BOTH = {"en": "How many bits?", "ar": "كم بتًا؟"}


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
    return [(plain(row.name), [plain(cell) for cell in row.cells]) for row in page.context["translated_rows"]]


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
    assert len(page.context["translated_rows"]) == 50
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
    keys = {row.key.removeprefix("site/") for row in page.context["cl"].result_list}
    assert keys == found


@pytest.mark.parametrize(("language", "lacks", "mixed"), [("en", "lacks Arabic", "mixed"), ("ar", "العربيّة", None)])
def test_the_filters_are_named_in_the_readers_language(admin, language, lacks, mixed):
    admin.language = language
    with translation.override(language):
        html = admin.list("question").content.decode()
    assert "translation=lacks-ar" in html and "translation=mixed" in html
    assert lacks in html
    assert Question.objects.count() == 0
