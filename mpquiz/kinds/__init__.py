"""What varies between questions is a kind, looked up here by its stored name."""

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from ..conf import conf
from .base import Kind, Problem, ShownChoice, Submitted
from .multiple import Multiple
from .single import Single
from .true_false import TrueFalse

__all__ = ["Kind", "Problem", "ShownChoice", "Submitted", "choices", "get", "names"]

_OURS: dict[str, type[Kind]] = {kind.name: kind for kind in (Single, Multiple, TrueFalse)}


def get(name: str) -> Kind:
    """The kind of that name, ours or the host's (``MPQUIZ["KINDS"]``, which may also replace one of ours).

    Raises ImproperlyConfigured where there is none or its path does not import.
    """
    path = conf.KINDS.get(name)
    if path is None:
        if name not in _OURS:
            raise ImproperlyConfigured(f"No kind of question is named {name!r}: add it to MPQUIZ['KINDS'].")
        return _OURS[name]()
    try:
        return import_string(path)()
    except ImportError as error:
        message = f"MPQUIZ['KINDS'][{name!r}]: {path!r} cannot be imported: {error}"
        raise ImproperlyConfigured(message) from error


def names() -> list[str]:
    """The names of all kinds, ours first."""
    return [*_OURS, *(name for name in conf.KINDS if name not in _OURS)]


def choices() -> list[tuple[str, str | Promise]]:
    """(name, label) pairs for a select list."""
    return [(name, get(name).label) for name in names()]
