"""Where a request can be stopped, and what befalls it there. Only the settings of the faults load it.

A request that carries ``X-Fault: PLACE WHAT TOKEN`` meets its fault at the first commit of its transactions, which in
an answer, a start or a finish is the one that stores it: ``before`` or ``after`` that commit.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse

HEADER = "X-Fault"
_here = threading.local()


def armed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: note what the request is to meet."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _here.fault = tuple(request.headers.get(HEADER, "").split()) or None
        try:
            return get_response(request)
        finally:
            _here.fault = None

    return middleware


def reach(place: str, connection: Any) -> None:
    """The place is reached: what is armed for it happens, once."""
    fault = getattr(_here, "fault", None)
    if fault and fault[0] == place:
        _here.fault = None
        _FAULTS[fault[1]](connection, fault[2])


def sign_of(token: str) -> Path:
    """The file in which a request that was stopped leaves the number of its process."""
    return Path(settings.FAULTS) / token


def _stop(connection: Any, token: str) -> None:
    """Stand still, and tell which process does."""
    sign = sign_of(token)
    fresh = sign.with_suffix(".new")
    fresh.write_text(str(os.getpid()))
    fresh.rename(sign)
    time.sleep(600)


def _lose(connection: Any, token: str) -> None:
    """The database ends this connection, which its client does not know yet."""
    process = connection.connection.info.backend_pid
    with psycopg.connect(**_parameters(connection), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [process])
        while other.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [process]).fetchone() != (0,):
            time.sleep(0.001)


def _lose_reply(connection: Any, token: str) -> None:
    """It was committed, and the connection ended before the database could say so."""
    _lose(connection, token)
    raise OperationalError("server closed the connection unexpectedly")


def _parameters(connection: Any) -> dict[str, Any]:
    names = ("dbname", "user", "password", "host", "port")
    return {name: value for name, value in connection.get_connection_params().items() if name in names}


_FAULTS: Mapping[str, Callable[[Any, str], None]] = {"stop": _stop, "lose": _lose, "lose-reply": _lose_reply}
