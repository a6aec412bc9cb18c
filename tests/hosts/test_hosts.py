"""Hosts with other languages, other databases, another user model: a process each, since languages are read once."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.host

HOSTS = ("en,ar", "ar,en", "en", "ar", "en,ar,fr", "fr", "ar-eg,pt-br")
SERVERS = {
    "postgresql": ("postgres://postgres@127.0.0.1:5432", 5432),
    "mariadb": ("mysql://root@127.0.0.1:3306", 3306),
}


class Host:
    """Runs management commands as a host with these languages would."""

    def __init__(self, languages: str, database: str, **more: str) -> None:
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.hosts.settings",
            "DATABASE_URL": database,
            "HOST_LANGUAGES": languages,
            "PYTHONPATH": str(ROOT),
            **more,
        }

    def python(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "ignore::UserWarning", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def manage(self, *arguments: str) -> str:
        return self.python("-m", "django", *arguments)

    def ask(self, code: str) -> str:
        return self.python("-c", f"import django; django.setup(); from mpquiz.models import *; {code}").strip()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/host.sqlite3"


def reachable(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(2)
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    """An empty database on a server of the machine, where MPQUIZ_SERVERS says that there is one."""
    url, port = SERVERS[request.param]
    if not os.environ.get("MPQUIZ_SERVERS"):
        pytest.skip("set MPQUIZ_SERVERS=1 for hosts on PostgreSQL and MariaDB")
    if not reachable(port):
        (pytest.fail if os.environ.get("MPQUIZ_CI") else pytest.skip)(
            f"{request.param} does not answer on port {port}"
        )
    driver = {"postgresql": "psycopg", "mariadb": "MySQLdb"}[request.param]
    if not os.environ.get("MPQUIZ_CI"):
        pytest.importorskip(driver)
    name = f"mpquiz_host_{os.getpid()}"
    create(request.param, name)
    request.addfinalizer(lambda: drop(request.param, name))
    return f"{url}/{name}"


def create(kind: str, name: str) -> None:
    drop(kind, name)
    execute(kind, f"CREATE DATABASE {name}" + (" CHARACTER SET utf8mb4" if kind == "mariadb" else ""))


def drop(kind: str, name: str) -> None:
    execute(kind, f"DROP DATABASE IF EXISTS {name}")


def execute(kind: str, statement: str) -> None:
    if kind == "postgresql":
        import psycopg

        with psycopg.connect("postgres://postgres@127.0.0.1:5432/postgres", autocommit=True) as connection:
            connection.execute(statement)
    else:
        import MySQLdb

        connection = MySQLdb.connect(host="127.0.0.1", user="root")
        connection.cursor().execute(statement)
        connection.close()


def goes_the_whole_road(host: Host) -> None:
    """In one process, which takes half the time of four."""
    told = host.python("-m", "tests.hosts.road", "fresh")
    assert "No changes detected" in told
    assert "no issues" in told
    assert "road" in told.splitlines()[-1]


@pytest.mark.parametrize("languages", HOSTS)
def test_the_tables_follow_the_languages_of_the_host(languages: str, sqlite: str) -> None:
    goes_the_whole_road(Host(languages, sqlite))


@pytest.mark.parametrize("languages", ["en,ar,fr", "ar", "ar-eg,pt-br"])
def test_the_tables_follow_the_languages_on_servers_too(languages: str, server: str) -> None:
    goes_the_whole_road(Host(languages, server))


def test_a_host_may_have_a_user_model_of_its_own(sqlite: str) -> None:
    host = Host("en,ar", sqlite, HOST_USER="1")
    host.manage("migrate", "-v0")
    assert "road" in host.python("-m", "tests.hosts.road")


def test_staff_do_all_they_do_with_users_whose_key_is_a_uuid(sqlite: str) -> None:
    host = Host("en,ar", sqlite, HOST_USER="1")
    host.manage("migrate", "-v0")
    assert "staff UUID" in host.python("-m", "tests.hosts.staff")


WRITE = "Quiz.objects.create(slug='one', title_en='One', description_en='Text')"
READ = "quiz = Quiz.objects.get(); print(quiz.title_en, quiz.title_ar, quiz.description_ar)"


def a_language_comes_later(database: str) -> None:
    before = Host("en", database)
    before.manage("migrate", "-v0")
    before.ask(WRITE)
    after = Host("en,ar", database)
    assert "mpquiz.W001" in after.manage("check", "--database", "default")
    assert "adding Quiz.title_ar for a new language" in after.manage("migrate")
    assert after.ask(READ) == "One None None"
    assert "W001" not in after.manage("check", "--database", "default")
    assert "No changes detected" in after.manage("makemigrations", "--check", "--dry-run", "mpquiz")


def a_language_comes_with_a_later_release(database: str) -> None:
    before = Host("en", database)
    before.manage("migrate", "-v0")
    before.ask(WRITE)
    after = Host("en,ar", database, HOST_LATER="1")
    after.manage("migrate", "-v0")
    # SQLite remakes the table, and would read the name of a missing column as a text.
    assert after.ask(READ) == "One None None"
    rows = "from django.db import connection; c = connection.cursor(); "
    rows += (
        "c.execute('SELECT title_ar, subtitle, subtitle_en, subtitle_ar FROM mpquiz_quiz'); print(c.fetchall()[0])"
    )
    assert after.ask(rows) == "(None, '', '', '')"


def test_a_language_that_comes_later_gets_its_columns(sqlite: str) -> None:
    a_language_comes_later(sqlite)


def test_a_language_that_comes_with_a_later_release_finds_no_false_texts(sqlite: str) -> None:
    a_language_comes_with_a_later_release(sqlite)


def test_a_language_that_comes_later_gets_its_columns_on_servers_too(server: str) -> None:
    a_language_comes_later(server)


def test_a_language_that_comes_with_a_later_release_finds_no_false_texts_on_servers(server: str) -> None:
    a_language_comes_with_a_later_release(server)


def test_a_language_that_goes_keeps_its_texts(sqlite: str) -> None:
    both = Host("en,ar", sqlite)
    both.manage("migrate", "-v0")
    both.ask("Quiz.objects.create(slug='one', title_en='One', title_ar='واحد')")
    left = Host("en", sqlite)
    left.manage("migrate", "-v0")
    left.ask("Quiz.objects.create(slug='two', title_en='Two')")
    assert both.ask("print(Quiz.objects.get(slug='one').title_ar)") == "واحد"


def test_the_tables_go_as_they_came(server: str) -> None:
    host = Host("en,ar", server)
    host.manage("migrate", "-v0")
    host.manage("migrate", "-v0", "mpquiz", "zero")
    tables = "from django.db import connection; print(connection.introspection.table_names())"
    assert "mpquiz_" not in host.ask(tables)


def test_no_migration_names_a_language() -> None:
    """``makemigrations`` writes the columns of the developer's own languages: they must be rewritten by hand."""
    for file in (ROOT / "mpquiz" / "migrations").glob("[0-9]*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.findall(r"['\"]\w+_(?:en|ar)['\"]", text), file.name
        # The labels of fields are no fields, and the feedback of a quiz is a rule.
        text = re.sub(r'verbose_name="\w+"|model_name="quiz",\s+name="feedback"', "", text)
        if re.search(r"['\"](title|description|prompt|explanation|text|feedback)['\"]", text):
            assert "mpquiz.translated_migrations import" in text, file.name
