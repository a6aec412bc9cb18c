"""Answers that were sent after the session had ended, kept in the visitor's session until they have signed in.

A draft belongs to a position of an attempt, and only the learner of that attempt ever gets to its page. A site whose
sessions are cookies keeps none: they do not fit.
"""

import re
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from . import throttling
from .kinds import FIELD, Submitted

_SESSION_KEY = "mpquiz_drafts"
_MOST = 50_000  # characters of all drafts of a session
_IN_ADDRESS = 1_000  # characters of a query string that every proxy lets through
_FIELDS = 1000
_ANSWER = re.compile(rf"(?:q\d{{1,4}}-)?{FIELD}(?:-|$)")

Fields = list[tuple[str, str]]


def address(request: HttpRequest, attempt: str, position: int) -> str:
    """The address to come back to with what was sent: in the address where it fits, else kept in the session.

    Raises Refusal where too many come from this visitor's address.
    """
    here = reverse("mpquiz:question", kwargs={"attempt": attempt, "position": position})
    fields = _fields(request)
    given = urlencode(fields)
    if len(given) <= _IN_ADDRESS:
        return f"{here}?{given}" if given else here
    if settings.SESSION_ENGINE.endswith("signed_cookies"):
        return f"{here}?{urlencode([(name, value[:200]) for name, value in fields])}"
    throttling.check(request, throttling.AnswerThrottle)
    _keep(request, f"{attempt}/{position}", fields)
    return here


def of(request: HttpRequest, attempt: object, position: int) -> Submitted | None:
    """What the visitor had sent to this position before they signed in."""
    fields = request.session.get(_SESSION_KEY, {}).get(f"{attempt}/{position}")
    if fields is None:
        return None
    data = QueryDict(mutable=True)
    for name, value in fields:
        data.appendlist(name, value)
    return Submitted(data)


def forget(request: HttpRequest, attempt: object, position: int) -> None:
    """Drop it: the question has its answer."""
    drafts = request.session.get(_SESSION_KEY, {})
    if drafts.pop(f"{attempt}/{position}", None) is not None:
        request.session[_SESSION_KEY] = drafts


def forget_all(request: HttpRequest) -> None:
    """Drop whatever this visitor had sent."""
    request.session.pop(_SESSION_KEY, None)


def _fields(request: HttpRequest) -> Fields:
    """The fields of an answer, or of several, in a form."""
    names = [name for name in request.POST if _ANSWER.match(name)]
    return [(name, value) for name in names for value in request.POST.getlist(name)][:_FIELDS]


def _keep(request: HttpRequest, place: str, fields: Fields) -> None:
    """The newest drafts that fit, the last one cut where it alone is too long."""
    drafts = request.session.get(_SESSION_KEY, {})
    drafts.pop(place, None)
    drafts[place] = _cut(fields)
    while len(drafts) > 1 and sum(map(_size, drafts.values())) > _MOST:
        del drafts[next(iter(drafts))]
    request.session[_SESSION_KEY] = drafts


def _cut(fields: Fields) -> Fields:
    return [(name[:100], value[: _MOST // max(len(fields), 1)]) for name, value in fields]


def _size(fields: Fields) -> int:
    return sum(len(name) + len(value) for name, value in fields)
