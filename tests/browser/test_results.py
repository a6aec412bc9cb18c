"""A learner reports a question in place; an editor reads attempts, settles the report and downloads the results."""

import csv
import os
from pathlib import Path

import pytest

from mpquiz.models import Attempt, Report
from tests.browser.looks import LOOKS
from tests.browser.quizzes import bilingual_quiz
from tests.browser.test_accessibility import complaints
from tests.factories import learner, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def attempt():
    attempt = Attempt.objects.start(bilingual_quiz(), learner(make_user()))
    attempt.answer(1, 2, language="ar")
    attempt.answer(2, [1, 3], language="en")
    return attempt


@pytest.fixture
def editor():
    return make_user("editor", is_staff=True, is_superuser=True)


def pictured(page, name):
    """Keep a picture of the page, where somebody wants to look at it."""
    if folder := os.environ.get("MPQUIZ_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("language", "width"), [("ar", 390), ("en", 1280)])
def test_a_question_is_reported_in_place(open_page, signed_in, attempt, language, width, scheme):
    here = f"/{language}/quizzes/attempts/{attempt.public_id}"
    look = {"width": width, "color_scheme": scheme, "bypass_csp": True}  # axe writes styles itself
    page = open_page(f"{here}/2/", cookies=signed_in(attempt.user), **look)
    summary = page.locator(".mpquiz-report summary")
    summary.click()
    found = {"open": complaints(page)}
    pictured(page, f"report-{language}-{scheme}")
    page.locator(".mpquiz-report textarea").fill("The third is right too.")
    page.locator(".mpquiz-report button").click()
    page.locator(".mpquiz-reported:focus").wait_for()
    assert page.url.endswith(f"{here}/2/")
    assert Report.objects.get().note == "The third is right too."
    found["thanked"] = complaints(page)
    pictured(page, f"reported-{language}-{scheme}")
    attempt.finish()
    page.goto(f"{here}/")
    page.locator("details.mpquiz-preview > summary").click()
    page.locator(".mpquiz-report summary").nth(0).click()
    found["review"] = complaints(page)
    pictured(page, f"review-{language}-{scheme}")
    assert {name: several for name, several in found.items() if several} == {}


def test_a_note_is_kept_where_the_line_is_down(open_page, signed_in, attempt):
    page = open_page(f"/en/quizzes/attempts/{attempt.public_id}/2/", cookies=signed_in(attempt.user))
    page.locator(".mpquiz-report summary").click()
    page.locator(".mpquiz-report textarea").fill("A long note.")
    page.context.set_offline(True)
    page.locator(".mpquiz-report button").click()
    page.locator("[data-failed]").wait_for()
    assert page.locator(".mpquiz-report textarea").input_value() == "A long note."
    page.context.set_offline(False)
    open_page.complaints.clear()  # of the line
    page.locator(".mpquiz-report button").click()
    page.locator(".mpquiz-reported").wait_for()
    assert Report.objects.get().note == "A long note."


def test_without_javascript_it_is_reported_too(open_page, signed_in, attempt):
    here = f"/en/quizzes/attempts/{attempt.public_id}/2/"
    page = open_page(here, cookies=signed_in(attempt.user), java_script_enabled=False)
    page.locator(".mpquiz-report summary").click()
    page.locator(".mpquiz-report textarea").fill("Wrong.")
    page.locator(".mpquiz-report button").click()
    page.locator(".mpquiz-reported").wait_for()
    assert "notice=reported" in page.url
    assert Report.objects.get().note == "Wrong."


@pytest.mark.parametrize(("language", "width", "scheme"), LOOKS)
def test_axe_finds_nothing_on_the_pages_of_editors(open_page, signed_in, attempt, editor, language, width, scheme):
    report = Report.objects.file(attempt, 1, "الخيار الثاني صحيح أيضًا.", language="ar")
    of_quiz = f"?quiz__id__exact={attempt.quiz_id}"
    pages = {
        "results": (f"attempt/{of_quiz}&from=2020-01-01", "#result_list"),
        "days": (f"attempt/{of_quiz}&from=2020-01-01", ".mpquiz-days"),
        "attempts": ("attempt/", "#result_list"),
        "read": (f"attempt/{attempt.pk}/read/", "#content-main"),
        "download": (f"attempt/download/{of_quiz}", "#content-main"),
        "reports": ("report/", "#result_list"),
        "report": (f"report/{report.pk}/change/", "#content-main"),
        "question": (f"question/{report.question_id}/change/", ".mpquiz-reports"),
    }
    # axe writes styles itself
    look = {"width": width, "color_scheme": scheme, "bypass_csp": True}
    page = open_page(f"/{language}/admin/", cookies=signed_in(editor), **look)
    for name, (address, part) in pages.items():
        page.goto(f"/{language}/admin/mpquiz/{address}")
        pictured(page, f"{name}-{language}-{scheme}-{width}")
        assert (name, complaints(page, part)) == (name, [])
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (name, wide) == (name, 0)


@pytest.mark.parametrize("scripted", [True, False])
def test_the_results_are_downloaded(open_page, signed_in, attempt, editor, scripted, tmp_path):
    page = open_page(
        f"/en/admin/mpquiz/quiz/{attempt.quiz_id}/change/", cookies=signed_in(editor), java_script_enabled=scripted
    )
    page.get_by_role("link", name="Results", exact=True).click()
    page.get_by_role("link", name="Download the results").click()
    page.get_by_label("Text (CSV)").check()
    page.get_by_label("With what was answered").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "results-floats.csv"
    download.value.save_as(tmp_path / "results.csv")
    heading, row = csv.reader((tmp_path / "results.csv").read_text("utf-8-sig").splitlines())
    assert (row[0], len(row), len(heading)) == ("amal", 17, 17)
    if scripted:
        assert page.locator("[data-file]").inner_text() == "results-floats.csv"
        assert page.locator(".mpquiz-sending").is_hidden()
        assert page.locator("[data-failed]").is_hidden()
