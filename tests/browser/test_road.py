"""A learner takes a quiz in Chromium: with JavaScript, without it, by keyboard alone, in Arabic."""

import pytest
from playwright.sync_api import expect

from mpquiz.models import Attempt
from tests.browser.quizzes import bilingual_quiz

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The places to choose, question by question: right, partly right, wrong.
CHOICES = ([1], [1], [2])


def answer_by_mouse(page, places):
    for place in places:
        page.locator(f"input[name=given][value='{place}']").check()
    page.locator("form:has(input[name=given]) button").first.click()
    page.locator(".mpquiz-feedback").wait_for()


def take(page):
    for number, places in enumerate(CHOICES):
        answer_by_mouse(page, places)
        page.locator("a.mpquiz-button").first.click()
        if number < 2:
            page.locator("input[name=given]").first.wait_for()
    page.locator(".mpquiz-score").wait_for()


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("language", ["ar", "en"])
def test_a_guest_takes_the_quiz_to_its_result(open_page, javascript, language):
    bilingual_quiz()
    page = open_page(f"/{language}/quizzes/floats/", java_script_enabled=javascript)
    take(page)
    attempt = Attempt.objects.get()
    assert (attempt.ended, str(attempt.score)) == ("finished", "1.500000000")
    assert page.locator("output").inner_text().replace("\u200e", "").split() == (
        ["1.5", "/", "3"] if language == "en" else ["1,5", "/", "3"]
    )
    assert page.locator("html").get_attribute("dir") == {"ar": "rtl", "en": "ltr"}[language]


def test_radios_send_nothing_until_the_button_is_pressed(open_page):
    bilingual_quiz()
    page = open_page("/en/quizzes/floats/")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("input[name=given]").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert sent == []
    assert not Attempt.objects.exists()


def tab_to(page, selector):
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by the keyboard")


@pytest.mark.parametrize("javascript", [True, False])
def test_the_whole_quiz_is_taken_by_keyboard_alone_in_arabic(open_page, javascript):
    bilingual_quiz()
    page = open_page("/ar/quizzes/floats/", java_script_enabled=javascript)
    for number in range(3):
        tab_to(page, "input[name=given]")
        page.keyboard.press("Space")
        tab_to(page, "form:has(input[name=given]) button")
        page.keyboard.press("Enter")
        page.locator(".mpquiz-feedback").wait_for()
        tab_to(page, "a.mpquiz-button")
        page.keyboard.press("Enter")
        if number < 2:
            page.locator("input[name=given]").first.wait_for()
    page.locator(".mpquiz-score").wait_for()
    assert Attempt.objects.get().ended == "finished"


def test_the_answer_is_checked_in_place_and_the_address_follows(open_page):
    bilingual_quiz()
    page = open_page("/ar/quizzes/floats/")
    page.evaluate("window.same = true")
    answer_by_mouse(page, [2])
    attempt = Attempt.objects.get()
    page.wait_for_url(f"**/ar/quizzes/attempts/{attempt.public_id}/1/")
    assert page.evaluate("window.same") is True
    expect(page.locator(":is(.mpquiz-feedback, .mpquiz-card) :focus, .mpquiz-card:focus")).to_be_attached()
    assert page.locator("#mpquiz-status").inner_text().strip()
    page.reload()
    assert page.locator(".mpquiz-feedback").is_visible()


def test_going_back_after_the_feedback_shows_no_open_question(open_page):
    bilingual_quiz()
    page = open_page("/en/quizzes/floats/")
    answer_by_mouse(page, [2])
    page.locator("a.mpquiz-button").first.click()
    page.locator("input[type=checkbox]").first.wait_for()
    page.go_back()
    page.locator(".mpquiz-feedback").wait_for()
    assert page.locator("input[name=given]").count() == 0


@pytest.mark.parametrize("javascript", [True, False])
def test_pressing_the_button_without_a_choice_says_so_and_starts_nothing(open_page, javascript):
    bilingual_quiz()
    page = open_page("/en/quizzes/floats/", java_script_enabled=javascript)
    page.evaluate("document.querySelectorAll('input').forEach(i => i.required = false)") if javascript else None
    page.locator("form:has(input[name=given]) button").first.click()
    page.get_by_text("Choose an answer first.").first.wait_for()
    assert not Attempt.objects.exists()


def test_a_double_click_answers_once(open_page):
    bilingual_quiz()
    page = open_page("/en/quizzes/floats/")
    page.locator("input[name=given]").first.check()
    page.locator("form:has(input[name=given]) button").first.dblclick()
    page.locator(".mpquiz-feedback").wait_for()
    assert Attempt.objects.count() == 1
    assert Attempt.objects.get().answers.exclude(answered_at=None).count() == 1


def test_a_lost_connection_keeps_the_choice_and_says_that_nothing_was_saved(open_page):
    bilingual_quiz()
    page = open_page("/en/quizzes/floats/")
    page.route("**/start/", lambda route: route.abort())
    page.locator("input[name=given]").nth(1).check()
    page.locator("form:has(input[name=given]) button").first.click()
    page.locator("[role=alert]:visible").first.wait_for()
    assert page.locator("input[name=given]").nth(1).is_checked()
    open_page.complaints.clear()  # the console told of the lost request, as it should
    page.unroute("**/start/")
    page.locator("form:has(input[name=given]) button").first.click()
    page.locator(".mpquiz-feedback").wait_for()
    assert Attempt.objects.get().answers.get(position=1).given == "b"
