"""Finding questions to put into a quiz: by their words in any language, told with their kind."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse

from .. import kinds
from ..models import Question, Quiz
from .parts import Picker, can_be_key


def with_kind(question: Question) -> str:
    """A question and its kind, each in its own direction: no markup can say so in a list of options."""
    return f"\N{FIRST STRONG ISOLATE}{question}\N{POP DIRECTIONAL ISOLATE} · {kinds.kept(question.kind).label}"


class _Found(AutocompleteJsonView):
    def process_request(self, request: HttpRequest) -> Any:
        """As Django's own, for what picks questions. Raises PermissionDenied."""
        found = super().process_request(request)
        if found[1].model is not Question:
            raise PermissionDenied
        return found

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        return {**super().serialize_result(obj, to_field_name), "text": with_kind(obj)}


class FindingQuestions(admin.ModelAdmin):
    """The part of the questions' admin where pickers of questions search."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.find_view)
        return [path("find/", view, name="mpquiz_question_find"), *super().get_urls()]

    def find_view(self, request: HttpRequest) -> HttpResponseBase:
        return _Found.as_view(admin_site=self.admin_site)(request)


class _Searching:
    """A widget of Django's that searches there."""

    admin_site: admin.AdminSite

    def get_url(self) -> str:
        return reverse(f"{self.admin_site.name}:mpquiz_question_find")


class QuestionPicker(_Searching, Picker):
    pass


class QuestionsPicker(_Searching, AutocompleteSelectMultiple):
    """Takes many, a click each: the list stays open. What was sent and can be no key is left out."""

    def __init__(self, admin_site: admin.AdminSite) -> None:
        field = Quiz._meta.get_field("questions")
        super().__init__(field, admin_site, attrs={"data-close-on-select": "false"})
        self.is_required = False

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, [str(one) for one in value if can_be_key(Question._meta.pk, one)], attr)


class QuestionsField(forms.ModelMultipleChoiceField):
    """Questions in the order in which they were chosen."""

    def clean(self, value: Any) -> Any:
        if wrong := [one for one in value or () if not can_be_key(Question._meta.pk, one)]:
            raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": wrong[0]})
        questions = {question.pk: question for question in super().clean(value)}
        chosen = dict.fromkeys(Question._meta.pk.to_python(one) for one in value or ())
        return [questions[pk] for pk in chosen if pk in questions]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data)
