"""Migrations whose translated columns follow the host's languages.

django-modeltranslation gives a registered model one more column per language of the *host's* settings. A
reusable app cannot know those languages when its migrations are written, so the migrations ask here, when they
are loaded; and a ``pre_migrate`` receiver adds the columns of a language that the host added later.

This is no established habit, but it was tried on sixteen sets of settings. What it cannot do: carry an index or a
constraint on a translated column to a language added later, so mpquiz has none.
"""

import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

from django.apps import AppConfig
from django.apps.registry import Apps
from django.db import connections, migrations, models, router
from django.db.migrations.state import ModelState, ProjectState

from . import words

Field: TypeAlias = "models.Field[Any, Any]"


def languages() -> list[str]:
    """The languages with columns of their own: none where modeltranslation registers nothing."""
    return [la for la in words.languages() if words.attribute("x", la) != "x"]


def _copy(field: "Field") -> "Field":
    """The field that ``TranslationField.deconstruct()`` reports for a language: the original, nullable."""
    _, _, args, kwargs = field.deconstruct()
    if not isinstance(field, models.BooleanField):
        kwargs["null"] = True
    return type(field)(*args, **kwargs)


def translated(name: str, field: "Field") -> "list[tuple[str, Field]]":
    """``[(name, field), (name_en, …), (name_ar, …)]`` for ``CreateModel(fields=[*translated(…)])``."""
    return [(name, field), *((words.attribute(name, la), _copy(field)) for la in languages())]


def add_translated(model_name: str, name: str, field: "Field") -> list[migrations.AddField]:
    """The operations that add a translated field in a later release."""
    return [migrations.AddField(model_name, column, copy) for column, copy in translated(name, field)]


def alter_translated(model_name: str, name: str, field: "Field") -> list[migrations.AlterField]:
    """The operations that alter a translated field in a later release."""
    return [migrations.AlterField(model_name, column, copy) for column, copy in translated(name, field)]


def remove_translated(model_name: str, name: str) -> list[migrations.RemoveField]:
    """The operations that remove a translated field in a later release."""
    columns = [name, *(words.attribute(name, la) for la in languages())]
    return [migrations.RemoveField(model_name, column) for column in columns]


def rename_translated(model_name: str, old: str, new: str) -> list[migrations.RenameField]:
    """The operations that rename a translated field in a later release."""
    pairs = [(old, new), *((words.attribute(old, la), words.attribute(new, la)) for la in languages())]
    return [migrations.RenameField(model_name, before, after) for before, after in pairs]


def add_missing_language_columns(
    sender: AppConfig, *, using: str, apps: Apps, verbosity: int = 1, **kwargs: Any
) -> None:
    """``pre_migrate`` receiver: a host that added a language gets its columns.

    ``apps`` is the state after the migrations already applied, computed with the languages of today. A
    translated column in it that the table lacks belongs to a language added since; it is added before any
    waiting migration runs, since SQLite remakes tables and would read the name of a missing column as a text.
    """
    missing = list(_missing_in_state(sender.label, using, apps))
    if not missing:
        return
    out = kwargs.get("stdout") or sys.stdout
    state = ProjectState.from_apps(apps)
    for model_state, name, _ in missing:  # the state as the database has it
        state.remove_field(sender.label, model_state.name_lower, name)
    for model_state, name, field in missing:
        if verbosity >= 1:
            out.write(f"  {sender.label}: adding {model_state.name}.{name} for a new language\n")
        after = state.clone()
        operation = migrations.AddField(model_state.name, name, field)
        operation.state_forwards(sender.label, after)
        with connections[using].schema_editor() as editor:
            operation.database_forwards(sender.label, editor, state, after)
        state = after


def _missing_in_state(label: str, using: str, apps: Apps) -> "Iterator[tuple[ModelState, str, Field]]":
    state = ProjectState.from_apps(apps)
    for model_name, names in _translated_names(label).items():
        model_state = state.models.get((label, model_name))
        if model_state is None:
            continue
        model = apps.get_model(label, model_name)
        if not router.allow_migrate_model(using, model):
            continue
        have = _columns(using, model._meta.db_table)
        for field in model._meta.local_concrete_fields:
            if have and field.name in names and field.column not in have:
                yield model_state, field.name, model_state.fields[field.name]


def missing_language_columns(label: str, using: str) -> list[tuple[str, str]]:
    """``[(table, column)]`` of the translated columns that the database lacks; a table not made yet lacks none."""
    names = _translated_names(label)
    missing: list[tuple[str, str]] = []
    for model in _registered(label) if names else ():
        have = _columns(using, model._meta.db_table)
        missing += [
            (model._meta.db_table, str(field.column))
            for field in model._meta.local_concrete_fields
            if have and field.name in names[model._meta.model_name or ""] and field.column not in have
        ]
    return missing


def _columns(using: str, table: str) -> set[str]:
    connection = connections[using]
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return set()
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}


def _registered(label: str) -> list[type[models.Model]]:
    from modeltranslation.translator import translator

    models_ = translator.get_registered_models(abstract=False)
    return [model for model in models_ if model._meta.app_label == label and not model._meta.proxy]


def _translated_names(label: str) -> dict[str, set[str]]:
    """{model name: names of its translation columns}, for today's languages."""
    if not languages():
        return {}
    from modeltranslation.translator import translator

    return {
        model._meta.model_name or "": {
            words.attribute(name, language)
            for name in translator.get_options_for_model(model).local_fields
            for language in languages()
        }
        for model in _registered(label)
    }
