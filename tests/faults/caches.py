"""F12: the server of the cache is down."""

from tests.load.learners import Learner

from .account import Account, judge
from .site import site


def down(account: Account, rounds: int) -> None:
    """F12. The quiz goes on for users and for guests: the cache is never the record."""
    with site(workers=1, environment={"MPQUIZ_FAULT_CACHE": "down"}) as here:
        for number in range(min(rounds, 8)):
            guest, slug = number % 2 == 1, ("steady", "exam")[number // 2 % 2]
            _take(account, here.learner(guest=guest), "guests" if guest else "users", slug)
        judge(account, here)
        account.note(f"raised: {sorted(set(here.server.faults()))}")


def _take(account: Account, learner: Learner, who: str, slug: str) -> None:
    """A quiz from its page to its result; what follows a page that failed is not asked for."""
    page = learner.open(slug)
    if not account.expect(f"{who} see the quiz page", page.status == 200, page.status):
        return
    page = learner.begin(slug, page)
    if not account.expect(f"{who} start", page.status == 200, page.status):
        return
    for _question in range(3):
        page = page if page.question is not None else learner.browser.get(page.next, "GET question")
        assert page.question is not None, page
        page = learner.send(page.question, "POST answer")
        if not account.expect(f"{who} answer", page.status == 200, page.status):
            return
