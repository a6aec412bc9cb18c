"""Django's backend for PostgreSQL with a place before and after each COMMIT at which a fault can be met."""

from django.db.backends.postgresql import base

from tests.faults import hooks


class DatabaseWrapper(base.DatabaseWrapper):
    def _commit(self) -> None:
        hooks.reach("before", self)
        super()._commit()
        hooks.reach("after", self)
