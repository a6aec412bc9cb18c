"""An editor writes in Chromium: two languages, choices in order, a quiz put together, a preview while typing."""

import re

import pytest
from django.contrib.auth.models import Permission
from playwright.sync_api import expect

from mpquiz.models import Question, Quiz
from tests.browser.looks import CUT_OFF, SCHEMES
from tests.browser.quizzes import bilingual_quiz
from tests.browser.test_import import ours
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


def test_the_switch_asks_no_counterpart_of_an_accepted_answer(open_admin):
    english, arabic = {"text": "Amman", "right": True}, {"text": {"ar": "عمّان"}, "right": True}
    question = make_question(english, arabic, prompt={"en": "Where?", "ar": "أين؟"}, explanation=None, kind="text")
    page = open_admin(f"question/{question.pk}/change/")
    assert (lacking(page, "en"), lacking(page, "ar")) == (0, 0)
    page.uncheck("#id_choices-1-right")
    assert (lacking(page, "en"), lacking(page, "ar")) == (0, 1)
    page.select_option("#id_kind", "gaps")
    page.check("#id_choices-1-right")
    for row in (0, 1):
        page.fill(f"#id_choices-{row}-part", "1")
    assert (lacking(page, "en"), lacking(page, "ar")) == (0, 0)
    page.locator("details:has(#id_settings) summary").click()
    page.fill("#id_settings", '{"parts": {"1": {"kind": "single"}}}')
    assert (lacking(page, "en"), lacking(page, "ar")) == (1, 1)


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
    expect(page.locator("#choices-group .dynamic-choices")).to_have_count(4)
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


# Few clicks ---------------------------------------------------------------------------------------------------


@pytest.fixture
def counted():
    """Count the clicks of the mouse on a page and on those that follow it; the function gives how many there were."""

    def count(page):
        clicks = []
        page.expose_function("clickedOnce", lambda: clicks.append(1))
        page.add_init_script("addEventListener('click', (event) => event.detail && clickedOnce(), true)")
        page.reload()
        return clicks

    return count


