"""The database of one run: made and migrated, dropped at its end."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

from django.db import connection


@contextmanager
def fresh() -> Iterator[str]:
    """A new database beside the one that DATABASE_URL names, which names the new one until the end of the block."""
    given = os.environ["DATABASE_URL"]
    before = connection.settings_dict["NAME"]
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    os.environ["DATABASE_URL"] = address = urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
    try:
        yield address
    finally:
        os.environ["DATABASE_URL"] = given
        connection.creation.destroy_test_db(before, verbosity=0)
