"""Each ailment of settings, files and surroundings is found, and a site that is well is told so."""

import json
from io import StringIO
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import global_settings
from django.contrib.staticfiles import finders, storage
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils.functional import empty

from mpquiz.conf import DEFAULTS
from mpquiz.doctor import installation
from tests.factories import make_question, make_quiz

LOCMEM = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
DUMMY = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
DOWN = {"default": {"BACKEND": "tests.faults.down.DownCache"}}


def test_a_site_that_is_well_has_nothing(found):
    assert found() == []


# The command ------------------------------------------------------------------------------------------------


def told(*arguments):
    """(what the command says, its exit code)"""
    out, code = StringIO(), 0
    try:
        call_command("mpquiz_doctor", *arguments, stdout=out)
    except SystemExit as ended:
        code = ended.code
    return out.getvalue(), code


def test_a_site_that_is_well_is_told_so():
    assert told() == ("Nothing is wrong.\n", 0)
    assert json.loads(told("--json")[0]) == {"healthy": True, "findings": []}


def test_what_is_broken_is_told_with_what_to_do_and_code_1(settings):
    settings.USE_TZ = False
    said, code = told()
    assert code == 1
    assert "Broken (clock): USE_TZ is off" in said
    assert "Where: settings" in said and "To do: Set USE_TZ = True." in said
    assert "1 broken, 0 worth a look." in said


def test_what_is_worth_a_look_ends_with_code_0(settings):
    settings.CACHES = LOCMEM
    said, code = told()
    assert code == 0
    assert "Worth a look (cache):" in said and "0 broken, 1 worth a look." in said


def test_a_program_is_told_in_json(settings):
    settings.USE_TZ = False
    said, code = told("--json")
    (finding,) = json.loads(said)["findings"]
    assert (code, json.loads(said)["healthy"]) == (1, False)
    assert sorted(finding) == ["ailment", "broken", "remedy", "what", "where"]
    assert (finding["ailment"], finding["broken"]) == ("clock", True)


def test_what_is_skipped_is_not_looked_for(settings):
    settings.USE_TZ = False
    assert told("--skip", "clock", "--skip", "storage") == ("Nothing is wrong.\n", 0)


def test_what_is_broken_by_the_checks_does_not_stop_the_doctor(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "KINDS": {"year": "nowhere.Year"}}
    said, code = told()
    assert code == 1 and "Broken (mpquiz.E007)" in said


# Settings ---------------------------------------------------------------------------------------------------


def test_what_the_checks_say_is_said_with_their_ids(settings, only):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 300}
    assert "so many seconds after the time is up" in only("mpquiz.W010", broken=False).what


def test_pages_without_addresses(settings, only):
    settings.ROOT_URLCONF = "tests.doctor.bare_urls"
    assert 'include("mpquiz.urls")' in only("urls").remedy


def test_an_api_without_rest_framework(settings, only, monkeypatch):
    settings.ROOT_URLCONF = "tests.doctor.api_urls"
    installed = apps.is_installed
    monkeypatch.setattr(apps, "is_installed", lambda name: name != "rest_framework" and installed(name))
    assert '"rest_framework"' in only("api", broken=False).remedy


def test_time_zones_that_are_off(settings, only):
    settings.USE_TZ = False
    assert only("clock").remedy == "Set USE_TZ = True."


def test_a_time_zone_that_nobody_chose(monkeypatch):
    left = SimpleNamespace(USE_TZ=True, TIME_ZONE=global_settings.TIME_ZONE, is_overridden=lambda name: False)
    monkeypatch.setattr(installation, "settings", left)
    (finding,) = installation.clock("default")
    assert "those of America/Chicago" in finding.what and not finding.broken


@pytest.mark.parametrize("name", ["SESSION_COOKIE_DOMAIN", "CSRF_COOKIE_DOMAIN"])
def test_a_cookie_that_a_host_of_the_site_refuses(settings, only, name):
    settings.ALLOWED_HOSTS = ["a.example.com", "example.org", "localhost"]
    setattr(settings, name, ".example.com")
    finding = only("cookies")
    assert finding.where == "example.org" and name in finding.what


