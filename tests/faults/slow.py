"""F26: the body of a form comes slowly, across the deadline."""

import socket
import time
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta

from mpquiz.conf import conf

from .account import Account, judge
from .drops import raw
from .sent import OF_ATTEMPTS, Sent, sent
from .site import Site, attempt_in, row, site

GRACE = conf.GRACE
_STALL = 3.0  # seconds from the first byte to the deadline
_ENDS = (-0.4, GRACE - 0.4, GRACE + 0.4, GRACE + 2)  # seconds from the deadline to the last byte


def bodies(account: Account, rounds: int) -> None:
    """F26. Judged by the moment at which the server has read it whole: taken up to the grace, and not after it."""
    with site("--worker-class", "gthread", "--threads", "8", workers=2) as here:
        for start in range(0, rounds, len(_ENDS)):
            slows = [_slow(here, number) for number in range(start, start + len(_ENDS))]
            for end, (one, coming) in zip(_ENDS, slows, strict=True):
                _check(account, one, end, coming.result(60))
        judge(account, here)
        account.note(f"the server's log says of it: {here.server.told() or 'nothing'}")


def _slow(here: Site, number: int) -> "tuple[Sent, Future[bytes]]":
    """Half of a form is on its way, the rest comes at its end."""
    one = sent(here, OF_ATTEMPTS[number // len(_ENDS) % len(OF_ATTEMPTS)])
    attempt = row(attempt_in(one.form.action))
    deadline = datetime.now(UTC) + timedelta(seconds=_STALL)
    type(attempt).objects.filter(pk=attempt.pk).update(deadline=deadline)
    at = deadline.timestamp() + _ENDS[number % len(_ENDS)]
    return one, here.pool.submit(_send, one, at)


def _send(one: Sent, at: float) -> bytes:
    head, body = raw(one.learner.browser, one.form.action, one.fields)
    with socket.create_connection(one.learner.browser.address, timeout=60) as connection:
        connection.sendall(head + body[: len(body) // 2])
        time.sleep(max(0.0, at - time.time()))
        connection.sendall(body[len(body) // 2 :])
        return connection.recv(4096)


def _check(account: Account, one: Sent, end: float, answer: bytes) -> None:
    told = answer.split(b"\r\n\r\n")[0].decode()
    attempt = row(attempt_in(one.form.action))
    there = one.answer is not None
    if end < GRACE:
        account.expect("whole within the grace: it is taken", there and " 303 " in told, told)
    else:
        late = not there and "notice=time_up" in told
        account.expect("whole after the grace: it is not, and that is said", late, f"{there} {told}")
        closed = (attempt.ended, attempt.finished_at) == ("time_up", attempt.deadline)
        account.expect("then the attempt is closed as of its deadline", closed, attempt.ended)
