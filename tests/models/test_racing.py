"""What meets another request at the same rows is done anew."""

from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, transaction

from mpquiz.models.racing import anew_when_raced

DEADLOCKS = {
    "PostgreSQL": ("deadlock detected", {"sqlstate": "40P01"}),
    "psycopg2": ("deadlock detected", {"pgcode": "40001"}),
    "MariaDB": (1213, {}),
    "MySQL, waited long": (1205, {}),
}


def deadlock(said: object, cause: dict[str, str]) -> OperationalError:
    error = OperationalError(said, "Try restarting the transaction.")
    error.__cause__ = type("Cause", (Exception,), cause)()
    return error


class Verb:
    """Raises these errors, one for each time that it is done, and is done in the end."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.calls = list(errors), 0

    def __call__(self, word: str) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return word


def done(verb: Verb) -> Any:
    def wrapped(word: str) -> str:
        return verb(word)

    return anew_when_raced(wrapped)("done")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", DEADLOCKS)
def test_what_waited_for_another_is_done_anew(name):
    said, cause = DEADLOCKS[name]
    assert done(verb := Verb(deadlock(said, cause), deadlock(said, cause))) == "done"
    assert verb.calls == 3


@pytest.mark.django_db
@pytest.mark.parametrize("name", DEADLOCKS)
def test_within_a_transaction_of_the_caller_it_is_not_since_what_was_done_there_is_gone(name):
    error = deadlock(*DEADLOCKS[name])
    verb = Verb(error)
    with transaction.atomic(), pytest.raises(OperationalError) as raised:
        done(verb)
    assert (raised.value, verb.calls) == (error, 1)


@pytest.mark.django_db
def test_a_row_that_another_request_stored_first_is_looked_up_anew_in_a_transaction_too():
    assert done(verb := Verb(IntegrityError("taken"))) == "done"
    assert verb.calls == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [OperationalError("the disk is full"), OperationalError(2006, "gone away")])
def test_other_faults_of_the_database_are_told_at_once(error):
    verb = Verb(error)
    with pytest.raises(OperationalError):
        done(verb)
    assert verb.calls == 1


@pytest.mark.django_db(transaction=True)
def test_after_five_times_in_vain_it_is_told():
    verb = Verb(*[deadlock(1213, {}) for _time in range(9)])
    with pytest.raises(OperationalError):
        done(verb)
    assert verb.calls == 5
