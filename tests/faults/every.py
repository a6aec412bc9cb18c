"""The faults by their number in the plan, each with where it is written."""

from collections.abc import Callable, Mapping
from importlib import import_module

from .account import Account

FAULTS: Mapping[str, str] = {
    "F8": "killed.answers",
    "F9": "killed.finishes",
    "F10": "outage.restarted",
    "F11": "commits.lost",
    "F12": "caches.down",
    "F13": "read_only.refused",
    "F25": "drops.replies",
    "F25-cut": "drops.cuts",
    "F26": "slow.bodies",
    "F27": "closing.twice",
}


def fault(name: str) -> Callable[[Account, int], None]:
    """What does it, called with an account and how often; its docstring says what must hold. Needs the settings."""
    module, _dot, function = FAULTS[name].partition(".")
    return getattr(import_module(f"tests.faults.{module}"), function)
