"""Ailments of what a site runs with: the cache, the sessions, the storage of files, several databases."""

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import models, router

from .. import files
from ..conf import conf
from ..models import Attempt, Question, Quiz
from .finding import Finding, Found, listed

_OF_A_PROCESS = (LocMemCache, DummyCache)
_SESSIONS = "django.contrib.sessions"
_IN_CACHE = (f"{_SESSIONS}.backends.cache", f"{_SESSIONS}.backends.cached_db")
_IN_DATABASE = (f"{_SESSIONS}.backends.db", f"{_SESSIONS}.backends.cached_db")


def cache(using: str) -> Found:
    """Limits are counted in each worker by itself, or nowhere."""
    if not any(conf.THROTTLE.values()):
        return
    where = f"CACHES['default']: {settings.CACHES['default']['BACKEND']}"
    remedy = "Use a cache that all workers share (Redis, Memcached, the database), or set the rates to None."
    try:
        caches["default"].get("mpquiz.doctor")
    except Exception as error:  # of whichever cache the host has
        what = f"The cache does not answer, so no limit of MPQUIZ['THROTTLE'] holds anybody back: {error}"
        yield Finding("cache", what, where, "Start it; the quizzes go on without it.")
        return
    if isinstance(caches["default"], DummyCache):
        what = "The cache keeps nothing, so no limit of MPQUIZ['THROTTLE'] holds anybody back."
        yield Finding("cache", what, where, remedy, broken=False)
    elif isinstance(caches["default"], LocMemCache):
        what = "Each worker has a cache of its own: the limits of MPQUIZ['THROTTLE'] count for each worker by itself."
        yield Finding("cache", what, where, remedy, broken=False)


def sessions(using: str) -> Found:
    """A guest, or whoever signed in, is forgotten by the next worker."""
    engine = settings.SESSION_ENGINE
    if engine in _IN_CACHE and isinstance(caches[settings.SESSION_CACHE_ALIAS], _OF_A_PROCESS):
        yield Finding(
            "sessions",
            "Sessions are read from a cache that each worker has for itself: guests lose their attempts.",
            f"SESSION_ENGINE: {engine}",
            f'Set SESSION_ENGINE = "{_SESSIONS}.backends.db", or share the cache.',
        )
    if engine in _IN_DATABASE and not apps.is_installed(_SESSIONS):
        what = "Sessions are kept in a table that is not made: nobody can start a quiz."
        yield Finding("sessions", what, f"SESSION_ENGINE: {engine}", f'Add "{_SESSIONS}" to INSTALLED_APPS.')


def storage(using: str) -> Found:
    """Images in texts cannot be kept. Writes and deletes a small file."""
    where = "STORAGES"
    try:
        where = files.place()
        if not where:
            what = "MEDIA_ROOT is not set: imported images land in the directory the server was started in."
            yield Finding("storage", what, "settings", "Set MEDIA_ROOT, or STORAGES['mpquiz'].", broken=False)
        else:
            files.probe()
    except Exception as error:  # of whichever storage the host has
        what = f"Files of texts cannot be written and read again: {type(error).__name__}: {error}"
        remedy = "Give the site's user the right to write there, or name another storage in STORAGES['mpquiz']."
        yield Finding("storage", what, where, remedy)


# Several databases ------------------------------------------------------------------------------------------


def routing(using: str) -> Found:
    """A router parts what belongs together, or reads from a replica what was written a moment ago."""
    writers = {model._meta.label: router.db_for_write(model) for model in (*_models(), get_user_model())}
    if len(set(writers.values())) > 1:
        apart = listed(f"{label} ({alias})" for label, alias in writers.items() if alias != using)
        what = (
            "Quizzes, attempts and users are written to different databases: no foreign key and no lock spans them."
        )
        yield Finding("routing", what, apart, f"Have db_for_write() of your router send all of them to {using!r}.")
    if not router.allow_migrate_model(using, Attempt):
        what = f"Attempts are written to {using!r}, where the router lets no tables be made."
        yield Finding("routing", what, "DATABASE_ROUTERS", "Have allow_migrate() say True (or None) there.")
    yield from _relations(using)
    yield from _kept_together(using)
    yield from _session_reads()


def _models() -> Iterator[type[models.Model]]:
    return (model for model in apps.get_app_config("mpquiz").get_models() if not model._meta.proxy)


def _relations(using: str) -> Found:
    quiz, attempt = Quiz(), Attempt()
    quiz._state.db, attempt._state.db = router.db_for_read(Quiz), using
    if not router.allow_relation(quiz, attempt):
        yield Finding(
            "routing",
            "A quiz that was read from the replica cannot be given to an attempt: nobody can start.",
            f"DATABASE_ROUTERS: {quiz._state.db!r} to {using!r}",
            "Have allow_relation() of your router return True for the replica and the database that is written.",
        )


def _kept_together(using: str) -> Found:
    quiz = Quiz()
    quiz._state.db = using
    if (read := router.db_for_read(Question, instance=quiz)) != using:
        yield Finding(
            "routing",
            "The questions of a quiz come from the replica wherever the quiz was read: a start may ask old ones.",
            f"DATABASE_ROUTERS: {read!r}",
            "Have db_for_read() of your router keep to instance._state.db where it is given an instance.",
            broken=False,
        )


def _session_reads() -> Found:
    if settings.SESSION_ENGINE not in _IN_DATABASE or not apps.is_installed(_SESSIONS):
        return
    session = apps.get_model("sessions", "Session")
    read, written = router.db_for_read(session), router.db_for_write(session)
    if read != written:
        yield Finding(
            "routing",
            "Sessions are read from the replica: a guest who has just started is not known on the next page.",
            f"DATABASE_ROUTERS: {read!r}",
            f"Have db_for_read() of your router send the app “sessions” to {written!r}.",
        )
