"""The tests' host with a bare view, which the same server answers in the same run."""

import secrets

from django.conf.urls.i18n import i18n_patterns
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirect
from django.shortcuts import render
from django.urls import path

from mpquiz.models import Guide
from tests.urls import urlpatterns as host


def bare(request: HttpRequest) -> HttpResponse:
    """Session, user and one SELECT, in the host's base template; of a POST one INSERT more, in a transaction."""
    place = Guide.objects.values_list("place", flat=True).first()
    if request.method == "GET":
        return render(request, "base.html", {"user": request.user.is_authenticated, "place": place})
    with transaction.atomic():
        Guide.objects.create(slug=f"bare-{secrets.token_hex(8)}", place=place or 0)
    return HttpResponseRedirect(request.path, status=303)


urlpatterns = [*host, *i18n_patterns(path("bare/", bare))]
