"""``DATABASE_URL`` as Django's settings have it."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ENGINES = {
    "mariadb": "mysql",
    "mysql": "mysql",
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "sqlite": "sqlite3",
}


def from_environment(
    default: Path | str = Path(__file__).resolve().parent.parent / "db.sqlite3",
) -> dict[str, Any]:
    """The database of ``DATABASE_URL`` (postgres://user:password@host:port/name, mysql://…, sqlite:///path), else
    the SQLite file ``default``.

    Raises KeyError for a scheme that is none of these.
    """
    url = urlsplit(os.environ.get("DATABASE_URL", ""))
    if not url.scheme:
        return sqlite(default)
    engine = ENGINES[url.scheme]
    name = unquote(url.path.removeprefix("/"))
    if engine == "sqlite3":
        return sqlite(name or ":memory:")
    return {
        "ENGINE": f"django.db.backends.{engine}",
        "NAME": name,
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": str(url.port or ""),
        "OPTIONS": {"charset": "utf8mb4"} if engine == "mysql" else {},
        "TEST": {"CHARSET": "utf8mb4"} if engine == "mysql" else {},
    }


def sqlite(name: Path | str) -> dict[str, Any]:
    """An SQLite file that several learners can write to: each transaction takes the write lock at its start."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;",
        },
    }
