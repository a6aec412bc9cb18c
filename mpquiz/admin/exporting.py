"""Taking quizzes or questions out of admin as a file, once the editor has seen what its format cannot hold."""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import words
from ..content import QuizContent
from ..editing.taking import take, type_of, writers
from ..formats.report import Entry
from ..importing import NATIVE
from .languages import own_name
from .preview import MOST_LINES
from .upload import FORMAT_NAMES


def _writers() -> list[tuple[str, str]]:
    return [(name, FORMAT_NAMES.get(name, name)) for name in writers()]


def _languages() -> list[tuple[str, str]]:
    return [("", _("All languages")), *((language, own_name(language)) for language in words.languages())]


class ExportForm(forms.Form):
    ids = forms.CharField(widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=_writers)
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=_languages, required=False)

    def clean_ids(self) -> list[int]:
        ids = self.cleaned_data["ids"].split(",")
        if not all(one.isascii() and one.isdecimal() and len(one) < 19 for one in ids):
            raise forms.ValidationError(_("Choose what to export in the list."))
        return [int(one) for one in ids]

    @property
    def choice(self) -> str:
        """What was chosen, to tell whether its losses were shown before."""
        return f"{self.cleaned_data['format']}/{self.cleaned_data['language']}"


class Exporting(admin.ModelAdmin):
    """The part of an admin that exports its rows; ``contents`` says what is written of them, a file each."""

    def contents(self, rows: Sequence[Any], *, whole: bool) -> Iterable[QuizContent]:
        """``whole``: with the questions that a native file would only refer to."""
        raise NotImplementedError

    def has_export_permission(self, request: HttpRequest) -> bool:
        """A file tells the answers: it is for whoever may see what is exported."""
        return self.has_view_permission(request)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        return [path("export/", view, name=f"mpquiz_{self.opts.model_name}_export"), *super().get_urls()]

    @admin.action(description=gettext_lazy("Export the selected %(verbose_name_plural)s"), permissions=["export"])
    def export(self, request: HttpRequest, rows: models.QuerySet[Any]) -> HttpResponseBase:
        ids = ",".join(str(pk) for pk in rows.values_list("pk", flat=True))
        return self._export_page(request, ExportForm(initial={"ids": ids}))

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """The page that asks for format and language; its POST brings the file, or first what would be lost."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._export_page(request, ExportForm(initial={"ids": request.GET.get("ids", "")}))
        form = ExportForm(request.POST)
        if not form.is_valid():
            return self._export_page(request, form)
        written, lost = self._written(request, form.cleaned_data)
        if not written:
            form.add_error(None, _("What was chosen is not there any more."))
        if not written or (lost and form.cleaned_data["seen"] != form.choice):
            form.data = {**request.POST.dict(), "seen": form.choice}
            return self._export_page(request, form, lost)
        return _download(written, form.cleaned_data["format"])

    def _written(self, request: HttpRequest, chosen: Mapping[str, Any]) -> tuple[Mapping[str, bytes], list[Entry]]:
        """``{name: bytes}`` of the files, and what their format cannot hold."""
        rows = self.get_queryset(request).filter(pk__in=chosen["ids"])
        contents = self.contents(list(rows), whole=chosen["format"] != NATIVE)
        taken = take(contents, chosen["format"], language=chosen["language"] or None)
        return taken.files, taken.losses

    def _export_page(self, request: HttpRequest, form: ExportForm, lost: Sequence[Entry] = ()) -> HttpResponse:
        ids = str(form["ids"].value() or "")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Export"),
            "opts": self.opts,
            "media": self.media,
            "has_view_permission": True,
            "form": form,
            "chosen": ids.count(",") + 1 if ids else 0,
            "lost": lost[:MOST_LINES],
            "lost_count": len(lost),
            "most_lines": MOST_LINES,
            "action": reverse(f"{self.admin_site.name}:mpquiz_{self.opts.model_name}_export"),
        }
        return TemplateResponse(request, "admin/mpquiz/importing/export.html", context)


def _download(written: Mapping[str, bytes], format: str) -> HttpResponse:
    """One file as it is, several in a zip."""
    if len(written) == 1:
        [(name, data)] = written.items()
        return _attached(data, name, type_of(format))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in written.items():
            archive.writestr(name, data)
    return _attached(packed.getvalue(), "quizzes.zip", "application/zip")


def _attached(data: bytes, name: str, type: str) -> HttpResponse:
    disposition = content_disposition_header(True, name) or "attachment"
    headers = {"Content-Type": type, "Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"}
    return HttpResponse(data, headers=headers)
