"""The history of a question and the page of warnings in Chromium: sound for axe and within the window."""

import pytest

from mpquiz import history
from mpquiz.models import Question, Revision
from tests.browser.looks import LOOKS, judged
from tests.factories import make_guide, make_question, make_tag, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def question():
    """One with four states, in both languages."""
    row = make_question(
        {"text": {"en": "`print(1)`", "ar": "`print(1)`"}, "right": True},
        {"text": {"en": "Two of them", "ar": "اثنان منها"}},
        {"text": {"en": "None of the above", "ar": "لا شيء مما سبق"}},
        prompt={"en": "How many bits has `FP16`?", "ar": "كم بتًا في `FP16`؟ نسبتها 50%"},
        explanation={"en": "Sixteen of them.", "ar": "ستة عشر منها."},
    )
    history.keep_found(row)
    editor = make_user("سلمى")
    Question.objects.update(
        prompt_en="How many bits are in `FP16` (all?", prompt_ar="كم عدد البتات في `FP16`؟ نسبتها 50%"
    )
    history.record(row, by=editor)
    row.choices.filter(key="b").update(right=True, text_ar="هما اثنان")
    row.choices.filter(key="c").delete()
    make_tag("Formats", row)
    row.guides.add(make_guide(address="/nowhere/at-all/"))
    history.record(row, by=editor)
    Question.objects.update(kind="multiple", explanation_en=None, settings={"keep_order": True})
    history.record(row, by=editor)
    return row


@pytest.fixture
def open_admin(open_page, signed_in):
    cookies = signed_in(make_user("admin", is_staff=True, is_superuser=True))

    def open_admin(path, language="en", **options):
        return open_page(f"/{language}/admin/mpquiz/question/{path}", cookies=cookies, **options)

    return open_admin


@pytest.mark.parametrize(("language", "width", "scheme"), LOOKS)
def test_the_pages_are_sound_in_every_look(open_admin, question, language, width, scheme):
    # axe writes styles itself
    look = {"language": language, "width": width, "color_scheme": scheme, "bypass_csp": True}
    name = f"{language}-{width}-{scheme}"
    page = open_admin(f"{question.pk}/history/", **look)
    judged(page, f"history-{name}", ".mpquiz-history")
    page.locator(".submit-row input").click()
    page.locator("#mpquiz-compared").wait_for()
    first = Revision.objects.earliest("pk")
    page = open_admin(f"{question.pk}/history/{first.pk}/", **look)
    judged(page, f"restore-{name}", "#content-main")
    page = open_admin("", **look)
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").select_option("look_over")
    page.locator("button[name=index]").click()
    page.locator(".mpquiz-checked").wait_for()
    judged(page, f"check-{name}", "#content-main")


def test_a_state_is_compared_and_brought_back(open_admin, question):
    page = open_admin(f"{question.pk}/history/", java_script_enabled=False)
    page.locator("input[name=one]").last.check()
    page.locator(".submit-row input").click()
    assert "Two of them" not in page.locator("#mpquiz-compared").inner_text()
    page.locator(".mpquiz-states a").last.click()
    page.locator(".submit-row input.default").click()
    page.locator(".messagelist .success").wait_for()
    question.refresh_from_db()
    assert (question.kind, question.prompt_en) == ("single", "How many bits has `FP16`?")
    assert question.choices.count() == 3


def test_warnings_are_seen_after_saving(open_admin, question):
    page = open_admin(f"{question.pk}/change/", language="ar")
    page.locator("input[name=_continue]").click()
    warned = page.locator(".messagelist .warning .mpquiz-warnings li")
    warned.first.wait_for()
    assert {one.get_attribute("data-code") for one in warned.all()} == {"turned", "brackets", "guide"}
