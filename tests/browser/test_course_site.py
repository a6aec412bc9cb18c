"""The course site in a browser, in each of its looks: axe finds nothing, nothing is too wide, nothing is blocked."""

import os
import socket
import subprocess
import sys
import time

import pytest

from project.looks import LOOKS
from project.settings import BASE_DIR
from tests.browser.looks import EVERY
from tests.browser.test_accessibility import complaints

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(chromium, tmp_path_factory):
    """The address of the demo, served as the README says: in a process and a database of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environ = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path_factory.mktemp('site')}/demo.sqlite3",
        "DJANGO_SETTINGS_MODULE": "project.settings",
        "PYTHONPATH": str(BASE_DIR),
    }
    command = [sys.executable, "manage.py", "demo", "--port", str(port)]
    served = subprocess.Popen(
        command, cwd=BASE_DIR, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + 60
        while socket.socket().connect_ex(("127.0.0.1", port)) and served.poll() is None:
            assert time.monotonic() < until, "the demo does not answer"
            time.sleep(0.2)
        assert served.poll() is None, "the demo ended"
        yield f"http://127.0.0.1:{port}"
    finally:
        served.terminate()
        served.wait(10)


@pytest.fixture
def visit(chromium, site):
    """A reader's window; what its console says of errors fails the test."""
    contexts, said = [], []

    def opened(**options):
        contexts.append(chromium.new_context(base_url=site, reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        page.on("request", lambda one: said.append(one.url) if not one.url.startswith((site, "data:")) else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def press(page, target):
    """Press what leads to another page, and wait until that stands."""
    with page.expect_navigation():
        page.locator(target).first.click()


READERS = [("ar", "light", 390), ("en", "dark", 1280)]
SEEN = [(look, *READERS[turn % 2]) for turn, look in enumerate(LOOKS)]


@pytest.mark.parametrize(
    ("look", "language", "scheme", "width"), [(one, *who) for one in LOOKS for who in READERS] if EVERY else SEEN
)
def test_each_look_can_be_read_by_everybody(visit, look, language, scheme, width):
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    found = {}

    def look_at(name, path=None):
        if path is not None:
            page.goto(f"/{language}/{path}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        found[name] = complaints(page) + ([f"{wide} wide"] if wide > width else [])

    look_at("home", f"?look={look}")
    page.goto(f"/{language}/guides/tensors/")
    page.wait_for_selector(".mpquiz-stage .mpquiz-card")
    look_at("guide with a quiz in it")
    look_at("sign in", "sign-in/")
    page.fill("[name=username]", "editor")
    page.fill("[name=password]", "editor-demo")
    press(page, "main button[type=submit]")
    look_at("list", "quizzes/")
    look_at("quiz", "quizzes/mixed-precision/")
    page.locator("input[name=given]").nth(1).check()
    page.locator(".mpquiz-form button.mpquiz-button").click()
    page.wait_for_selector(".mpquiz-verdict")
    look_at("feedback")
    look_at("mine", "quizzes/mine/")
    press(page, ".mpquiz-quiz-link")
    press(page, "form[action$='finish/'] button")
    look_at("confirm")
    press(page, "main button[type=submit]")
    look_at("result")
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
    look_at("review")
    look_at("gradebook", "gradebook/")
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert {name: some for name, some in found.items() if some} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bootstrap_is_as_dark_as_the_reader_s_system(visit, scheme):
    page = visit(color_scheme=scheme)
    page.goto("/en/quizzes/?look=bootstrap")
    assert page.locator("html").get_attribute("data-bs-theme") == scheme
    ground, card = (
        page.locator(one).first.evaluate("it => getComputedStyle(it).backgroundColor") for one in ("body", ".card")
    )
    assert ground == card
    assert (ground == "rgb(255, 255, 255)") is (scheme == "light")


def test_without_javascript_every_look_can_be_read(visit):
    page = visit(java_script_enabled=False, color_scheme="dark")
    for look in LOOKS:
        page.goto(f"/en/quizzes/?look={look}")
        assert page.locator("h1").inner_text() == "Quizzes"
    assert page.locator("h1").is_visible()
