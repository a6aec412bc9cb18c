"""Pages of long lists."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db import models


class NarrowPaginator(Paginator):
    """Looks for the ids of a page first: a hundred thousand whole rows are wide to sort, or to pass over."""

    object_list: models.QuerySet[Any]

    def page(self, number: int | str) -> Page:
        number = self.validate_number(number)
        first = (number - 1) * self.per_page
        ids = list(self.object_list.values_list("pk", flat=True)[first : first + self.per_page])
        rows = self.object_list.order_by().in_bulk(ids)
        return Page([rows[pk] for pk in ids if pk in rows], number, self)
