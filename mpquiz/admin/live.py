"""A preview of a question while it is written: what the form holds, as learners will see it. Nothing is stored."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from .. import kinds, lint
from ..content import PlacedQuestion, QuestionContent
from ..models import Question
from .packing import unpacked
from .preview import Previewed
from .together import unguarded

_MOST_TOLD = 8


@dataclass(frozen=True, slots=True)
class Written:
    """What a form holds, sound or not, and the addresses of the guides it names, by their slugs."""

    content: QuestionContent
    guides: dict[str, str]

    @property
    def previewed(self) -> Previewed:
        """What can be shown of it: settings that the kind refuses are left out."""
        content = self.content
        refused = [one.field for one in kinds.kept(content.kind).blocking(content)]
        if "settings" in refused:
            content = replace(content, settings={})
        return Previewed(0, PlacedQuestion(key=content.key, content=content))

    @property
    def warnings(self) -> list[lint.Warning]:
        return lint.warnings(self.content, guides=self.guides)


class LivePreview(admin.ModelAdmin):
    """The part of the questions' admin that previews; ``written_in`` reads the forms of their page."""

    def written_in(self, form: Any, formsets: Any) -> QuestionContent:
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.live_view)
        return [path("preview/", view, name="mpquiz_question_preview"), *super().get_urls()]

    def live_view(self, request: HttpRequest) -> HttpResponse:
        """The preview of the page's form, of which ``?question=`` names the row where there is one.

        A fragment for the page's script, a page of its own for whoever has none.
        """
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        written = self._read_form(request, self._to_preview(request))
        warnings = written.warnings
        context = {
            "sides": list(written.previewed.sides()),
            "warnings": warnings[:_MOST_TOLD],
            "more": len(warnings[_MOST_TOLD:]),
        }
        if request.headers.get("X-Requested-With") == "XMLHttpRequest":
            return TemplateResponse(request, "admin/mpquiz/question/live.html", context)
        return TemplateResponse(request, "admin/mpquiz/question/live_page.html", self._around_live(request) | context)

    def _to_preview(self, request: HttpRequest) -> Question | None:
        """The stored question, None where a new one is written. Raises what refuses whoever may not write it."""
        if "question" not in request.GET:
            if not self.has_add_permission(request):
                raise PermissionDenied
            return None
        question = self.get_object(request, request.GET["question"])
        if question is None:
            raise Http404
        if not self.has_change_permission(request, question):
            raise PermissionDenied
        return question

    def _read_form(self, request: HttpRequest, question: Question | None) -> Written:
        is_there = question is not None
        request.POST = unguarded(unpacked(request.POST))  # type: ignore[assignment]
        form = self.get_form(request, question, change=is_there)(request.POST, request.FILES, instance=question)
        form.full_clean()
        formsets, _inlines = self._create_formsets(request, form.instance, change=is_there)  # type: ignore[attr-defined]
        guides = {guide.slug: guide.get_absolute_url() for guide in form.cleaned_data.get("guides", ())}
        return Written(self.written_in(form, formsets), guides)

    def _around_live(self, request: HttpRequest) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": _("Preview"),
            "opts": self.opts,
            "media": self.media,
            "has_view_permission": self.has_view_permission(request),
        }
