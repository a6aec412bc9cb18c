"""Rows that editors write whole: what is refused, which translations are to be checked then, and who did it.

What is sent is ``{field: value}``; texts in several languages are ``{language: Markdown}``, and a language that is
not sent stays as it is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from .. import words
from ..content import clean, digest
from ..exceptions import Refusal
from ..models import Guide, Question, Quiz, Tag
from ..models.sharing import refuses_name
from ..models.staleness import Edited, record

Sent = Mapping[str, Any]
Wrong = dict[str, list[Any]]
"""What is wrong, by place: ``title.ar``, ``choices.2.text``."""

WORDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Guide: ("title",),
    Tag: ("description",),
    Quiz: ("title", "description"),
    Question: ("title", "prompt", "explanation"),
}
"""The fields of each that have a text for each language."""
_OF_THE_SITE = ("id", "imported", "created_at", "updated_at")


# Which state ------------------------------------------------------------------------------------------------


def revision_of(row: models.Model, *parts: Any) -> str:
    """What names the state of all that an editor wrote in a row, and of ``parts`` beside it.

    A password is in it, so that it takes the site's secret to guess at one.
    """
    state = digest({"row": [_plain(getattr(row, name)) for name in columns_of(type(row))], "parts": parts})
    return salted_hmac("mpquiz.editing", state, algorithm="sha256").hexdigest()


def _plain(value: Any) -> str:
    """A text that nobody wrote may be stored as NULL."""
    return "" if value is None else str(value)


def columns_of(model: type[models.Model]) -> list[str]:
    """The columns that are written; a text's own field reads as one of its columns, whichever language is active."""
    aliases = {name for name in WORDS[model] if words.attribute(name, words.languages()[0]) != name}
    names = [field.attname for field in model._meta.concrete_fields if field.name not in aliases]
    return [name for name in names if name not in _OF_THE_SITE]


def lock(row: models.Model) -> None:
    """Nobody else changes the row before the transaction ends. The first statement writes, as SQLite wants it.

    Raises Refusal("gone").
    """
    name = columns_of(type(row))[0]
    if not type(row)._default_manager.filter(pk=row.pk).update(**{name: models.F(name)}):
        raise Refusal("gone", _("It was deleted meanwhile."))


def refuse_stale(now: str, seen: str | None) -> None:
    """Raises Refusal("stale") where somebody has changed what was ``seen``; None: nobody asks."""
    if seen is not None and not constant_time_compare(now, seen):
        raise Refusal("stale", _("Somebody has changed this after you read it. Read it again."))


# What is wrong ----------------------------------------------------------------------------------------------


def faults_in(row: models.Model) -> Wrong:
    """What the fields of a row that are written, and ``clean``, refuse, by place. A query for each unique field."""
    try:
        row.full_clean(exclude={field.name for field in row._meta.concrete_fields if not field.editable})
    except ValidationError as error:
        return {_place(type(row), name): messages for name, messages in error.message_dict.items()}
    return {}


def _place(model: type[models.Model], column: str) -> str:
    for name in WORDS[model]:
        for language in words.languages():
            if column == words.attribute(name, language):
                return f"{name}.{language}"
    return column


def nameless(row: models.Model) -> Wrong:
    """A title is wanted in one language, whichever."""
    return {} if words.of(row, "title") else {"title": [_("Write the title in at least one language.")]}


def refuse(*wrong: Mapping[str, Any]) -> None:
    """Raises ValidationError where anything is wrong, with all of it."""
    found: Wrong = {}
    for one in wrong:
        for place, messages in one.items():
            found.setdefault(place, []).extend(messages)
    if found:
        raise ValidationError(found)


# Writing ----------------------------------------------------------------------------------------------------


def put(row: models.Model, sent: Sent) -> Edited:
    """Give a row what was sent of its columns; gives what it held before. Saves nothing."""
    values = dict(_columns(type(row), sent))
    old = {name: before for name, value in values.items() if not _is_same(before := getattr(row, name), value)}
    for name in old:
        setattr(row, name, values[name])
    return Edited(row, old)


def _is_same(before: Any, value: Any) -> bool:
    return before == value or (before is None and value == "")


def _columns(model: type[models.Model], sent: Sent) -> Iterator[tuple[str, Any]]:
    plain = set(columns_of(model))
    for name, value in sent.items():
        if name in WORDS[model]:
            there = clean(value)
            yield from ((words.attribute(name, language), there.get(language, "")) for language in value)
        elif name in plain:
            yield name, value


@transaction.atomic
def create(row: Any, sent: Sent, *, by: Any) -> Any:
    """Store a new guide or tag. Raises ValidationError."""
    put(row, sent)
    _refuse_wrong(row)
    save_new(row)
    log(by, row, is_new=True)
    return row


@transaction.atomic
def edit(row: Any, sent: Sent, *, by: Any, seen: str | None = None) -> Any:
    """Change a guide or tag. Raises ValidationError; Refusal: ``stale``, ``gone``."""
    lock(row)
    row.refresh_from_db()
    refuse_stale(revision_of(row), seen)
    if isinstance(row, Guide) and sent.get("slug", row.slug) != row.slug:
        refuse({"slug": [_("Files and attempts name a guide by its slug, for good.")]})
    edited = put(row, sent)
    _refuse_wrong(row)
    if isinstance(row, Tag) and (told := refuses_name(by, edited.old.get("name", ""), row.name)):
        refuse({"name": [told]})
    if edited.old:
        row.save()
        record([edited])
        log(by, row)
    return row


def save_new(row: models.Model) -> None:
    """Raises ValidationError where somebody took its name at this moment."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        refuse(faults_in(row))
        raise


def _refuse_wrong(row: models.Model) -> None:
    refuse(faults_in(row), nameless(row) if isinstance(row, Guide) else {})


@transaction.atomic
def delete(row: Any, *, by: Any, seen: str | None = None) -> None:
    """Delete a guide or a tag. Raises Refusal: ``in_use`` for a tag from which a quiz draws, ``stale``, ``gone``."""
    lock(row)
    row.refresh_from_db()
    refuse_stale(revision_of(row), seen)
    remove(row, by=by)


def remove(row: Any, *, by: Any) -> None:
    """Delete a row, whatever state it is in. Raises Refusal("in_use")."""
    try:
        with transaction.atomic():
            log(by, row, deleted=True)
            row.delete()
    except models.ProtectedError as error:
        raise Refusal("in_use", _("Quizzes draw from it: take it out of them first.")) from error


# Who did it -------------------------------------------------------------------------------------------------


def log(by: Any, row: models.Model, said: str = "", *, is_new: bool = False, deleted: bool = False) -> None:
    """Write it into the history that admin shows, where the site has admin."""
    if not apps.is_installed("django.contrib.admin"):
        return
    from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
    from django.contrib.contenttypes.models import ContentType

    LogEntry.objects.create(
        user_id=by.pk,
        content_type=ContentType.objects.get_for_model(row, for_concrete_model=False),
        object_id=str(row.pk),
        object_repr=str(row)[:200],
        action_flag=DELETION if deleted else ADDITION if is_new else CHANGE,
        change_message=said,
    )
