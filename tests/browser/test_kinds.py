"""Every kind of question in a browser, by the sample that has one of each: axe, widths, keyboard, no JavaScript."""

from pathlib import Path

import pytest

from mpquiz import exchange
from mpquiz.formats import yaml
from mpquiz.models import Attempt
from tests.browser.test_accessibility import complaints
from tests.factories import learner, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAMPLE = Path(__file__).resolve().parents[2] / "project" / "samples" / "one-of-each.yaml"


def one_of_each():
    return exchange.load(yaml.parse(SAMPLE.read_bytes(), language="en").quiz).quiz


def fill(page):
    """Whatever the question asks for is given."""
    form = page.locator("#mpquiz-stage form")
    for place, select in enumerate(form.locator("select").all(), 1):
        count = select.locator("option").count()
        select.select_option(index=min(place, count - 1))
    for field in form.locator("input[type=text], textarea").all():
        field.fill("٢٠٠")
    choices = form.locator("input[type=radio], input[type=checkbox]")
    if choices.count():
        choices.first.check()


@pytest.mark.parametrize(
    ("language", "scheme", "width", "options"),
    [("ar", "light", 390, {}), ("en", "dark", 1280, {}), ("ar", "dark", 320, {"java_script_enabled": False})],
)
def test_each_kind_is_asked_refused_and_answered(open_page, signed_in, language, scheme, width, options):
    user = make_user()
    attempt = Attempt.objects.start(one_of_each(), learner(user))
    base = f"/{language}/quizzes/attempts/{attempt.public_id}/"
    page = open_page(f"{base}1/", cookies=signed_in(user), color_scheme=scheme, width=width, **options)
    found = {}

    def look(name):
        if options.get("java_script_enabled", True):
            found[name] = complaints(page)
            wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not page.evaluate(wide), name
        assert page.locator("#mpquiz-stage").is_visible()

    look("1 page")
    for position, answer in enumerate(attempt.answers.select_related("version"), 1):
        if not answer.asks:
            continue
        page.goto(f"{base}{position}/")
        look(f"{position} {answer.kind.name}")
        if not page.locator("#mpquiz-stage form input[type=radio]").count():
            page.locator("#mpquiz-stage form button").first.click()
            page.locator(".mpquiz-error").first.wait_for()
            look(f"{position} {answer.kind.name} refused")
        fill(page)
        page.locator("#mpquiz-stage form button").first.click()
        page.locator(".mpquiz-feedback").wait_for()
        look(f"{position} {answer.kind.name} answered")
    assert {name: several for name, several in found.items() if several} == {}
    assert attempt.answers.filter(asks=True, answered_at=None).count() == 0
