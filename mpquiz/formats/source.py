"""From the bytes of a file to its text."""

import codecs
import re
from pathlib import PurePath

from django.utils.translation import gettext as _

from ..exceptions import FormatError

MAX_BYTES = 10_000_000
LONGEST_NAME = 80
NAME = re.compile(r"[a-z0-9-]+")
SLUG = re.compile(r"[a-z0-9_-]+")


def is_slug(text: str) -> bool:
    """Whether a file may give a quiz or a guide this slug."""
    return len(text) <= LONGEST_NAME and bool(SLUG.fullmatch(text))


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text of a file, UTF-8 with or without a byte order mark unless an encoding is named.

    Raises FormatError where it is too large, in another encoding or the encoding is unknown.
    """
    if len(data) > MAX_BYTES:
        raise FormatError(_("The file is larger than %(limit)s MB. Split it.") % {"limit": MAX_BYTES // 1_000_000})
    name = _codec(encoding)
    try:
        return data.decode(name).removeprefix("\ufeff")
    except UnicodeError as error:
        line = data[: getattr(error, "start", 0)].decode(name, "replace").count("\n") + 1
        message = _("This line is not %(encoding)s. Save the file as UTF-8, or name its encoding (--encoding).")
        raise FormatError(message % {"encoding": (encoding or "utf-8").upper()}, line) from error


def _codec(encoding: str | None) -> str:
    try:
        codec = codecs.lookup(encoding or "utf-8")
        "".encode(codec.name)  # refuses codecs such as hex, which do not make text
    except (LookupError, UnicodeError) as error:
        message = _("There is no encoding named “%(encoding)s”; utf-8, windows-1256 and cp1252 are usual ones.")
        raise FormatError(message % {"encoding": encoding}) from error
    return codec.name


def ending(file: str) -> str:
    """The ending of a file's name, small, without the dot."""
    return PurePath(file).suffix.lower().removeprefix(".")