def test_a_cookie_that_all_hosts_of_the_site_take(settings, found):
    settings.ALLOWED_HOSTS = ["a.example.com", ".example.com", "localhost", "*"]
    settings.SESSION_COOKIE_DOMAIN = settings.CSRF_COOKIE_DOMAIN = "example.com"
    assert found() == []


@pytest.mark.parametrize("hosts", [["example.com", "www.example.com"], [".example.com"]])
def test_hosts_between_which_nobody_is_known(settings, only, hosts):
    settings.ALLOWED_HOSTS = hosts
    assert "a new guest there" in only("cookies", broken=False).what


# Files ------------------------------------------------------------------------------------------------------


def test_styles_that_no_finder_finds(settings, only):
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    finders.get_finder.cache_clear()
    finding = only("static")
    assert "not found" in finding.what and "more" in finding.where


@pytest.fixture
def collected(settings, tmp_path):
    """Static files that are collected; a file of mpquiz is at the path that is returned for it."""
    settings.STATIC_ROOT = tmp_path / "static"
    storage.staticfiles_storage._wrapped = storage.StaticFilesStorage()
    call_command("collectstatic", verbosity=0, interactive=False)
    yield lambda name: tmp_path / "static" / "mpquiz" / name

    storage.staticfiles_storage._wrapped = empty


def test_styles_that_are_collected(collected, found):
    assert collected("quiz.css").exists()
    assert found() == []


def test_styles_that_are_not_collected(collected, only):
    collected("quiz.css").unlink()
    finding = only("static")
    assert finding.where == "mpquiz/quiz.css" and "collectstatic" in finding.remedy


def test_styles_that_were_collected_from_another_release(collected, only):
    collected("quiz.css").write_text("body {}")
    assert "another release" in only("static").what


def test_styles_that_no_manifest_names(settings, tmp_path, only, collected):
    manifest = storage.ManifestStaticFilesStorage(tmp_path / "static")
    storage.staticfiles_storage._wrapped = manifest
    assert "not among the collected files" in only("static").what


def test_styles_that_a_manifest_names(settings, tmp_path, found, collected):
    storage.staticfiles_storage._wrapped = storage.ManifestStaticFilesStorage(tmp_path / "static")
    call_command("collectstatic", verbosity=0, interactive=False)
    assert found() == []


def test_while_a_site_is_being_made_nothing_is_collected(settings, collected, found):
    collected("quiz.css").unlink()
    settings.DEBUG = True
    assert found() == []


def test_a_site_without_staticfiles_is_not_asked(settings, monkeypatch):
    settings.STATICFILES_FINDERS = []
    finders.get_finder.cache_clear()
    monkeypatch.setattr(apps, "is_installed", lambda name: False)
    assert list(installation.static_files("default")) == []


def test_words_that_are_not_compiled(only, monkeypatch, tmp_path):
    (tmp_path / "locale" / "ar" / "LC_MESSAGES").mkdir(parents=True)
    monkeypatch.setattr(installation, "PACKAGE", tmp_path)
    assert "“ar”" in only("catalogues").what


# Surroundings -----------------------------------------------------------------------------------------------


def test_a_cache_for_each_worker(settings, only):
    settings.CACHES = LOCMEM
    assert "count for each worker by itself" in only("cache", broken=False).what


def test_a_cache_that_keeps_nothing(settings, only):
    settings.CACHES = DUMMY
    assert "keeps nothing" in only("cache", broken=False).what


def test_a_cache_that_is_down(settings, only):
    settings.CACHES = DOWN
    assert "Connection refused" in only("cache").what


def test_a_site_without_limits_needs_no_cache(settings, found):
    settings.CACHES = LOCMEM
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": dict.fromkeys(DEFAULTS["THROTTLE"])}
    assert found() == []


@pytest.mark.parametrize("engine", ["cache", "cached_db"])
def test_sessions_in_a_cache_for_each_worker(settings, only, engine):
    settings.CACHES = LOCMEM
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    assert "guests lose their attempts" in only("sessions", skip=["cache"]).what


def test_sessions_in_a_shared_cache(settings, found):
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
    assert found() == []


def test_sessions_without_their_table(only, monkeypatch):
    installed = apps.is_installed
    monkeypatch.setattr(apps, "is_installed", lambda name: name != "django.contrib.sessions" and installed(name))
    assert "INSTALLED_APPS" in only("sessions").remedy


