"""Translations to be checked in admin: a note at the text, and a list of all of them."""

import json
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .. import words
from ..models import Choice, Guide, Question, Quiz, StaleText, Tag
from ..models.staleness import TEXTS, Edited, Place, of_editor, record, since
from .completeness import name_in_sentence
from .languages import in_its_own_direction, own_name, shown
from .narrowing import Narrowing

_CONFIRMS = "confirms-"

Marks = Mapping[Place, Mapping[str, datetime]]


# At the text -------------------------------------------------------------------------------------------------------


def marks_of(whole: models.Model | None) -> Marks:
    """What is to be checked in a row and in its parts; asked once for the rows of a page."""
    if whole is None or whole.pk is None:
        return {}
    if "_marks" not in whole.__dict__:
        whole.__dict__["_marks"] = since(whole)
    return whole.__dict__["_marks"]


def ask(
    fields: MutableMapping[str, forms.Field],
    row: Any,
    marks: Marks,
    data: Mapping[str, Any],
    prefix: str | None = None,
) -> None:
    """Add to the fields of a row's form a box for each translation to be checked, and the note at its text.

    The box is laid out in the help of the text's field, so that it stands there in whatever way a page lays out.
    """
    for name in TEXTS.get(type(row), ()):
        for language, moment in marks.get((row._meta.model_name, row.pk, name), {}).items():
            column = words.attribute(name, language)
            if column not in fields:
                continue
            box = f"{_CONFIRMS}{column}"
            html_name = f"{prefix}-{box}" if prefix else box
            fields[column].help_text = _note(row, name, language, moment, html_name, html_name in data)
            label = format_lazy("{}: {}", fields[column].label, gettext_lazy("the translation is right"))
            fields[box] = forms.BooleanField(label=label, required=False)


def _note(row: Any, name: str, language: str, moment: datetime, box: str, ticked: bool) -> SafeString:
    return format_html(
        '<span class="mpquiz-stale">{} <label><input type="checkbox" name="{}"{}> {}</label></span>',
        changed_after(words.of(row, name), language, moment),
        box,
        SafeString(" checked") if ticked else "",
        _("The translation is right"),
    )


def changed_after(texts: words.Words, language: str, moment: datetime) -> str:
    """Which language was changed after this one, where that is certain, and when."""
    others = [other for other in texts if other != language]
    when = date_format(localtime(moment), "DATE_FORMAT")
    if len(others) == 1:
        message = _("The text in %(language)s was changed on %(when)s, after this one. Check the translation.")
        return message % {"language": name_in_sentence(others[0]), "when": when}
    message = _("The text in another language was changed on %(when)s, after this one. Check the translation.")
    return message % {"when": when}


class ChecksTranslations(admin.ModelAdmin):
    """The admin of a row with texts, and of its parts: marks what is to be checked once they are saved."""

    @property
    def media(self) -> forms.Media:
        return super().media + forms.Media(css={"all": ["mpquiz/admin/completeness.css"]})

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        ask(form.base_fields, obj, marks_of(obj), request.POST)
        return form

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if change:
            record(_edited([form, *(part for formset in formsets for part in formset.initial_forms)]))


def _edited(saved: Iterable[Any]) -> Iterator[Edited]:
    for form in saved:
        changed = set(form.changed_data)
        if changed and form.instance.pk is not None and not form.cleaned_data.get("DELETE"):
            boxes = {name.removeprefix(_CONFIRMS) for name in changed if name.startswith(_CONFIRMS)}
            yield Edited(form.instance, {name: form.initial.get(name) for name in changed}, boxes)


# The list ----------------------------------------------------------------------------------------------------------

_LOOKUPS = {"quiz": Quiz, "question": Question, "choice": Choice, "guide": Guide, "tag": Tag}


class LanguageFilter(admin.SimpleListFilter):
    title = gettext_lazy("language")
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(language, own_name(language)) for language in words.languages()]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[StaleText]) -> models.QuerySet[StaleText]:
        return queryset.filter(language=self.value()) if self.value() in words.languages() else queryset


class OwnerFilter(admin.SimpleListFilter):
    title = gettext_lazy("part of")
    parameter_name = "of"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(name, model._meta.verbose_name) for name, model in _LOOKUPS.items()]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[StaleText]) -> models.QuerySet[StaleText]:
        return queryset.filter(**{f"{self.value()}__isnull": False}) if self.value() in _LOOKUPS else queryset


