"""Ailments of the settings and the files of an installation. None of them asks the database for rows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.checks import ERROR
from django.core.checks.registry import registry
from django.urls import NoReverseMatch, reverse

from .finding import Finding, Found, listed

PACKAGE = Path(__file__).resolve().parent.parent
_LOCAL = ("localhost", "127.0.0.1", "[::1]", "*")


def checks(using: str) -> Found:
    """What ``manage.py check`` says of mpquiz, the check of the tables among it."""
    for check in registry.get_checks(include_deployment_checks=True):
        if check.__module__.startswith("mpquiz."):
            for one in check(app_configs=None, databases=[using]):
                yield Finding(str(one.id), one.msg, "settings", one.hint or "", broken=one.level >= ERROR)


def urls(using: str) -> Found:
    """The learner pages have no addresses."""
    try:
        reverse("mpquiz:quiz_list")
    except NoReverseMatch:
        yield Finding(
            "urls",
            "The pages of mpquiz have no addresses.",
            str(settings.ROOT_URLCONF),
            'Add path("quizzes/", include("mpquiz.urls")) to the URLs of your site.',
        )


def api(using: str) -> Found:
    """The API is mounted, and Django REST framework is no app: its pages for people are missing."""
    try:
        address = reverse("mpquiz-api:guide_list")
    except NoReverseMatch:
        return
    if not apps.is_installed("rest_framework"):
        yield Finding(
            "api",
            "Django REST framework is not among the apps: the API answers, but has no pages to be looked at.",
            address,
            'Add "rest_framework" to INSTALLED_APPS, if people are to look at the API.',
            broken=False,
        )


# Files ------------------------------------------------------------------------------------------------------


def static_files(using: str) -> Found:
    """Styles and scripts are not found, not collected, or were collected from another release."""
    if not apps.is_installed("django.contrib.staticfiles"):
        return
    names = sorted(_static_names())
    if lost := [name for name in names if finders.find(name) is None]:
        remedy = "Have AppDirectoriesFinder in STATICFILES_FINDERS, or serve them yourself."
        yield Finding("static", "Styles and scripts of mpquiz are not found.", listed(lost), remedy)
    elif not settings.DEBUG:
        yield from _collected(names)


def _static_names() -> Iterator[str]:
    root = PACKAGE / "static"
    return (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def _collected(names: list[str]) -> Found:
    storage: Any = staticfiles_storage
    if isinstance(storage, ManifestFilesMixin):
        missing = [name for name in names if not _in_manifest(storage, name)]
    elif settings.STATIC_ROOT:
        missing = [name for name in names if not storage.exists(name)]
    else:  # nothing is collected here: another server has them
        return
    if missing:
        what = "Styles and scripts of mpquiz are not among the collected files: pages have no look, or fail."
    elif missing := [name for name in names if _is_stale(name)]:
        what = "Styles and scripts of mpquiz were collected from another release."
    else:
        return
    yield Finding("static", what, listed(missing), "Run manage.py collectstatic.")


def _in_manifest(storage: Any, name: str) -> bool:
    try:
        storage.stored_name(name)
    except ValueError:
        return False
    return True


def _is_stale(name: str) -> bool:
    """Whether the collected file is another than the one that is found; a storage may keep hashed names alone."""
    if not staticfiles_storage.exists(name):
        return False
    with staticfiles_storage.open(name) as file:
        return file.read() != Path(str(finders.find(name))).read_bytes()


def catalogues(using: str) -> Found:
    """The words of mpquiz are there, but not compiled."""
    for folder in sorted((PACKAGE / "locale").glob("*/LC_MESSAGES")):
        if not (folder / "django.mo").exists():
            yield Finding(
                "catalogues",
                f"The words of mpquiz in “{folder.parent.name}” are not compiled: readers get English.",
                str(folder),
                "Install mpquiz from its wheel, or run manage.py compilemessages in its folder.",
            )


# Settings that no check of Django's knows to matter here --------------------------------------------------------


def clock(using: str) -> Found:
    """Deadlines and opening times are reckoned in a zone that jumps, or that nobody chose."""
    if not settings.USE_TZ:
        what = "USE_TZ is off: time limits and closing times jump where the clocks are changed."
        yield Finding("clock", what, "settings", "Set USE_TZ = True.")
    elif not settings.is_overridden("TIME_ZONE"):  # type: ignore[misc]  # of LazySettings
        what = f"TIME_ZONE is left as Django has it: opening and closing times are those of {settings.TIME_ZONE}."
        yield Finding("clock", what, "settings", 'Set TIME_ZONE, for instance to "Asia/Riyadh".', broken=False)


def cookies(using: str) -> Found:
    """A host of this site does not get the cookie by which a learner is known."""
    hosts = [host for host in settings.ALLOWED_HOSTS if host not in _LOCAL]
    for name in ("SESSION_COOKIE_DOMAIN", "CSRF_COOKIE_DOMAIN"):
        domain = getattr(settings, name) or ""
        outside = [host for host in hosts if domain and not _is_within(host, domain)]
        if outside:
            what = f"Browsers refuse the cookie of {name} = {domain!r} there: nobody can start or answer."
            remedy = f"Name the domain that all of ALLOWED_HOSTS have in common in {name}, or leave it out."
            yield Finding("cookies", what, listed(outside), remedy)
    parts = [host for host in hosts if any(other != host and _is_within(host, other) for other in hosts)]
    wild = [host for host in hosts if host.startswith(".")]
    if (parts or wild) and not settings.SESSION_COOKIE_DOMAIN:
        what = "Whoever goes from one host of this site to another is a new guest there, and signed out."
        remedy = "Send all visitors to one host, or set SESSION_COOKIE_DOMAIN to what the hosts have in common."
        yield Finding("cookies", what, listed(parts or wild), remedy, broken=False)


def _is_within(host: str, domain: str) -> bool:
    host, domain = host.lstrip(".").lower(), domain.lstrip(".").lower()
    return host == domain or host.endswith(f".{domain}")
