"""Bringing a file into admin: upload or paste, see what would come, confirm. Nothing is stored before that."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from .. import exchange, files, words
from ..editing.bringing import VERDICTS, bring_as, log_import, outcome
from ..exceptions import FormatError
from ..formats import Entry
from ..formats.source import decode
from ..importing import Brought, Upload, read
from ..models import PendingImport, Question, Quiz
from .preview import MOST_LINES, PAGE_SIZE, Previewed, lines_of
from .upload import UploadForm


class _Changed(Exception):
    """What would be stored now is not what the editor was shown."""


class Importing(admin.ModelAdmin):
    """The part of the quizzes' admin that imports."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        ours = [
            path("import/", view(self.import_view), name="mpquiz_quiz_import"),
            path("import/<uuid:public_id>/", view(self.preview_view), name="mpquiz_quiz_import_preview"),
        ]
        return [*ours, *super().get_urls()]

    def may_import(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) and self._questions.has_add_permission(request)

    def may_import_into(self, request: HttpRequest) -> bool:
        return self.may_import(request) and self._may_change(request)

    @property
    def _questions(self) -> admin.ModelAdmin:
        return self.admin_site.get_model_admin(Question)

    def _may_change(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and self._questions.has_change_permission(request)

    # Upload -----------------------------------------------------------------------------------------------

    @csrf_exempt
    def import_view(self, request: HttpRequest) -> HttpResponse:
        """The form and what it sends. Protected within, where a text that is too large can be told in words."""
        if not self.may_import(request):
            raise PermissionDenied
        try:
            return csrf_protect(self._upload)(request)
        except RequestDataTooBig:
            return self._upload_page(request, self._empty_form(request), too_large=True)

    def _upload(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return self._upload_page(request, self._empty_form(request))
        form = UploadForm(request.POST, request.FILES, **self._rights(request))
        if not form.is_valid():
            return self._upload_page(request, form)
        PendingImport.objects.all().purge()
        how = form.how_to_read()
        upload = read(form.data_read, **{name: value for name, value in how.items() if name != "force"})
        brought, wrong = bring_as(request.user, upload, force=how["force"], dry_run=True)
        if wrong:
            text = _text(form.data_read, how["encoding"])
            form.offer_to_mend(text)
            return self._upload_page(request, form, **_report(brought, wrong, text))
        pending = PendingImport.objects.keep(form.data_read, user=request.user, files=_put_files(brought), **how)
        return HttpResponseRedirect(self._preview_url(pending))

    def _empty_form(self, request: HttpRequest) -> UploadForm:
        initial = {"language": words.current_language(), "into": request.GET.get("into", "")}
        return UploadForm(initial=initial, **self._rights(request))

    def _rights(self, request: HttpRequest) -> dict[str, Any]:
        theirs = Quiz.objects.of_editor(request.user, doing="change")
        return {"may_change": self._may_change(request), "quizzes": theirs}

    def _upload_page(self, request: HttpRequest, form: UploadForm, **more: Any) -> HttpResponse:
        context = self._context(request, _("Import questions"), form=form, **more)
        context["media"] += form.media
        if more.get("too_large"):
            context["limit"] = f"{(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / 1_000_000:g}"
        page = TemplateResponse(request, "admin/mpquiz/importing/upload.html", context)
        page.status_code = 413 if more.get("too_large") else 200
        return page

    # Preview ----------------------------------------------------------------------------------------------

    def preview_view(self, request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
        if not self.may_import(request):
            raise PermissionDenied
        pending = get_object_or_404(PendingImport.objects.of(request.user), public_id=public_id)
        if pending.confirmed_at:
            return self._landed(request, pending.quiz)
        if request.method == "POST" and "discard" in request.POST:
            return self._discarded(request, pending)
        if request.method == "POST":
            return self._confirmed(request, pending)
        return self._preview_page(request, pending)

    def _confirmed(self, request: HttpRequest, pending: PendingImport) -> HttpResponse:
        upload = _read(pending)  # before the transaction begins
        try:
            quiz = pending.confirm(lambda: self._store(request, pending, upload))
        except (_Changed, exchange.Raced):
            return self._preview_page(request, pending, changed=True)
        return self._landed(request, quiz)

    def _store(self, request: HttpRequest, pending: PendingImport, upload: Upload) -> Quiz:
        """Store the upload and say so in the history. Raises _Changed where it comes to something not shown."""
        brought, wrong = bring_as(request.user, upload, force=pending.force, by=request.user)
        loaded = brought.loaded
        if wrong or outcome(brought) != request.POST.get("seen"):
            raise _Changed
        if loaded is None or loaded.quiz is None:
            raise _Changed
        log_import(request.user, brought, pending.name)
        self._tell(request, loaded)
        return loaded.quiz

    def _tell(self, request: HttpRequest, loaded: exchange.Loaded) -> None:
        found = ((word, getattr(loaded, verdict)) for verdict, word in VERDICTS.items())
        counts = ((word, sum(item.what == "question" for item in items)) for word, items in found)
        told = pgettext("between words", ", ").join(f"{word}: {count}" for word, count in counts if count)
        messages.success(request, _("The import is stored. Questions: %(told)s.") % {"told": told})
        if loaded.quiz is not None and not loaded.quiz.title_text:
            messages.warning(request, _("The quiz has no title yet. Give it one, and publish it when it is ready."))
        elif loaded.quiz is not None and not loaded.quiz.published_languages:
            messages.info(request, _("The quiz is a draft: learners see it once you publish it in a language."))

    def _landed(self, request: HttpRequest, quiz: Quiz | None) -> HttpResponse:
        if quiz is not None and self.has_view_or_change_permission(request, quiz):
            return HttpResponseRedirect(reverse(f"{self.admin_site.name}:mpquiz_quiz_change", args=[quiz.pk]))
        return self._to_list(request)

    def _to_list(self, request: HttpRequest) -> HttpResponse:
        name = "mpquiz_quiz_changelist" if self.has_view_or_change_permission(request) else "index"
        return HttpResponseRedirect(reverse(f"{self.admin_site.name}:{name}"))

    def _discarded(self, request: HttpRequest, pending: PendingImport) -> HttpResponse:
        pending.discard()
        messages.info(request, _("The import was discarded; nothing was stored."))
        return self._to_list(request)

    def _preview_page(self, request: HttpRequest, pending: PendingImport, *, changed: bool = False) -> HttpResponse:
        brought, wrong = bring_as(request.user, _read(pending), force=pending.force, dry_run=True)
        text = _text(pending.upload, pending.encoding)
        questions = brought.content.questions if brought.content else ()
        page = Paginator(questions, PAGE_SIZE).get_page(request.GET.get("page"))
        context = self._context(
            request,
            _("What would be imported"),
            pending=pending,
            changed=changed,
            seen=outcome(brought),
            page=page,
            questions=[Previewed(number, placed) for number, placed in enumerate(page, page.start_index())],
            quiz=brought.content,
            quiz_title=words.pick(brought.content.title) if brought.content else words.NO_TEXT,
            languages=words.languages(),
            **_report(brought, wrong, text),
        )
        return TemplateResponse(request, "admin/mpquiz/importing/preview.html", context)

    def _preview_url(self, pending: PendingImport) -> str:
        return reverse(f"{self.admin_site.name}:mpquiz_quiz_import_preview", args=[pending.public_id])

    def _context(self, request: HttpRequest, title: str, **more: Any) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media,
            "has_view_permission": self.has_view_or_change_permission(request),
            **more,
        }


def _read(pending: PendingImport) -> Upload:
    return read(
        pending.upload,
        name=pending.name,
        format=pending.format,
        language=pending.language,
        encoding=pending.encoding,
        into=pending.into,
    )


def _put_files(brought: Brought) -> list[str]:
    """Have the files in the storage, where the preview shows them. Their names, whether they are new or not."""
    files.store(brought.files)
    return sorted(brought.files)


def _report(brought: Brought, wrong: list[Entry], text: str) -> dict[str, Any]:
    """The report as ``importing/report.html`` lays it out."""
    rows = text.split("\n")
    return {
        "mistakes": lines_of(wrong, rows),
        "mistake_count": len(wrong),
        "warnings": lines_of(brought.warnings, rows),
        "warning_count": len(brought.warnings),
        "verdicts": _verdicts(brought) if not wrong else [],
        "most_lines": MOST_LINES,
    }


def _verdicts(brought: Brought) -> list[dict[str, Any]]:
    found = ((verdict, getattr(brought.loaded, verdict, ())) for verdict in VERDICTS)
    return [
        {
            "word": VERDICTS[verdict],
            "items": [
                {"name": item.name, "detail": brought.details.get((verdict, item), "")} for item in items[:MOST_LINES]
            ],
            "count": len(items),
        }
        for verdict, items in found
        if items
    ]


def _text(data: bytes, encoding: str) -> str:
    """The file's text, to quote from; where it cannot be read, as much of it as can."""
    try:
        return decode(data, encoding or None)
    except FormatError:
        return data.decode("utf-8", "replace").replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
