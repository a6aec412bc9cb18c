"""A host's lessons: pages that embed what their address asks for."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from tests.urls import urlpatterns as _site

ASKED = ("card", "guide", "quiz", "lazy", "progress", "page")


def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """``/en/lessons/any/?quiz=floats&quiz=bits&progress=``: each parameter is what a tag of that name is given."""
    return render(request, "lesson.html", {name: request.GET.getlist(name) for name in ASKED})


urlpatterns = [
    *_site,
    *i18n_patterns(
        path("lessons/<slug:slug>/", lesson, name="lesson"),
        path("contents/", lesson, {"slug": ""}, name="contents"),
    ),
]
