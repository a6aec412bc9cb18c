"""A strict Content-Security-Policy on every page of the tests' host: no inline style or script may be needed."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def strict_csp(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Content-Security-Policy"] = "default-src 'self'"
        return response

    return middleware
