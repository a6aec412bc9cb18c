"""What hangs is ended, and nothing else."""

import re
import signal
from contextlib import suppress

import pytest

from tests.patience import patience


def is_off():
    return signal.getitimer(signal.ITIMER_PROF) == (0, 0) and signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_a_loop_that_never_ends_is_ended():
    with pytest.raises(AssertionError, match="hangs"), patience(0.2):
        while True:
            pass
    assert is_off()


def test_an_expression_that_tries_every_way_is_ended():
    with pytest.raises(AssertionError, match="hangs"), patience(0.2):
        re.match(r"(a|aa)+$", "a" * 100 + "b")
    assert is_off()


def test_what_takes_the_error_for_its_own_fails_nonetheless():
    with pytest.raises(AssertionError, match="hangs"), patience(0.2), suppress(Exception):
        while True:
            pass
    assert is_off()


def test_what_ends_is_left_alone():
    with patience():
        pass
    assert is_off()


def test_another_error_stays_what_it_is():
    with pytest.raises(KeyError), patience():
        raise KeyError
    assert is_off()


def test_the_timer_of_another_is_put_back():
    with patience(60):
        with patience(50):
            pass
        assert 50 < signal.getitimer(signal.ITIMER_PROF)[0] <= 61
    assert is_off()
