"""For the type checker alone: without modeltranslation, whose patching of managers it cannot follow."""

from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS as _ALL

INSTALLED_APPS = [app for app in _ALL if app != "modeltranslation"]
