import pytest
from django.core.exceptions import ImproperlyConfigured

from project.databases import SQLITE_FILE, from_environment


@pytest.fixture
def database(monkeypatch):
    def of(address):
        monkeypatch.setenv("DATABASE_URL", address)
        return from_environment()

    return of


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("", SQLITE_FILE),
        ("sqlite:///beside.db", "beside.db"),
        ("sqlite:////srv/a%20b.db", "/srv/a b.db"),
        ("sqlite://:memory:", ":memory:"),
    ],
)
def test_sqlite_takes_the_write_lock_at_once_and_waits(database, address, name):
    found = database(address)
    assert (found["ENGINE"], found["NAME"]) == ("django.db.backends.sqlite3", name)
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert found["OPTIONS"]["timeout"] >= 20


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_postgresql(database, scheme):
    found = database(f"{scheme}://ann:p%40ss@db.example:5433/course?sslmode=require")
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"], found["NAME"]) == ("ann", "p@ss", "course")
    assert (found["HOST"], found["PORT"]) == ("db.example", "5433")
    assert found["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize("scheme", ["mysql", "mariadb"])
def test_mysql_holds_every_character(database, scheme):
    found = database(f"{scheme}://root@localhost/course")
    assert found["ENGINE"] == "django.db.backends.mysql"
    assert found["OPTIONS"]["charset"] == "utf8mb4"
    assert found["TEST"]["CHARSET"] == "utf8mb4"


def test_an_unknown_database_is_named(database):
    with pytest.raises(ImproperlyConfigured, match="oracle"):
        database("oracle://x/y")
