"""One run from the empty database to the verdict."""

import os
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count

from mpquiz.models import Answer, Attempt, Quiz
from tests import invariants

from . import phases
from .browser import Browser
from .course import course, users
from .database import fresh
from .figures import Figures
from .learners import Learner
from .ledger import Ledger
from .noting import noted
from .phases import Failures
from .server import Server

QUICK = 20  # one learner in so many thinks a fifth as long, and takes the quiz to its end
RATE = 20  # learners a second in a wave
SLACK = 10  # seconds for the wave of starts to be over before the wave at the deadline begins
MARKS = {  # of the plan of faults: the most milliseconds of 95 in 100
    "POST answer": 300,
    "POST exam answer": 300,
    "POST start (wave)": 800,
    "POST answer (wave)": 1500,
    "POST finish (wave)": 1500,
}


def run(options: Any) -> int:
    """How many things were found broken."""
    figures, ledger, failures = Figures(), Ledger(), Failures()
    with fresh(), Server("tests.load.settings", workers=options.workers) as server:
        head = f"{options.learners} learners, {options.workers} workers, {connection.vendor}"
        print(f"{head}; {os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}", flush=True)
        _take(options, server, figures, ledger, failures)
        return _judge(server, figures, ledger, failures)


def _take(options: Any, server: Server, figures: Figures, ledger: Ledger, failures: Failures) -> None:
    course()
    learners = _learners(options, server, figures, ledger)
    begun = time.monotonic()

    def told(what: str) -> None:
        print(f"{time.monotonic() - begun:6.1f} s  {what}", flush=True)

    phases.steady(learners, options.seconds, failures)
    told(f"steady (L1): {_count('steady')}")
    told(f"exams meanwhile: {_count('exam')}")
    told(f"the workers used {server.seconds():.1f} s of CPU")
    wave = max(5.0, options.learners / RATE)
    deadline = datetime.now(UTC) + timedelta(seconds=1.5 * wave + SLACK)
    Quiz.objects.filter(slug="wave").update(closes_at=deadline)
    landed = phases.start_wave(learners, "wave", wave, failures)
    told(f"start wave (L2), of {len(landed)} learners: {_count('wave')}")
    phases.deadline_wave(landed, deadline, wave, failures)
    ends = dict(Attempt.objects.filter(quiz__slug="wave").order_by().values_list("ended").annotate(n=Count("pk")))
    told(f"deadline wave (L3): {_count('wave')}, ended as {ends}")
    for slug in ("steady", "exam"):
        went = phases.hot(learners[0], slug, options.learners, failures)
        told(f"one answer {options.learners} times at once (L4, {slug}): {dict(went)}")


def _count(slug: str) -> str:
    attempts = Attempt.objects.filter(quiz__slug=slug)
    answers = Answer.objects.filter(attempt__in=attempts, answered_at__isnull=False)
    return f"{attempts.count()} attempts, {attempts.filter(open=None).count()} finished, {answers.count()} answers"


def _learners(options: Any, server: Server, figures: Figures, ledger: Ledger) -> list[Learner]:
    """Every other one is signed in, every other two read Arabic; each comes from an address of their own."""
    people = iter(users((options.learners + 1) // 2))
    learners = []
    for number in range(options.learners):
        browser = Browser(server.address, figures, home=f"10.0.{number // 250}.{number % 250 + 1}")
        if number % 2 == 0:
            browser.sign_in(next(people).username)
        think = options.think / 5 if number % QUICK == number // QUICK % 2 else options.think
        language = ("en", "ar")[number // 2 % 2]
        learners.append(Learner(browser, ledger, number=number, think=think, language=language))
    return learners


def _judge(server: Server, figures: Figures, ledger: Ledger, failures: Failures) -> int:
    print(f"\n{figures.table()}\n")
    for what, most in MARKS.items():
        if (taken := figures.at(what, 0.95)) is not None:
            print(f"{what}: 95 in 100 below {taken:.0f} ms ({'within' if taken < most else 'ABOVE'} {most} ms)")
    broken = {
        **invariants.violations(connection),
        "an acknowledged answer that is not there (I8)": ledger.violations(),
        "an end that was not told once": _told_wrongly(),
        "a server error": server.faults() or ["?"] * figures.failed,
        "a learner who could not go on": [f"{count} x {what}" for what, count in failures.told.items()],
    }
    print(f"{figures.count} requests, {len(ledger.given)} answers acknowledged")
    for what, rows in broken.items():
        if rows:
            print(f"BROKEN: {what}: {len(rows)}: {rows[:5]}")
    for trace in failures.traces[:2]:
        print(trace)
    return sum(map(bool, broken.values())) or _all_well()


def _all_well() -> int:
    print(f"All of {len(invariants.NEVER) + 1} invariants hold, and what was acknowledged is there once.")
    return 0


def _told_wrongly() -> list[str]:
    """The attempts of whose end the host was told twice, or never."""
    told = noted(settings.NOTES)
    closed = {str(row) for row in Attempt.objects.filter(open=None).values_list("public_id", flat=True)}
    return [f"{one}: {told[one]} times" for one in closed | told.keys() if told[one] != (one in closed)]
