from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from . import guides


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"guides": guides.in_order(get_language())})


def guide_list(request: HttpRequest) -> HttpResponse:
    return render(request, "guides/list.html", {"guides": guides.in_order(get_language())})


def guide(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        page = guides.read(slug, get_language())
    except LookupError as error:
        raise Http404(slug) from error
    return render(request, "guides/guide.html", {"guide": page})
