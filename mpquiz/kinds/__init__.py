"""What varies between questions is a kind, looked up here by its stored name."""

from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from ..conf import conf
from .base import FIELD, ChoiceKind, Entered, Kind, OneOfMany, Problem, Seen, ShownChoice, Submitted, scope_of
from .essay import Essay
from .gaps import Gaps
from .gone import Gone
from .matching import Matching
from .multiple import Multiple
from .number import Number
from .ordering import Ordering
from .page import Page
from .single import Single
from .text import ShortText
from .true_false import TrueFalse

__all__ = [
    "FIELD",
    "ChoiceKind",
    "Entered",
    "Kind",
    "OneOfMany",
    "Problem",
    "Seen",
    "ShownChoice",
    "Submitted",
    "accepting",
    "choices",
    "get",
    "kept",
    "names",
    "scope_of",
    "without_answer",
]

_OURS: dict[str, type[Kind]] = {
    kind.name: kind
    for kind in (Single, Multiple, TrueFalse, ShortText, Number, Matching, Ordering, Gaps, Essay, Page)
}


def get(name: str) -> Kind:
    """The kind of that name, ours or the host's (``MPQUIZ["KINDS"]``, which may also replace one of ours).

    Raises ImproperlyConfigured where there is none or its path leads to none.
    """
    if name in conf.KINDS:
        return _host_kind(name, conf.KINDS[name])()
    if name not in _OURS:
        raise ImproperlyConfigured(f"No kind of question is named {name!r}: add it to MPQUIZ['KINDS'].")
    return _OURS[name]()


def _host_kind(name: str, path: object) -> type[Kind]:
    where = f"MPQUIZ['KINDS'][{name!r}]"
    if not isinstance(path, str):
        raise ImproperlyConfigured(f"{where} is {path!r}, which is no dotted path.")
    try:
        kind = import_string(path)
    except ImportError as error:
        raise ImproperlyConfigured(f"{where}: {path!r} cannot be imported: {error}") from error
    if not (isinstance(kind, type) and issubclass(kind, Kind)):
        raise ImproperlyConfigured(f"{where}: {path!r} is no kind of question.")
    if lacking := [part for part in ("name", "label", "template") if not hasattr(kind, part)]:
        raise ImproperlyConfigured(f"{where}: {path!r} lacks its {', '.join(lacking)}.")
    return kind


def kept(name: str, seen: Seen | None = None) -> Kind:
    """The kind of that name; ``Gone`` where the host took it away, since questions of it may be in attempts.

    With ``seen`` it knows what the learner saw whose answer it marks or shows.
    """
    kind = get(name) if name in names() else Gone()
    kind.seen = seen
    return kind


def names() -> list[str]:
    """The names of all kinds, ours first."""
    return [*_OURS, *(name for name in conf.KINDS if name not in _OURS)]


def without_answer() -> list[str]:
    """The names of the kinds that ask nothing: their questions are pages to read."""
    return [name for name, kind in _usable() if not kind.asks]


def accepting() -> dict[str, Sequence[str]]:
    """The names of the kinds whose choices are accepted answers, with the kinds of parts that offer them instead."""
    return {name: kind.offering_parts for name, kind in _usable() if kind.accepts_texts}


def choices() -> list[tuple[str, str | Promise]]:
    """(name, label) pairs for a select list; a kind that cannot be used (E007 tells) is left out."""
    return [(name, kind.label) for name, kind in _usable()]


def _usable() -> list[tuple[str, Kind]]:
    pairs = []
    for name in names():
        try:
            pairs.append((name, get(name)))
        except ImproperlyConfigured:
            continue
    return pairs
