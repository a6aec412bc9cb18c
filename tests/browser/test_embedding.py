"""Two quizzes in one lesson of the host, taken in Chromium: by keyboard alone, without JavaScript, on a telephone."""

import pytest
from playwright.sync_api import expect

from mpquiz.models import Attempt
from tests.browser.looks import SCHEMES
from tests.browser.quizzes import bilingual_quiz
from tests.browser.test_accessibility import complaints
from tests.browser.test_road import tab_to
from tests.factories import make_question, make_quiz

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.urls("tests.lessons")]
BOTH = "lessons/bits/?quiz=floats&quiz=bits"


def make_both():
    bilingual_quiz()
    short = make_question(
        {"text": {"en": "Two", "ar": "اثنان"}, "right": True},
        {"text": {"en": "Three", "ar": "ثلاثة"}},
        prompt={"en": "How many bytes are sixteen bits?", "ar": "كم بايتًا في ستة عشر بتًا؟"},
    )
    typed = make_question({"text": "Sign", "right": True}, kind="text", prompt="Name the first bit.")
    make_quiz(short, typed, slug="bits", title={"en": "Bits", "ar": "البتات"})


def stage(page, slug):
    return page.locator(f"#{slug}-mpquiz-stage")


def has_focus_in(page, slug, part):
    return page.evaluate(
        "([slug, part]) => document.activeElement.matches(`#${slug}-mpquiz-stage ${part}`)", [slug, part]
    )


@pytest.mark.parametrize("language", ["ar", "en"])
def test_two_quizzes_of_one_lesson_are_taken_by_keyboard_alone(open_page, language):
    make_both()
    page = open_page(f"/{language}/{BOTH}", width=390)
    page.evaluate("window.same = true")
    address, length = page.url, page.evaluate("history.length")
    for slug, count in (("floats", 3), ("bits", 2)):
        before = stage(page, "bits" if slug == "floats" else "floats").inner_html()
        for number in range(count):
            here = f"#{slug}-mpquiz-stage"
            tab_to(page, f"{here} input[name=given]")
            if page.evaluate("document.activeElement.type") == "text":
                page.keyboard.type("Sign")
            else:
                page.keyboard.press("Space")
            tab_to(page, f"{here} button.mpquiz-button")
            page.keyboard.press("Enter")
            stage(page, slug).locator(".mpquiz-verdict").wait_for()
            expect(stage(page, slug).locator(".mpquiz-verdict")).to_be_focused()
            tab_to(page, f"{here} a.mpquiz-button")
            page.keyboard.press("Enter")
            stage(page, slug).locator(".mpquiz-verdict").wait_for(state="detached")
            if number < count - 1:
                expect(stage(page, slug).locator(".mpquiz-position")).to_be_focused()
        expect(stage(page, slug).locator(f"#{slug}-mpquiz-outcome")).to_be_focused()
        assert stage(page, "bits" if slug == "floats" else "floats").inner_html() == before
    assert page.evaluate("window.same") is True
    assert (page.url, page.evaluate("history.length")) == (address, length)
    assert page.title() == "A lesson"
    assert set(Attempt.objects.values_list("quiz__slug", "ended")) == {("floats", "finished"), ("bits", "finished")}
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("language", ["ar", "en"])
def test_without_javascript_a_quiz_of_a_lesson_is_taken_on_its_own_pages_and_leads_back(open_page, language):
    make_both()
    page = open_page(f"/{language}/{BOTH}", java_script_enabled=False)
    stage(page, "bits").locator("input[name=given]").first.check()
    stage(page, "bits").locator("button.mpquiz-button").click()
    page.locator(".mpquiz-feedback").wait_for()
    assert "/attempts/" in page.url
    page.locator("a[href*='#bits-mpquiz-title']").click()
    page.wait_for_url(f"**/{language}/{BOTH}#bits-mpquiz-title")
    stage(page, "bits").locator("input[name=given]").fill("Sign")  # the lesson goes on where it was
    stage(page, "bits").locator("button.mpquiz-button").click()
    page.locator("a.mpquiz-button").first.click()
    page.locator(".mpquiz-score").wait_for()
    assert page.locator("a[href*='#bits-mpquiz-title']").is_visible()
    assert Attempt.objects.get().ended == "finished"


def test_a_lesson_that_is_loaded_again_goes_on_where_it_was(open_page):
    make_both()
    page = open_page(f"/en/{BOTH}")
    stage(page, "floats").locator("input[name=given]").first.check()
    stage(page, "floats").locator("button.mpquiz-button").first.click()
    stage(page, "floats").locator(".mpquiz-verdict").wait_for()
    page.reload()
    assert stage(page, "floats").locator(".mpquiz-position").inner_text() == "Question 2 of 3"
    assert stage(page, "bits").locator(".mpquiz-position").inner_text() == "Question 1 of 2"


