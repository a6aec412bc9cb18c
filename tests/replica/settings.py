"""A host that reads from a replica: a copy of the database that is written, from before anybody took a quiz."""

import os
from pathlib import Path

from project.databases import sqlite
from tests.settings import *  # noqa: F403
from tests.settings import MIDDLEWARE as _MIDDLEWARE

_folder = Path(os.environ["REPLICA_FOLDER"])
WRITTEN, REPLICA = _folder / "written.sqlite3", _folder / "replica.sqlite3"
DATABASES = {"default": sqlite(WRITTEN), "replica": sqlite(REPLICA)}
DATABASE_ROUTERS = ["tests.replica.routers.ReplicaRouter"]
MIDDLEWARE = ["tests.replica.routers.editors_read_what_is_written", *_MIDDLEWARE]
MEDIA_ROOT = _folder / "media"
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": _folder / "cache"}
}
