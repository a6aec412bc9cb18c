"""CSRF: enforced for whoever a browser's session stands for, guests too."""

from rest_framework.authentication import CSRFCheck, SessionAuthentication
from rest_framework.request import Request

from .errors import CsrfFailed


def enforce_csrf(request: Request) -> None:
    """Raises CsrfFailed where an unsafe request comes without the token of its browser."""
    check = CSRFCheck(lambda _request: None)  # type: ignore[arg-type]  # never goes on to a view
    check.process_request(request)
    if check.process_view(request, None, (), {}):  # type: ignore[arg-type]
        raise CsrfFailed


def is_vouched_for(request: Request) -> bool:
    """Whether something else than a browser's session says who asks: a token, which no other site can send."""
    authenticator = request.successful_authenticator
    return authenticator is not None and not isinstance(authenticator, SessionAuthentication)
