"""Publishing the selected quizzes in a language, or in none."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import models
from django.http import HttpRequest
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .. import words
from ..editing.asking import asking
from ..models import Quiz, completeness
from .languages import own_name

Action = Callable[[Any, HttpRequest, models.QuerySet[Quiz]], None]


def actions() -> Iterator[Action]:
    """An action for each language of the host, then one to publish in none."""
    yield from map(_publishing, words.languages())
    yield unpublish


def _publishing(language: str) -> Action:
    def publish(where: admin.ModelAdmin, request: HttpRequest, rows: models.QuerySet[Quiz]) -> None:
        wanted = [quiz for quiz in rows if language not in quiz.published_languages]
        half = completeness.of_quizzes(wanted)
        whole = [quiz for quiz in wanted if not half[quiz.pk].is_half(language)]
        asked = asking(whole)
        sound = [quiz for quiz in whole if quiz.pk in asked]
        Quiz.objects.filter(pk__in=[quiz.pk for quiz in sound]).publish_in(language)
        _log(request, sound)
        _tell(where, request, sound, len(whole) - len(sound), len(wanted) - len(whole))

    publish.__name__ = f"publish_{language.replace('-', '_')}"
    named: Any = lazy(lambda: _("Publish in %(language)s") % {"language": own_name(language)}, str)
    return admin.action(description=named(), permissions=["change"])(publish)


@admin.action(description=gettext_lazy("Unpublish in all languages"), permissions=["change"])
def unpublish(where: admin.ModelAdmin, request: HttpRequest, rows: models.QuerySet[Quiz]) -> None:
    published = [quiz for quiz in rows if quiz.published_languages]
    Quiz.objects.filter(pk__in=[quiz.pk for quiz in published]).unpublish()
    _log(request, published)
    said = ngettext("%(count)d quiz is a draft again.", "%(count)d quizzes are drafts again.", len(published))
    where.message_user(request, said % {"count": len(published)}, messages.SUCCESS)


def _log(request: HttpRequest, quizzes: Sequence[Quiz]) -> None:
    said = [{"changed": {"fields": [str(_("Published in"))]}}]
    user: Any = request.user
    LogEntry.objects.log_actions(user.pk, quizzes, CHANGE, said)


def _tell(where: admin.ModelAdmin, request: HttpRequest, published: Sequence[Quiz], empty: int, half: int) -> None:
    said = ngettext("%(count)d quiz was published.", "%(count)d quizzes were published.", len(published))
    where.message_user(request, said % {"count": len(published)}, messages.SUCCESS)
    said = ngettext(
        "%(count)d quiz has no question that can be asked, and was not published.",
        "%(count)d quizzes have no question that can be asked, and were not published.",
        empty,
    )
    if empty:
        where.message_user(request, said % {"count": empty}, messages.WARNING)
    said = ngettext(
        "%(count)d quiz is half translated, and was not published: its own page publishes it all the same.",
        "%(count)d quizzes are half translated, and were not published: their own pages publish them all the same.",
        half,
    )
    if half:
        where.message_user(request, said % {"count": half}, messages.WARNING)
