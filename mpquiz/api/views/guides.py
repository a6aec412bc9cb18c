"""Guides, and the quizzes that belong to them."""

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Guide, Quiz
from ..base import ApiView, Keeping
from ..lists import ListView, Query
from ..serializers import GuideDetailSerializer, GuideSerializer


class GuideQuery(Query):
    orderings = {"place": "place", "slug": "slug"}


class GuideList(ListView):
    """The guides of the site: readings that quizzes belong to."""

    serializer_class = GuideSerializer
    query_class = GuideQuery
    keeping = Keeping.ANYBODY

    def get(self, request: Request) -> Response:
        asked = self.query()
        return self.listed(Guide.objects.all(), asked.get("ordering", "place"))


class GuideView(ApiView):
    """A guide with the quizzes that belong to it, published in the reader's language."""

    serializer_class = GuideDetailSerializer
    keeping = Keeping.ANYBODY

    def get(self, request: Request, slug: str) -> Response:
        guide = get_object_or_404(Guide, slug=slug)
        vars(guide)["offered"] = Quiz.objects.published().of_guide(slug).listed().with_languages()
        return self.answer(guide)
