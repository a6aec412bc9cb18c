"""The course site in the tests' process: its addresses, templates and words in place of the bare host's."""

from typing import Any

import pytest

from project import settings as site


@pytest.fixture
def course_site(settings: Any) -> None:
    settings.ROOT_URLCONF = site.ROOT_URLCONF
    settings.MIDDLEWARE = site.MIDDLEWARE
    settings.SECURE_CSP = site.SECURE_CSP
    settings.LOOK = site.LOOK
    settings.LOCALE_PATHS = site.LOCALE_PATHS
    settings.LOGIN_URL = site.LOGIN_URL
    settings.LOGIN_REDIRECT_URL = site.LOGIN_REDIRECT_URL
    settings.LOGOUT_REDIRECT_URL = site.LOGOUT_REDIRECT_URL
    # 'project' is not among the tests' INSTALLED_APPS, so what comes with an app is named here.
    options = site.TEMPLATES[0]["OPTIONS"] | {"libraries": {"site": "project.templatetags.site"}}
    settings.TEMPLATES = [site.TEMPLATES[0] | {"DIRS": [site.BASE_DIR / "project" / "templates"], "OPTIONS": options}]
