"""Which translations are to be checked, kept up wherever texts are written."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import models

from .. import words
from ..batches import batches
from ..translations import to_check
from .editing import StaleText
from .editors import questions_of
from .guide import Guide
from .question import Choice, Question, Tag
from .quiz import Quiz, is_ruled

TEXTS: Mapping[type[models.Model], Sequence[str]] = {
    Quiz: ("title", "description"),
    Question: ("prompt", "explanation"),
    Choice: ("text", "match", "feedback"),
    Guide: ("title",),
    Tag: ("description",),
}
"""The texts that are translated for learners: a question's title is for editors alone."""


Place = tuple[str, Any, str]
"""A text: its owner as ``StaleText`` names it, that row's id, and the field."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A row as it was stored now, with what those of its columns held before that hold something else.

    ``confirmed`` are the columns of translations that an editor found right.
    """

    row: Any
    old: Mapping[str, Any]
    confirmed: Collection[str] = field(default_factory=frozenset)

    def places(self) -> Iterator[tuple[Place, Mapping[str, str]]]:
        """The texts that may have to be checked now, or no longer, with the column for each language."""
        for name in TEXTS.get(type(self.row), ()):
            columns = {language: words.attribute(name, language) for language in words.languages()}
            if any(self.old.get(column) or column in self.confirmed for column in columns.values()):
                yield (self.row._meta.model_name, self.row.pk, name), columns

    def to_check(self, columns: Mapping[str, str], marked: Collection[str]) -> set[str]:
        now = {language: getattr(self.row, column) or "" for language, column in columns.items()}
        before = {language: self.old.get(column, now[language]) or "" for language, column in columns.items()}
        confirmed = {language for language, column in columns.items() if column in self.confirmed}
        return to_check(before, now, marked) - confirmed


def record(edited: Iterable[Edited]) -> None:
    """Mark what is to be checked since these rows were changed, and unmark what is not any more.

    Three queries for each 500 texts, none where no text was there before.
    """
    found = [(one, place, columns) for one in edited for place, columns in one.places()]
    for some in batches(found):
        _record(some)


def _record(found: Sequence[tuple[Edited, Place, Mapping[str, str]]]) -> None:
    marks = _marks({place[:2] for _one, place, _columns in found})
    gone: list[Any] = []
    new: list[StaleText] = []
    for one, place, columns in found:
        marked = marks.get(place, {})
        wanted = one.to_check(columns, marked.keys())
        gone += [pk for language, pk in marked.items() if language not in wanted]
        owner, pk, name = place
        added = sorted(wanted - marked.keys())
        new += [StaleText(**{f"{owner}_id": pk}, name=name, language=language) for language in added]
    if gone:
        StaleText.objects.filter(pk__in=gone).delete()
    StaleText.objects.bulk_create(new, ignore_conflicts=True)  # another may have marked it at this moment


def _marks(owners: Iterable[tuple[str, Any]]) -> dict[Place, dict[str, Any]]:
    """{text: {language: id of its mark}}"""
    marks: dict[Place, dict[str, Any]] = {}
    for mark in StaleText.objects.filter(_of(owners)).order_by():
        marks.setdefault((*mark.owned_by, mark.name), {})[mark.language] = mark.pk
    return marks


def copy_marks(copies: Mapping[tuple[str, Any], Any]) -> None:
    """Of copies is to be checked what is of the rows they were copied from, since then; ``{(owner, id): copy's id}``.

    One query where nothing is to be checked, five otherwise.
    """
    marks = list(StaleText.objects.filter(_of(copies)).order_by("pk"))
    if not marks:
        return
    moments = {}
    for mark in marks:
        owner, pk = mark.owned_by
        moments[owner, copies[owner, pk], mark.name, mark.language] = mark.since
    new = [StaleText(**{f"{owner}_id": pk}, name=name, language=language) for owner, pk, name, language in moments]
    StaleText.objects.bulk_create(new)
    stored = list(StaleText.objects.filter(_of((owner, pk) for owner, pk, _name, _language in moments)))
    for mark in stored:
        mark.since = moments[*mark.owned_by, mark.name, mark.language]
    StaleText.objects.bulk_update(stored, ["since"])


def _of(owners: Iterable[tuple[str, Any]]) -> models.Q:
    ids: dict[str, list[Any]] = {}
    for owner, pk in owners:
        ids.setdefault(owner, []).append(pk)
    condition = models.Q(pk__in=())
    for owner, pks in ids.items():
        condition |= models.Q(**{f"{owner}__in": pks})
    return condition


def since(row: Any) -> dict[Place, dict[str, datetime]]:
    """{text: {language: since when it is to be checked}} of a row, and of a question's choices. One query."""
    own = models.Q(**{row._meta.model_name: row.pk})
    along = own | models.Q(choice__question=row.pk) if isinstance(row, Question) else own
    found: dict[Place, dict[str, datetime]] = {}
    for mark in StaleText.objects.filter(along).order_by():
        found.setdefault((*mark.owned_by, mark.name), {})[mark.language] = mark.since
    return found


def of_editor(user: Any, marks: "models.QuerySet[StaleText]") -> "models.QuerySet[StaleText]":
    """Those of the texts that an editor may change, as the host's rule says; guides and tags are of all editors."""
    if not is_ruled(user):
        return marks
    quizzes = Quiz.objects.all().of_editor(user, doing="change").values("pk")
    questions = questions_of(user, Question.objects.all(), doing="change").values("pk")
    theirs = models.Q(question__in=questions) | models.Q(choice__question__in=questions)
    return marks.filter(theirs | models.Q(quiz__in=quizzes) | models.Q(quiz=None, question=None, choice=None))
