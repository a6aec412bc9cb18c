"""Tags in admin: what questions are about."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ..models import Tag
from ..models.sharing import refuses_name
from .deleting import DeletingTags
from .languages import InLanguages, columns, in_its_own_direction
from .narrowing import Narrowing
from .stale import ChecksTranslations
from .together import GuardedForm, Together


class TagForm(GuardedForm):
    editor: Any = None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if told := refuses_name(self.editor, self.initial.get("name", ""), name):
            raise ValidationError(told)
        return name


@admin.register(Tag)
class TagAdmin(ChecksTranslations, Together, InLanguages, DeletingTags, Narrowing):
    form = TagForm
    fieldsets = [(None, {"fields": ["name", columns("description")]})]
    list_display = ["named", "question_count"]
    search_fields = ["name", *columns("description")]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.editor = request.user
        return form

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
