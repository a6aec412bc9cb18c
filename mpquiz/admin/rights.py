"""Which rows an editor sees and changes in admin, where the host's rule ``MAY_EDIT`` says which quizzes are theirs.

Permissions are Django's own, and asked first. To an editor of other quizzes a row is not there at all.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ..models import Quiz
from ..models.editors import questions_of
from ..models.quiz import is_ruled
from .narrowing import Narrowing


class OfEditor(Narrowing):
    """Shows the rows that ``narrowed`` leaves, and lets those be changed that it leaves to "change"."""

    def narrowed(self, rows: Any, user: Any, doing: str | None) -> Any:
        """The rows of an editor. Asked only where a host has a rule."""
        raise NotImplementedError

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        return self.narrowed(rows, request.user, None) if is_ruled(request.user) else rows

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and self._is_theirs(request, obj, None)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._is_theirs(request, obj, "change")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._is_theirs(request, obj, "change")

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Any:
        """An action that changes rows reaches those alone that may be changed."""
        if is_ruled(request.user) and self._changes_rows(request):
            queryset = self.narrowed(queryset, request.user, "change")
        return super().response_action(request, queryset, *args, **kwargs)

    def _changes_rows(self, request: HttpRequest) -> bool:
        action = self.get_actions(request).get(request.POST.get("action", ""))
        function = getattr(action, "func", None) or (action and action[0])  # Django 6.1 has an object, 5.2 a tuple
        needed = getattr(function, "allowed_permissions", ())
        return bool({"change", "delete", "add"} & set(needed))

    def _is_theirs(self, request: HttpRequest, row: Any, doing: str | None) -> bool:
        """Whether a row is one of the editor's; asked once a request, since admin asks many times a page."""
        if row is None or row.pk is None or not is_ruled(request.user):
            return True
        known: dict[Any, bool] = request.__dict__.setdefault("_mpquiz_theirs", {})
        key = (self.model, row.pk, doing)
        if key not in known:
            rows = self.narrowed(self.model._default_manager.filter(pk=row.pk), request.user, doing)
            known[key] = rows.exists()
        return known[key]


class QuizzesOfEditor(OfEditor):
    def narrowed(self, rows: Any, user: Any, doing: str | None) -> Any:
        return rows.of_editor(user, doing=doing)


class QuizzesOfEditorFilter(admin.RelatedFieldListFilter):
    """Offers the quizzes of the editor, and names no other."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[Any]:
        theirs = {"pk__in": Quiz.objects.all().of_editor(request.user).order_by().values("pk")}
        ordering = self.field_admin_ordering(field, request, model_admin)
        choices: list[Any] = field.get_choices(
            include_blank=False, ordering=ordering, limit_choices_to=theirs if is_ruled(request.user) else None
        )
        return choices

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """A row that stands in another's quiz too is not found by that one."""
        if is_ruled(request.user) and self.lookup_val:
            theirs = Quiz.objects.all().of_editor(request.user).order_by().values("pk")
            self.used_parameters[f"{self.field_path}__in"] = [theirs]
        return super().queryset(request, queryset)


class QuestionsOfEditor(OfEditor):
    def narrowed(self, rows: Any, user: Any, doing: str | None) -> Any:
        return questions_of(user, rows, doing=doing)


class OfQuizOfEditor(OfEditor):
    """Rows that belong to a quiz: seen and changed by whoever may do ``needs`` with it."""

    quiz_lookup = "quiz"
    needs = "results"

    def narrowed(self, rows: Any, user: Any, doing: str | None) -> Any:
        theirs = Quiz.objects.all().of_editor(user, doing=self.needs).values("pk")
        return rows.filter(**{f"{self.quiz_lookup}__in": theirs})
