"""The tests' host with the bare views that ours are compared with."""

from django.conf.urls.i18n import i18n_patterns
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirect
from django.shortcuts import render
from django.urls import path

from mpquiz.models import Guide
from tests.urls import urlpatterns as host


def bare(request: HttpRequest) -> HttpResponse:
    """Session, user and one SELECT; of a POST one INSERT more, in a transaction."""
    assert request.user.is_authenticated
    if request.method == "GET":
        return HttpResponse(Guide.objects.values_list("slug", flat=True).first())
    with transaction.atomic():
        place = Guide.objects.values_list("place", flat=True).first()
        Guide.objects.create(slug=f"bare-{request.session.session_key}-{next(_numbers)}", place=(place or 0) + 1)
    return HttpResponseRedirect(request.path, status=303)


def page(request: HttpRequest) -> HttpResponse:
    """The same GET, in the host's base template."""
    assert request.user.is_authenticated
    return render(request, "base.html", {"slug": Guide.objects.values_list("slug", flat=True).first()})


_numbers = iter(range(10**9))

urlpatterns = [*host, *i18n_patterns(path("bare/", bare), path("bare/page/", page))]
