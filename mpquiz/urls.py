"""The addresses of mpquiz."""

from django.urls import URLPattern

app_name = "mpquiz"
urlpatterns: list[URLPattern] = []
