"""A site whose quizzes have addresses, and something that is mounted where the API would be."""

from django.http import HttpResponse
from django.urls import include, path

_api = ([path("guides/", lambda request: HttpResponse(), name="guide_list")], "mpquiz-api")
urlpatterns = [path("quizzes/", include("mpquiz.urls")), path("api/", include(_api))]
