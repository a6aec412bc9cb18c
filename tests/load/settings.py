"""The tests' host as a server runs it: connections stay open, faults are told on stderr, ends of attempts noted."""

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, INSTALLED_APPS, MPQUIZ

ROOT_URLCONF = "tests.load.urls"
DATABASES["default"]["CONN_MAX_AGE"] = None
INSTALLED_APPS = [*INSTALLED_APPS, "tests.load.noting.NotingConfig"]
MPQUIZ = {**MPQUIZ, "GRACE": 1}
NOTES = os.environ.get("MPQUIZ_LOAD_NOTES", os.devnull)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler"}},
    "loggers": {"django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False}},
}
