"""Who takes a quiz: a signed-in user, or a guest known by a token in the session's data.

The session's key changes at sign-in, so the token does not depend on it.
"""

import secrets
from dataclasses import dataclass
from typing import Any, Self

from django.contrib.auth import get_user_model
from django.core import signing
from django.http import HttpRequest

from .conf import conf

_SESSION_KEY = "mpquiz_guest"
_SALT = "mpquiz.guest"
_NONCE_AGE = 24 * 60 * 60  # seconds that a page with a start form stays good


@dataclass(frozen=True, slots=True)
class Learner:
    """A user or a guest's token; neither for a visitor who has not started anything."""

    user: Any = None
    guest: str = ""

    def __bool__(self) -> bool:
        return bool(self.guest) if self.user is None else self.user.pk is not None

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """The learner behind a request. Writes nothing."""
        if request.user.is_authenticated:
            return cls(user=request.user)
        return cls(guest=request.session.get(_SESSION_KEY, ""))

    @classmethod
    def starting(cls, request: HttpRequest, nonce: str) -> Self:
        """The learner who starts: a visitor becomes the guest that the page's nonce names.

        Two presses of one button carry one nonce, so they are one guest even where there was no session yet. A
        nonce that is forged or too old names nobody and a new guest is made.
        """
        learner = cls.of(request)
        if learner:
            return learner
        token = _token(nonce) or secrets.token_urlsafe(16)
        request.session[_SESSION_KEY] = token
        return cls(guest=token)

    @property
    def owner(self) -> dict[str, Any]:
        """The values of an attempt's columns that say whose it is."""
        return {"user_id": self.user.pk} if self.user is not None else {"guest": self.guest}


def new_nonce() -> str:
    """A signed random token for a start form, to be shown to a visitor who has no session yet."""
    return signing.TimestampSigner(salt=_SALT).sign(secrets.token_urlsafe(16))


def _token(nonce: str) -> str:
    try:
        return signing.TimestampSigner(salt=_SALT).unsign(nonce, max_age=_NONCE_AGE)
    except signing.BadSignature:
        return ""


def name_of(user: Any) -> str:
    """What staff read of a user: what the host's rule says, or their username where that says nothing."""
    return str(conf.LEARNER_NAME(user) or user.get_username())


def name_columns(path: str) -> list[str]:
    """The columns in which a learner is searched by name, from a model whose ``path`` leads to the user."""
    model = get_user_model()
    known = {field.name for field in model._meta.get_fields()}
    names = (model.USERNAME_FIELD, "first_name", "last_name")
    return [f"{path}__{name}" for name in names if name in known]


def guest_of(request: HttpRequest) -> str:
    """The guest's token in this session, also while a user is signed in; "" where there is none."""
    return request.session.get(_SESSION_KEY, "")


def forget_guest(request: HttpRequest) -> None:
    """Take the guest's token out of the session: the attempts have become a user's."""
    request.session.pop(_SESSION_KEY, None)
