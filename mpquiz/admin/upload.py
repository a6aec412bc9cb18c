"""The form that takes a file or a pasted text to be imported, and says how it is to be read."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .. import words
from ..conf import conf
from ..editing.bringing import printable, refuses_target
from ..formats import FORMATS, recognised
from ..formats.source import ENCODINGS
from ..models import QuizQuerySet
from .languages import own_name

_MOST_SLUGS = 500  # offered while typing; any other is taken as well
_LARGEST_MENDED = 200_000  # characters of a refused file that are put into the text field
PASTED = "utf-8"
"""The encoding of what was pasted, whatever its own declaration says."""

FORMAT_NAMES: Mapping[str, str] = {
    "yaml": "mpquiz (YAML)",
    "gift": "GIFT",
    "moodle_xml": "Moodle XML",
    "aiken": "Aiken",
}
_ENCODING_NAMES: Mapping[str, str | Promise] = {
    "windows-1256": _("Arabic (Windows-1256)"),
    "iso-8859-6": _("Arabic (ISO-8859-6)"),
    "windows-1252": _("Western European (Windows-1252)"),
    "windows-1255": _("Hebrew (Windows-1255)"),
    "utf-16": "UTF-16",
}


def _formats() -> list[tuple[str, str]]:
    return [("", gettext("Recognise it")), *((name, FORMAT_NAMES.get(name, name)) for name in FORMATS)]


def _encodings() -> list[tuple[str, str]]:
    known = [(name, str(_ENCODING_NAMES.get(name, name))) for name in ENCODINGS]
    return [("", gettext("Recognise it (UTF-8 or UTF-16)")), *known]


def _languages() -> list[tuple[str, str]]:
    return [(language, own_name(language)) for language in words.languages()]


class Suggesting(forms.TextInput):
    """A text field that offers the quizzes that are there, without a script."""

    template_name = "admin/mpquiz/importing/suggesting.html"
    quizzes: QuizQuerySet

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["attrs"]["list"] = f"{name}-known"
        context["quizzes"] = self.quizzes.order_by("-pk")[:_MOST_SLUGS]
        return context


class UploadForm(forms.Form):
    file = forms.FileField(label=_("File"), required=False, max_length=1000)
    text = forms.CharField(
        label=_("or pasted text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "dir": "auto", "spellcheck": "false", "class": "mpquiz-source"}),
    )
    format = forms.ChoiceField(label=_("Format"), required=False, choices=_formats)
    language = forms.ChoiceField(
        label=_("Language"), choices=_languages, help_text=_("Of texts for which the file names none.")
    )
    encoding = forms.ChoiceField(
        label=_("Encoding"), required=False, choices=_encodings, help_text=_("Of the file. Pasted text needs none.")
    )
    into = forms.CharField(
        label=_("Quiz"),
        required=False,
        max_length=80,
        widget=Suggesting(attrs={"dir": "ltr", "autocomplete": "off"}),
        help_text=_(
            "The slug of a quiz that is there: the file joins it and fills what is empty, such as a second language. "
            "Or a new slug. Empty: as the file says."
        ),
    )
    force = forms.BooleanField(
        label=_("Overwrite what was changed in admin"),
        required=False,
        help_text=_("Otherwise whatever an editor changed since the last import stays."),
    )

    data_read = b""
    name_read = ""

    def __init__(self, *args: Any, may_change: bool, quizzes: QuizQuerySet, **kwargs: Any) -> None:
        """``quizzes`` are those that are offered to be joined."""
        super().__init__(*args, **kwargs)
        self.fields["into"].widget.quizzes = quizzes
        self.may_change = may_change
        if not may_change:
            del self.fields["force"]

    def clean_file(self) -> Any:
        """Refuse what is too large before any of it is in memory."""
        file = self.cleaned_data["file"]
        if file and file.size > conf.LARGEST_IMPORT:
            values = {"limit": f"{conf.LARGEST_IMPORT / 1_000_000:g}"}
            raise ValidationError(_("The file is larger than %(limit)s MB. Split it."), params=values)
        return file

    def clean_into(self) -> str:
        slug = self.cleaned_data["into"].strip()
        if slug and (wrong := refuses_target(slug, joins=self.may_change)):
            raise ValidationError(wrong)
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("text", "").strip()
        if self.errors:
            return cleaned
        if bool(file) == bool(text):
            both = _("Choose a file or paste a text, not both.")
            raise ValidationError(both if file else _("Choose a file or paste a text."))
        self.data_read = file.read() if file else cleaned["text"].replace("\r\n", "\n").encode()
        self.name_read = printable(file.name) if file else ""
        cleaned["encoding"] = cleaned["encoding"] if file else PASTED
        cleaned["format"] = cleaned["format"] or self._recognised()
        return cleaned

    def _recognised(self) -> str:
        format = recognised(self.data_read, self.name_read, encoding=self.cleaned_data["encoding"] or None)
        if format not in FORMATS:
            raise ValidationError({"format": _("The format could not be recognised. Choose it.")})
        return format

    def how_to_read(self) -> dict[str, Any]:
        """All that reading it takes, as ``PendingImport`` has its fields."""
        cleaned = self.cleaned_data
        names = ("format", "language", "encoding", "into")
        return {name: cleaned[name] for name in names} | {
            "force": cleaned.get("force", False),
            "name": self.name_read,
        }

    def offer_to_mend(self, text: str) -> None:
        """Put what was read of a refused file into the text field, where a person can mend it."""
        if not self.cleaned_data["text"] and len(text) <= _LARGEST_MENDED:
            plain = {name: self.data[name] for name in self.data if name in self.fields}
            self.data = {**plain, "text": text, "format": self.cleaned_data["format"]}
