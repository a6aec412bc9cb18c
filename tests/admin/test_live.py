"""The preview of a question while it is written."""

import json

import pytest

from mpquiz import kinds
from mpquiz.models import Choice, Question
from tests.admin.conftest import as_sent
from tests.factories import make_guide, make_question, make_quiz

pytestmark = pytest.mark.django_db


def preview(editor, question=None, *, fragment=True, **typed):
    """Send the page's form, with what was typed, to be shown."""
    page = editor.page("question", question)
    data = as_sent(page) | {name.replace("__", "-"): value for name, value in typed.items()}
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    return send(editor, sent, question, fragment=fragment)


def send(editor, data, question=None, *, fragment=True):
    address = editor.address("question", view="preview") + (f"?question={question.pk}" if question else "")
    return editor.client.post(address, data, headers={"X-Requested-With": "XMLHttpRequest"} if fragment else {})


def everything():
    return list(Question.objects.values()), list(Choice.objects.values())


def side(answer, language):
    """The HTML of one language."""
    start, end = (
        answer.content.decode().split(f'class="mpquiz mpquiz-side" lang="{language}"')[1],
        "mpquiz mpquiz-side",
    )
    return start.split(end)[0]


def test_what_is_written_is_shown_in_each_language_and_direction(admin):
    answer = preview(
        admin,
        prompt_en="How *many*?",
        prompt_ar="كم **عددها**؟",
        choices__0__text_en="Eight",
        choices__0__text_ar="ثمانية",
        choices__0__right="on",
    )
    assert answer.status_code == 200
    assert "<em>many</em>" in side(answer, "en")
    assert "Eight" in side(answer, "en")
    assert 'dir="rtl"' in side(answer, "ar").split(">")[0]
    assert "<strong>عددها</strong>" in side(answer, "ar")
    assert "ثمانية" in side(answer, "ar")
    assert "<html" not in answer.content.decode()


def test_nothing_is_stored(admin):
    question = make_question()
    make_quiz(question)
    before = everything()
    preview(
        admin, question, prompt_en="Another?", choices__0__text_en="Other", choices__1__DELETE="on", kind="multiple"
    )
    preview(admin, prompt_en="New?", choices__0__text_en="One")
    assert everything() == before


def test_a_stored_question_is_shown_as_it_is_changed(admin):
    html = side(preview(admin, make_question(("Old", True), "Gone", "Last"), **CHANGED), "en")
    assert "New" in html
    assert "Gone" not in html
    assert html.index("Last") < html.index("New")


CHANGED = {
    "choices__0__text_en": "New",
    "choices__1__DELETE": "on",
    "choices__2__place": "1",
    "choices__0__place": "2",
}


@pytest.mark.parametrize("kind", kinds.names())
@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"prompt_ar": "كم؟"},
        {"prompt_en": "[[1]] [[1]]", "choices__0__part": "no slug", "choices__1__part": "1"},
        {
            "prompt_en": "How many?",
            "choices__0__weight": "x",
            "choices__0__text_en": "One",
            "choices__1__value": "three",
        },
        {"prompt_en": "How many?", "settings": "{"},
        {"prompt_en": "How many?", "settings": '{"longest": "x", "parts": 5, "feedback": 7}'},
        {"prompt_en": "How many?", "settings": '{"parts": {"1": {"kind": "riddle", "weight": "x"}}}'},
        {"key": "No key", "prompt_en": "How many?"},
    ],
)
def test_what_is_not_sound_yet_is_shown_as_far_as_it_goes(admin, kind, typed):
    answer = preview(admin, kind=kind, **typed)
    assert answer.status_code == 200
    if "prompt_en" in typed and "[[" not in typed["prompt_en"]:
        assert typed["prompt_en"] in side(answer, "en")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "riddle", "prompt_en": "How many?"},
        {"choices-TOTAL_FORMS": "x"},
        {"choices-TOTAL_FORMS": "1", "choices-INITIAL_FORMS": "0", "choices-0-id": "7", "choices-0-text_en": "x"},
        {"choices-TOTAL_FORMS": "99999", "choices-INITIAL_FORMS": "0"},
        {"guides": ["x", "9" * 40], "tags": ["\x00"], "prompt_en": "\x00"},
    ],
)
def test_no_form_fails_whatever_is_sent(admin, data):
    assert send(admin, data).status_code == 200
    assert send(admin, data, make_question()).status_code == 200


