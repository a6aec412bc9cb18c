"""Lists: in pages, narrowed and ordered by what the address says, which is checked first."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from . import languages
from .base import ApiView
from .errors import NoSuchPage

PAGE_SIZE = 20
LARGEST_PAGE = 100
_LAST_PAGE = 10**9


class Query(serializers.Serializer[Any]):
    """What the address of a list may hold beside its own filters, which a subclass names as fields.

    ``orderings`` is {name: what it orders by}; each name can be turned round by a hyphen before it.
    """

    orderings: ClassVar[dict[str, str]] = {}

    page = serializers.IntegerField(min_value=1, max_value=_LAST_PAGE, required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=LARGEST_PAGE, required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        if self.orderings:
            names = [*self.orderings, *(f"-{name}" for name in self.orderings)]
            fields["ordering"] = serializers.ChoiceField(choices=names, required=False)
        return fields

    def validate(self, found: dict[str, Any]) -> dict[str, Any]:
        beside = {languages.PARAMETER, api_settings.URL_FORMAT_OVERRIDE}
        if unknown := sorted(set(self.initial_data) - set(self.fields) - beside):
            known = ", ".join(sorted(self.fields))
            message = _("There is no such filter. There are: %(known)s.") % {"known": known}
            raise ValidationError({name: [message] for name in unknown})
        return found

    @classmethod
    def order(cls, ordering: str) -> list[str]:
        """The columns that a name orders by, the row's own number last, so that pages never overlap."""
        column = cls.orderings[ordering.removeprefix("-")]
        return [f"-{column}", "-pk"] if ordering.startswith("-") else [column, "pk"]


def asked(view: ApiView, query_class: type[Query]) -> dict[str, Any]:
    """What the address asks for, checked; what it does not name is not there. Raises ValidationError."""
    # A form that does not name a box means "no"; an address that does not name a filter means none.
    serializer = query_class(data=view.request.query_params.dict(), context=view.get_serializer_context())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class Pages(PageNumberPagination):
    """``{"count", "next", "previous", "results"}``."""

    page_size = PAGE_SIZE
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except NotFound as error:
            raise NoSuchPage from error


class ListView(ApiView):
    """A list of what ``serializer_class`` shows, one row each."""

    query_class: ClassVar[type[Query]] = Query
    pagination_class = Pages

    def query(self) -> dict[str, Any]:
        """The filters in the address, checked. Raises ValidationError, which says which is wrong."""
        return asked(self, self.query_class)

    def listed(
        self, rows: QuerySet[Any], ordering: str, shown: Callable[[list[Any]], Sequence[Any]] = list
    ) -> Response:
        """A page of rows in an order that ``query_class`` names; ``shown`` makes of a page what is shown of it."""
        self.paginator = self.pagination_class()
        ordered = rows.order_by(*self.query_class.order(ordering))
        page = self.paginator.paginate_queryset(ordered, self.request, self) or []
        serializer = self.serializer_class(shown(page), many=True, context=self.get_serializer_context())
        return self.paginator.get_paginated_response(serializer.data)