@admin.register(StaleText)
class StaleTextAdmin(Narrowing):
    """All translations to be checked, of rows that the editor may change: no rights of their own are asked."""

    list_display = ["owned", "text", "to_check", "others", "since"]
    list_display_links = None
    list_filter = [LanguageFilter, OwnerFilter]
    list_select_related = ["quiz", "question", "choice__question", "guide", "tag"]
    actions = ["confirm"]

    @property
    def media(self) -> forms.Media:
        return super().media + forms.Media(css={"all": ["mpquiz/admin/completeness.css"]})

    # Rights

    def _of(self, model: type[models.Model]) -> Any:
        """The admin on whose page the texts of a model are."""
        return self.admin_site.get_model_admin(Question if model is Choice else model)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[StaleText]:
        """Those of the rows that the editor may change."""
        condition = models.Q(pk__in=())
        for name, model in _LOOKUPS.items():
            if self._of(model).has_change_permission(request):
                condition |= models.Q(**{f"{name}__isnull": False})
        return of_editor(request.user, super().get_queryset(request).filter(condition))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return any(self._of(model).has_change_permission(request) for model in _LOOKUPS.values())

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It goes with the row whose text it is, and no other way."""
        return obj is not None and self._of(_LOOKUPS[obj.owned_by[0]]).has_delete_permission(request)

    # What it shows

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """It is changed where its text is."""
        row = self.get_object(request, object_id)
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]
        return HttpResponseRedirect(self._address(row))

    def _address(self, row: StaleText) -> str:
        """The page of the text, at its field."""
        whole = _whole(row.owner)
        name = f"{self.admin_site.name}:mpquiz_{whole._meta.model_name}_change"
        there = "choices-group" if row.choice_id else f"id_{words.attribute(row.name, row.language)}"
        return f"{reverse(name, args=[whole.pk])}#{there}"

    @admin.display(description=gettext_lazy("part of"))
    def owned(self, row: StaleText) -> SafeString:
        name = in_its_own_direction(str(_whole(row.owner)))
        kind = type(_whole(row.owner))._meta.verbose_name
        return format_html('{}: <a href="{}">{}</a>', kind, self._address(row), name)

    @admin.display(description=gettext_lazy("text"))
    def text(self, row: StaleText) -> str:
        field: Any = type(row.owner)._meta.get_field(row.name)
        kind = f"{Choice._meta.verbose_name}: " if row.choice_id else ""
        return f"{kind}{field.verbose_name}"

    @admin.display(description=gettext_lazy("to be checked"))
    def to_check(self, row: StaleText) -> SafeString:
        return _in_language(words.of(row.owner, row.name), row.language)

    @admin.display(description=gettext_lazy("changed after it"))
    def others(self, row: StaleText) -> SafeString:
        texts = words.of(row.owner, row.name)
        told = (_in_language(texts, language) for language in texts if language != row.language)
        return format_html_join("", "{}", ((one,) for one in told))

    # Confirming

    @admin.action(description=gettext_lazy("The selected translations are right"), permissions=["change"])
    @transaction.atomic
    def confirm(self, request: HttpRequest, rows: models.QuerySet[StaleText]) -> None:
        marks = list(rows)
        StaleText.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
        self._log(request, {_whole(mark.owner) for mark in marks})
        said = ngettext("%(count)d translation is right.", "%(count)d translations are right.", len(marks))
        self.message_user(request, said % {"count": len(marks)}, messages.SUCCESS)

    def _log(self, request: HttpRequest, rows: Iterable[models.Model]) -> None:
        by_model: dict[type[models.Model], list[models.Model]] = {}
        for row in rows:
            by_model.setdefault(type(row), []).append(row)
        told = json.dumps([{"changed": {"fields": [_("the translation is right")]}}])
        for some in by_model.values():
            LogEntry.objects.log_actions(str(request.user.pk), some, CHANGE, told)


def _whole(owner: Any) -> Any:
    """The row on whose page an owner of texts is."""
    return owner.question if isinstance(owner, Choice) else owner


def _in_language(texts: words.Words, language: str) -> SafeString:
    text = words.Text(texts.get(language, ""), language)
    return format_html('<span class="mpquiz-beside"><small>{}</small> {}</span>', own_name(language), shown(text))