def test_files_without_a_place(settings, only):
    settings.MEDIA_ROOT = ""
    assert "MEDIA_ROOT is not set" in only("storage", broken=False).what


def test_files_that_cannot_be_written(settings, only, tmp_path):
    (tmp_path / "media").write_text("a file where the directory should be")
    finding = only("storage")
    assert "FileExistsError" in finding.what or "NotADirectoryError" in finding.what
    assert finding.where == str(tmp_path / "media")


class Forgetful(InMemoryStorage):
    """A storage that reads otherwise than was written."""

    def _open(self, name, mode="rb"):
        return ContentFile(b"otherwise", name)


def test_files_in_a_storage_that_does_not_import(settings, only):
    settings.STORAGES = {**settings.STORAGES, "mpquiz": {"BACKEND": "nowhere.Storage"}}
    assert only("storage").where == "STORAGES"


def test_files_that_read_otherwise(settings, only):
    settings.STORAGES = {**settings.STORAGES, "mpquiz": {"BACKEND": "tests.doctor.test_installation.Forgetful"}}
    assert "reads otherwise" in only("storage").what


def test_the_probe_leaves_nothing_behind(found, tmp_path):
    assert found() == []
    assert [path for path in (tmp_path / "media").rglob("*") if path.is_file()] == []


def test_nothing_is_written_where_the_storage_is_skipped(found, tmp_path):
    assert found(skip=["storage"]) == []
    assert not (tmp_path / "media").exists()


# Several databases ------------------------------------------------------------------------------------------


class Replica:
    """Reads from a replica, as the README has it."""

    def db_for_read(self, model, instance=None, **hints):
        if model._meta.app_label in ("sessions", "auth"):
            return None
        return (instance and instance._state.db) or "replica"

    def db_for_write(self, model, **hints):
        return "default"

    def allow_relation(self, one, other, **hints):
        return True


class WithoutRelations:
    """A router that says nothing of relations: Django then allows them within one database alone."""

    db_for_read, db_for_write = Replica.db_for_read, Replica.db_for_write


class ReadsSessions(Replica):
    def db_for_read(self, model, instance=None, **hints):
        return (instance and instance._state.db) or "replica"


class ReadsQuestionsElsewhere(Replica):
    def db_for_read(self, model, **hints):
        return super().db_for_read(model)


class Parts(Replica):
    def db_for_write(self, model, **hints):
        return "people" if model._meta.app_label == "auth" else "default"


class MakesNoTables(Replica):
    def allow_migrate(self, db, app_label, **hints):
        return False


@pytest.mark.parametrize(
    ("router", "said"),
    [
        (WithoutRelations, "nobody can start"),
        (ReadsSessions, "Sessions are read from the replica"),
        (ReadsQuestionsElsewhere, "a start may ask old ones"),
        (Parts, "no foreign key and no lock spans"),
        (MakesNoTables, "lets no tables be made"),
    ],
)
def test_routers_that_part_what_belongs_together(settings, found, router, said):
    settings.DATABASE_ROUTERS = [router()]
    assert [said in one.what for one in found() if one.ailment == "routing"] == [True]


def test_a_router_as_the_readme_has_it(settings, found):
    settings.DATABASE_ROUTERS = [Replica()]
    assert found() == []


# The database -----------------------------------------------------------------------------------------------


def test_a_database_that_does_not_answer_is_told_and_not_asked(only, monkeypatch):
    def refuse():
        raise OperationalError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "ensure_connection", refuse)
        assert "connection refused" in only("database").what


def recorded(statement, *names):
    with connection.cursor() as cursor:
        cursor.execute(statement, names)


def test_migrations_that_are_not_applied_are_told_and_no_row_is_asked(only):
    recorded("DELETE FROM django_migrations WHERE app = %s AND name = %s", "mpquiz", "0006_counted_answers")
    make_quiz(make_question(), published=["fr"])  # an ailment
    finding = only("migrations")
    assert finding.where == "0006_counted_answers" and "migrate" in finding.remedy


def test_tables_of_a_later_release(only):
    columns = "(app, name, applied) VALUES (%s, %s, CURRENT_TIMESTAMP)"
    recorded(f"INSERT INTO django_migrations {columns}", "mpquiz", "9000_later")
    assert "later release" in only("migrations").what
