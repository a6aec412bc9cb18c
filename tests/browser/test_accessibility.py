"""axe finds nothing on any page, in both languages and both colour schemes."""

import pytest

from mpquiz.models import Attempt
from tests.browser.looks import SCHEMES
from tests.browser.quizzes import bilingual_quiz
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def complaints(page, part=None):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, context=part).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize(("language", "scheme"), SCHEMES)
def test_axe_finds_nothing(open_page, signed_in, language, scheme):
    user = make_user()
    quiz = bilingual_quiz()
    make_quiz(slug="english-only", published=["en"])
    cookies = signed_in(user)
    base = f"/{language}/quizzes/"
    page = open_page(base, cookies=cookies, color_scheme=scheme)
    found = {"list": complaints(page)}

    def visit(name, path):
        page.goto(base + path)
        found[name] = complaints(page)

    visit("quiz", "floats/")
    page.locator("details").first.click()
    found["preview"] = complaints(page)
    page.locator("form:has(input[name=given])").first.evaluate("form => { form.noValidate = true }")
    page.locator("form:has(input[name=given]) button").first.click()
    page.wait_for_timeout(500)
    found["nothing chosen"] = complaints(page)
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 1)
    attempt.answer(2, [1])
    here = f"attempts/{attempt.public_id}/"
    visit("right", f"{here}1/")
    visit("partly right", f"{here}2/")
    visit("question", f"{here}3/")
    visit("continue", "floats/")
    for name in ("finish", "start-over"):
        page.goto(f"{base}{here}3/")
        form = page.locator(f"form[action$='{name}/']")
        if form.count():
            form.first.locator("button").click()
            found[f"confirm {name}"] = complaints(page)
    attempt.answer(3, 2)
    visit("wrong", f"{here}3/")
    visit("result", here)
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
    found["review"] = complaints(page)
    visit("mine", "mine/")
    visit("elsewhere", "english-only/")
    assert {name: several for name, several in found.items() if several} == {}
    assert len(found) >= 13


@pytest.mark.parametrize(("language", "scheme"), SCHEMES)
def test_axe_finds_nothing_where_an_answer_is_typed(open_page, signed_in, language, scheme):
    user = make_user()
    capital = {"en": "What is the capital of France?", "ar": "ما عاصمة فرنسا؟"}
    paris = {"text": {"en": "Paris", "ar": "باريس"}, "right": True}
    near = {"text": "Versailles", "weight": "0.5"}
    text = make_question(paris, near, kind="text", prompt=capital)
    other = make_question(paris, near, kind="text", prompt=capital)
    number = make_question({"value": "-3.14:0.01", "right": True}, kind="number", prompt="How cold?")
    attempt = Attempt.objects.start(make_quiz(text, other, number), learner(user))
    here = f"/{language}/quizzes/attempts/{attempt.public_id}/"
    page = open_page(f"{here}1/", cookies=signed_in(user), color_scheme=scheme)
    found = {"asked": complaints(page)}
    page.get_by_role("textbox").press("Enter")
    page.locator("#mpquiz-error").wait_for()
    assert page.evaluate("document.activeElement.name") == "given"
    found["nothing typed"] = complaints(page)
    page.goto(f"{here}3/")
    page.get_by_role("textbox").fill("1,234")
    page.get_by_role("textbox").press("Enter")
    page.locator("#mpquiz-error").wait_for()
    found["two numbers"] = complaints(page)
    for position, given in enumerate(("Paris", "Versailles", "7"), 1):
        attempt.answer(position, given)
        page.goto(f"{here}{position}/")
        found[given] = complaints(page)
    page.goto(here)
    page.locator("details").first.evaluate("one => { one.open = true }")
    found["review"] = complaints(page)
    assert {name: several for name, several in found.items() if several} == {}
