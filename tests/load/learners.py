"""How learners go through a quiz: with patience, with double clicks, with the Back button."""

import random
import re
import threading
import time
from collections.abc import Callable
from typing import Any

from .browser import Browser, Fields, Form, Page
from .course import LENGTH
from .ledger import Ledger

_QUESTION = re.compile(r"/attempts/(?P<attempt>[0-9a-f-]{36})/(?P<position>\d+)/$")


class Learner:
    """One learner; ``think`` is the mean number of seconds before an answer, ``language`` that of the pages."""

    def __init__(self, browser: Browser, ledger: Ledger, *, number: int, think: float, language: str) -> None:
        self.browser = browser
        self.ledger = ledger
        self.number = number
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
        if self.chance.random() < 0.05:
            self._send_again()
        return answered

    def write(self, page: Page) -> Page | None:
        """In an exam: answer the question on the page and go on, or back to another one; None at the summary."""
        if page.question is None or not page.question.changeable:
            return None
        self.ponder()
        back = self.chance.random() < 0.15
        where = str(self.chance.randint(1, LENGTH)) if back else "next"
        return self.send(page.question, "POST exam answer", twice=self.chance.random() < 0.1, to=where)

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

    def send(self, form: Form, what: str, *, twice: bool = False, to: str = "next") -> Page:
        """Answer a form, and get the page that it leads to.

        ``twice``: pressed again before the first came back. ``to`` is the button of an exam that is pressed.
        """
        fields = form.hidden + self.given(form) + ([("to", to)] if form.changeable else [])
        self.browser.token = dict(form.hidden)["csrfmiddlewaretoken"]
        press = lambda: self.post(form.action, fields, what)  # noqa: E731
        answers = at_once(press, press) if twice else [press()]
        self.sent.append((form.action, fields))
        return self.follow(answers[0], "GET exam question" if form.changeable else "GET feedback")

    def post(self, address: str, fields: Fields, what: str) -> Page:
        """Send an answer, and note it where it was acknowledged."""
        answer = self.browser.post(address, fields, what)
        taken = answer.status == 303 and "?notice=" not in answer.location  # which says that it was not
        found = _QUESTION.search(address) or _QUESTION.search(answer.location)
        given = [value for name, value in fields if name == "given"]
        if taken and found and given:
            changeable = any(name == "revision" for name, _value in fields)
            self.ledger.acknowledged(found["attempt"], int(found["position"]), given, changeable=changeable)
        return answer

    def follow(self, answer: Page, what: str) -> Page:
        """The page that an answer leads to, as a browser gets it."""
        for _hop in range(5):
            if answer.status not in (302, 303):
                return answer
            answer = self.browser.get(answer.location, what)
        raise RuntimeError(f"{answer.location} leads round and round.")

    def given(self, form: Form) -> Fields:
        """Something that the form can take."""
        values = [self.chance.choice(form.offered)] if form.offered else []
        if form.kind == "checkbox":
            values = sorted(self.chance.sample(form.choices, self.chance.randint(1, len(form.choices))))
        return [("given", value) for value in values]

    def _press_nothing(self, form: Form) -> None:
        self.browser.post(form.action, form.hidden, "POST nothing")

    def _send_again(self) -> None:
        """An old page is sent again: as it was, or with something else chosen."""
        address, fields = self.chance.choice(self.sent)
        exam = any(name == "revision" for name, _value in fields)
        if self.chance.random() < 0.5 or exam or "/attempts/" not in address:
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
