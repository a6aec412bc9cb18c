"""Two editors at one page: what the other has changed meanwhile stays, and nobody's words are overwritten unseen.

A page carries a short digest of what each of its fields held when it was read. When it is sent, a field of which
only the other has changed the row keeps what is stored; one that both have changed is refused at the field with what
it reads now, and sending it again puts the editor's own in its place. Without the digests (a form sent by hand)
nobody asks.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import models, router, transaction
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, QueryDict
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ..editing.rows import lock
from ..exceptions import Refusal
from .languages import in_its_own_direction
from .packing import unpacked

_SEEN = "seen_when_read"
_ROWS = "SEEN"  # in capitals, as Django's own fields of a formset
_LONGEST_QUOTED = 1000

Seen = Mapping[str, str]
"""The digest of what each field held."""


# What is seen ------------------------------------------------------------------------------------------------------


def digest(value: Any) -> str:
    """Of a field's value, the same whether it was read from a row or from what a browser sent."""
    return hashlib.blake2s(_plain(value).encode(errors="surrogatepass"), digest_size=6).hexdigest()


def _plain(value: Any) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return "1"
        case str():
            return "\n".join(value.splitlines()).strip()
        case Decimal():
            return format(value.normalize(), "f")
        case datetime():
            return (value.astimezone(UTC) if value.tzinfo else value).isoformat(timespec="seconds")
        case models.Model():
            return str(value.pk)
        case Mapping():
            return json.dumps(value, sort_keys=True, default=str)
        case Iterable():
            return "\n".join(sorted(map(_plain, value)))
        case _:
            return str(value)


class _SeenField(forms.CharField):
    """What was seen, as JSON that nobody reads or types."""

    widget = forms.HiddenInput

    def __init__(self, renewed: Callable[[], Mapping[str, Any] | None]) -> None:
        """``renewed``: what is seen by whoever gets the page back; None where what was sent is sent back."""
        super().__init__(required=False)
        self.renewed = renewed

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False

    def bound_data(self, data: Any, initial: Any) -> Any:
        renewed = self.renewed()
        return data if renewed is None else json.dumps(renewed)


def _read(sent: Any, of: type = str) -> dict[str, Any] | None:
    """What a browser sent, None where that is not what we gave it."""
    try:
        seen = json.loads(sent or "")
    except (ValueError, RecursionError):
        return None
    return seen if isinstance(seen, dict) and all(isinstance(one, of) for one in seen.values()) else None


def unguarded(sent: QueryDict) -> QueryDict:
    """A form as it was sent, to be read as the editor alone wrote it: for a preview, which stores nothing."""
    sent = sent.copy()
    for name in [one for one in sent if one == _SEEN or one.endswith(f"-{_ROWS}")]:
        del sent[name]
    return sent


# The whole, and its rows -------------------------------------------------------------------------------------------


class Guarded(forms.ModelForm):
    """A form that settles each of its fields with what another has stored meanwhile."""

    seen: Seen = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.staying: list[str] = []
        """The fields whose stored value stays: another has changed it, this editor has not."""
        self.renewed: dict[str, str] = {}
        """What an editor is told of, and so has seen from now on."""

    def state(self, leaving_out: Collection[str] = ()) -> dict[str, str]:
        """The digest of what is stored, by field."""
        return {name: digest(self._stored(name)) for name in self.fields if name not in leaving_out}

    def _stored(self, name: str) -> Any:
        return self.get_initial_for_field(self.fields[name], name)

    @property
    def changed_data(self) -> list[str]:  # of what is stored, which the cleaning finds out
        return [name for name in self._differing if name not in self.staying]

    @cached_property
    def _differing(self) -> list[str]:
        return super().changed_data

    def _clean_fields(self) -> None:
        super()._clean_fields()  # type: ignore[misc]
        for name in self.fields:
            if name in self.cleaned_data and name in self.seen:
                self._settle(name, self.seen[name])

    def _settle(self, name: str, seen: str) -> None:
        stored = self._stored(name)
        now, sent = digest(stored), digest(self.cleaned_data[name])
        if now in (seen, sent):
            return
        if sent == seen:
            self.staying.append(name)
            self.cleaned_data[name] = self._as_cleaned(name, stored)
        else:
            self.renewed[name] = now
            self.add_error(name, _refusal(stored))

    def tell_all(self) -> bool:
        """Count all that another has changed as told; whether there is any."""
        self.renewed |= {name: digest(self._stored(name)) for name in self.staying}
        return bool(self.renewed)

    def _as_cleaned(self, name: str, stored: Any) -> Any:
        field = self.fields[name]
        if isinstance(field, forms.ModelChoiceField) and not isinstance(field, forms.ModelMultipleChoiceField):
            return getattr(self.instance, name)
        return field.empty_value if stored is None and isinstance(field, forms.CharField) else stored

    @property
    def staying_labels(self) -> list[str]:
        return [str(self.fields[name].label) for name in self.staying]


def _refusal(stored: Any) -> ValidationError:
    if not isinstance(stored, str):
        return ValidationError(_("Somebody has changed this meanwhile. Save again to put yours in its place."))
    if not stored.strip():
        return ValidationError(_("Somebody has emptied this meanwhile. Save again to put yours in its place."))
    text = stored if len(stored) <= _LONGEST_QUOTED else stored[: _LONGEST_QUOTED - 1] + "…"
    message = _("Somebody has changed this meanwhile to: %(text)s. Save again to put yours in its place.")
    return ValidationError(message, params={"text": _isolated(text)})


def _isolated(text: str) -> str:
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


