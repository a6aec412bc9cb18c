"""Patience with what hostile input makes a server do: work that explodes is ended, however busy the machine is."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def patience(seconds: float = 20) -> Iterator[None]:
    """Fail once this process has reckoned for ``seconds`` of its own: what it waits for others is not counted.

    For the main thread, where pytest runs the tests. Give an input that takes under a tenth of that, and far longer
    if the work grew by the square of its length.
    """
    hung = False

    def give_up(_number: int, _frame: FrameType | None) -> None:
        nonlocal hung
        hung = True
        raise AssertionError(f"hangs: still reckoning after {seconds:g} s of the processor")

    handler = signal.signal(signal.SIGPROF, give_up)
    timer = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, *timer)
        signal.signal(signal.SIGPROF, handler)
        # A broad ``except`` in what is tested, or a database that called back, may have taken the error for its own.
        assert not hung, f"hangs: still reckoning after {seconds:g} s of the processor"
