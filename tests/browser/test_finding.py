"""Data for search engines under a strict Content-Security-Policy, and the questions without a script."""

import json

import pytest

from tests.browser.quizzes import bilingual_quiz

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BLOCKED = """() => {
  window.blocked = []
  document.addEventListener("securitypolicyviolation", event => window.blocked.push(event.violatedDirective))
}"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_strict_policy_lets_the_data_stand_in_the_page(open_page, language):
    bilingual_quiz()
    page = open_page("/en/quizzes/")
    page.add_init_script(f"({BLOCKED})()")
    answer = page.goto(f"/{language}/quizzes/floats/")
    assert answer.headers["content-security-policy"] == "default-src 'self'"
    [data] = page.locator("script[type='application/ld+json']").evaluate_all("all => all.map(one => one.textContent)")
    found = json.loads(data)
    assert (found["@type"], found["inLanguage"], len(found["hasPart"])) == ("Quiz", language, 3)
    assert page.evaluate("window.blocked") == []


def test_all_questions_can_be_read_without_a_script(open_page):
    bilingual_quiz()
    page = open_page("/ar/quizzes/floats/", java_script_enabled=False)
    page.locator("summary").click()
    assert page.locator(".mpquiz-preview li.mpquiz-numbered").count() == 3
    assert page.locator(".mpquiz-preview").get_by_text("torch.amp.GradScaler").is_visible()
