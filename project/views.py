from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from mpquiz import gradebook
from mpquiz.models import Attempt, Quiz

from . import guides


def robots(request: HttpRequest) -> HttpResponse:
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    return HttpResponse(f"User-agent: *\nDisallow:\n\nSitemap: {sitemap}\n", content_type="text/plain")


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


@login_required
@permission_required("mpquiz.view_attempt", raise_exception=True)
def grades(request: HttpRequest) -> HttpResponse:
    quizzes = Quiz.objects.of_editor(request.user, doing="results").filter(archived=False)
    taken = Attempt.objects.counted().filter(quiz__in=quizzes)
    learners = get_user_model().objects.filter(pk__in=taken.values("user")).order_by("username")
    page = Paginator(learners, 50).get_page(request.GET.get("page"))
    return render(request, "gradebook.html", {"page": page, "book": gradebook.of(page, quizzes)})
