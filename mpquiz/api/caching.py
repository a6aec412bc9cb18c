"""What may be kept of an answer, and by whom. The mark of what is kept is made of nothing but the bytes shown."""

import hashlib
from enum import StrEnum
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

_DEPENDS_ON = ("Accept-Language", "Cookie", "Authorization")


class Keeping(StrEnum):
    """Who may keep an answer: nobody, the one who asked, or anybody, who then asks each time if it is still so."""

    NOT = "no-store"
    OWN = "private, no-cache"
    ANYBODY = "public, no-cache"


def kept(request: HttpRequest, response: HttpResponse, keeping: Keeping) -> Any:
    """The answer with what its reader may keep of it; 304 where the reader has it already."""
    patch_vary_headers(response, _DEPENDS_ON)
    good = response.status_code == 200 and request.method in ("GET", "HEAD")
    if not good or keeping is Keeping.NOT or not response["Content-Type"].startswith("application/json"):
        response["Cache-Control"] = Keeping.NOT.value  # a page of the browsable API names its reader
        return response
    response["Cache-Control"] = keeping.value
    response["ETag"] = etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=etag, response=response)
