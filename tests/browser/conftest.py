"""Chromium, as the machine has it: a browser that a test tool would download is never asked for."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # playwright runs a loop in this thread

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("MPQUIZ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = installed_chromium()
    if path is None and os.environ.get("MPQUIZ_CI"):
        pytest.fail("Chromium is missing: apt-get install chromium")
    if path is None:
        pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open a page of the site in a fresh browser; what the console complains of fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(path: str = "/en/quizzes/", *, cookies: Any = (), width: int = 1280, **options: Any) -> Any:
        context = chromium.new_context(
            base_url=live_server.url, viewport={"width": width, "height": 900}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        context.add_cookies([{"url": live_server.url, **cookie} for cookie in cookies])
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if _is_complaint(message) else None)
        page.goto(path)
        return page

    open_page.complaints = complaints  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    _wait_for_last_requests()
    assert complaints == []


def _wait_for_last_requests() -> None:
    """A page that closes may save what was written in it: the database stays until the server has done so."""
    end = time.monotonic() + 5
    while time.monotonic() < end and any("process_request" in thread.name for thread in threading.enumerate()):
        time.sleep(0.02)


def _is_complaint(message: Any) -> bool:
    # A status of 400 or 404 is an answer of ours, and no page of ours asks for a favicon.
    return message.type == "error" and "Failed to load resource" not in message.text


@pytest.fixture
def signed_in(client: Any, db: Any) -> Callable[[Any], list[dict[str, str]]]:
    """The cookies of a signed-in user."""

    def cookies(user: Any) -> list[dict[str, str]]:
        client.force_login(user)
        return [{"name": "sessionid", "value": client.cookies["sessionid"].value}]

    return cookies
