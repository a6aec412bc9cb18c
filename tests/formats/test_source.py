"""From bytes to text: encodings, line ends, limits."""

import pytest
from django.test import override_settings

from mpquiz.exceptions import FormatError
from mpquiz.formats.source import decode, ending, is_slug

ARABIC = "سؤال\nآخر"


def refused(data, encoding=None):
    with pytest.raises(FormatError) as caught:
        decode(data, encoding)
    return caught.value


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_by_its_marks(encoding):
    assert decode(ARABIC.encode(encoding)) == ARABIC


def test_either_order_of_bytes():
    assert decode(b"\xfe\xff" + ARABIC.encode("utf-16-be")) == ARABIC
    assert decode(b"\xff\xfe" + ARABIC.encode("utf-16-le")) == ARABIC


@pytest.mark.parametrize("encoding", ["windows-1256", "cp1256", "ISO-8859-6", "utf-16", "UTF-8"])
def test_an_encoding_that_is_named(encoding):
    assert decode(ARABIC.encode(encoding), encoding) == ARABIC


def test_lines_end_alike():
    assert decode(b"a\r\nb\rc\nd\r\r\ne") == "a\nb\nc\nd\n\ne"
    assert decode("a\u2028b\x85c\x0b".encode()) == "a\u2028b\x85c\x0b"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_refusal_names_the_first_bad_line_and_what_may_be_chosen(end):
    error = refused(f"one{end}two{end}سؤال{end}".encode("windows-1256"))
    assert error.line == 3
    assert "not UTF-8" in error.message
    assert "windows-1256" in error.message and "windows-1252" in error.message
    assert "utf-16" not in error.message


def test_bytes_that_may_be_utf_16_without_its_mark():
    error = refused("a\nسؤال".encode("utf-16-le"))
    assert error.line == 1
    assert "UTF-16" in error.message.upper()


def test_no_encoding_fits():
    assert "name its encoding" not in refused(b"\xff\xfe\x00").message


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", "idna", "punycode", "unicode_escape", "\0", "ü"])
def test_an_encoding_that_there_is_not(encoding):
    assert "There is no encoding" in refused(b"x", encoding).message


def test_half_a_character_is_no_text():
    assert refused(b"x\n+2AA-y", "utf-7").line is not None


def test_no_text_holds_nul():
    assert refused(b"a\nb\0c").line == 2


@override_settings(MPQUIZ={"LARGEST_IMPORT": 1_500_000})
def test_the_largest_file_is_the_host_s_to_say():
    assert decode(b"a" * 1_500_000)
    error = refused(b"a" * 1_500_001)
    assert "1.5 MB" in error.message and error.line is None


def test_names():
    assert ending("Course/Questions.GIFT") == "gift"
    assert ending("questions") == ""
    assert is_slug("a-b_1") and not is_slug("a b") and not is_slug("a" * 81)
