"""The host of the load, in which requests can meet a fault. What MPQUIZ_FAULT_CACHE says is done to the cache."""

import os
import tempfile

from tests.load.settings import *  # noqa: F403
from tests.load.settings import DATABASES, MIDDLEWARE

FAULTS = os.environ.get("MPQUIZ_FAULTS", tempfile.gettempdir())
MIDDLEWARE = ["tests.faults.hooks.armed", *MIDDLEWARE]
DATABASES["default"]["ENGINE"] = "tests.faults.postgresql"
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if os.environ.get("MPQUIZ_FAULT_CACHE") == "down":
    CACHES = {"default": {"BACKEND": "tests.faults.down.DownCache"}}
