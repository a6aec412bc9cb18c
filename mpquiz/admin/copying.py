"""Copies of rows in admin: of those selected in a list, and of the one whose page is open."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


class Copying(admin.ModelAdmin):
    """The part of an admin that copies; ``copied`` makes a copy of a row."""

    copied: ClassVar[Callable[..., Any]]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.copy_view)
        name = f"mpquiz_{self.opts.model_name}_copy"
        return [path("<path:object_id>/copy/", view, name=name), *super().get_urls()]

    def has_copy_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request) and self.has_add_permission(request)

    def copy_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self.get_object(request, object_id)
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]
        if not self.has_copy_permission(request):
            raise PermissionDenied
        made = self._copy(request, row)
        self.message_user(request, _("This is the copy."), messages.SUCCESS)
        return self._to(made)

    @admin.action(description=gettext_lazy("Copy the selected %(verbose_name_plural)s"), permissions=["copy"])
    def copy_selected(self, request: HttpRequest, rows: models.QuerySet[Any]) -> HttpResponse | None:
        made = [self._copy(request, row) for row in rows]
        said = ngettext("%(count)d copy was made.", "%(count)d copies were made.", len(made))
        self.message_user(request, said % {"count": len(made)}, messages.SUCCESS)
        return self._to(made[0]) if len(made) == 1 else None

    def _copy(self, request: HttpRequest, row: Any) -> Any:
        made = type(self).copied(row, by=request.user)
        self.log_addition(request, made, [{"added": {}}])
        return made

    def _to(self, row: Any) -> HttpResponse:
        return HttpResponseRedirect(
            reverse(f"{self.admin_site.name}:mpquiz_{self.opts.model_name}_change", args=[row.pk])
        )
