"""F11: the connection to the database is lost at the COMMIT."""

from .account import Account, judge
from .sent import sent
from .site import site

_ENDS = ("lose", "lose-reply")


def lost(account: Account, rounds: int) -> None:
    """F11. The learner gets an error, on whichever side of the commit it was lost; sent again, the truth shows."""
    with site(workers=2) as here:
        workers = here.server.workers
        for number in range(rounds):
            end = _ENDS[number // 8 % 2]
            one = sent(here, number)
            place = "before" if end == "lose" else "after"
            fault = f"{place} {end} {number}"
            form = one.kept(
                account, one.learner.browser.post(one.form.action, one.fields, "POST lost", X_Fault=fault)
            )
            there = one.answer is not None
            if place == "before":
                account.expect("lost before the commit: nothing is stored", not there, one.what)
            else:
                account.expect("lost after the commit: it is stored", there, one.what)
            one.again(account, form)
        account.expect("the workers lived on", here.server.workers == workers)
        judge(account, here)
        account.note(here.told_of_ends())
