"""F13: the database takes no writes, as when its disk is full or it has become a replica."""

from django.db import connection

from tests.load.learners import Learner

from .account import Account, judge
from .sent import Sent, sent
from .site import site


def refused(account: Account, rounds: int) -> None:
    """F13. Nothing pretends to be stored, what only reads goes on, and the same form is taken afterwards."""
    with site(workers=2) as here:
        ones = [sent(here, number) for number in range(rounds)]
        _read_only(True)
        for one in ones:
            _press(account, one)
            _read(account, one.learner)
        _read_only(False)
        for one in ones:
            one.again(account)
        judge(account, here)
        account.note(f"raised: {sorted(set(here.server.faults()))}")


def _press(account: Account, one: Sent) -> None:
    answer = one.learner.browser.post(one.form.action, one.fields, "POST read-only")
    account.expect("the learner gets an error", answer.status >= 500, f"{answer.status} {answer.location}")
    kept = answer.status == 503 and answer.question is not None
    account.expect("the error says to try again: 503, the choice kept in the form", kept, answer.status)
    account.expect("nothing is stored", one.answer is None, one.what)


def _read(account: Account, learner: Learner) -> None:
    for address in ("", "mine/", "steady/", "exam/"):
        page = learner.browser.get(f"/en/quizzes/{address}", "GET read-only")
        account.expect("pages that only read are shown", page.status == 200, f"{address}: {page.status}")


def _read_only(wanted: bool) -> None:
    """For every connection made from now on; those that are there are ended."""
    name, state = connection.settings_dict["NAME"], "on" if wanted else "off"
    alter = f"ALTER DATABASE {connection.ops.quote_name(name)} SET default_transaction_read_only = {state}"
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    with connection.cursor() as cursor:
        cursor.execute(alter)
        cursor.execute(end, [name])
