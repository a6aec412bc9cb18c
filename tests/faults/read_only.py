"""F13: the database takes no writes, as when its disk is full or it has become a replica."""

from django.db import connection

from tests.load.browser import Form
from tests.load.learners import Learner

from .account import Account, judge
from .sent import Sent, sent
from .site import site


def refused(account: Account, rounds: int) -> None:
    """F13. Nothing pretends to be stored, what only reads goes on, and the same form is taken afterwards."""
    with site(workers=2) as here:
        ones = [sent(here, number) for number in range(rounds)]
        _read_only(True)
        forms = [_press(account, one) for one in ones]
        _read_only(False)
        for one, form in zip(ones, forms, strict=True):
            one.again(account, form)
        judge(account, here)
        account.note(f"raised: {sorted(set(here.server.faults()))}")


def _press(account: Account, one: Sent) -> Form | None:
    form = one.kept(account, one.learner.browser.post(one.form.action, one.fields, "POST read-only"))
    account.expect("nothing is stored", one.answer is None, one.what)
    _read(account, one.learner)
    return form


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
