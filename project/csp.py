"""The Content-Security-Policy header where Django does not set it itself (before Django 6.0)."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"


class ContentSecurityPolicyMiddleware:
    """Reads SECURE_CSP as Django 6 does; nonces are not needed here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {' '.join(values)}" for name, values in settings.SECURE_CSP.items())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not _is_debug_page(response):
            response.headers.setdefault(HEADER, self.policy)
        return response


def _is_debug_page(response: HttpResponse) -> bool:
    """Django's own debug pages carry inline styles; Django 6 makes the same exception."""
    return settings.DEBUG and response.status_code in (404, 500)
