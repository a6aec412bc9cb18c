"""Guides and tags: read, written and deleted."""

from django.db.models import Q
from rest_framework.request import Request
from rest_framework.response import Response

from ...editing import rows
from ...models import Guide, Tag
from .base import StaffList, StaffView, etag_in, first, with_etag
from .searching import SearchQuery, contains
from .serializers import GuideSerializer, TagSerializer

# Guides -----------------------------------------------------------------------------------------------------


class StaffGuideQuery(SearchQuery):
    orderings = {"place": "place", "slug": "slug"}


class StaffGuideList(StaffList):
    """The guides, with all languages of their titles."""

    needs = {"GET": ("view_guide",), "POST": ("add_guide",)}
    serializer_class = GuideSerializer
    body_class = GuideSerializer
    query_class = StaffGuideQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = Guide.objects.all()
        if text := asked.get("search"):
            found = found.filter(contains(["title"], text) | Q(slug__icontains=text))
        return self.listed(found, asked.get("ordering", "place"))

    def post(self, request: Request) -> Response:
        """A new guide."""
        sent = self.body()
        sent.pop("revision", None)
        return with_etag(self.answer(rows.create(Guide(), sent, by=request.user), 201))


class StaffGuideView(StaffView):
    """A guide."""

    needs = {"GET": ("view_guide",), "PATCH": ("change_guide",), "DELETE": ("delete_guide",)}
    serializer_class = GuideSerializer
    body_class = GuideSerializer

    def get(self, request: Request, slug: str) -> Response:
        return with_etag(self.answer(_guide(slug)))

    def patch(self, request: Request, slug: str) -> Response:
        """Change what is sent. A language that is not sent stays as it is."""
        sent, seen = self.edited()
        return with_etag(self.answer(rows.edit(_guide(slug), sent, by=request.user, seen=seen)))

    def delete(self, request: Request, slug: str) -> Response:
        """Delete it; quizzes and questions stay without it."""
        rows.delete(_guide(slug), by=request.user, seen=etag_in(request))
        return Response(status=204)


def _guide(slug: str) -> Guide:
    return first(Guide.objects.filter(slug=slug))


# Tags -------------------------------------------------------------------------------------------------------


class StaffTagQuery(SearchQuery):
    orderings = {"name": "name", "id": "pk"}


class StaffTagList(StaffList):
    """The tags: what questions are about, and what pools draw from."""

    needs = {"GET": ("view_tag",), "POST": ("add_tag",)}
    serializer_class = TagSerializer
    body_class = TagSerializer
    query_class = StaffTagQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        found = Tag.objects.filter(Q(name__icontains=asked["search"]) if asked.get("search") else Q())
        return self.listed(found, asked.get("ordering", "name"))

    def post(self, request: Request) -> Response:
        """A new tag."""
        sent = self.body()
        sent.pop("revision", None)
        return with_etag(self.answer(rows.create(Tag(), sent, by=request.user), 201))


class StaffTagView(StaffView):
    """A tag."""

    needs = {"GET": ("view_tag",), "PATCH": ("change_tag",), "DELETE": ("delete_tag",)}
    serializer_class = TagSerializer
    body_class = TagSerializer

    def get(self, request: Request, pk: int) -> Response:
        return with_etag(self.answer(first(Tag.objects.filter(pk=pk))))

    def patch(self, request: Request, pk: int) -> Response:
        """Change what is sent."""
        sent, seen = self.edited()
        tag = first(Tag.objects.filter(pk=pk))
        return with_etag(self.answer(rows.edit(tag, sent, by=request.user, seen=seen)))

    def delete(self, request: Request, pk: int) -> Response:
        """Delete it; one from which a quiz draws stays (409 ``in_use``)."""
        rows.delete(first(Tag.objects.filter(pk=pk)), by=request.user, seen=etag_in(request))
        return Response(status=204)
