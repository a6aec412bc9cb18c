"""Files of texts: their type is read from the bytes, and each content is kept once."""

import io
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.storage import FileSystemStorage, InMemoryStorage
from django.test import override_settings
from PIL import Image

from mpquiz import files
from mpquiz.exceptions import FormatError

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


@pytest.fixture
def storage():
    """A storage of our own, empty."""
    own = {"mpquiz": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
    with override_settings(STORAGES=STORAGES | own):
        yield files.storages["mpquiz"]


def image(form, size=(3, 2), **options):
    data = io.BytesIO()
    Image.new("RGB", size, "teal").save(data, form, **options)
    return data.getvalue()


def frames():
    data = io.BytesIO()
    first, *others = (Image.new("P", (2, 2), place) for place in range(3))
    first.save(data, "GIF", save_all=True, append_images=others)
    return data.getvalue()


MP3_FRAME = bytes([0xFF, 0xFB, 0x90, 0x64]) + bytes(413)


# The type -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (image("GIF"), "gif"),
        (frames(), "gif"),
        (image("JPEG"), "jpg"),
        (image("PNG"), "png"),
        (image("WEBP"), "webp"),
        (b"ID3\x04\x00\x00" + MP3_FRAME, "mp3"),
        (MP3_FRAME, "mp3"),
        (b"OggS\x00\x02", "ogg"),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "wav"),
        (b"%PDF-1.7\n", "pdf"),
    ],
)
def test_a_file_is_named_by_its_content(data, ending):
    file = files.of(data, "cheat.exe")
    assert file.data == data
    assert file.name.endswith(f".{ending}")
    assert files.is_name(file.name)
    assert files.of(data).name == file.name


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "SVG"),
        (b'\xef\xbb\xbf<?xml version="1.0"?><!-- x --><SVG onload="alert(1)"/>', "SVG"),
        (b"<html><script>alert(1)</script></html>", "none of the types"),
        (b"", "none of the types"),
        (b"MZ\x90\x00", "none of the types"),
        (b"RIFF\x24\x00\x00\x00AVI ", "none of the types"),
        (b"\xff\xfb", "none of the types"),
        (b"\xff\xff\xff\xff", "none of the types"),
        (image("BMP"), "none of the types"),
        (image("TIFF"), "none of the types"),
        (image("PNG")[:-20], "damaged"),
        (image("PNG").replace(b"IDAT", b"IDAX"), "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (image("JPEG")[:20], "damaged"),
    ],
)
def test_what_is_none_of_the_types_is_refused(data, said):
    with pytest.raises(FormatError, match=said) as refused:
        files.of(data, "tree.png")
    assert "tree.png" in str(refused.value.message)


@override_settings(MPQUIZ={"FILES": {"TYPES": ["png"]}})
def test_the_host_says_which_types_it_takes():
    assert files.of(image("PNG")).name.endswith(".png")
    with pytest.raises(FormatError, match="png"):
        files.of(image("GIF"))


@override_settings(MPQUIZ={"FILES": {"LARGEST": 20}})
def test_a_file_may_be_too_large():
    with pytest.raises(FormatError, match="larger than"):
        files.of(b"%PDF-" + bytes(20))


@override_settings(MPQUIZ={"FILES": {"PIXELS": 100}})
def test_an_image_may_have_too_many_pixels():
    files.of(image("PNG", (10, 10)))
    with pytest.raises(FormatError, match="pixels"):
        files.of(image("PNG", (10, 11)))


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("side", [6_000, 10_000, 65_000])
def test_a_bomb_of_pixels_is_refused_before_it_is_unpacked(side):
    bomb = image("PNG")
    header = b"IHDR" + side.to_bytes(4, "big") * 2 + bomb[24:29]
    with pytest.raises(FormatError, match="pixels"):
        files.of(bomb[:12] + header + zlib.crc32(header).to_bytes(4, "big") + bomb[33:])


# References ---------------------------------------------------------------------------------------------------


def test_a_text_tells_its_files_each_once():
    one, two = f"{'3f' * 20}.png", f"{'9a' * 20}.webp"
    text = f"![a]({files.reference(one)}) [b](mpquiz:{two}) ![c](mpquiz:{one}) mpquiz:x.png mpquiz:{'3f' * 20}.htmlx"
    assert files.names_in(text) == [one, two]


@pytest.mark.parametrize("name", ["", "x.png", "../" + "a" * 40 + ".png", "A" * 40 + ".png", "a" * 40 + ".png\n"])
def test_only_our_names_have_a_place(name):
    with pytest.raises(ValueError, match="not the name"):
        files.path(name)


# The storage --------------------------------------------------------------------------------------------------


def test_a_file_is_stored_once(storage, monkeypatch):
    file = files.of(image("PNG"))
    assert files.read(file.name) is None
    assert files.store({file.name: file.data}) == [file.name]
    assert files.read(file.name) == file.data
    assert files.address(file.name) == f"/media/mpquiz/{file.name}"
    monkeypatch.setattr(InMemoryStorage, "save", None)
    assert files.store({file.name: file.data}) == []
    assert storage.listdir("mpquiz") == ([], [file.name])


def test_without_a_storage_of_our_own_the_default_one_is_used():
    file = files.of(image("PNG"))
    with override_settings(STORAGES=STORAGES):
        files.store({file.name: file.data})
        assert files.storages["default"].exists(f"mpquiz/{file.name}")


class Blind:
    """A storage that says of nothing that it is there: somebody else is always about to write it."""

    def __init__(self, storage):
        self.save, self.delete = storage.save, storage.delete

    def exists(self, name):
        return False


def test_two_who_store_the_same_at_once_leave_one(tmp_path, monkeypatch):
    storage = Blind(FileSystemStorage(location=tmp_path))
    monkeypatch.setattr(files, "_storage", lambda: storage)
    images = (files.of(image("PNG", (width, 1))) for width in range(1, 11))
    stored = {file.name: file.data for file in images}
    with ThreadPoolExecutor(4) as pool:
        new = [name for names in pool.map(files.store, [stored] * 4) for name in names]
    assert sorted(new) == sorted(stored)
    assert {path.name: path.read_bytes() for path in (tmp_path / "mpquiz").iterdir()} == stored


def test_a_storage_may_have_no_addresses(storage, monkeypatch):
    def url(self, name):
        raise NotImplementedError

    monkeypatch.setattr(InMemoryStorage, "url", url)
    assert files.address(f"{'3f' * 20}.png") == ""
