"""Settings of the course site. DATABASE_URL, DEBUG and LOOK are read from the environment; none is needed."""

import os
from pathlib import Path

import django
from django.utils.translation import gettext_lazy as _

from .databases import from_environment

BASE_DIR = Path(__file__).resolve().parent.parent

# Public, so good for a demo on one's own machine only. A real site reads a secret one from its environment.
SECRET_KEY = "demo-only-anyone-can-read-this-in-the-repository"
DEBUG = os.environ.get("DEBUG", "1") not in ("0", "false", "")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

INSTALLED_APPS = [
    "project",
    "modeltranslation",  # before the admin
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",  # for the browsable API alone
    "mpquiz",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware"
    if django.VERSION >= (6, 0)
    else "project.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "project.looks.chosen",
]
LOOK = os.environ.get("LOOK", "plain")  # or bootstrap, tailwind
SECURE_CSP = {"default-src": ["'self'"]}

ROOT_URLCONF = "project.urls"
WSGI_APPLICATION = "project.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            # A site of one look says "DIRS": [BASE_DIR / "project" / "looks" / "bootstrap"], "APP_DIRS": True.
            "loaders": [
                "project.looks.Loader",
                "django.template.loaders.filesystem.Loader",
                "django.template.loaders.app_directories.Loader",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": from_environment()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGES = [("en", _("English")), ("ar", _("Arabic"))]
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "mpquiz:my_quizzes"
LOGOUT_REDIRECT_URL = "home"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"

MPQUIZ = {"BASE_TEMPLATE": "base.html"}
