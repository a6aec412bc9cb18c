"""What a learner gets while the database does not answer: their answer back, and a button to send it again."""

import logging
from functools import wraps
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from .answering import View, in_place

_logger = logging.getLogger("mpquiz.outage")
_SECONDS = 10  # after which it is worth another try
_DOWN = (OperationalError, InterfaceError, InternalError)  # gone, restarting, locked, read-only, full


def survives(view: View) -> View:
    """A view that answers 503 where the database fails, on a page that needs none and keeps what was sent.

    The failure is logged with its trace. Nothing was stored: what a view changes is one transaction.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except _DOWN:
            _logger.exception("The database did not answer: %s %s", request.method, request.path)
            return _unavailable(request)

    return wrapped


def _unavailable(request: HttpRequest) -> HttpResponse:
    """Our own page: the host's may ask the database who is signed in. In place, the form stays on its page."""
    fields = [] if in_place(request) else _sent(request)
    context = {"fields": fields, "posted": request.method == "POST", "address": request.get_full_path()}
    response = render(request, "mpquiz/unavailable.html", context, status=503)
    response["Retry-After"] = str(_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    return [
        (name, value) for name, values in request.POST.lists() for value in values if name != "csrfmiddlewaretoken"
    ]