def test_a_lazy_quiz_comes_by_itself_and_takes_no_focus(open_page):
    make_both()
    page = open_page("/en/lessons/bits/?lazy=floats&lazy=bits")
    for slug in ("floats", "bits"):
        stage(page, slug).locator("input[name=given]").first.wait_for()
    assert page.evaluate("document.activeElement === document.body")
    stage(page, "bits").locator("input[name=given]").first.check()
    stage(page, "bits").locator("button.mpquiz-button").click()
    expect(stage(page, "bits").locator(".mpquiz-verdict")).to_be_focused()
    assert page.url.endswith("?lazy=floats&lazy=bits")


def test_lazy_quizzes_come_one_after_the_other_so_that_one_cookie_serves_all_their_forms(open_page):
    """A first visit has no CSRF cookie: two answers at once would each set one, and one of two forms be refused."""
    make_both()
    page = open_page("/en/lessons/bits/?lazy=floats&lazy=bits")
    for slug in ("floats", "bits"):
        stage(page, slug).locator("input[name=given]").first.wait_for()
    first, second = page.evaluate(
        """performance.getEntriesByType("resource").filter(({name}) => name.includes("/embedded/"))
        .map(({startTime, responseEnd}) => [startTime, responseEnd]).sort(([one], [other]) => one - other)"""
    )
    assert first[1] <= second[0]


def test_nothing_chosen_and_a_lost_connection_are_told_beside_the_quiz_that_they_are_of(open_page):
    make_both()
    page = open_page(f"/en/{BOTH}")
    page.route("**/bits/start/", lambda route: route.abort())
    stage(page, "bits").locator("input[name=given]").first.check()
    stage(page, "bits").locator("button.mpquiz-button").click()
    stage(page, "bits").locator("[role=alert]").wait_for()
    assert stage(page, "floats").locator(".mpquiz-error").count() == 0
    open_page.complaints.clear()  # the console told of the lost request, as it should
    stage(page, "floats").locator("button.mpquiz-button").click()
    stage(page, "floats").locator("#floats-mpquiz-error").wait_for()
    assert has_focus_in(page, "floats", "fieldset")
    assert page.locator("#floats-mpquiz-status").inner_text() == "Choose an answer first."
    assert page.locator("#bits-mpquiz-status").inner_text() == ""
    assert not Attempt.objects.exists()


def test_a_result_in_a_lesson_starts_over_in_its_place(open_page):
    make_both()
    page = open_page("/en/lessons/bits/?quiz=bits")
    stage(page, "bits").locator("input[value='2']").check()
    stage(page, "bits").locator("button.mpquiz-button").click()
    stage(page, "bits").locator("a.mpquiz-button").click()
    stage(page, "bits").locator("input[type=text]").fill("Sign")
    stage(page, "bits").locator("button.mpquiz-button").click()
    stage(page, "bits").locator("a.mpquiz-button").click()
    stage(page, "bits").locator(".mpquiz-score").wait_for()
    page.get_by_role("button", name="Retry the one you missed").click()
    expect(stage(page, "bits").locator(".mpquiz-position")).to_have_text("Question 1 of 1")
    expect(stage(page, "bits").locator(".mpquiz-position")).to_be_focused()
    assert page.url.endswith("/en/lessons/bits/?quiz=bits")


@pytest.mark.parametrize(("language", "scheme"), SCHEMES)
def test_axe_finds_nothing_in_a_lesson(open_page, language, scheme):
    make_both()
    make_quiz(slug="exam", title="An exam", time_limit=30, pass_mark=50)
    both = f"/{language}/{BOTH}&quiz=exam&card=floats&guide=floats&progress=&lazy=exam"
    page = open_page(both, color_scheme=scheme, width=390)
    found = {"asked": complaints(page)}
    for slug in ("floats", "bits"):
        stage(page, slug).locator("input[name=given]").first.check()
        stage(page, slug).locator("button.mpquiz-button").first.click()
        stage(page, slug).locator(".mpquiz-verdict").wait_for()
    found["answered"] = complaints(page)
    stage(page, "bits").locator("a.mpquiz-button").click()
    stage(page, "bits").locator("input[type=text]").fill("Sign")
    stage(page, "bits").locator("button.mpquiz-button").click()
    stage(page, "bits").locator("a.mpquiz-button").click()
    stage(page, "bits").locator(".mpquiz-score").wait_for()
    found["result"] = complaints(page)
    assert {name: several for name, several in found.items() if several} == {}
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
