"""The same site in three looks, each a folder of templates beside this file that stand before others of their names.

A site of one look needs none of this: it names its folder in ``DIRS`` of ``TEMPLATES``. Here a reader chooses by
``?look=``, which a cookie remembers; without that it is ``LOOK`` of the settings.
"""

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.template.loaders import filesystem
from django.utils.cache import patch_vary_headers

LOOKS = ("plain", "bootstrap", "tailwind")
FOLDER = Path(__file__).resolve().parent

_current: ContextVar[str] = ContextVar("look")


class Loader(filesystem.Loader):
    """Finds the templates of the look of this request; plain has none of its own."""

    def get_dirs(self) -> list[Path]:
        return [FOLDER / _current.get(settings.LOOK)]


def chosen(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the look that a reader chose, as ``request.look`` too."""
    if settings.LOOK not in LOOKS:
        raise ImproperlyConfigured(f"LOOK is {settings.LOOK!r}. There are: {', '.join(LOOKS)}.")

    def respond(request: HttpRequest) -> HttpResponse:
        asked = request.GET.get("look")
        known = [one for one in (asked, request.COOKIES.get("look"), settings.LOOK) if one in LOOKS]
        request.look = known[0]
        token = _current.set(known[0])
        try:
            response = get_response(request)
        finally:
            _current.reset(token)
        if asked == known[0]:
            response.set_cookie("look", asked, samesite="Lax", httponly=True)
        patch_vary_headers(response, ["Cookie"])
        return response

    return respond
