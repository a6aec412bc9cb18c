"""F27: the job that closes what is overdue runs twice at once, together with the learner's own last post."""

import io
import random
import time
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from mpquiz.conf import conf
from mpquiz.models import Attempt
from tests.load.browser import Page
from tests.load.noting import noted

from .account import Account, judge
from .sent import OF_ATTEMPTS, Sent, sent
from .site import Site, attempt_in, row, site

AT_ONCE = 4  # learners whose time is up at the same moment
JITTER = 0.04  # seconds around the end of the grace within which their posts arrive


def twice(account: Account, rounds: int) -> None:
    """F27. Each attempt is closed once, and the last answer is in or out whole."""
    chance = random.Random(27)
    taken = 0
    with site(workers=4) as here:
        for number in range(rounds):
            ones = [sent(here, OF_ATTEMPTS[(number + place) % len(OF_ATTEMPTS)]) for place in range(AT_ONCE)]
            deadline = datetime.now(UTC) + timedelta(seconds=0.5)
            for one in ones:
                Attempt.objects.filter(pk=row(attempt_in(one.form.action)).pk).update(deadline=deadline)
            end = deadline.timestamp() + conf.GRACE
            jobs = [here.pool.submit(_close, end) for _job in range(2)]
            posts = [_post(here, one, end + chance.uniform(-JITTER, JITTER)) for one in ones]
            for one, coming in zip(ones, posts, strict=True):
                taken += _check(account, one, coming.result(60))
            for job in jobs:
                account.expect("the job ends well", job.exception(60) is None, job.exception())
            call_command("mpquiz_finish_overdue", stdout=io.StringIO())
            for one in ones:
                _check_closed(account, attempt_in(one.form.action))
        judge(account, here)
        account.note(f"of {rounds * AT_ONCE} last answers {taken} were in")


def _close(at: float) -> None:
    try:
        connection.ensure_connection()
        time.sleep(max(0.0, at - time.time()))
        call_command("mpquiz_finish_overdue", stdout=io.StringIO())
    finally:
        connection.close()


def _post(here: Site, one: Sent, at: float) -> "Future[Page]":
    def post() -> Page:
        time.sleep(max(0.0, at - time.time()))
        return one.learner.post(one.form.action, one.fields, "POST last")

    return here.pool.submit(post)


def _check(account: Account, one: Sent, answer: Page) -> bool:
    """Whether the answer is in."""
    taken = answer.status == 303 and "notice" not in answer.location
    late = answer.status == 303 and "notice=time_up" in answer.location
    account.expect(
        "the learner is told that it was taken, or that the time is up",
        taken or late,
        f"{answer.status} {answer.location}",
    )
    account.expect("it is there if that was said, and only then", (one.answer is not None) == taken)
    return taken


def _check_closed(account: Account, attempt: str) -> None:
    there = row(attempt)
    whole = (there.open, there.ended, there.finished_at) == (None, "time_up", there.deadline)
    account.expect("the attempt is closed as of its deadline", whole, f"{there.ended} {there.finished_at}")
    told = noted(settings.NOTES)[attempt]
    account.expect("the host is told once", told == 1, told)
