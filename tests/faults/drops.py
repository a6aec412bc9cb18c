"""F25: the network drops between a form and its answer; or in the middle of the form."""

import random
import socket
import struct
import time
from urllib.parse import urlencode

from tests.load.browser import FORM, Browser, Fields

from .account import Account, judge
from .sent import sent, typed
from .site import site

_AFTER = (0, 0.001, 0.005, 0.02, 0.1)  # seconds after the last byte of the form


def replies(account: Account, rounds: int) -> None:
    """F25. Whether it was stored or not, the form sent again is taken, and nothing is there twice."""
    arrived = looked = 0
    with site(workers=4) as here:
        for number in range(rounds * len(_AFTER)):
            one = sent(here, number)
            drop(one.learner.browser, one.form.action, one.fields, after=_AFTER[number % len(_AFTER)])
            if number % 2:  # else the two meet in the server
                time.sleep(0.2)
                looked += 1
                arrived += one.answer is not None
            one.again(account)
        judge(account, here)
        account.note(f"of {looked} forms that were looked for before they were sent again {arrived} had been stored")


def cuts(account: Account, rounds: int) -> None:
    """F25, in the form itself. What came only in part is not stored as if it were whole; sent again, it is taken."""
    chance = random.Random(25)
    with site(workers=4) as here:
        for number in range(rounds):
            one = typed(here, number)
            body = urlencode(one.fields)
            most = len(body) - (body.index("given=") + len("given="))
            cut(one.learner.browser, one.form.action, one.fields, missing=chance.randint(1, most - 1))
            time.sleep(0.2)
            there = one.answer
            account.expect(
                "what was cut is not stored",
                there is None,
                f"{there and there.given!r} is stored of {one.fields[-1][1]!r} ({one.what})",
            )
            one.again(account)
        judge(account, here)


def drop(browser: Browser, address: str, fields: Fields, *, after: float) -> None:
    """Send a form, and be gone without having read the answer: the connection is reset."""
    with _sent(browser, address, fields) as connection:
        time.sleep(after)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def cut(browser: Browser, address: str, fields: Fields, *, missing: int) -> None:
    """Send a form but for its last bytes, and close."""
    with _sent(browser, address, fields, missing=missing) as connection:
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(5)
        connection.recv(1)


def _sent(browser: Browser, address: str, fields: Fields, *, missing: int = 0) -> socket.socket:
    head, body = raw(browser, address, fields)
    connection = socket.create_connection(browser.address, timeout=10)
    connection.sendall(head + body[: len(body) - missing])
    return connection


def raw(browser: Browser, address: str, fields: Fields) -> tuple[bytes, bytes]:
    """The head and the body of a form as they go through the wire."""
    body = urlencode(fields).encode()
    headers = {**browser.headers(**FORM), "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"POST {address} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode(), body
