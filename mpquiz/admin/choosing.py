"""Actions of a list that ask something first, on a page of their own."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

_ANSWERED = "answered"


class Choosing(admin.ModelAdmin):
    """An admin whose actions may ask: ``ask`` gives the page, which sends the same action with the answer."""

    def is_answered(self, request: HttpRequest) -> bool:
        return _ANSWERED in request.POST

    def ask(self, request: HttpRequest, rows: models.QuerySet[Any], form: forms.Form, *, title: str) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media + form.media,
            "has_view_permission": True,
            "form": form,
            "count": rows.count(),
            "answered": _ANSWERED,
            "action": request.POST.get("action", ""),
            "checkbox": ACTION_CHECKBOX_NAME,
            "chosen": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "select_across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(request, "admin/mpquiz/choosing.html", context)
