"""Questions into quizzes: a new one at the end of the quiz that the address names, those selected into one."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..models import Question, Quiz
from .choosing import Choosing

_QUIZ = "quiz"
_KIND = "kind"


class _WhichQuiz(forms.Form):
    quiz = forms.ModelChoiceField(Quiz.objects.none(), label=gettext_lazy("Quiz"))


class PuttingIntoQuizzes(Choosing):
    """The part of the questions' admin that puts them into quizzes which the editor may change."""

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        context = {"is_put": _QUIZ in request.GET, "into": self._named(request)}
        return super().add_view(request, form_url, {**context, **(extra_context or {})})

    def _named(self, request: HttpRequest) -> Quiz | None:
        """The quiz that the address names, None where it is none or the editor may not change it."""
        if _QUIZ not in request.GET:
            return None
        quizzes = self.admin_site.get_model_admin(Quiz)
        quiz: Any = quizzes.get_object(request, request.GET[_QUIZ])
        return quiz if quiz is not None and quizzes.has_change_permission(request, quiz) else None

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if change or _QUIZ not in request.GET:
            return
        quiz = self._named(request)
        if quiz is not None:
            self.put(request, quiz, [form.instance])
        else:
            self.message_user(
                request,
                _("The question stands in no quiz: that of the address is not there, or you may not change it."),
                messages.WARNING,
            )

    def put(self, request: HttpRequest, quiz: Quiz, questions: Iterable[Question]) -> list[Question]:
        """Put questions at the end of a quiz, and say so in its history. Gives those that did not stand in it."""
        put = quiz.append(questions)
        added = [{"added": {"name": str(Question._meta.verbose_name), "object": str(one)}} for one in put]
        if added:
            self.log_change(request, quiz, added)
        return put

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        answer = super().response_add(request, obj, post_url_continue)
        if "_addanother" not in request.POST or not isinstance(answer, HttpResponseRedirect):
            return answer
        kept = request.GET.copy()
        kept[_KIND] = obj.kind
        return HttpResponseRedirect(f"{request.path}?{kept.urlencode()}")

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        quiz = self._named(request)
        if quiz is None:
            return super().response_post_save_add(request, obj)
        return HttpResponseRedirect(reverse(f"{self.admin_site.name}:mpquiz_quiz_change", args=[quiz.pk]))

    def has_put_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request) and self.admin_site.get_model_admin(Quiz).has_change_permission(
            request
        )

    @admin.action(description=gettext_lazy("Put the selected questions into a quiz"), permissions=["put"])
    def put_into_quiz(self, request: HttpRequest, rows: models.QuerySet[Question]) -> HttpResponse | None:
        form = _WhichQuiz(request.POST if self.is_answered(request) else None)
        quizzes: Any = form.fields["quiz"]
        quizzes.queryset = Quiz.objects.all().of_editor(request.user, doing="change")
        if not form.is_valid():
            return self.ask(request, rows, form, title=_("Put the selected questions into a quiz"))
        questions = list(rows)
        put = self.put(request, form.cleaned_data["quiz"], questions)
        tell_of_put(self, request, len(put), len(questions) - len(put))
        quizzes_admin: Any = self.admin_site.get_model_admin(Quiz)
        quizzes_admin.warn_of_half(request, form.cleaned_data["quiz"])
        return None


def tell_of_put(where: admin.ModelAdmin, request: HttpRequest, put: int, there: int) -> None:
    said = ngettext("%(count)d question was put at the end.", "%(count)d questions were put at the end.", put)
    if put:
        where.message_user(request, said % {"count": put}, messages.SUCCESS)
    said = ngettext(
        "%(count)d question stood in the quiz already, and stays where it is.",
        "%(count)d questions stood in the quiz already, and stay where they are.",
        there,
    )
    if there:
        where.message_user(request, said % {"count": there}, messages.INFO)
