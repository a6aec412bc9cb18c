"""A host whose languages, database and user model come from the environment: each host is a process of its own.

``HOST_LANGUAGES`` is ``en,ar``; the first one is LANGUAGE_CODE. ``HOST_LATER`` adds the migration of a later release.
"""

import os

from project.databases import from_environment
from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS as _ALL

_codes = os.environ["HOST_LANGUAGES"].split(",")
LANGUAGES = [(code, code) for code in _codes]
LANGUAGE_CODE = _codes[0]
DATABASES = {"default": from_environment()}
INSTALLED_APPS = list(_ALL)
if os.environ.get("HOST_USER"):
    INSTALLED_APPS += ["tests.hosts.people"]
    AUTH_USER_MODEL = "people.Person"
if os.environ.get("HOST_LATER"):
    MIGRATION_MODULES = {"mpquiz": "tests.hosts.later"}
