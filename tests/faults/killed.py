"""F8, F9: kill -9 of the worker in the middle of an answer, or of the end of an attempt."""

from tests.load.learners import Learner

from .account import Account, judge
from .sent import sent
from .site import attempt_in, row, site

_PLACES = ("before", "after")


def answers(account: Account, rounds: int) -> None:
    """F8. Killed before the commit, nothing is there; after it, all is; the same form sent again tells the same."""
    with site("--preload") as here:
        for number in range(rounds):
            place = _PLACES[number // 8 % 2]
            one = sent(here, number)
            coming, worker = here.stopped(one.learner, place, one.form.action, one.fields)
            error = here.kill(coming, worker)
            account.expect("the learner's browser is told nothing", isinstance(error, OSError), repr(error))
            there = one.answer is not None
            if place == "before":
                account.expect("killed before the commit: nothing is stored", not there, one.what)
            else:
                account.expect("killed after the commit: it is stored", there, one.what)
            account.expect("at that moment nothing is half done", not (broken := here.broken()), broken)
            one.again(account)
        judge(account, here)
        account.note(f"{here.told_of_ends()}: a process that is killed after its commit tells nobody")


def finishes(account: Account, rounds: int) -> None:
    """F9. The attempt is open or finished, never half; the next visit goes on from there, or shows the result."""
    with site("--preload") as here:
        for number in range(rounds):
            place = _PLACES[number // 4 % 2]
            learner = here.learner(guest=number // 2 % 2 == 1)
            attempt = _begun(learner, ("steady", "exam")[number % 2])
            address = f"/en/quizzes/attempts/{attempt}/"
            fields = [("csrfmiddlewaretoken", learner.browser.token), ("confirm", "yes")]
            error = here.kill(*here.stopped(learner, place, f"{address}finish/", fields))
            account.expect("the learner's browser is told nothing", isinstance(error, OSError), repr(error))
            ended = row(attempt).ended
            if place == "before":
                account.expect("killed before the commit: it is open", ended == "", ended)
            else:
                account.expect("killed after the commit: it is finished", ended == "finished", ended)
            account.expect("at that moment nothing is half done", not (broken := here.broken()), broken)
            visit = learner.follow(learner.browser.get(address, "GET next visit"), "GET next visit")
            shown = (visit.status, visit.address == address)
            account.expect("the next visit goes on, or shows the result", shown == (200, place == "after"), shown)
            answer = learner.follow(learner.browser.post(f"{address}finish/", fields, "POST retry"), "GET result")
            shown = (answer.status, answer.address, row(attempt).ended)
            account.expect("finished again, the result is shown", shown == (200, address, "finished"), shown)
        judge(account, here)
        account.note(f"{here.told_of_ends()}: a process that is killed after its commit tells nobody")


def _begun(learner: Learner, slug: str) -> str:
    """The attempt in which question 1 is answered."""
    page = learner.begin(slug, learner.open(slug))
    if page.question is not None:
        page = learner.send(page.question, "POST answer")
    return attempt_in(page.address)
