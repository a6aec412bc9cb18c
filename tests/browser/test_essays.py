"""Pages to read and essays in a browser: axe finds nothing, and what was refused stays under the cursor."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from mpquiz.models import Attempt
from tests.browser.test_accessibility import complaints
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AR = "للأس ثمانية بتات.\n\nSo the range is the same.\nأما الكسر فأقصر."


def quiz():
    page = make_page({"en": "Read **this**.\n\n- one\n- two", "ar": "اقرأ **هذا**.\n\n- واحد\n- اثنان"})
    essay = make_essay({"en": "Why?", "ar": "لماذا؟"}, settings={"longest": 100}, explanation={"en": "Eight bits."})
    return make_quiz(page, essay, make_question(), make_page({"en": "That was all.", "ar": "هذا كل شيء."}))


@pytest.mark.parametrize(("language", "scheme", "width"), [("ar", "light", 390), ("en", "dark", 1280)])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(open_page, signed_in, language, scheme, width):
    user = make_user()
    attempt = Attempt.objects.start(quiz(), learner(user))
    base = f"/{language}/quizzes/attempts/{attempt.public_id}/"
    page = open_page(f"{base}1/", cookies=signed_in(user), color_scheme=scheme, width=width)
    found = {}

    def look(name, path=None):
        if path is not None:
            page.goto(path)
        found[name] = complaints(page)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name

    look("page")
    page.get_by_role("link", name={"en": "Continue", "ar": "متابعة"}[language], exact=True).click()
    look("essay")
    page.locator("textarea").fill(AR * 10)
    page.locator("form:has(textarea) button").click()
    page.locator(".mpquiz-error").wait_for()
    expect(page.locator("[name=given]")).to_be_focused()
    assert page.locator("textarea").input_value() == AR * 10
    look("error")
    page.locator("textarea").fill(AR)
    page.locator("form:has(textarea) button").click()
    page.locator("#mpquiz-verdict").wait_for()
    expect(page.locator("#mpquiz-verdict")).to_be_focused()
    look("waiting")
    attempt.answer(3, 1)
    look("result with waiting", base)
    look("mine", f"/{language}/quizzes/mine/")
    attempt.mark_by_hand(2, Decimal("0.5"), by=user, comment="Good.\nعمل جيد.")
    look("marked", f"{base}2/")
    look("trailing page", f"{base}4/")
    page.goto(base)
    page.locator("details").first.evaluate("one => { one.open = true }")
    look("review")
    assert {name: several for name, several in found.items() if several} == {}


def test_an_empty_box_reads_as_the_page_and_a_written_one_as_its_text(open_page, signed_in):
    user = make_user()
    attempt = Attempt.objects.start(quiz(), learner(user))
    page = open_page(f"/ar/quizzes/attempts/{attempt.public_id}/2/", cookies=signed_in(user))
    direction = "getComputedStyle(document.querySelector('textarea')).direction"
    assert page.evaluate(direction) == "rtl"
    page.locator("textarea").fill("Because of the exponent")
    assert page.evaluate(direction) == "ltr"
