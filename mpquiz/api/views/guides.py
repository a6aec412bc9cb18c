"""Guides, and the quizzes that belong to them."""

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Guide
from ..base import ApiView, Keeping
from ..lists import ListView, Query
from ..serializers import GuideSerializer


class GuideQuery(Query):
    orderings = {"place": "place", "slug": "slug"}


class GuideList(ListView):
    """The guides of the site."""

    serializer_class = GuideSerializer
    query_class = GuideQuery
    keeping = Keeping.ANYBODY

    def get(self, request: Request) -> Response:
        asked = self.query()
        return self.listed(Guide.objects.all(), asked.get("ordering", "place"))


class GuideView(ApiView):
    """A guide, with the quizzes that belong to it in the reader's language."""

    serializer_class = GuideSerializer
    keeping = Keeping.ANYBODY

    def get(self, request: Request, slug: str) -> Response:
        return self.answer(get_object_or_404(Guide, slug=slug))
