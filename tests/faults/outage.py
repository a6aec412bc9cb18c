"""F10: the database is restarted while learners take a quiz."""

import threading
import time
from concurrent.futures import Future

from django.db import connection

from tests.load.browser import Browser, Form, Page
from tests.load.learners import Learner

from .account import Account, judge
from .cluster import cluster
from .sent import Sent, sent
from .site import Site, site

LEARNERS = 12
BEFORE, DOWN, AFTER = 4, 10, 20  # seconds
SOON = 15  # seconds after the database is back within which every page is
_MODES = ("fast", "immediate")


class Patient(Browser):
    """A browser whose learner presses again, each half second, until no server error comes."""

    failed: list[tuple[float, int]]

    def _ask(self, method: str, path: str, what: str, body: bytes, headers: dict[str, str]) -> Page:
        end = time.time() + 2 * (DOWN + AFTER)
        while True:
            page = super()._ask(method, path, what, body, headers)
            if page.status < 500 or time.time() > end:
                return page
            self.failed.append((time.time(), page.status))
            time.sleep(0.5)


def restarted(account: Account, rounds: int) -> None:
    """F10. A page says to try again and keeps the choice; what was acknowledged is there, and all goes on soon."""
    for mode in _MODES[: max(1, min(rounds // 10, 2))]:
        with cluster() as own, site(workers=4) as here:
            workers = here.server.workers
            over = threading.Event()
            learners = [_patient(here) for _learner in range(LEARNERS)]
            ones = [sent(here, number) for number in range(4)]
            taking = [here.pool.submit(_take, learner, over) for learner in learners]
            time.sleep(BEFORE)
            connection.close()
            own.stop(mode)
            forms = [_press(account, one) for one in ones]
            time.sleep(DOWN)
            own.start()
            back = time.time()
            time.sleep(AFTER)
            over.set()
            _end(account, taking)
            for one, form in zip(ones, forms, strict=True):
                one.again(account, form)
            failures = [at for learner in learners for at, _status in learner.browser.failed]  # type: ignore[attr-defined]
            late = max((at - back for at in failures), default=0.0)
            account.expect(f"no page fails {SOON} s after the database is back", late < SOON, f"{late:.1f} s")
            account.expect("the workers lived on", here.server.workers == workers)
            account.note(
                f"{mode}: {here.figures.count} requests, {len(failures)} failed, the last {late:.1f} s after the "
                f"database was back; {len(here.ledger.given)} answers acknowledged"
            )
            judge(account, here)


def _patient(here: Site) -> Learner:
    learner = here.learner(guest=next(here.numbers) % 2 == 1)
    browser = Patient(here.server.address, here.figures, home=learner.browser.home)
    browser.cookies, browser.failed = learner.browser.cookies, []
    learner.browser, learner.think = browser, 0.5
    return learner


def _take(learner: Learner, over: threading.Event) -> None:
    """One question after the other, one attempt after the other."""
    while not over.is_set():
        page = learner.open("steady")
        following: Page | None = page if page.form("/start/") is None else learner.begin("steady", page)
        while following is not None and not over.is_set():
            page, following = following, learner.step(following)


def _end(account: Account, taking: "list[Future[None]]") -> None:
    for one in taking:
        error = one.exception(120)
        account.expect("the learners could go on", error is None, repr(error))


def _press(account: Account, one: Sent) -> Form | None:
    """What a learner meets who answers while the database is down, with our script and without."""
    browser = one.learner.browser
    form = one.kept(account, browser.post(one.form.action, one.fields, "POST in the outage"))
    scripted = browser.post(one.form.action, one.fields, "POST in the outage", HX_Request="true")
    unswapped = scripted.status >= 500 and "HX-Push-Url" not in scripted.headers
    account.expect("with our script the form stays as it is, and says that nothing was saved", unswapped)
    return form