def test_hostile_words_are_shown_as_words(admin):
    html = preview(admin, prompt_en="<script>alert(1)</script> [x](javascript:alert(1))").content.decode()
    assert "<script" not in html
    assert "javascript:" not in html.replace("(javascript:alert(1))", "")


def test_what_is_odd_is_told_while_it_is_written(admin):
    guide = make_guide(address="")
    answer = preview(
        admin,
        prompt_en="How many?",
        choices__0__text_en="A) Eight",
        choices__0__right="on",
        choices__1__text_en="B) Four",
        choices__2__text_en="C) Two",
        choices__3__text_en="All of the above",
        guides=[guide.pk],
    )
    codes = {warning.code for warning in answer.context_data["warnings"]}
    assert {"labels", "names_places", "guide"} <= codes
    assert 'data-code="labels"' in answer.content.decode()


def test_without_a_script_the_preview_is_a_page_of_its_own(admin):
    html = preview(admin, fragment=False, prompt_en="How many?").content.decode()
    assert "<html" in html
    assert "How many?" in html


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_page_says_where_the_preview_is(admin, language):
    admin.language = language
    question = make_question()
    html = admin.page("question", question).content.decode()
    address = f"{admin.address('question', view='preview')}?question={question.pk}"
    assert f'data-url="{address}"' in html
    assert f'formaction="{address}"' in html
    assert f'formaction="{admin.address("question", view="preview")}"' in admin.page("question").content.decode()


def test_a_look_is_no_preview(admin):
    assert admin.client.get(admin.address("question", view="preview")).status_code == 405


def test_a_question_that_is_not_there_is_not_shown(admin):
    for ident in ("0", "x", "9" * 40, ""):
        address = f"{admin.address('question', view='preview')}?question={ident}"
        assert admin.client.post(address, {}).status_code == 404


def test_who_may_not_write_sees_no_preview(staff, client):
    question = make_question(prompt="A secret?")
    reader = staff("view_question")
    assert "mpquiz-live" not in reader.page("question", question).content.decode()
    assert send(reader, {}).status_code == 403
    assert send(reader, {}, question).status_code == 403
    client.logout()
    answer = send(reader, {})
    assert (answer.status_code, "/login/" in answer.headers["Location"]) == (302, True)


def only_floats(user, quizzes, doing):
    return quizzes.filter(slug="floats")


def test_another_editor_s_question_is_not_shown(staff, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"MAY_EDIT": "tests.admin.test_live.only_floats"}
    theirs = make_quiz(slug="theirs", count=1).questions.get()
    editor = staff("view_question", "change_question", "add_question")
    assert send(editor, {}, theirs).status_code == 404
    assert send(editor, {}, make_quiz(count=1).questions.get()).status_code == 200


def test_a_preview_needs_the_token(admin):
    admin.client.handler.enforce_csrf_checks = True
    assert send(admin, {}).status_code == 403


def test_a_preview_takes_as_many_queries_for_thirty_choices_as_for_three(admin, query_count):
    counts = []
    for count in (3, 30):
        question = make_question(*[(f"Choice {n}", n == 0) for n in range(count)])
        data = as_sent(admin.page("question", question))
        data = {name: value for name, value in data.items() if value is not None and value is not False}
        counts.append(query_count(lambda data=data, question=question: send(admin, data, question)))
    assert counts[0] == counts[1]


def test_settings_that_are_typed_are_followed(admin):
    told = {"feedback": {"right": {"en": "Well done!"}}}
    html = side(preview(admin, prompt_en="Ten is even.", kind="true_false", settings=json.dumps(told)), "en")
    assert "Well done!" in html
