"""An editor writes in Chromium: two languages, choices in order, a quiz put together, a preview while typing."""

import re

import pytest
from django.contrib.auth.models import Permission
from playwright.sync_api import expect

from tests.factories import make_guide, make_question, make_quiz, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def editor(db):
    return make_user("editor", is_staff=True, is_superuser=True)


@pytest.fixture
def open_admin(open_page, signed_in, editor):
    """Open a page of admin as a superuser."""
    cookies = signed_in(editor)

    def open_admin(path, language="en", **options):
        return open_page(f"/{language}/admin/mpquiz/{path}", cookies=cookies, **options)

    return open_admin


def view(page, name):
    page.locator(f".mpquiz-switch button[data-view='{name}']").click()


def lacking(page, language):
    """How many texts the switch says that a language lacks."""
    said = page.locator(f".mpquiz-switch [data-view={language}] .mpquiz-switch-lacks")
    return int(said.locator("b").inner_text()) if said.is_visible() else 0


# The languages of a page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_one_switch_shows_one_language_of_all_texts_or_both(open_admin, language):
    page = open_admin("question/add/", language)
    prompts = [page.locator(f"#id_{name}") for name in ("prompt_en", "prompt_ar")]
    texts = [page.locator(f"#id_choices-2-text_{name}") for name in ("en", "ar")]
    for shown, seen in (("", (True, True)), ("en", (True, False)), ("ar", (False, True)), ("", (True, True))):
        view(page, shown)
        assert tuple(one.is_visible() for one in prompts) == seen
        assert tuple(one.is_visible() for one in texts) == seen
        pressed = page.locator(".mpquiz-switch [aria-pressed=true]")
        assert [one.get_attribute("data-view") for one in pressed.all()] == [shown]


def test_the_switch_is_remembered_for_an_editor_on_every_page(open_admin, signed_in, live_server):
    question = make_question()
    make_guide()
    page = open_admin("question/add/")
    page.locator(".mpquiz-switch [data-view=ar]").focus()
    page.keyboard.press("Enter")
    for path in (f"question/{question.pk}/change/", "quiz/add/", "guide/add/", "tag/add/"):
        page.goto(f"/ar/admin/mpquiz/{path}")
        name = next(name for name in ("prompt", "title", "description") if page.locator(f"#id_{name}_ar").count())
        assert page.locator(f"#id_{name}_ar").is_visible()
        assert not page.locator(f"#id_{name}_en").is_visible()
    [cookie] = signed_in(make_user("other", is_staff=True, is_superuser=True))
    page.context.add_cookies([{"url": live_server.url, **cookie}])
    page.goto("/ar/admin/mpquiz/tag/add/")
    assert page.locator("#id_description_en").is_visible()


def test_what_is_not_shown_is_sent_all_the_same(open_admin):
    question = make_question(prompt={"en": "How many?", "ar": "كم؟"})
    page = open_admin(f"question/{question.pk}/change/")
    view(page, "ar")
    page.fill("#id_prompt_ar", "كم عددها؟")
    page.click("[name=_save]")
    page.locator(".messagelist .success").wait_for()
    question.refresh_from_db()
    assert (question.prompt_en, question.prompt_ar) == ("How many?", "كم عددها؟")


def test_a_field_with_an_error_is_shown_in_either_view(open_admin):
    page = open_admin("question/add/")
    view(page, "ar")
    page.click("[name=_save]")
    page.locator(".errornote").wait_for()
    assert page.locator("#id_prompt_en").is_visible()
    assert page.locator("#id_prompt_ar").is_visible()
    assert not page.locator("#id_explanation_en").is_visible()


def test_the_switch_counts_what_each_language_lacks_while_it_is_written(open_admin):
    question = make_question(
        ("Right", True), "Wrong", prompt={"en": "How many?", "ar": "كم؟"}, explanation={"ar": "هكذا"}
    )
    page = open_admin(f"question/{question.pk}/change/")
    assert (lacking(page, "en"), lacking(page, "ar")) == (1, 2)
    label = page.locator("label[for=id_choices-0-text_ar]")
    assert "missing" in label.inner_text()
    page.fill("#id_choices-0-text_ar", "صحيح")
    assert (lacking(page, "en"), lacking(page, "ar")) == (1, 1)
    assert "missing" not in label.inner_text()
    page.check("#id_choices-1-DELETE")
    assert (lacking(page, "en"), lacking(page, "ar")) == (1, 0)
    page.locator("#choices-group .add-row a").click()
    page.fill("#id_choices-3-text_ar", "آخر")
    assert (lacking(page, "en"), lacking(page, "ar")) == (2, 0)


def test_without_a_script_the_languages_stand_side_by_side(open_admin):
    page = open_admin("question/add/", java_script_enabled=False)
    assert not page.locator(".mpquiz-switch").is_visible()
    assert page.locator("#id_prompt_en").is_visible()
    assert page.locator("#id_prompt_ar").is_visible()


# Order --------------------------------------------------------------------------------------------------------


def texts_of(question):
    return [choice.text_en for choice in question.choices.all()]


def shown_texts(page):
    """The texts of the choices as they stand on the page, blank rows left out."""
    fields = page.locator("#choices-group [name$=-text_en]:not([name*=__prefix__])")
    return [text for text in fields.evaluate_all("all => all.map((one) => one.value)") if text]


