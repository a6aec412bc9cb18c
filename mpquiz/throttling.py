"""How often guests of one address may start and answer, and how often anybody may try a password or ask the API."""

import hashlib
import logging
from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework.throttling import SimpleRateThrottle

from .conf import conf
from .exceptions import Message, Refusal

_logger = logging.getLogger("mpquiz.throttling")


class Throttled(Refusal):
    """Too many requests; ``wait`` is the number of seconds after which another is taken."""

    def __init__(self, wait: int, message: Message) -> None:
        super().__init__("throttled", message)
        self.wait = wait


class GuestThrottle(SimpleRateThrottle):
    """Counts the guests' requests of one address; the rate is ``MPQUIZ["THROTTLE"][scope]``, None for no limit."""

    message: ClassVar[Message] = _("Too many answers came from your address. Nothing is lost: try again soon.")

    def get_rate(self) -> str | None:
        return conf.THROTTLE[str(self.scope)]

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return None if request.user.is_authenticated else self.key_of(request)

    def key_of(self, request: Any) -> str:
        """The name under which the requests of one address are counted."""
        # The address may be a header's, so of any length and with anything in it.
        address = hashlib.sha256(str(self.get_ident(request)).encode()).hexdigest()
        return f"mpquiz.throttle.{self.scope}.{address}"


class StartThrottle(GuestThrottle):
    scope = "start"


class AnswerThrottle(GuestThrottle):
    scope = "answer"


class PasswordThrottle(GuestThrottle):
    """Whoever tries passwords, signed in or not."""

    scope = "password"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return self.key_of(request)


class ReportThrottle(PasswordThrottle):
    """Whoever reports questions, signed in or not."""

    scope = "report"


class ApiThrottle(GuestThrottle):
    """Every request to the API: a user's wherever they come from, the guests' of one address."""

    scope = "api"
    message = _("Too many requests came from you. Try again soon.")

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        if request.user.is_authenticated:
            return f"mpquiz.throttle.{self.scope}.user.{request.user.pk}"
        return self.key_of(request)


def check(request: HttpRequest, throttle: type[GuestThrottle]) -> None:
    """Count a request. Raises Throttled where it is one too many."""
    one = throttle()
    try:
        allowed = one.allow_request(request, None)  # type: ignore[arg-type]  # reads no more than Django's request has
    except Exception:  # of whichever cache the host has: no answer is lost for it, so the quiz goes on
        _logger.exception("The cache did not answer, so nobody is held back.")
        return
    if not allowed:
        raise Throttled(int(one.wait() or 0) + 1, one.message)
