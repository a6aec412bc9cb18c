"""By what a list can be narrowed: by its own filters, and by what links of our pages say.

Django lets an address narrow a list by any column of its rows, and so ask for one that the list does not show: a
quiz's password letter by letter, the reporter of a report, the rows of other editors that a tag leads to.
"""

from collections.abc import Collection
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.widgets import url_params_from_lookup_dict
from django.core.exceptions import FieldDoesNotExist
from django.http import HttpRequest

_OF_COLUMN = ("exact", "in", "isnull", "isempty", "gte", "lt")
_OF_DATES = ("year", "month", "day", "gte", "lt")


class Narrowing(admin.ModelAdmin):
    linked_lookups: Collection[str] = ()
    """What links narrow the list by, and no filter of it does: ``("questions__id__exact",)``."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Whether an address may narrow the list so: answered with 400 where it may not.

        Raises IncorrectLookupParameters, after which Django shows the whole list, for what is no column of the rows
        and for a text that PostgreSQL stores in none.
        """
        if "\0" in lookup or "\0" in value:
            raise IncorrectLookupParameters
        if lookup in self.linked_lookups or self._is_filtered_by(lookup, request) or self._limits(lookup, value):
            return True
        try:
            self.opts.get_field(lookup.partition("__")[0])
        except FieldDoesNotExist as error:
            raise IncorrectLookupParameters from error
        return False

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Of pickers too, which ask without the form of the list: that takes no such text."""
        if "\0" in search_term:
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def _is_filtered_by(self, lookup: str, request: HttpRequest) -> bool:
        if self.date_hierarchy and lookup in {f"{self.date_hierarchy}__{one}" for one in _OF_DATES}:
            return True
        return any(lookup in self._parameters(one, request) for one in self.get_list_filter(request))

    def _parameters(self, one: Any, request: HttpRequest) -> Collection[str | None]:
        """What a filter, as ``list_filter`` names it, takes from an address."""
        if isinstance(one, type) and issubclass(one, admin.SimpleListFilter):
            return (one.parameter_name,)
        if callable(one):
            return one(request, {}, self.model, self).expected_parameters()
        named = one[0] if isinstance(one, list | tuple) else one
        path: Any = getattr(named, "name", named)
        field: Any = get_fields_from_path(self.model, path)[-1]
        if field.is_relation:
            return (f"{path}__{field.target_field.name}__exact", f"{path}__isnull", f"{path}__isempty")
        return (path, *(f"{path}__{one}" for one in _OF_COLUMN))

    def _limits(self, lookup: str, value: str) -> bool:
        """Whether a model of the host's limits so what its rows may lead to: its pickers open the list narrowed."""
        limits = (limit() if callable(limit) else limit for limit in self.opts.related_fkey_lookups)
        return any((lookup, value) in url_params_from_lookup_dict(limit).items() for limit in limits)