def save(page):
    page.click("[name=_save]")
    page.locator(".messagelist .success").wait_for()


def up(page, name):
    return page.get_by_role("button", name=re.compile(f"^Move up: .{name}"))


def down(page, name):
    return page.get_by_role("button", name=re.compile(f"^Move down: .{name}"))


@pytest.fixture
def choices(db):
    return make_question(("First", True), "Second", "Third")


def test_choices_are_put_in_order_by_keyboard_and_it_is_said(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    up(page, "Third").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#mpquiz-arranged")).to_have_text(
        "\u2068Third\u2069: now number \u20682\u2069 of \u20684\u2069."
    )
    expect(up(page, "Third")).to_be_focused()
    page.keyboard.press("Enter")
    assert shown_texts(page) == ["Third", "First", "Second"]
    page.keyboard.press("Enter")  # it stands first
    expect(up(page, "Third")).to_have_attribute("aria-disabled", "true")
    assert shown_texts(page) == ["Third", "First", "Second"]
    down(page, "First").press("Enter")
    save(page)
    assert texts_of(choices) == ["Third", "Second", "First"]
    assert choices.choices.get(right=True).text_en == "First"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_choices_are_dragged(open_admin, choices, language):
    page = open_admin(f"question/{choices.pk}/change/", language)
    page.locator("#choices-2 .mpquiz-handle").scroll_into_view_if_needed()
    drag(page, page.locator("#choices-2 .mpquiz-handle"), page.locator("#choices-0"))
    assert shown_texts(page) == ["Third", "First", "Second"]
    save(page)
    assert texts_of(choices) == ["Third", "First", "Second"]


def drag(page, handle, target, *, drop=True):
    start, end = handle.bounding_box(), target.bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 5, end["y"] + 10, steps=10)
    page.wait_for_timeout(400)
    if drop:
        page.mouse.up()


def test_a_drag_that_is_escaped_changes_nothing(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    page.locator("#choices-2 .mpquiz-handle").scroll_into_view_if_needed()
    drag(page, page.locator("#choices-2 .mpquiz-handle"), page.locator("#choices-0"), drop=False)
    assert shown_texts(page) == ["Third", "First", "Second"]
    page.keyboard.press("Escape")
    page.mouse.up()
    assert shown_texts(page) == ["First", "Second", "Third"]
    assert page.input_value("#id_choices-0-place") == "1"


def test_choices_are_dragged_by_touch(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/", has_touch=True, width=390)
    handle = page.locator("#choices-0 .mpquiz-handle")
    handle.scroll_into_view_if_needed()
    start = handle.bounding_box()
    touch = page.context.new_cdp_session(page)

    def point(kind, y):
        points = [] if kind == "touchEnd" else [{"x": start["x"] + 5, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    point("touchStart", start["y"] + 5)
    point("touchMove", 890)  # at the window's edge it scrolls
    expect(page.locator("#choices-0 [name$=-place]")).to_have_value("1")
    expect(page.locator("#choices-1 ~ #choices-0")).to_be_attached()
    point("touchEnd", 0)
    assert page.input_value("#id_choices-1-place") == "1"
    assert page.input_value("#id_choices-0-place") != "1"


def test_a_number_that_is_typed_puts_the_row_there(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    page.fill("#id_choices-2-place", "1")
    page.keyboard.press("Tab")
    expect(page.locator("#id_choices-0-place")).to_have_value("2")
    assert shown_texts(page) == ["Third", "First", "Second"]


def test_a_new_row_that_was_moved_and_one_taken_out_are_saved_as_they_stand(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    for number, text in ((3, "Fourth"), (4, "Fifth")):
        if number == 4:
            page.locator("#choices-group .add-row a").click()
        page.fill(f"#id_choices-{number}-text_en", text)
    for _step in range(3):
        up(page, "Fourth").press("Enter")
    assert shown_texts(page) == ["Fourth", "First", "Second", "Third", "Fifth"]
    page.locator("#choices-4 .inline-deletelink").click()
    expect(page.locator("#id_choices-TOTAL_FORMS")).to_have_value("4")
    page.wait_for_timeout(50)
    assert shown_texts(page) == ["Fourth", "First", "Second", "Third"]
    save(page)
    assert texts_of(choices) == ["Fourth", "First", "Second", "Third"]


def test_the_questions_of_a_quiz_are_put_in_order(open_admin):
    quiz = make_quiz(count=4)
    page = open_admin(f"quiz/{quiz.pk}/change/")
    up(page, "Question 4").click()
    page.locator("#places-0 .mpquiz-handle").scroll_into_view_if_needed()
    drag(page, page.locator("#places-0 .mpquiz-handle"), page.locator("#places-2"))
    save(page)
    prompts = [place.question.prompt_en for place in quiz.places.select_related("question")]
    assert sorted(prompts) == [f"Question {n}?" for n in (1, 2, 3, 4)]
    assert prompts.index("Question 4?") < prompts.index("Question 3?")
    assert prompts.index("Question 1?") > prompts.index("Question 2?")


def test_who_may_only_look_is_offered_no_order(open_page, signed_in, choices):
    reader = make_user("reader", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename="view_question"))
    page = open_page(f"/en/admin/mpquiz/question/{choices.pk}/change/", cookies=signed_in(reader))
    page.locator("#choices-group").wait_for()
    assert page.locator(".mpquiz-arrange").count() == 0
