"""The tests' host, without what counts or limits requests."""

from tests.settings import *  # noqa: F403

DEBUG = False
