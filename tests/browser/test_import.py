"""An editor imports a file in Chromium: upload, look, confirm; and writes a question of another kind."""

import pytest

from mpquiz.models import Question, Quiz
from tests.browser.looks import SCHEMES
from tests.factories import make_question, make_quiz, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FILE = """\
mpquiz: 1
namespace: handbook
quiz:
  slug: bits
  title: {en: Bits, ar: البتات}
questions:
  - key: half
    kind: single
    title: {en: The half}
    tags: [Formats, صيغ]
    prompt: {en: "How many bits has `FP16`?", ar: "كم بتًا في `FP16`؟"}
    explanation: {en: Sixteen., ar: ستة عشر.}
    choices:
      - {key: a, text: {en: Sixteen, ar: ستة عشر}, right: true, feedback: {en: Well counted.}}
      - {key: b, text: {en: Eight}, weight: 0.25}
  - key: even
    kind: true_false
    prompt: {ar: العدد عشرة زوجي.}
    choices: [{key: t, right: true}, {key: f}]
  - key: code
    kind: multiple
    prompt: {en: "Which print 2?\\n\\n```python\\nprint(1 + 1)\\n```"}
    choices:
      - {key: a, text: {en: "`print(2)`"}, right: true}
      - {key: b, text: {en: "`print(1 + 1)`"}, right: true}
      - {key: c, text: {en: "`print(11)`"}}
"""


@pytest.fixture
def open_admin(open_page, signed_in):
    """Open a page of admin as a superuser."""
    cookies = signed_in(make_user("admin", is_staff=True, is_superuser=True))

    def open_admin(path, language="en", **options):
        return open_page(f"/{language}/admin/mpquiz/{path}", cookies=cookies, **options)

    return open_admin


def ours(page):
    """What axe finds in our part of a page of admin; the rest is Django's."""
    from axe_playwright_python.sync_playwright import Axe

    page.locator("#content-main").wait_for()
    found = Axe().run(page, context="#content-main").response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_file_is_uploaded_looked_at_and_confirmed(open_admin, javascript):
    page = open_admin("quiz/", java_script_enabled=javascript)
    page.locator(".object-tools a[href$='/import/']").click()
    page.set_input_files("#id_file", {"name": "bits.yaml", "mimeType": "text/yaml", "buffer": FILE.encode()})
    page.locator(".submit-row .default").click()
    page.locator(".mpquiz-one").first.wait_for()
    assert page.locator(".mpquiz-one").count() == 3
    sides = page.locator(".mpquiz-one").first.locator(".mpquiz-side")
    assert [side.get_attribute("dir") for side in sides.all()] == ["ltr", "rtl"]
    assert page.locator(".mpquiz-asked :is(input, select, textarea):enabled").count() == 0
    assert not Quiz.objects.exists()
    page.locator("summary", has_text="With the answer").first.click()
    assert sides.first.get_by_text("Well counted.").is_visible()
    page.locator("[name=confirm]").click()
    page.locator(".messagelist .success").wait_for()
    assert page.url.endswith(f"/quiz/{Quiz.objects.get().pk}/change/")


def test_what_is_wrong_is_mended_in_place(open_admin):
    page = open_admin("quiz/import/")
    page.fill("#id_text", FILE.replace("kind: single", "kind: riddle"))
    page.locator(".submit-row .default").click()
    assert page.locator("#mpquiz-errors + .mpquiz-lines .mpquiz-quoted").inner_text() == "kind: riddle"
    page.fill("#id_text", page.input_value("#id_text").replace("riddle", "single"))
    page.locator(".submit-row .default").click()
    page.locator("[name=discard]").click()
    assert not Quiz.objects.exists()


def test_a_page_of_admin_keeps_its_look(open_admin):
    page = open_admin("quiz/import/")
    before = page.locator("#header").evaluate("one => getComputedStyle(one).fontSize")
    page.goto("/en/admin/")
    assert page.locator("#header").evaluate("one => getComputedStyle(one).fontSize") == before


@pytest.mark.parametrize("kind", ["matching", "number"])
def test_the_fields_of_a_question_follow_its_kind(open_admin, kind):
    page = open_admin("question/add/")
    match, value = page.locator("#id_choices-0-match_en"), page.locator("#id_choices-0-value")
    assert not match.is_visible()
    assert not value.is_visible()
    page.select_option("#id_kind", kind)
    assert match.is_visible() == (kind == "matching")
    assert value.is_visible() == (kind == "number")
    assert page.locator(".mpquiz-kind:visible").get_attribute("data-kind") == kind
    page.locator("#choices-group .add-row a").click()
    assert page.locator("#id_choices-4-match_en").is_visible() == (kind == "matching")


def test_without_a_script_a_new_question_has_all_fields(open_admin):
    page = open_admin("question/add/", java_script_enabled=False)
    for name in ("match_ar", "value", "part", "right", "weight"):
        assert page.locator(f"#id_choices-0-{name}").is_visible()


@pytest.mark.parametrize(("language", "scheme"), SCHEMES)
def test_axe_finds_nothing(open_admin, language, scheme):
    page = open_admin("quiz/import/", language, color_scheme=scheme, bypass_csp=True)  # axe writes styles itself
    found = {"upload": ours(page)}
    page.fill("#id_text", FILE.replace("kind: single", "kind: riddle"))
    page.locator(".submit-row .default").click()
    found["refused"] = ours(page)
    page.fill("#id_text", FILE)
    page.locator(".submit-row .default").click()
    found["preview"] = ours(page)
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
    found["preview, opened"] = ours(page)
    page.locator("[name=confirm]").click()
    quiz = Quiz.objects.get()
    page.goto(f"/{language}/admin/mpquiz/quiz/export/?ids={quiz.pk}")
    found["export"] = ours(page)
    assert {name: several for name, several in found.items() if several} == {}


def test_the_selected_quizzes_are_downloaded(open_admin):
    make_quiz(make_question(prompt="Why?"))
    page = open_admin("quiz/")
    page.check("#action-toggle")
    page.select_option("[name=action]", "export")
    page.locator("#changelist-form .actions button").click()
    page.select_option("#id_format", "yaml")
    with page.expect_download() as download:
        page.locator(".submit-row .default").click()
    assert download.value.suggested_filename == "floats.yaml"
    assert Question.objects.count() == 1
