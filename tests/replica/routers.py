"""The router and the middleware that the README gives to a site with a replica."""

from contextvars import ContextVar

EDITING = ContextVar("editing", default=False)
WRITTEN_APPS = {"sessions", "auth", "admin", "contenttypes"}


class ReplicaRouter:
    """What is read comes from the replica, save what must be known at once."""

    def db_for_read(self, model, instance=None, **hints):
        if EDITING.get() or model._meta.app_label in WRITTEN_APPS:
            return "default"
        return (instance and instance._state.db) or "replica"  # what belongs to a row is read where that was read

    def db_for_write(self, model, **hints):
        return "default"

    def allow_relation(self, one, other, **hints):
        return True

    def allow_migrate(self, db, app_label, **hints):
        return db == "default"


def editors_read_what_is_written(get_response):
    """Middleware: in the admin everything comes from the database that is written."""

    def middleware(request):
        token = EDITING.set("/admin/" in request.path)
        try:
            return get_response(request)
        finally:
            EDITING.reset(token)

    return middleware
