"""Operations on translated fields name a column for each of the host's languages, as modeltranslation has them."""

import pytest
from django.apps import apps
from django.db import models
from django.db.migrations.state import ModelState, ProjectState
from modeltranslation.translator import translator

from mpquiz import translated_migrations as helper


@pytest.fixture
def state():
    """One model with one translated field."""
    found = ProjectState()
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        *helper.translated("title", models.CharField(max_length=9)),
    ]
    found.add_model(ModelState("shelf", "Book", fields))
    return found


def after(state, operations):
    """The fields of the model that the operations leave behind."""
    for operation in operations:
        operation.state_forwards("shelf", state)
    return state.models["shelf", "book"].fields


def test_a_translated_field_has_a_column_for_each_language(state):
    fields = after(state, [])
    assert list(fields) == ["id", "title", "title_en", "title_ar"]
    assert [fields[name].null for name in ("title", "title_en", "title_ar")] == [False, True, True]
    assert fields["title_ar"].max_length == 9


def test_a_later_field_is_added_in_each_language(state):
    fields = after(state, helper.add_translated("book", "blurb", models.TextField(blank=True)))
    assert list(fields)[4:] == ["blurb", "blurb_en", "blurb_ar"]


def test_a_field_is_altered_in_each_language(state):
    fields = after(state, helper.alter_translated("book", "title", models.CharField(max_length=99)))
    assert {fields[name].max_length for name in ("title", "title_en", "title_ar")} == {99}


def test_a_field_is_renamed_in_each_language(state):
    fields = after(state, helper.rename_translated("book", "title", "name"))
    assert sorted(fields) == ["id", "name", "name_ar", "name_en"]


def test_a_field_is_removed_in_each_language(state):
    assert list(after(state, helper.remove_translated("book", "title"))) == ["id"]


@pytest.mark.parametrize("model", helper._registered("mpquiz"), ids=lambda model: model.__name__)
def test_the_columns_are_those_that_modeltranslation_reports(model):
    """Else ``makemigrations`` would find changes on the host."""
    for name in translator.get_options_for_model(model).local_fields:
        for column, ours in helper.translated(name, model._meta.get_field(name))[1:]:
            assert ours.deconstruct()[1:] == model._meta.get_field(column).deconstruct()[1:]


@pytest.mark.django_db
def test_a_migrated_database_lacks_no_column():
    assert helper.missing_language_columns("mpquiz", "default") == []
    assert helper.missing_language_columns("auth", "default") == []


@pytest.mark.django_db
def test_a_migrated_database_gets_no_column(capsys):
    helper.add_missing_language_columns(apps.get_app_config("mpquiz"), using="default", apps=apps)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("languages", [[], ["en"]])
@pytest.mark.django_db
def test_a_host_of_fewer_languages_lacks_no_column(monkeypatch, languages):
    monkeypatch.setattr(helper, "languages", lambda: languages)
    assert helper.missing_language_columns("mpquiz", "default") == []
