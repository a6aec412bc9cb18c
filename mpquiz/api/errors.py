"""How the API says no: ``{"code": …, "detail": …}``, in the reader's language, whatever says it."""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from .. import logs
from ..exceptions import DATABASE_DOWN, ManyRefused, Message, Refusal, status_of
from ..learners import Learner
from ..throttling import Throttled

_logger = logging.getLogger("mpquiz.outage")
_SECONDS = 10  # after which a database that failed is worth another try

_CODES: Mapping[str, str] = {"not_authenticated": "sign_in"}
"""What Django REST framework calls otherwise than our own rules do."""
_DETAILS: Mapping[str, Message] = {
    "method_not_allowed": _("This address does not take such a request."),
    "not_acceptable": _("The API answers in JSON."),
    "not_found": _("There is nothing here."),
    "parse_error": _("The body is not JSON that can be read."),
    "permission_denied": _("You may not do this."),
    "sign_in": _("Sign in first."),
    "too_large": _("What was sent is too large."),
    "unsupported_media_type": _("Send the body as JSON, with the header Content-Type: application/json."),
}
"""Ours are translated also where ``rest_framework`` is not among the installed apps."""


class NoSuchPage(exceptions.NotFound):
    """A list has no page of that number."""

    default_detail = _("This list has no such page.")
    default_code = "no_such_page"


class CsrfFailed(exceptions.PermissionDenied):
    """An unsafe request that the browser's session stands for came without the token."""

    default_detail = _("The CSRF token is missing or wrong: send the value of the cookie as the header X-CSRFToken.")
    default_code = "csrf"


class TooLarge(exceptions.APIException):
    """A body is larger than the site takes."""

    status_code = 413
    default_code = "too_large"


def answer_to(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The exception handler of our views: what is answered to an error; None: it is none that we expect."""
    if isinstance(error, Refusal):
        _log(error, context)
        return _refused(error)
    if isinstance(error, DATABASE_DOWN):
        _logger.exception("The database did not answer: %s", context["request"].path)
        return _unavailable()
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, RequestDataTooBig):
        error = TooLarge()
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    return Response(_body(error), error.status_code, headers=_headers(error))


def _log(refusal: Refusal, context: Mapping[str, Any]) -> None:
    about, learner = context["view"].about, Learner.of(context["request"])
    if not isinstance(refusal, ManyRefused):
        return logs.refused(refusal, learner, **about)
    for position, one in refusal.by_position.items():
        logs.refused(one, learner, **about, position=position)


def described(refusal: Refusal) -> dict[str, Any]:
    """A refusal as JSON: its code, its words, and the parts or positions that it is about."""
    told: dict[str, Any] = {"code": refusal.code, "detail": str(refusal.message)}
    if refusal.parts:
        told["parts"] = list(refusal.parts)
    if isinstance(refusal, ManyRefused):
        told["by_position"] = {str(position): described(one) for position, one in refusal.by_position.items()}
    return told | refusal.more


def _refused(refusal: Refusal) -> Response:
    headers = {"Retry-After": str(refusal.wait)} if isinstance(refusal, Throttled) else {}
    return Response(described(refusal), status_of(refusal), headers=headers)


def _unavailable() -> Response:
    detail = _("The database does not answer. Try again soon: what was sent may be stored already.")
    return Response({"code": "unavailable", "detail": detail}, 503, headers={"Retry-After": str(_SECONDS)})


def _body(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error.detail, dict):
        return {
            "code": "invalid",
            "detail": _("What was sent cannot be used: see the fields."),
            "fields": error.detail,
        }
    if isinstance(error.detail, list):
        return {"code": "invalid", "detail": " ".join(map(str, error.detail))}
    code = _CODES.get(str(error.detail.code), str(error.detail.code))
    return {"code": code, "detail": str(_DETAILS.get(code, error.detail))}


def _headers(error: exceptions.APIException) -> dict[str, str]:
    """What Django REST framework notes at an error for its headers."""
    headers = {}
    if scheme := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = scheme
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    return headers
