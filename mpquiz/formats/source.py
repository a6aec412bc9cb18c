"""From the bytes of a file to its text."""

import codecs
import re
from pathlib import PurePath

from django.utils.translation import gettext as _

from ..conf import conf
from ..exceptions import FormatError

LONGEST_NAME = 80
NAME = re.compile(r"[a-z0-9-]+")
SLUG = re.compile(r"[A-Za-z0-9_-]+")

ENCODINGS = ("windows-1256", "iso-8859-6", "windows-1252", "windows-1255", "utf-16")
"""What a file that is not UTF-8 may be in; offered where the whole of it can be read so."""

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NO_CHARACTER_SETS = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"}


def is_slug(text: str) -> bool:
    """Whether a file may give a quiz or a guide this slug."""
    return len(text) <= LONGEST_NAME and bool(SLUG.fullmatch(text))


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text of a file, its lines ended by LF and without a byte order mark.

    Unless an encoding is named it is UTF-8, or UTF-16 where a byte order mark says so. Raises FormatError where the
    file is too large, in another encoding or the encoding is unknown.
    """
    _check_size(data)
    name = _codec(encoding) if encoding else _marked(data)
    try:
        text = data.decode(name)
        text.encode()  # half a surrogate pair is no text
    except UnicodeDecodeError as error:
        raise FormatError(_cannot_read(data, encoding or name), _line(data, name, error.start)) from error
    except UnicodeError as error:
        raise FormatError(_cannot_read(data, encoding or name), 1) from error
    return _checked(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def _check_size(data: bytes) -> None:
    if len(data) > conf.LARGEST_IMPORT:
        limit = f"{conf.LARGEST_IMPORT / 1_000_000:g}"
        raise FormatError(_("The file is larger than %(limit)s MB. Split it.") % {"limit": limit})


def _codec(encoding: str) -> str:
    try:
        codec = codecs.lookup(encoding)
        "".encode(codec.name)  # refuses codecs such as hex, which do not make text
        if codec.name.replace("-", "_") in _NO_CHARACTER_SETS:
            raise LookupError(encoding)
    except (LookupError, UnicodeError, ValueError) as error:
        message = _("There is no encoding named “%(encoding)s”; utf-8, windows-1256 and cp1252 are usual ones.")
        raise FormatError(message % {"encoding": encoding}) from error
    return codec.name


def _marked(data: bytes) -> str:
    """The encoding that a byte order mark tells, UTF-8 without one."""
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")


def _line(data: bytes, name: str, start: int) -> int:
    before = data[:start].decode(name, "replace")
    return before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def _cannot_read(data: bytes, name: str) -> str:
    fitting = [encoding for encoding in ENCODINGS if _fits(data, encoding)]
    values = {"encoding": name.upper(), "encodings": ", ".join(fitting)}
    if not fitting:
        return _("This line is not %(encoding)s. Save the file as UTF-8.") % values
    message = _("This line is not %(encoding)s. Save the file as UTF-8, or name its encoding: %(encodings)s.")
    return message % values


def _fits(data: bytes, encoding: str) -> bool:
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    has_nul = b"\0" in data
    if has_nul != (encoding == "utf-16") and not (marked and encoding == "utf-16"):
        return False  # no text of single bytes holds NUL, and any bytes of even number read as some UTF-16
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True


def _checked(text: str) -> str:
    """No database keeps the character NUL. Raises FormatError."""
    if (at := text.find("\0")) >= 0:
        message = _("This line holds bytes that are no text. If the file is UTF-16, name that encoding.")
        raise FormatError(message, text.count("\n", 0, at) + 1)
    return text


def ending(file: str) -> str:
    """The ending of a file's name, small, without the dot."""
    return PurePath(file).suffix.lower().removeprefix(".")
