"""How a request starts an attempt: counted, and by a guest who is made on the way where nobody is known yet."""

from typing import Any

from django.http import HttpRequest

from . import learners, throttling
from .exceptions import Refusal
from .learners import Learner
from .models import Attempt, Quiz


def begin(request: HttpRequest, quiz: Quiz, *, nonce: str = "", **how: Any) -> Attempt:
    """As ``Attempt.objects.start(quiz, learner, **how)``; a visitor who is refused stays a visitor.

    ``nonce`` is what ``learners.new_nonce`` gave the visitor. Raises Refusal, Throttled too.
    """
    throttling.check(request, throttling.StartThrottle)
    if quiz.password:
        throttling.check(request, throttling.PasswordThrottle)
    is_visitor = not Learner.of(request)
    try:
        return Attempt.objects.start(quiz, Learner.starting(request, nonce), **how)
    except Refusal:
        if is_visitor:
            learners.forget_guest(request)
        raise
