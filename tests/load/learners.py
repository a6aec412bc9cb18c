"""How learners go through a quiz: with patience, with double clicks, with the Back button."""

import random
import re
import threading
import time
from collections.abc import Callable
from typing import Any

from .browser import Browser, Fields, Form, Page
from .ledger import Ledger

_QUESTION = re.compile(r"/attempts/(?P<attempt>[0-9a-f-]{36})/(?P<position>\d+)/$")
_TYPED = ("seven", "eight", "سبعة")


class Learner:
    """One learner; ``think`` is the mean number of seconds before an answer, ``language`` that of the pages."""

    def __init__(self, browser: Browser, ledger: Ledger, *, number: int, think: float, language: str) -> None:
        self.browser = browser
        self.ledger = ledger
        self.chance = random.Random(number)
        self.think = think
        self.language = language
        self.sent: list[tuple[str, Fields]] = []  # what could be sent again by mistake

    def address(self, slug: str) -> str:
        return f"/{self.language}/quizzes/{slug}/"

    # A quiz, a question at a time ------------------------------------------------------------------------

    def open(self, slug: str) -> Page:
        return self.browser.get(self.address(slug), "GET quiz page")

    def begin(self, slug: str, page: Page, *, twice: bool = False) -> Page:
        """Press what starts the quiz on its page: with the first answer where that page asks it."""
        form = page.form("/start/")
        if form is None:
            raise RuntimeError(f"{page.address} cannot be started ({page.status}).")
        return self.send(form, "POST start", twice=twice)

    def step(self, page: Page) -> Page | None:
        """From any page of an attempt on: to the next question and its answer; None at the result."""
        if page.question is None:
            if not page.next:
                return None
            page = self.browser.get(page.next, "GET question" if _QUESTION.search(page.next) else "GET result")
        if page.question is None:
            return None
        self.ponder()
        if self.chance.random() < 0.02:
            self._press_nothing(page.question)
        answered = self.send(page.question, "POST answer", twice=self.chance.random() < 0.1)
        if self.sent and self.chance.random() < 0.05:
            self._send_again()
        return answered

    def hand_in(self, page: Page) -> Page:
        """Finish from a question's page, and confirm."""
        form = page.form("/finish/")
        if form is None:
            raise RuntimeError(f"{page.address} cannot be finished ({page.status}).")
        answer = self.browser.post(form.action, form.hidden, "POST finish, to confirm")
        if answer.status == 200 and (confirm := answer.form("/finish/")):
            answer = self.browser.post(confirm.action, confirm.hidden, "POST finish")
        return self.follow(answer, "GET result")

    def ponder(self) -> None:
        time.sleep(self.chance.uniform(0.5, 1.5) * self.think)

    # What is sent ------------------------------------------------------------------------------------------

    def send(self, form: Form, what: str, *, twice: bool = False) -> Page:
        """Answer a form, and get the page that it leads to. ``twice``: pressed again before the first came back."""
        fields = form.hidden + self.given(form)
        self.browser.token = dict(form.hidden)["csrfmiddlewaretoken"]
        press = lambda: self.post(form.action, fields, what)  # noqa: E731
        answers = at_once(press, press) if twice else [press()]
        self.sent.append((form.action, fields))
        return self.follow(answers[0], "GET feedback")

    def post(self, address: str, fields: Fields, what: str) -> Page:
        """Send an answer, and note it where it was acknowledged."""
        answer = self.browser.post(address, fields, what)
        found = _QUESTION.search(answer.location) if answer.status == 303 else None
        given = [value for name, value in fields if name == "given"]
        if found and given:  # a notice in the address says that it was not taken
            self.ledger.acknowledged(found["attempt"], int(found["position"]), given)
        return answer

    def follow(self, answer: Page, what: str) -> Page:
        return self.browser.get(answer.location, what) if answer.status in (302, 303) else answer

    def given(self, form: Form) -> Fields:
        """Something that the form can take."""
        if form.kind == "checkbox":
            values = sorted(self.chance.sample(form.choices, self.chance.randint(1, len(form.choices))))
        else:
            values = [self.chance.choice(form.choices if form.kind == "radio" else _TYPED)] if form.kind else []
        return [("given", value) for value in values]

    def _press_nothing(self, form: Form) -> None:
        self.browser.post(form.action, form.hidden, "POST nothing")

    def _send_again(self) -> None:
        """An old page is sent again: as it was, or with something else chosen."""
        address, fields = self.chance.choice(self.sent)
        if self.chance.random() < 0.5 or "/attempts/" not in address:
            self.post(address, fields, "POST replay")
            return
        rest = [field for field in fields if field[0] != "given"]
        self.post(address, [*rest, ("given", self.chance.choice("123"))], "POST other value")


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each returns, called in a thread of its own at the same moment. Raises what one of them raised."""
    barrier = threading.Barrier(len(calls))
    found: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            found[place] = call()
        except Exception as error:
            found[place] = error

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in found:
        if isinstance(one, Exception):
            raise one
    return found
