"""What a learner gets while the database or the line fails: their answer back, and a way to send it again."""

import logging
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from ..exceptions import DATABASE_DOWN, Refusal
from .answering import View, in_place, refused

_logger = logging.getLogger("mpquiz.outage")
_SECONDS = 10  # after which it is worth another try


def survives(view: View) -> View:
    """A view that answers 503 where the database fails, on a page that needs none and keeps what was sent.

    The failure is logged with its trace. What a view changes is one transaction: where the reply to its end was
    lost it may be stored, and sending it again shows that.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            if _is_cut(request):
                return refused(request, "mpquiz/refused.html", _cut(), {})
            return view(request, *args, **kwargs)
        except DATABASE_DOWN:
            _logger.exception("The database did not answer: %s %s", request.method, request.path)
            return _unavailable(request)

    return wrapped


def _is_cut(request: HttpRequest) -> bool:
    """Whether the connection broke within a form: some servers hand on what arrived, half a text for an answer.

    Our forms and our script send them urlencoded, which is read whole before anything is made of it.
    """
    if request.method != "POST" or request.content_type != "application/x-www-form-urlencoded":
        return False
    announced = str(request.META.get("CONTENT_LENGTH") or "")
    request.POST  # noqa: B018 (has the body read and kept)
    return announced.isdecimal() and len(request.body) < int(announced)


def _cut() -> Refusal:
    return Refusal("cut", _("What you sent did not arrive whole, and nothing was stored. Send it again."))


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
