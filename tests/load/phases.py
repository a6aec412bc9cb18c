"""The phases of a run: L1 steady, L2 a wave of starts, L3 a wave at the deadline, L4 one answer sent many times."""

import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from mpquiz.conf import conf

from .browser import TIMEOUT, Fields, Page
from .figures import BARE
from .learners import Learner, at_once
from .server import ROOT


class Failures:
    """What was raised in learners' threads; a learner who cannot go on is a failure of the run."""

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self.traces: list[str] = []

    def note(self, error: BaseException) -> None:
        self.told[f"{type(error).__name__}: {error}"[:200]] += 1
        self.traces.append("".join(traceback.format_exception(error)))


def everybody(learners: Sequence[Learner], do: Callable[[Learner], Any], failures: Failures) -> None:
    """Each learner in a thread of their own."""

    def run(learner: Learner) -> None:
        try:
            do(learner)
        except Exception as error:
            failures.note(error)

    threads = [threading.Thread(target=run, args=(learner,), daemon=True) for learner in learners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def steady(learners: Sequence[Learner], seconds: float, failures: Failures) -> None:
    """L1: they come one after the other, take a quiz at their own pace, and hand in towards the end.

    Every other two take the exam, in which they go back and change answers.
    """
    begun = time.monotonic()

    def take(learner: Learner) -> None:
        end = begun + seconds * learner.chance.uniform(0.7, 1)
        slug, step = ("steady", learner.step) if learner.number // 4 % 2 else ("exam", learner.write)
        time.sleep(learner.chance.uniform(0, min(10, seconds / 4)))
        while time.monotonic() < end:
            page = learner.open(slug)
            if page.form("/start/") is not None:
                learner.ponder()
                page = learner.begin(slug, page, twice=learner.chance.random() < 0.1)
            page = _go_on(learner, page, step, end)
            if page.question is not None and page.question.changeable:
                page = learner.send(page.question, "POST exam answer", to="finish")
            if page.form("/finish/") is not None:
                learner.hand_in(page)

    everybody(learners, take, failures)


def _go_on(learner: Learner, page: Page, step: Callable[[Page], Page | None], end: float) -> Page:
    """Answer question after question, up to the result or the summary, or until the time is over."""
    while time.monotonic() < end:
        _bare(learner)
        following = step(page)
        if following is None:
            break
        page = following
    return page


def _bare(learner: Learner) -> None:
    """Now and then the bare view, in the same run."""
    if learner.chance.random() < 0.5:
        learner.browser.get("/en/bare/", BARE["GET"])
    if learner.browser.token and learner.chance.random() < 0.25:
        learner.browser.post("/en/bare/", [("csrfmiddlewaretoken", learner.browser.token)], BARE["POST"])


def start_wave(learners: Sequence[Learner], slug: str, seconds: float, failures: Failures) -> dict[Learner, Page]:
    """L2: all have the page open and press Start within so many seconds; where each landed."""
    landed: dict[Learner, Page] = {}
    begin = threading.Barrier(len(learners))

    def take(learner: Learner) -> None:
        page = learner.open(slug)
        begin.wait(TIMEOUT)
        time.sleep(learner.chance.uniform(0, seconds))
        form = page.form("/start/")
        assert form is not None, page
        landed[learner] = learner.send(form, "POST start (wave)", twice=learner.chance.random() < 0.2)

    everybody(learners, take, failures)
    return landed


def deadline_wave(landed: dict[Learner, Page], deadline: datetime, seconds: float, failures: Failures) -> None:
    """L3: within so many seconds, half of them after the deadline, everybody answers and hands in.

    Meanwhile the job that closes what is overdue runs twice at once, and again after everybody.
    """
    due = deadline.timestamp() + conf.GRACE
    closing = [_closing(due + after) for after in (0, 0, seconds / 2, seconds / 2)]

    def take(learner: Learner) -> None:
        page = landed[learner]
        time.sleep(max(0, deadline.timestamp() + learner.chance.uniform(-0.5, 0.5) * seconds - time.time()))
        if page.question is not None:
            page = learner.send(page.question, "POST answer (wave)", to="finish")
        if (form := page.form("/finish/")) is not None:
            learner.follow(learner.browser.post(form.action, form.hidden, "POST finish (wave)"), "GET result (wave)")

    everybody(list(landed), take, failures)
    for job in closing:
        if job.wait(TIMEOUT):
            failures.note(RuntimeError(f"mpquiz_finish_overdue ended with {job.returncode}"))


def _closing(at: float) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.load.closing", str(at)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def hot(learner: Learner, slug: str, times: int, failures: Failures) -> Counter[str]:
    """L4: one answer is sent so many times at once, a third of them with another value; how each went.

    Whichever came first stands, in an exam too: all pages showed the same revision.
    """
    page = learner.begin(slug, learner.open(slug))
    if page.question is None:
        page = learner.browser.get(page.next, "GET question")
    form = page.question
    assert form is not None, page
    one, other = form.offered[:2]
    sent = [[*form.hidden, ("given", one if number % 3 else other)] for number in range(times)]
    went: Counter[str] = Counter()
    taken: set[str] = set()

    def press(fields: Fields) -> None:
        answer = learner.post(form.action, fields, "POST answer (hot)")
        notice = answer.location.partition("?")[2]
        went[f"{answer.status} {notice}".strip()] += 1
        if answer.status == 303 and not notice:
            taken.add(fields[-1][1])

    try:
        at_once(*(lambda fields=fields: press(fields) for fields in sent))
    except Exception as error:
        failures.note(error)
    if len(taken) != 1:
        failures.note(RuntimeError(f"Of one answer sent {times} times {len(taken)} values were taken: {taken}"))
    return went
