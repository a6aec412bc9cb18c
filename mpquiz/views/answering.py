"""How a page is answered: within the host's page or in place, with the reason where something was refused."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from .. import drafts, lessons, logs, pages, throttling
from ..conf import conf
from ..exceptions import Refusal, status_of
from ..learners import Learner
from ..models import Attempt
from ..models.attempts import AttemptQuerySet

View = Callable[..., HttpResponse]


class HttpResponseSeeOther(HttpResponseRedirect):
    """What a browser does after a POST: get the page."""

    status_code = 303


def rendered(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of ours within the host's base template."""
    context = {"base_template": conf.BASE_TEMPLATE, "htmx": conf.HTMX, **context}
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def refused(request: HttpRequest, template: str, refusal: Refusal, context: dict[str, Any]) -> HttpResponse:
    """A page with the reason on it."""
    response = rendered(request, template, {**context, "refusal": refusal}, status_of(refusal))
    if isinstance(refusal, throttling.Throttled):
        response["Retry-After"] = str(refusal.wait)
    return response


def in_place(request: HttpRequest) -> bool:
    """Whether our own script asked, and gets the part of the page that changes."""
    headers = request.headers
    whole = headers.get("HX-Boosted") or headers.get("HX-History-Restore-Request")
    return headers.get("HX-Request") == "true" and not whole


def stay(request: HttpRequest, response: HttpResponse, address: str) -> HttpResponse:
    """The part of a page that changed; the address bar follows where it is another page's, but a lesson's stays."""
    here = request.headers.get("HX-Current-URL", "").split("?")[0]
    response["HX-Push-Url"] = "false" if lessons.asks(request) or here.endswith(address) else address
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """To another page of the attempt; within a lesson, its part takes the place of the one that asked."""
    return HttpResponseSeeOther(address) if lessons.asks(request) else leave(request, address)


def leave(request: HttpRequest, address: str) -> HttpResponse:
    """To another page, whatever asked."""
    return HttpResponseClientRedirect(address) if in_place(request) else HttpResponseSeeOther(address)


def of_learner(view: View) -> View:
    """Hand the view the learner's own attempt.

    A signed-in stranger gets 404; a visitor may be a user whose session ended, and gets the sign-in page with any id.
    """
    return _of_learner(view, lambda attempts, learner: attempts.fetched())


def of_learner_with_rights(view: View) -> View:
    """As ``of_learner``, for a view that asks whether the learner may start the quiz again."""
    return _of_learner(view, AttemptQuerySet.fetched_with_rights)


def _of_learner(view: View, fetched: Callable[[AttemptQuerySet, Learner], AttemptQuerySet]) -> View:
    @wraps(view)
    def wrapped(request: HttpRequest, attempt: str, **kwargs: Any) -> HttpResponse:
        learner = Learner.of(request)
        try:
            own = fetched(Attempt.objects.of(learner), learner).with_id(attempt)
        except Attempt.DoesNotExist as error:
            if learner.user is None:
                return _sign_in(request, attempt, **kwargs)
            raise Http404 from error
        return view(request, own, **kwargs)

    return never_cache(wrapped)


def leads_back(view: View) -> View:
    """The address of a form leads back to the attempt when it is only opened: by a language switch, by a reload."""

    @wraps(view)
    def wrapped(request: HttpRequest, attempt: Attempt, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseRedirect(pages.result_url(attempt))
        return view(request, attempt, **kwargs)

    return require_http_methods(["GET", "HEAD", "POST"])(wrapped)


def _sign_in(request: HttpRequest, attempt: str, position: int | None = None) -> HttpResponse:
    """The sign-in page, which leads back to where the visitor was, with what was chosen."""
    if position is None:
        return leave(request, redirect_to_login(reverse("mpquiz:result", kwargs={"attempt": attempt})).url)
    try:
        address = drafts.address(request, attempt, position)
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), position=position)
        return refused(request, "mpquiz/_refused.html" if in_place(request) else "mpquiz/refused.html", refusal, {})
    if "save" in request.POST:  # our script, which stays where it is
        detail = _("Sign in again: your text is kept here until then.")
        return JsonResponse({"code": "sign_in", "detail": str(detail)}, status=403)
    return leave(request, redirect_to_login(address).url)


def number_in(request: HttpRequest) -> int | None:
    """The number that a form expects the new attempt to get; None where it names none."""
    text = request.POST.get("number", "")
    return int(text) if text.isdecimal() and len(text) < 9 else None
