"""The file formats: each module turns bytes into content (``parse``) and, where it writes, back (``render``).

No database here: what needs one is ``exchange``'s.
"""

import re
from types import ModuleType

from ..exceptions import FormatError
from . import aiken, gift, moodle_xml, yaml
from .report import Entry, Parsed, Report
from .source import decode, ending

__all__ = ["FORMATS", "Entry", "Parsed", "Report", "of_file", "recognised"]

FORMATS: dict[str, ModuleType] = {"yaml": yaml, "gift": gift, "moodle_xml": moodle_xml, "aiken": aiken}
"""The modules by the name that commands know them by. ``aiken`` is read only."""

_ENDINGS = {"yaml": "yaml", "yml": "yaml", "gift": "gift", "xml": "moodle_xml", "aiken": "aiken"}
_XML = re.compile(r"\s*<(\?xml|!--|!DOCTYPE|quiz)")
_YAML = re.compile(r"^mpquiz[ \t]*:", re.MULTILINE)
_GIFT = re.compile(r"(?<!\\)[{}]|^[ \t]*(::|\$CATEGORY:|//)", re.MULTILINE)


def of_file(name: str) -> str | None:
    """The name of the format that a file's name tells; None where it tells none."""
    return _ENDINGS.get(ending(name))


def recognised(data: bytes, name: str = "", *, encoding: str | None = None) -> str | None:
    """The name of the format that a file's name and content tell; None where they tell none.

    Where the name tells none (``questions.txt``), the content does.
    """
    return of_file(name) or _by_content(data, encoding)


def _by_content(data: bytes, encoding: str | None) -> str | None:
    try:
        text = decode(data, encoding)
    except FormatError:
        text = data.decode("latin-1")  # its marks are ASCII; reading it will tell what is wrong
    if _XML.match(text):
        return "moodle_xml"
    tests = (("yaml", _YAML.search), ("aiken", aiken.looks_like), ("gift", _GIFT.search))
    return next((format for format, test in tests if test(text)), None)
