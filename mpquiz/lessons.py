"""The lessons within which quizzes are taken: pages of the host.

All ids of a quiz in a lesson begin with its slug, so that several get along there. That is how a part that our
script asks for is known to go into a lesson: by the id of the element that it goes into (``HX-Target``). What a form
sends as ``lesson`` is the address to come back to, kept in the session beside the id of the attempt.
"""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, get_language_from_path, override

from .models import Attempt, Quiz

FIELD = "lesson"
_SESSION_KEY = "mpquiz_lessons"
_MOST = 5  # attempts of a session whose lessons are known
_LONGEST = 300  # characters of an address: a session may be a cookie
_TARGET = re.compile(r"[-\w]+-mpquiz-")


def asks(request: HttpRequest) -> bool:
    """Whether our script asks from within a lesson."""
    return request.headers.get("HX-Request") == "true" and _TARGET.match(_target(request)) is not None


def within(request: HttpRequest, quiz: Quiz) -> str:
    """What stands before the ids of this quiz in the lesson that asks: its slug; "" where no lesson does."""
    return quiz.slug if asks(request) and _target(request).startswith(f"{quiz.slug}-mpquiz-") else ""


def _target(request: HttpRequest) -> str:
    return request.headers.get("HX-Target", "")


def address_of(request: HttpRequest) -> str:
    """The path of the lesson that asks, as our script names it; "" where it names none."""
    here = urlsplit(request.headers.get("HX-Current-URL", ""))
    return _sound(f"{here.path}?{here.query}" if here.query else here.path)


def sent(request: HttpRequest) -> str:
    """The address of the lesson from which a form came; "" where it came from none."""
    return _sound(request.POST.get(FIELD, ""))


def _sound(address: str) -> str:
    """A path of this site; anything else is no lesson."""
    is_path = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if is_path and len(address) <= _LONGEST else ""


def remember(request: HttpRequest, attempt: Attempt) -> None:
    """Keep from which lesson the attempt is taken, where the form says so."""
    _keep(request, attempt, sent(request))


def pass_on(request: HttpRequest, before: Attempt, attempt: Attempt) -> None:
    """Keep that what follows an attempt is taken from the lesson of that one."""
    _keep(request, attempt, request.session.get(_SESSION_KEY, {}).get(str(before.public_id), ""))


def _keep(request: HttpRequest, attempt: Attempt, address: str) -> None:
    if not address:
        return
    known = request.session.get(_SESSION_KEY, {})
    name = str(attempt.public_id)
    if known.get(name) == address:
        return
    others = [one for one in known.items() if one[0] != name]
    request.session[_SESSION_KEY] = dict([*others, (name, address)][-_MOST:])


def way_back(request: HttpRequest, attempt: Attempt) -> str:
    """The address of the lesson of which the attempt is, in the active language; "" where it is of none."""
    address = request.session.get(_SESSION_KEY, {}).get(str(attempt.public_id), "")
    if not address:
        return ""
    active = get_language() or settings.LANGUAGE_CODE
    with override(get_language_from_path(address) or active):  # an address is known in its own language alone
        return f"{translate_url(address, active)}#{attempt.quiz.slug}-mpquiz-title"
