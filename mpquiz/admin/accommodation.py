"""Accommodations in admin: extra time, extra attempts and other dates for single learners and groups.

They name people, and what is granted to them: whoever works with them has the rights to accommodations, and may see
quizzes and users besides. To anybody else there are none.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename, get_user_model
from django.db import models
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from .. import words
from ..learners import name_columns
from ..models import Accommodation, Attempt, Quiz
from ..templatetags.mpquiz import points
from .exams import NamedDates
from .languages import in_its_own_direction, shown
from .parts import Picker
from .rights import OfQuizOfEditor

_PICKED = ("quiz", "user", "group")
_OF_QUIZ = "quiz__id__exact"


def _may_view(site: admin.AdminSite, model: type[models.Model], request: HttpRequest) -> bool:
    """Whether somebody may see rows of a model, as its admin says, or where it has none, by permission."""
    if site.is_registered(model):
        return site.get_model_admin(model).has_view_permission(request)
    may = (f"{model._meta.app_label}.{get_permission_codename(one, model._meta)}" for one in ("view", "change"))
    return any(map(request.user.has_perm, may))


@admin.register(Accommodation)
class AccommodationAdmin(NamedDates, OfQuizOfEditor):
    needs = "change"
    fieldsets = [
        (None, {"fields": ["quiz", "user", "group"]}),
        (_("Granted"), {"fields": ["time_factor", "no_time_limit", "extra_attempts", "opens_at", "closes_at"]}),
        (None, {"fields": ["note"]}),
    ]
    raw_id_fields = ["quiz", "user", "group"]
    list_display = ["who", "titled", "what"]
    list_filter = [("quiz", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["quiz", "user", "group"]

    # Rights -----------------------------------------------------------------------------------------------

    def _may_see_both(self, request: HttpRequest) -> bool:
        return all(_may_view(self.admin_site, model, request) for model in (Quiz, get_user_model()))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_see_both(request) and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._may_see_both(request) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_see_both(request) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_see_both(request) and super().has_delete_permission(request, obj)

    def link_to(self, request: HttpRequest, quiz: str) -> dict[str, Any]:
        """What the page of a quiz (its id as an address has it) shows of them; nothing to a stranger."""
        if not (quiz.isdecimal() and len(quiz) < 18 and self.has_view_permission(request)):
            return {}
        address = reverse(f"{self.admin_site.name}:mpquiz_accommodation_changelist")
        count = Accommodation.objects.filter(quiz=int(quiz)).count()
        return {"accommodations_url": f"{address}?{_OF_QUIZ}={quiz}", "accommodation_count": count}

    # The page ---------------------------------------------------------------------------------------------

    def get_autocomplete_fields(self, request: HttpRequest) -> list[str]:
        """What can be searched; a host's admin of users may have no search, and then their number is asked for."""
        return [name for name in _PICKED if self._can_be_searched(name, request)]

    def _can_be_searched(self, name: str, request: HttpRequest) -> bool:
        model: Any = Accommodation._meta.get_field(name).related_model
        if not self.admin_site.is_registered(model):
            return False
        return bool(self.admin_site.get_model_admin(model).get_search_fields(request))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "quiz":
            kwargs["queryset"] = Quiz.objects.all().of_editor(request.user, doing="change")
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = Picker(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new one is for the quiz that the list was narrowed to."""
        listed = QueryDict(request.GET.get("_changelist_filters", "")).get(_OF_QUIZ, "")
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        return {"quiz": listed, **initial} if listed.isdecimal() and len(listed) < 18 else initial

    def save_model(self, request: HttpRequest, obj: Accommodation, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        count = Attempt.objects.lengthen(obj.quiz)
        said = ngettext(
            "%(count)d running attempt has got a later deadline.",
            "%(count)d running attempts have got a later deadline.",
            count,
        )
        if count:
            self.message_user(request, said % {"count": count}, messages.INFO)

    # The log ----------------------------------------------------------------------------------------------

    def log_addition(self, request: HttpRequest, obj: Accommodation, message: Any) -> Any:
        return super().log_addition(request, obj.unnamed(), message)

    def log_change(self, request: HttpRequest, obj: Accommodation, message: Any) -> Any:
        return super().log_change(request, obj.unnamed(), message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        unnamed: Any = [one.unnamed() for one in queryset]
        return super().log_deletions(request, unnamed)

    # The list ---------------------------------------------------------------------------------------------

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return [*name_columns("user"), "group__name"]

    @admin.display(description=_("for whom"))
    def who(self, row: Accommodation) -> SafeString:
        name = in_its_own_direction(row.named)
        return name if row.group is None else format_html("{} ({})", name, pgettext("for whom", "group"))

    @admin.display(description=_("quiz"))
    def titled(self, row: Accommodation) -> SafeString | str:
        return shown(row.quiz.title_text) if row.quiz.title_text else row.quiz.slug

    @admin.display(description=_("granted"))
    def what(self, row: Accommodation) -> SafeString:
        return format_html_join(" · ", "{}", ((one,) for one in _in_words(row)))


def _in_words(row: Accommodation) -> list[str]:
    """What an accommodation grants beyond the quiz's own rules."""
    told = []
    if row.no_time_limit:
        told.append(gettext("no time limit"))
    elif row.time_factor != 1:
        told.append(gettext("%(factor)s times the time") % {"factor": points(row.time_factor)})
    if row.extra_attempts:
        said = ngettext("%(count)d extra attempt", "%(count)d extra attempts", row.extra_attempts)
        told.append(said % {"count": row.extra_attempts})
    if row.opens_at:
        told.append(gettext("opens %(when)s") % {"when": words.when(row.opens_at)})
    if row.closes_at:
        told.append(gettext("closes %(when)s") % {"when": words.when(row.closes_at)})
    return told
