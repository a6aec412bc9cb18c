"""The database that DATABASE_URL names, else an SQLite file beside manage.py."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_FILE = Path(__file__).resolve().parent.parent / "db.sqlite3"
ENGINES = {
    "mariadb": "mysql",
    "mysql": "mysql",
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "sqlite": "sqlite3",
}


def from_environment(default: Path | str = SQLITE_FILE) -> dict[str, Any]:
    """The value of ``DATABASES["default"]``: what ``DATABASE_URL`` says, else the SQLite file ``default``.

    ``sqlite:///relative/file``, ``sqlite:////absolute/file``, ``sqlite://:memory:``, or ``postgresql`` (also
    ``postgres``) or ``mysql`` (also ``mariadb``) with ``://user:password@host:port/name``; what follows ``?``
    goes into OPTIONS. Raises ImproperlyConfigured for any other scheme.
    """
    address = os.environ.get("DATABASE_URL", "")
    if not address:
        return sqlite(default)
    url = urlsplit(address)
    if url.scheme not in ENGINES:
        raise ImproperlyConfigured(f"DATABASE_URL begins with {url.scheme!r}; known are {', '.join(ENGINES)}.")
    if url.scheme == "sqlite":
        return sqlite(_name(url) or ":memory:")
    return _server(ENGINES[url.scheme], url)


def sqlite(name: Path | str) -> dict[str, Any]:
    """An SQLite file that several learners can write to: each transaction takes the write lock at its start.

    Without it, one that reads first and writes later fails at once with 'database is locked' when another has
    written in between; with it, the timeout lets it wait for its turn.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _server(engine: str, url: SplitResult) -> dict[str, Any]:
    # MySQL's own 'utf8' has three bytes a character, which is too few for some.
    mysql = engine == "mysql"
    return {
        "ENGINE": f"django.db.backends.{engine}",
        "NAME": _name(url),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": unquote(url.hostname or ""),
        "PORT": str(url.port or ""),
        "OPTIONS": ({"charset": "utf8mb4"} if mysql else {}) | dict(parse_qsl(url.query)),
        "TEST": {"CHARSET": "utf8mb4"} if mysql else {},
    }


def _name(url: SplitResult) -> str:
    return unquote(url.path.removeprefix("/"))
