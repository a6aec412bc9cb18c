"""The addresses of the API: ``path("api/", include("mpquiz.api.urls"))``. The version stands in the path."""

from django.urls import include, path
from django.urls.resolvers import URLPattern, URLResolver

from . import views

app_name = "mpquiz-api"

_learners: list[URLPattern | URLResolver] = [
    path("guides/", views.GuideList.as_view(), name="guide_list"),
    path("guides/<slug:slug>/", views.GuideView.as_view(), name="guide"),
]

urlpatterns = [
    path("v1/", include(_learners)),
    # The staff's own addresses, from mpquiz/api/staff/urls.py: path("v1/staff/", include("mpquiz.api.staff.urls")),
]
