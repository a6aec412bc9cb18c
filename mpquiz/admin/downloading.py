"""The results of a quiz as a file, sent while it is written; our script shows how far it is."""

import struct
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..models import Quiz
from ..result_tables import TOO_LARGE, ResultTable
from .results import Results

_ALL_THERE = 2**32 - 1
"""Stands in the place of a length: a file that was cut short ends without it."""


class DownloadForm(forms.Form):
    format = forms.ChoiceField(
        label=_("Format"),
        choices=[("xlsx", _("Excel (XLSX)")), ("csv", _("Text (CSV)"))],
        initial="xlsx",
        widget=forms.RadioSelect,
    )
    by_question = forms.BooleanField(
        label=_("With what was answered to each question, and its points"), required=False
    )


class Downloading(Results):
    """The part of the admin of attempts that hands out what its list shows of a quiz."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.download_view)
        return [path("download/", view, name="mpquiz_attempt_download"), *super().get_urls()]

    def _narrowing(self, request: HttpRequest) -> dict[str, Any]:
        context = super()._narrowing(request)
        if context:
            address = reverse(f"{self.admin_site.name}:mpquiz_attempt_download")
            context["download_url"] = f"{address}?{request.GET.urlencode()}"
        return context

    def download_view(self, request: HttpRequest) -> HttpResponseBase:
        """The page that asks in which form; its POST is the file. Both of the attempts that the list shows."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        quiz = self.quiz_in(request)
        if quiz is None:
            raise Http404
        try:
            shown = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(reverse(f"{self.admin_site.name}:mpquiz_attempt_changelist"))
        form = DownloadForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            attempts: Any = shown.queryset
            table = ResultTable(quiz, attempts, by_question=form.cleaned_data["by_question"])
            wanted = form.cleaned_data["format"]
            if table.fits(wanted, shown.result_count):
                return _sent(request, table, wanted)
            form.add_error("format", TOO_LARGE)
        return self._download_page(request, quiz, form, shown.result_count)

    def _download_page(self, request: HttpRequest, quiz: Quiz, form: DownloadForm, count: int) -> TemplateResponse:
        address = reverse(f"{self.admin_site.name}:mpquiz_attempt_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Download the results"),
            "opts": self.opts,
            "media": self.media,
            "quiz": quiz,
            "form": form,
            "count": count,
            "name": f"results-{quiz.slug}",
            "back": f"{address}?{request.GET.urlencode()}",
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/mpquiz/results/download.html", context)


def _sent(request: HttpRequest, table: ResultTable, format: str) -> StreamingHttpResponse:
    """The file; where our script asks, in frames that tell how many rows are done."""
    parts, headers = table.written(format), table.headers(format)
    if "progress" not in request.POST:
        return StreamingHttpResponse(parts, headers=headers)
    headers["Content-Type"] = "application/octet-stream"
    return StreamingHttpResponse(_framed(parts, table), headers=headers)


def _framed(parts: Iterator[bytes], table: ResultTable) -> Iterator[bytes]:
    """Each part after the rows done by then and its length, four bytes each; then that all of it is there."""
    for part in parts:
        yield struct.pack(">II", table.done, len(part)) + part
    yield struct.pack(">II", table.done, _ALL_THERE)
