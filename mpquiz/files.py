"""Images, sounds and documents that texts refer to: kept once per content in the host's storage.

A text says ``![alt](mpquiz:NAME)``, where NAME is 40 hexadecimal digits of the content's SHA-256 and an ending that
was read from the bytes. The storage is ``storages["mpquiz"]`` where the host has one, else the default one.
"""

import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, default_storage, storages
from django.utils.translation import gettext as _
from PIL import Image

from .conf import conf
from .exceptions import FormatError

SCHEME = "mpquiz:"
NAME = r"[0-9a-f]{40}\.[a-z0-9]{2,4}"
"""A pattern of the names that files have."""

_NAME = re.compile(NAME)
_REFERENCE = re.compile(rf"{SCHEME}({NAME})(?![a-z0-9])")
_IMAGES = {"gif": "GIF", "jpg": "JPEG", "png": "PNG", "webp": "WEBP"}
_BEGINNINGS = (b"GIF8", b"\xff\xd8\xff", b"\x89PNG")
TYPES = (*_IMAGES, "mp3", "ogg", "wav", "pdf")
"""The types that can be told from the bytes."""


@dataclass(frozen=True, slots=True)
class File:
    name: str
    data: bytes


def of(data: bytes, said: str = "") -> File:
    """The file that these bytes are, by their type, never by a name; ``said`` is what its source calls it.

    Raises FormatError where it is empty, too large, damaged or of a type that the host does not take.
    """
    called = said or _("a file")
    limit = conf.FILES["LARGEST"]
    if len(data) > limit:
        values = {"name": called, "limit": round(limit / 1_000_000, 1)}
        raise FormatError(_("“%(name)s” is larger than %(limit)s MB.") % values)
    ending = _image(data, called) or _other(data)
    if ending is None or ending not in conf.FILES["TYPES"]:
        raise FormatError(_refused(data, called))
    return File(f"{hashlib.sha256(data).hexdigest()[:40]}.{ending}", data)


def _refused(data: bytes, called: str) -> str:
    values = {"name": called, "types": ", ".join(conf.FILES["TYPES"])}
    if b"<svg" in data[:4096].lower():
        return _("“%(name)s” is an SVG, which may carry scripts. Save it as PNG.") % values
    return _("“%(name)s” is of none of the types that are taken here: %(types)s.") % values


def _image(data: bytes, called: str) -> str | None:
    """The ending of an image, None where it is none. Raises FormatError where it is damaged or too large."""
    try:
        with Image.open(io.BytesIO(data), formats=list(_IMAGES.values())) as image:
            _check_pixels(image.width * image.height, called)
            image.verify()
            kind = image.format
    except FormatError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(called) from error
    except Exception as error:  # what the decoders raise at damaged bytes is not told anywhere
        if isinstance(error, Image.UnidentifiedImageError) and not data.startswith(_BEGINNINGS):
            return None
        raise FormatError(_("“%(name)s” is a damaged image.") % {"name": called}) from error
    return next(ending for ending, name in _IMAGES.items() if name == kind)


def _check_pixels(pixels: int, called: str) -> None:
    if pixels > conf.FILES["PIXELS"]:
        raise _too_many_pixels(called)


def _too_many_pixels(called: str) -> FormatError:
    values = {"name": called, "limit": round(conf.FILES["PIXELS"] / 1_000_000, 1)}
    return FormatError(_("“%(name)s” has more than %(limit)s million pixels.") % values)


def _other(data: bytes) -> str | None:
    """The ending of a sound or a document, by the first bytes (RFC 3533, RFC 8118, RIFF, ISO/IEC 11172-3)."""
    if data.startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"OggS"):
        return "ogg"
    if data.startswith(b"RIFF") and data[8:12] == b"WAVE":
        return "wav"
    return "mp3" if data.startswith(b"ID3") or _is_mp3_frame(data[:4]) else None


def _is_mp3_frame(head: bytes) -> bool:
    """Whether a frame of MPEG audio, layer III, begins here: its sync, then a bit rate and a sampling rate."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return False
    return head[1] & 0x18 != 0x08 and head[2] >> 4 not in (0, 15) and head[2] & 0x0C != 0x0C


# References --------------------------------------------------------------------------------------------------


def is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def reference(name: str) -> str:
    """How a text refers to the file."""
    return SCHEME + name


def names_in(text: str) -> list[str]:
    """The files that a text refers to, each once."""
    return list(dict.fromkeys(_REFERENCE.findall(text)))


# The storage -------------------------------------------------------------------------------------------------


def _storage() -> Storage:
    return storages["mpquiz"] if "mpquiz" in storages.backends else default_storage


def path(name: str) -> str:
    """Where the storage keeps the file. Raises ValueError where this is no name of a file."""
    if not is_name(name):
        raise ValueError(f"{name!r} is not the name of a file")
    return f"mpquiz/{name}"


def address(name: str) -> str:
    """The file's address, never to be cached, since it may be signed; "" where the storage gives none."""
    try:
        return _storage().url(path(name))
    except NotImplementedError:
        return ""


def store(files: Mapping[str, bytes]) -> list[str]:
    """The names of those that are new here. What is there already is not written again."""
    return [name for name, data in files.items() if _store(name, data)]


def _store(name: str, data: bytes) -> bool:
    storage, wanted = _storage(), path(name)
    if storage.exists(wanted):
        return False
    written = storage.save(wanted, ContentFile(data))
    if written == wanted:
        return True
    storage.delete(written)  # somebody wrote the same meanwhile, and the storage gave ours another name
    return False


def read(name: str) -> bytes | None:
    """The bytes of a file, None where the storage has lost it."""
    try:
        with _storage().open(path(name)) as file:
            return file.read()
    except FileNotFoundError:
        return None


def is_stored(name: str) -> bool:
    return _storage().exists(path(name))


def place() -> str:
    """Where the storage keeps files, for whoever looks after the site; "" where nobody chose the place."""
    storage = _storage()
    if isinstance(storage, FileSystemStorage):
        return str(storage.location) if storage.base_location else ""
    return type(storage).__name__


def probe() -> None:
    """Write a small file, read it and delete it. Raises what the storage raises where it cannot."""
    storage = _storage()
    written = storage.save("mpquiz/probe.txt", ContentFile(b"probe"))
    try:
        with storage.open(written) as file:
            if file.read() != b"probe":
                raise OSError(f"{written} reads otherwise than it was written")
    finally:
        storage.delete(written)


def remove(name: str) -> None:
    """Take a file out of the storage; whether a text still refers to it, the caller knows."""
    _storage().delete(path(name))
