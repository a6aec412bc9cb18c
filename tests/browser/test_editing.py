"""An editor writes in Chromium: two languages, choices in order, a quiz put together, a preview while typing."""

import pytest

from tests.factories import make_guide, make_question, make_user

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
