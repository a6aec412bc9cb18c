"""Ailments of the database itself, after which nothing that is in it is asked."""

from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader

from .finding import Finding, Found, listed


def unreachable(using: str) -> Found:
    """The database does not answer."""
    try:
        connections[using].ensure_connection()
    except DatabaseError as error:
        what = f"The database does not answer: {str(error).strip()}"
        yield Finding("database", what, f"DATABASES[{using!r}]", "Start it, and look at its address and password.")


def migrations(using: str) -> Found:
    """The tables are of another release than the code."""
    loader = MigrationLoader(connections[using])
    written = {name for app, name in loader.disk_migrations if app == "mpquiz"}
    applied = {name for app, name in loader.applied_migrations if app == "mpquiz"}
    if behind := sorted(written - applied):
        what = "Migrations of mpquiz are not applied."
        yield Finding("migrations", what, listed(behind), "Run manage.py migrate.")
    if ahead := sorted(applied - written):
        what = "The tables are those of a later release of mpquiz than the one that runs."
        remedy = "Install the later release, or bring back the copy from before its migrations."
        yield Finding("migrations", what, listed(ahead), remedy)
