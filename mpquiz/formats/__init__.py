"""The file formats: each module turns bytes into content (``parse``) and, where it writes, back (``render``).

No database here: what needs one is ``exchange``'s.
"""

from types import ModuleType

from . import yaml
from .report import Entry, Parsed, Report
from .source import ending

__all__ = ["FORMATS", "Entry", "Parsed", "Report", "of_file"]

FORMATS: dict[str, ModuleType] = {"yaml": yaml}
"""The modules by the name that commands know them by."""

_ENDINGS = {"yaml": "yaml", "yml": "yaml"}


def of_file(name: str) -> str | None:
    """The name of the format that a file's name tells; None where it tells none."""
    return _ENDINGS.get(ending(name))
