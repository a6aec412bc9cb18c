"""Guides in admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import Guide
from .deleting import DeletingGuides
from .languages import InLanguages, NamedForm, columns, shown
from .narrowing import Narrowing
from .stale import ChecksTranslations
from .statistics import GuideStatisticsPages
from .together import GuardedForm, Together


class GuideForm(NamedForm, GuardedForm):
    """Guarded, and with a title."""


@admin.register(Guide)
class GuideAdmin(GuideStatisticsPages, DeletingGuides, ChecksTranslations, Together, InLanguages, Narrowing):
    form = GuideForm
    fieldsets = [(None, {"fields": [columns("title"), "slug", "address", "place"]})]
    list_display = ["named", "slug", "leads_to", "place"]
    search_fields = [*columns("title"), "slug"]

    @admin.display(description=_("title"))
    def named(self, guide: Guide) -> SafeString | str:
        return shown(guide.title_text) if guide.title_text else guide.slug

    @admin.display(description=_("address"))
    def leads_to(self, guide: Guide) -> SafeString:
        return format_html('<bdi dir="ltr">{}</bdi>', guide.address)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Files and attempts name a guide by its slug."""
        return ["slug"] if obj else []

    def view_on_site(self, guide: Guide) -> str | None:
        return guide.get_absolute_url() or None
