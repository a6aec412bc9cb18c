"""What keeps a quiz from being published: nothing in it that can be asked, or half a translation."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from django.db import models
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from ..models import Question, Quiz, Tag, completeness
from ..models.completeness import Completeness
from ..translations import State
from .asking import any_sound, is_sound
from .rows import Wrong

_MOST_NAMED = 5


def refusals(
    quiz: Quiz,
    *,
    questions: Iterable[Question],
    tags: Sequence[Tag],
    published: Collection[str],
    newly: Iterable[str],
    although: Collection[str],
    among: models.QuerySet[Question],
) -> Wrong:
    """Why a quiz of these questions, and of pools of these tags, is not ``published``. Eight queries at most.

    In the languages that are ``newly`` among them no text may be missing of what is half translated, ``although`` of
    those where the editor says so. The questions have their choices fetched along; those ``among`` which the editor
    sees are named.
    """
    questions = list(questions)
    if published and not any(map(is_sound, questions)) and not any_sound(tags):
        return {"published": [_("Publish it once it has a question that can be asked.")]}
    asked = [language for language in newly if language not in although]
    if not asked:
        return {}
    texts = completeness.of_parts([one.pk for one in questions], [tag.pk for tag in tags])
    found = Completeness(completeness.own_texts(quiz), texts)
    half = [_refusal(found, language, among) for language in asked if found.is_half(language)]
    return {"published": half} if half else {}


def _refusal(found: Completeness, language: str, among: models.QuerySet[Question]) -> str:
    message = _(
        "It is not published in %(language)s, where texts are missing: %(where)s. Add them, or name the language in "
        "“although_incomplete”."
    )
    return message % {"language": _name(language), "where": ", ".join(_half_in(found, language, among))}


def _half_in(found: Completeness, language: str, among: models.QuerySet[Question]) -> Iterator[str]:
    if found.own.state(language) is State.HALF:
        yield _("The quiz itself")
    half = found.having(State.HALF, language)
    keys = list(among.filter(pk__in=half).order_by("pk").values_list("key", flat=True)[:_MOST_NAMED])
    yield from keys
    if len(half) > len(keys):
        yield "…"


def _name(language: str) -> Any:
    try:
        return get_language_info(language)["name_translated"]
    except KeyError:
        return language
