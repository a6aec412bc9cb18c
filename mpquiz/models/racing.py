"""Verbs that meet another request at the same rows, and are done anew then."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, transaction

_TRIES = 5  # a request meets another at the same rows once, seldom twice
_IN_VAIN = {"40P01", "40001", 1213, 1205}
"""What PostgreSQL and MySQL call a deadlock, a transaction that cannot be put in a row with others, a long wait.

https://www.postgresql.org/docs/current/errcodes-appendix.html,
https://mariadb.com/docs/server/reference/error-codes/mariadb-error-code-reference
"""

Args = ParamSpec("Args")
Result = TypeVar("Result")


def anew_when_raced(verb: Callable[Args, Result]) -> Callable[Args, Result]:
    """Do a verb that is a transaction anew where another request was first, or the two waited for each other.

    A unique constraint tells the one; looking again finds what the other has stored. Of two that wait for each other
    the database ends one, with all that it did: within a transaction of the caller nothing is done anew then, since
    what was done there before is gone too.
    """

    @wraps(verb)
    def wrapped(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        for _try in range(_TRIES - 1):
            try:
                return verb(*args, **kwargs)
            except IntegrityError:
                continue
            except OperationalError as error:
                if not _was_in_vain(error) or transaction.get_connection().in_atomic_block:
                    raise
        return verb(*args, **kwargs)

    return wrapped


def _was_in_vain(error: OperationalError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None) or getattr(error.__cause__, "pgcode", None)
    return bool(_IN_VAIN & {state, *error.args[:1]})