def tab_until(page, name):
    """Press Tab until the field of that name has the focus; how often."""
    for presses in range(1, 60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name ?? ''") == name:
            return presses
    raise AssertionError(f"{name} is not reached by Tab")


WRITTEN = {
    "prompt": ("How many bits has a byte?", "كم بتًا في البايت؟"),
    "choices-0-text": ("Eight", "ثمانية"),
    "choices-1-text": ("Four", "أربعة"),
    "choices-2-text": ("Sixteen", "ستة عشر"),
    "choices-3-text": ("Two", "اثنان"),
}


def test_a_question_in_two_languages_with_four_choices_takes_three_clicks_beside_the_typing(open_admin, counted):
    quiz = make_quiz(count=1)
    page = open_admin(f"quiz/{quiz.pk}/change/")
    clicks = counted(page)
    page.locator(".mpquiz-ways a[href$='kind=single']").click()
    page.click("#id_prompt_en")
    for name, texts in WRITTEN.items():
        for language, text in zip(("en", "ar"), texts, strict=True):
            if (name, language) != ("prompt", "en"):
                tab_until(page, f"{name}_{language}")
            page.keyboard.type(text)
        if name == "choices-0-text":
            assert tab_until(page, "choices-0-right") == 1
            page.keyboard.press("Space")
    page.click("[name=_save]")
    page.locator(".messagelist .success").wait_for()
    assert len(clicks) <= 3
    question = quiz.places.last().question
    assert (question.prompt_en, question.prompt_ar) == WRITTEN["prompt"]
    assert [(one.text_en, one.text_ar, one.right) for one in question.choices.all()] == [
        (*texts, name == "choices-0-text") for name, texts in WRITTEN.items() if name != "prompt"
    ]
    assert page.url.endswith(f"/quiz/{quiz.pk}/change/")


def test_another_one_is_written_at_once(open_admin):
    quiz = make_quiz(count=1)
    page = open_admin(f"question/add/?quiz={quiz.pk}&kind=matching")
    expect(page.locator("#id_kind")).to_have_value("matching")
    expect(page.locator(".mpquiz-into")).to_contain_text("Floating point")
    page.fill("#id_prompt_en", "Match.")
    for number, (text, match) in enumerate((("Norway", "Oslo"), ("Egypt", "Cairo"))):
        page.fill(f"#id_choices-{number}-text_en", text)
        page.fill(f"#id_choices-{number}-match_en", match)
    page.click("[name=_addanother]")
    page.locator(".messagelist .success").wait_for()
    assert page.url.endswith(f"/question/add/?quiz={quiz.pk}&kind=matching")
    assert page.locator("#id_choices-0-match_en").is_visible()
    assert quiz.places.count() == 2


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_quiz_of_ten_questions_takes_fifteen_clicks(open_admin, counted, language):
    questions = [make_question(prompt={"en": f"Question {n}?", "ar": f"السؤال {n}؟"}) for n in range(10)]
    make_question(prompt="Something else")
    page = open_admin("quiz/add/", language)
    clicks = counted(page)
    page.click("#id_title_en")
    page.keyboard.type("Numbers")
    page.fill("#id_slug", "numbers")
    page.check("[name=published][value=en]")
    page.locator(".field-add_questions .select2-search__field").click()
    page.keyboard.type("السؤال")
    results = page.locator(".select2-results__option[role=option]")
    expect(results).to_have_count(10)
    expect(results.first).to_contain_text("·")
    for number in range(10):
        results.nth(number).click()
    page.keyboard.press("Escape")
    page.click("[name=_save]")
    page.locator(".messagelist .success").first.wait_for()
    assert len(clicks) <= 15
    quiz = Quiz.objects.get()
    assert [place.question for place in quiz.places.select_related("question")] == questions
    assert quiz.published_languages == ["en"]


def test_a_question_is_written_in_a_window_of_its_own(open_admin):
    quiz = make_quiz(count=1)
    page = open_admin(f"quiz/{quiz.pk}/change/")
    with page.expect_popup() as opened:
        page.locator("#add_id_places-1-question").click()
    window = opened.value
    window.fill("#id_prompt_en", "New?")
    window.fill("#id_choices-0-text_en", "Yes")
    window.check("#id_choices-0-right")
    window.fill("#id_choices-1-text_en", "No")
    window.click("[name=_save]")
    expect(page.locator("#id_places-1-question option:checked")).to_have_text("New?")
    save(page)
    assert quiz.questions.count() == 2


def test_many_questions_are_pasted_into_a_quiz_and_it_opens_again(open_admin):
    quiz = make_quiz(count=1)
    page = open_admin(f"quiz/{quiz.pk}/change/")
    page.locator(".mpquiz-ways a[href*='/import/']").click()
    page.fill("#id_text", "Two plus two? {=four ~five}\n\nThree plus three? {=six ~seven}\n")
    page.select_option("#id_format", "gift")
    page.locator(".submit-row .default").click()
    expect(page.locator(".mpquiz-one")).to_have_count(2)
    page.locator("[name=confirm]").click()
    page.locator(".messagelist .success").wait_for()
    assert page.url.endswith(f"/quiz/{quiz.pk}/change/")
    assert quiz.questions.count() == 3


def test_without_a_script_questions_are_put_into_a_quiz_from_their_list(open_admin):
    quiz = make_quiz(count=1)
    new = make_question(prompt="New?")
    page = open_admin(f"quiz/{quiz.pk}/change/", java_script_enabled=False)
    page.locator(".mpquiz-ways noscript a, .mpquiz-ways a[href$='/question/']").first.click()
    page.locator(f"[name=_selected_action][value='{new.pk}']").check()
    page.select_option("[name=action]", "put_into_quiz")
    page.locator("#changelist-form .actions button").click()
    page.select_option("#id_quiz", str(quiz.pk))
    page.locator(".submit-row .default").click()
    page.locator(".messagelist .success").wait_for()
    assert quiz.places.last().question == new


def test_a_question_and_a_quiz_are_copied_by_a_button(open_admin):
    quiz = make_quiz(count=1)
    page = open_admin(f"quiz/{quiz.pk}/change/")
    page.locator(".object-tools button").click()
    page.locator(".messagelist .success").wait_for()
    assert page.input_value("#id_title_en") == "Floating point (copy)"


# The preview --------------------------------------------------------------------------------------------------


def side(page, language):
    return page.locator(f"#mpquiz-live .mpquiz-side[lang={language}]")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_is_written_is_shown_while_it_is_written(open_admin, language):
    page = open_admin("question/add/?kind=single", language)
    page.locator("#id_prompt_ar").press_sequentially("كم **بتًا**؟")
    expect(side(page, "ar").locator("strong")).to_have_text("بتًا")
    expect(page.locator("#id_prompt_ar")).to_be_focused()
    expect(side(page, "ar")).to_have_attribute("dir", "rtl")
    expect(page.locator("#mpquiz-live [role=status]")).not_to_be_empty()
    page.fill("#id_choices-0-text_en", "A) Eight")
    page.fill("#id_choices-1-text_en", "B) Four")
    expect(side(page, "en")).to_contain_text("Eight")
    expect(page.locator("#mpquiz-live [data-code=labels]").first).to_be_visible()
    assert not Question.objects.exists()


def test_the_preview_follows_the_order_and_stays_unfolded(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    english = side(page, "en")
    expect(english).to_contain_text("First")
    english.locator("summary").click()
    up(page, "Third").click()
    up(page, "Third").click()
    expect(english.locator(".mpquiz-asked")).to_contain_text(re.compile("Third.*First.*Second", re.DOTALL))
    expect(english.locator("details")).to_have_attribute("open", "")
    save(page)
    assert texts_of(choices) == ["Third", "First", "Second"]


def test_a_preview_that_does_not_come_is_told_and_what_is_written_stays(open_admin, choices):
    page = open_admin(f"question/{choices.pk}/change/")
    expect(side(page, "en")).to_contain_text("First")
    page.context.clear_cookies()
    page.fill("#id_prompt_en", "Still here?")
    expect(page.locator("#mpquiz-live [role=status]")).to_contain_text("cannot be shown")
    assert page.input_value("#id_prompt_en") == "Still here?"


def test_enter_in_a_field_saves_and_opens_no_preview(open_admin):
    question = make_question()
    page = open_admin(f"question/{question.pk}/change/", java_script_enabled=False)
    page.locator("#fieldset-0-3-heading").click()
    page.fill("#id_title_en", "A name")
    page.press("#id_title_en", "Enter")
    page.locator(".messagelist .success").wait_for()
    question.refresh_from_db()
    assert question.title_en == "A name"


def test_without_a_script_the_preview_opens_in_a_window_of_its_own(open_admin):
    page = open_admin("question/add/", java_script_enabled=False)
    page.fill("#id_prompt_en", "How many?")
    with page.expect_popup() as opened:
        page.locator("input[formtarget=_blank]").click()
    expect(opened.value.locator(".mpquiz-side[lang=en]")).to_contain_text("How many?")
    assert page.input_value("#id_prompt_en") == "How many?"
    assert not Question.objects.exists()


# For everybody ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "scheme"), SCHEMES)
def test_axe_finds_nothing(open_admin, language, scheme):
    quiz = bilingual_quiz()
    question = quiz.questions.first()
    page = open_admin(f"question/{question.pk}/change/", language, color_scheme=scheme, bypass_csp=True)
    page.locator("#mpquiz-live .mpquiz-side").first.wait_for()
    unfold(page)
    found = {"question": ours(page)}
    view(page, "ar")
    found["in one language"] = ours(page)
    page.goto(f"/{language}/admin/mpquiz/question/add/?quiz={quiz.pk}&kind=matching")
    found["a new one"] = ours(page)
    page.click("[name=_save]")
    page.locator(".errornote").wait_for()
    found["refused"] = ours(page)
    page.goto(f"/{language}/admin/mpquiz/quiz/{quiz.pk}/change/")
    unfold(page)
    found["quiz"] = ours(page)
    page.goto(f"/{language}/admin/mpquiz/question/")
    page.locator("[name=_selected_action]").first.check()
    page.select_option("[name=action]", "add_tag")
    page.locator("#changelist-form .actions button").click()
    found["which tag"] = ours(page)
    assert {name: several for name, several in found.items() if several} == {}


def unfold(page):
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("path", ["question/{question}/change/", "quiz/{quiz}/change/"])
def test_a_page_fits_a_phone(open_admin, language, path):
    quiz = bilingual_quiz()
    page = open_admin(path.format(question=quiz.questions.first().pk, quiz=quiz.pk), language, width=390)
    page.locator(".mpquiz-switch").wait_for()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    unfold(page)
    assert page.evaluate(CUT_OFF) == []
    for button in page.locator(".mpquiz-arrange button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24


BENEATH = """() => {
  const [it, bar] = [document.activeElement, document.querySelector(".mpquiz-switch")]
  const [box, above] = [it, bar].map((one) => one.getBoundingClientRect())
  const covers = getComputedStyle(bar).position === "sticky" && above.top <= 0 && box.width > 2 && box.bottom > 0
  return !bar.contains(it) && it.closest("form") && covers && box.bottom <= above.bottom ? it.id || it.outerHTML : ""
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 256), (375, 667)])  # the one is 1280 x 1024 at 400 %
def test_the_switch_covers_nothing_that_is_reached_by_keyboard(open_admin, width, height):
    page = open_admin(f"question/{bilingual_quiz().questions.first().pk}/change/", width=width)
    page.set_viewport_size({"width": width, "height": height})
    page.locator(".mpquiz-switch").wait_for()
    page.locator("[name=_save]").focus()
    beneath = []
    for _tab in range(40):
        page.keyboard.press("Shift+Tab")
        beneath.append(page.evaluate(BENEATH))
    assert set(beneath) == {""}


def test_a_quiz_of_more_rows_than_django_takes_fields_is_saved(open_admin, settings):
    quiz = make_quiz(*(make_question(prompt=f"{number}?") for number in range(220)))
    page = open_admin(f"quiz/{quiz.pk}/change/")
    page.fill("#id_title_en", "A long one")
    page.fill("#id_description_en", "One line\nand another")
    page.fill("#id_places-7-points", "3")
    page.click("[name=_continue]")
    page.locator(".messagelist .success").wait_for()
    quiz.refresh_from_db()
    assert (quiz.title_en, quiz.description_en) == ("A long one", "One line\r\nand another")
    assert (quiz.places.count(), quiz.places.filter(points=3).count()) == (220, 1)
    assert settings.DATA_UPLOAD_MAX_NUMBER_FIELDS == 1000


def test_nothing_is_asked_of_another_site(open_admin):
    quiz = bilingual_quiz()
    page = open_admin(f"quiz/{quiz.pk}/change/")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.goto(f"{page.url.split('/quiz/')[0]}/question/{quiz.questions.first().pk}/change/")
    page.locator("#mpquiz-live .mpquiz-side").first.wait_for()
    here = page.url.split("/en/")[0]
    assert [url for url in asked if not url.startswith((here, "data:"))] == []
    assert any("/question/preview/" in url for url in asked)
