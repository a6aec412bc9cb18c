"""Rows that are parts of a whole, edited on its page: ordered by number, with the rights of the whole."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.options import InlineModelAdmin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ..models import Question
from ..models.editors import questions_of
from .together import Guarded, GuardedForm, GuardedFormSet


class WholeForm(GuardedForm):
    """The form of the whole. What is wrong with whole and parts together, the parts' formset says at its fields."""

    instance: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.edited_in = self  # the one thing that admin hands from here to the formset


class PartForm(Guarded):
    """A row with a number. A new row of which only the number was touched is still blank."""

    kept = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.place_before = self.instance.place
        if "place" in self.fields:
            self.fields["place"].required = False

    @property
    def is_new(self) -> bool:
        return self.instance._state.adding

    def has_changed(self) -> bool:
        if self.is_new:
            return self.kept or bool(set(self.changed_data) - {"place"})
        return super().has_changed()

    def clean_place(self) -> int:
        return self.cleaned_data["place"] or 0


class _OwnKey(forms.ModelChoiceField):
    """The key of the row that a form edits, which was fetched with all others, where Django asks for each."""

    def __init__(self, field: Any, row: models.Model) -> None:
        super().__init__(field.queryset, initial=field.initial, required=False, widget=field.widget)
        self.row = row

    def to_python(self, value: Any) -> Any:
        if value and self.row.pk is not None and str(value) == str(self.row.pk):
            return self.row
        return super().to_python(value)


class WholeFormSet(GuardedFormSet):
    """Rows of a whole, which they are judged together with."""

    instance: Any

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        key = self._pk_field.name  # type: ignore[attr-defined]
        if isinstance(form.fields.get(key), forms.ModelChoiceField):
            form.fields[key] = _OwnKey(form.fields[key], form.instance)
        if "DELETE" in form.fields:
            form.fields["DELETE"].widget.attrs["aria-label"] = _("Delete")

    @property
    def whole(self) -> Any:
        """The form of the whole, a ``WholeForm``."""
        return self.instance.edited_in

    def is_valid(self) -> bool:
        """Whether rows and whole are sound; ``clean`` may find faults in the whole after it was checked itself."""
        return super().is_valid() and self.whole.is_valid()

    @property
    def rows(self) -> list[Any]:
        return self.forms

    def there(self) -> list[Any]:
        """The forms of the rows that there are after saving."""
        there = [form for form in self.rows if not form.is_new or form.has_changed()]
        return [form for form in there if not self.is_deleted(form)]


class PartFormSet(WholeFormSet):
    """Numbers the rows 1, 2, 3 … in the order of the numbers given: equal ones as they stand, no number or 0 last."""

    leaving_out = ("place",)
    is_ordered = True
    named_by = "text"
    """The fields of which the first that says something names a row, for the script that moves rows."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if "place" in form.fields:
            form.fields["place"].widget.attrs["data-arranged"] = self.named_by

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return super().get_form_kwargs(index) | {"initial": {"place": None if index is None else index + 1}}

    def in_order(self) -> list[Any]:
        """The forms of the rows that there are after saving, as they will stand."""
        return sorted(self.there(), key=_number)

    def save(self, commit: bool = True) -> list[models.Model]:
        rows = self.in_order()
        moved = [form.instance for place, form in enumerate(rows, 1) if self._move(form, place)]
        for place, row in enumerate(self.more(), len(rows) + 1):  # what another has added stands after them
            row.place = place
            moved.append(row)
        saved = super().save(commit)
        for row in moved:
            row.save(update_fields=["place"])
        return saved

    def _move(self, form: PartForm, place: int) -> bool:
        """Give a row its place; whether that must be stored apart, since its form would not do it."""
        form.instance.place = place
        return not form.is_new and not form.has_changed() and form.place_before != place


class Picker(AutocompleteSelect):
    """Reads the rows that are chosen already from what the page fetched, where Django asks once a row.

    What was sent and can be no key is left out, where Django fails.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known: dict[str, str] = {}  # shared by the copies that Django makes for each row

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        chosen = [str(one) for one in value if can_be_key(self.field.target_field, one)]
        if len(chosen) != 1 or chosen[0] not in self.known:
            return super().optgroups(name, chosen, attrs)
        return [(None, [self.create_option(name, chosen[0], self.known[chosen[0]], True, 0)], 0)]


def can_be_key(field: Any, value: Any) -> bool:
    """Whether what was sent can be the key of a row, as that field of its model holds it."""
    try:
        field.clean(value, None)  # a number too large for the database is none
    except ValidationError:
        return False
    return True


def tell_picker(form: forms.ModelForm, name: str) -> None:
    """Let a form's picker know the row that its instance names, which was fetched along."""
    picker = getattr(form.fields[name].widget, "widget", None) if name in form.fields else None
    if isinstance(picker, Picker) and getattr(form.instance, f"{name}_id"):
        picker.known[str(getattr(form.instance, f"{name}_id"))] = str(getattr(form.instance, name))


def count_of(rows: models.QuerySet, owner: str) -> Coalesce:
    """How many of the rows are an owner's, to annotate: in a query of its own, since two joins would multiply."""
    counts = rows.order_by().filter(**{owner: models.OuterRef("pk")}).values(owner).annotate(n=models.Count("*"))
    return Coalesce(models.Subquery(counts.values("n")), 0)


def _number(form: PartForm) -> float:
    return form.cleaned_data.get("place") or float("inf")


class PartInline(InlineModelAdmin):
    """Whoever may change the whole may change its parts: nobody needs rights for choices apart from questions."""

    formset = PartFormSet

    class Media:
        js = ["mpquiz/admin/arrange.js"]

    blank_rows = (4, 1)
    """How many blank rows there are on the page of a new whole, and of one that is there."""

    def get_extra(self, request: HttpRequest, obj: models.Model | None = None, **kwargs: Any) -> int:
        return self.blank_rows[obj is not None]

    @property
    def _whole(self) -> admin.ModelAdmin:
        return self.admin_site.get_model_admin(self.parent_model)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return self._whole.has_add_permission(request)
        return self._whole.has_change_permission(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj) or self._whole.has_view_permission(request, obj)


class TableInline(PartInline, admin.TabularInline):
    """Parts as the rows of a table, one of whose columns picks a row of another model."""

    picked: ClassVar[str]
    """The foreign key that is picked."""
    picker: ClassVar[type[Picker]] = Picker

    def get_autocomplete_fields(self, request: HttpRequest) -> list[str]:
        return [self.picked]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        return super().get_queryset(request).select_related(self.picked)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == self.picked:
            if db_field.related_model is Question:
                kwargs["queryset"] = questions_of(request.user, Question.objects.all())
            kwargs["widget"] = self.picker(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        """A table's cell has no label of its own."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs["aria-label"] = field.label
        return field
