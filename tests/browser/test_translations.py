"""Pages that tell what is translated, in Chromium: sound for axe and within the window."""

import pytest

from mpquiz.models import StaleText
from tests.browser.looks import LOOKS, judged
from tests.factories import make_question, make_quiz, make_tag, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROMPT = {"en": "How many bits has `FP16`?", "ar": "كم بتًا في `FP16`؟"}


@pytest.fixture
def quiz():
    """One that is published half translated, with translations to be checked."""
    whole = make_question(("16", True), "8", prompt=PROMPT, explanation=None)
    half = make_question(
        {"text": {"en": "Sixteen", "ar": "ستة عشر"}, "right": True},
        {"text": "Eight", "feedback": "No."},
        prompt=PROMPT,
        explanation="Since it has sixteen.",
    )
    english = make_question(("16", True), "8", prompt="And `FP32`?", explanation=None)
    title = {"en": "Floating point", "ar": "الفاصلة العائمة"}
    quiz = make_quiz(whole, half, english, title=title, description="All about them.", published=("en", "ar"))
    make_tag("Formats", whole)
    StaleText.objects.create(quiz=quiz, name="title", language="ar")
    StaleText.objects.create(question=half, name="prompt", language="ar")
    StaleText.objects.create(choice=half.choices.get(place=1), name="text", language="en")
    return quiz


@pytest.fixture
def open_admin(open_page, signed_in):
    cookies = signed_in(make_user("admin", is_staff=True, is_superuser=True))

    def open_admin(path, language="en", **options):
        return open_page(f"/{language}/admin/mpquiz/{path}", cookies=cookies, **options)

    return open_admin


@pytest.mark.parametrize(("language", "width", "scheme"), LOOKS)
def test_the_pages_are_sound_in_every_look(open_admin, quiz, language, width, scheme):
    # axe writes styles itself
    look = {"language": language, "width": width, "color_scheme": scheme, "bypass_csp": True}
    name = f"{language}-{width}-{scheme}"
    half = quiz.places.all()[1].question
    judged(open_admin("quiz/", **look), f"quizzes-{name}", "#result_list")
    judged(open_admin("question/", **look), f"questions-{name}", "#result_list")
    judged(open_admin("staletext/", **look), f"stale-{name}", "#result_list")
    judged(open_admin(f"quiz/{quiz.pk}/change/", **look), f"quiz-{name}", ".mpquiz-lacking")
    judged(open_admin(f"question/{half.pk}/change/", **look), f"question-{name}", ".mpquiz-stale")


def test_a_translation_is_confirmed_at_its_text_without_scripts(open_admin, quiz):
    half = quiz.places.all()[1].question
    page = open_admin(f"question/{half.pk}/change/", java_script_enabled=False)
    page.get_by_label("The translation is right").first.check()
    page.locator("input[name=_continue]").click()
    page.locator(".messagelist .success").wait_for()
    assert list(StaleText.objects.filter(question=half)) == []
    assert StaleText.objects.count() == 2


def test_half_a_translation_is_published_once_the_editor_says_so(open_admin, quiz):
    quiz.publish(())
    page = open_admin(f"quiz/{quiz.pk}/change/")
    page.locator("input[name=published][value=ar]").check()
    page.locator("input[name=_continue]").click()
    refused = page.locator(".errorlist a", has_text="How many bits")
    assert refused.get_attribute("href").endswith("/change/")
    page.locator("input[name=although][value=ar]").check()
    page.locator("input[name=_continue]").click()
    page.locator(".messagelist .success").wait_for()
    quiz.refresh_from_db()
    assert quiz.published_languages == ["ar"]
