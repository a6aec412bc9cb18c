"""At sign-in a guest's attempts become the user's."""

import logging
from typing import Any

from django.http import HttpRequest

from . import learners
from .models import Attempt

logger = logging.getLogger(__name__)


def claim_attempts(sender: Any, *, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    """Receiver of ``user_logged_in``. Whatever fails here is logged and tried again at the next sign-in."""
    if request is None or not hasattr(request, "session"):
        return
    guest = learners.guest_of(request)
    if not guest:
        return
    try:
        Attempt.objects.claim(guest, user)
    except Exception:  # a quiz must never keep anybody from signing in
        logger.exception("The attempts of a guest could not be given to the user who signed in.")
        return
    learners.forget_guest(request)
