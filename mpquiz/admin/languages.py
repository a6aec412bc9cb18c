"""Translated fields in admin: one widget per language of the host, each in its own language and direction."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from .. import words


def columns(name: str) -> tuple[str, ...]:
    """The attributes of a translated field, one per language: a row of a fieldset, or what a search looks through."""
    return tuple(words.attribute(name, language) for language in words.languages())


def own_name(language: str) -> str:
    """The language's name for itself; the host's name for it, or the code, where Django does not know it."""
    try:
        return get_language_info(language)["name_local"]
    except KeyError:
        return str(dict(settings.LANGUAGES).get(language, language))


def shown(text: words.Text) -> SafeString:
    """A text in a list, in its own language and direction whatever stands around it."""
    return format_html('<bdi lang="{}" dir="{}">{}</bdi>', text.language, text.dir, text.plain)


def in_its_own_direction(name: str) -> SafeString:
    """A name whose language nobody told, read in the direction of its own letters."""
    return format_html('<bdi dir="auto">{}</bdi>', name)


_CODES = ("address", "key", "part", "settings", "slug", "value")  # read from the left in every language
_NAMES = ("name",)  # in whichever language the editor chose


class InLanguages(admin.options.BaseModelAdmin):
    """Admins and inlines of models with translated fields, which they name in ``fieldsets`` by ``columns``.

    modeltranslation's own TranslationAdmin would require the text in the default language; any one is enough.
    """

    rows_of_text = 4
    for_editors: tuple[str, ...] = ()
    """The translated fields that learners do not read: no language lacks one."""

    class Media:
        css = {"all": ["mpquiz/admin/words.css"]}
        js = ["mpquiz/admin/words.js", "mpquiz/admin/widgets.js"]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        language = getattr(db_field, "language", None)
        if field is not None and db_field.name in _CODES:
            field.widget.attrs["dir"] = "ltr"
        if field is not None and db_field.name in _NAMES:
            field.widget.attrs["dir"] = "auto"
        if field is None or language is None:
            return field
        label = capfirst(db_field.translated_field.verbose_name)
        several = len(words.languages()) > 1
        field.label = f"{label} ({own_name(language)})" if several else label
        field.widget.attrs.update(lang=language, dir=words.direction(language))
        field.widget.attrs["data-words"] = db_field.translated_field.name
        if db_field.translated_field.name in self.for_editors:
            field.widget.attrs["data-for-editors"] = ""
        field.widget.attrs["class"] = f"{field.widget.attrs.get('class', '')} mpquiz-words".strip()
        if language != words.languages()[0]:
            field.help_text = ""  # said once a row
        if isinstance(field.widget, forms.Textarea):
            field.widget.attrs["rows"] = self.rows_of_text
        return field


class NamedForm(forms.ModelForm):
    """Wants a title in at least one language, whichever."""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        titles = [name for name in columns("title") if name in self.fields]
        if titles and not any(self.cleaned_data.get(name) for name in titles) and not self.errors.keys() & titles:
            self.add_error(titles[0], _("Write the title in at least one language."))
        return cleaned
