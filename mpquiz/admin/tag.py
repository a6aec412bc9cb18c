"""Tags in admin: what questions are about."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import Tag
from .deleting import DeletingTags
from .languages import InLanguages, columns, in_its_own_direction
from .narrowing import Narrowing
from .stale import ChecksTranslations


@admin.register(Tag)
class TagAdmin(ChecksTranslations, InLanguages, DeletingTags, Narrowing):
    fieldsets = [(None, {"fields": ["name", columns("description")]})]
    list_display = ["named", "question_count"]
    search_fields = ["name", *columns("description")]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Tag]:
        return super().get_queryset(request).annotate(question_count=models.Count("questions"))

    @admin.display(description=_("name"), ordering="name")
    def named(self, tag: Tag) -> SafeString:
        return in_its_own_direction(tag.name)

    @admin.display(description=_("questions"), ordering="question_count")
    def question_count(self, tag: Any) -> SafeString | int:
        """How many questions have it, as a link to them."""
        if not tag.question_count:
            return 0
        address = reverse(f"{self.admin_site.name}:mpquiz_question_changelist")
        return format_html('<a href="{}?tags__id__exact={}">{}</a>', address, str(tag.pk), tag.question_count)