class GuardedForm(Guarded):
    """Of a whole, which carries its own digests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None:
            return
        self.seen = _read(self.data.get(self.add_prefix(_SEEN))) or {}
        self.initial[_SEEN] = lambda: json.dumps(self.state([_SEEN]))
        self.fields[_SEEN] = _SeenField(lambda: {**self.seen, **self.renewed} if self.seen else None)


class GuardedFormSet(BaseInlineFormSet):
    """The rows of a whole. Its digests stand among the fields by which Django counts the rows."""

    leaving_out: Collection[str] = ()
    """The fields of a row that nobody guards."""
    is_ordered = False
    takes_more = True
    """Whether rows that another has added may stay beside those of the page."""

    @cached_property
    def management_form(self) -> Any:
        form: Any = super().management_form
        form.fields[_ROWS] = _SeenField(self._renewed)
        form.initial[_ROWS] = lambda: json.dumps(self._state())
        return form

    def _state(self) -> dict[str, dict[str, str]]:
        """{row: the digests of its fields}, as the rows stand."""
        left_out = {*self.leaving_out, "DELETE", self._pk_field.name, self.fk.name}  # type: ignore[attr-defined]
        return {str(form.instance.pk): form.state(left_out) for form in self.initial_forms}  # type: ignore[attr-defined]

    def _renewed(self) -> dict[str, Any] | None:
        told = {str(form.instance.pk): form.renewed for form in self.initial_forms}  # type: ignore[attr-defined]
        return self.seen and {row: {**fields, **told.get(row, {})} for row, fields in self.seen.items()}

    @cached_property
    def seen(self) -> dict[str, Any] | None:
        """{row: the digests of its fields}, None where a form was sent by hand."""
        return _read(self.data.get(f"{self.prefix}-{_ROWS}"), of=dict) if self.is_bound else None

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if self.is_bound and form.instance.pk is not None:
            form.seen = (self.seen or {}).get(str(form.instance.pk), {})

    def more(self) -> list[Any]:
        """The rows that another has added meanwhile."""
        known = {form.instance.pk for form in self.initial_forms}
        return [row for row in self.get_queryset() if row.pk not in known]

    def clean(self) -> None:
        super().clean()
        if self.seen is not None and self._is_torn(self.seen):
            raise ValidationError(format_html('{} <a href="" target="_blank">{}</a>', *_torn()))
        self._refuse_twice()
        forms: Iterable[Any] = self.initial_forms
        if names := [_isolated(str(one.instance)) for one in forms if self.is_deleted(one) and one.tell_all()]:
            message = _("Somebody has changed what you delete here: %(names)s. Save again to delete it all the same.")
            raise ValidationError(message, params={"names": " · ".join(names)})

    def _refuse_twice(self) -> None:
        """Say at a row that another has added the same one, which Django 5.2 does not look for."""
        model: Any = self.model
        for constraint in model._meta.total_unique_constraints:
            names = [name for name in constraint.fields if name != self.fk.name]
            taken = [[getattr(row, name) for name in names] for row in self.more()] if names else []
            for form in self.forms:
                if not form.errors and [getattr(form.instance, name, None) for name in names] in taken:
                    form.add_error(None, constraint.get_violation_error_message())

    def is_deleted(self, form: Any) -> bool:
        return self.can_delete and self._should_delete_form(form)  # type: ignore[attr-defined]

    def _is_torn(self, seen: Collection[str]) -> bool:
        there = [str(row.pk) for row in self.get_queryset()]
        common = [row for row in there if row in seen]
        is_moved = self.is_ordered and common != [row for row in seen if row in there]
        return len(common) < len(seen) or is_moved or (len(there) > len(common) and not self.takes_more)


def _torn() -> tuple[str, str]:
    return (
        _("Somebody has added, deleted or moved rows here meanwhile. What you typed is still on this page."),
        _("Open the page as it is now, and carry yours over."),
    )


# Their page --------------------------------------------------------------------------------------------------------


class Together(admin.ModelAdmin):
    """An admin of rows that several editors change. Its form is a ``GuardedForm``."""

    @property
    def media(self) -> forms.Media:
        return super().media + forms.Media(js=["mpquiz/admin/packing.js"])

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """Who saves waits for whoever is saving the same row, and reads what that one has stored."""
        request.POST = unpacked(request.POST)  # type: ignore[assignment]
        found = self.get_object(request, unquote(object_id)) if request.method == "POST" and object_id else None
        if found is None or not self.has_change_permission(request, found):
            return super().changeform_view(request, object_id, form_url, extra_context)
        with transaction.atomic(using=router.db_for_write(self.model)):
            with suppress(Refusal):  # deleted at this moment, as Django tells
                lock(found)
            return super().changeform_view(request, object_id, form_url, extra_context)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        shown, row = context["adminform"], context["original"]
        if row is not None and _SEEN in shown.form.fields and self.has_change_permission(request, row):
            name, first = shown.fieldsets[0]
            shown.fieldsets = [(name, {**first, "fields": [*first["fields"], _SEEN]}), *shown.fieldsets[1:]]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if staying := list(_staying(form, [part for formset in formsets for part in formset.forms])):
            told = _("Somebody else has changed this meanwhile, and it stays:")
            names = format_html_join(" · ", "{}", ((name,) for name in staying))
            self.message_user(request, format_html("{} {}", told, names), messages.INFO)


def _staying(whole: Any, parts: Iterable[Any]) -> Iterator[SafeString | str]:
    yield from getattr(whole, "staying_labels", ())
    for part in parts:
        for label in getattr(part, "staying_labels", ()):
            yield format_html("{}: {}", in_its_own_direction(str(part.instance)), label)
