"""CSV and XLSX that are sent while they are written, read back by others' programs."""

import csv
import io
import re
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from xml.etree import ElementTree

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpquiz import spreadsheets
from mpquiz.spreadsheets import fits_a_sheet, to_csv, to_xlsx
from tests.patience import patience

HEADING = ["Learner", "Score"]
MOMENT = datetime(2026, 3, 1, 23, 30, 15, tzinfo=UTC)


def csv_of(*rows, heading=HEADING):
    data = b"".join(to_csv(heading, [rows]))
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))[1:]


def sheet_of(*rows, heading=HEADING, **options):
    data = b"".join(to_xlsx(heading, [rows], **{"sheet": "Results", **options}))
    return openpyxl.load_workbook(io.BytesIO(data)).active


def values_of(sheet):
    return [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t1", "＝1"])
def test_what_would_be_a_formula_is_none(text):
    assert csv_of([text]) == [[f"'{text}"]]
    cell = sheet_of([text])["A2"]
    assert cell.data_type in ("s", "inlineStr")
    assert cell.value == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("z;=cmd|' /C calc'!A0;", "z;'=cmd|' /C calc'!A0;"),
        ("1;-2;+3,5", "1;-2;+3,5"),
        ("1; -2", "1; -2"),
        ("one\n- two", "one\n'- two"),
        ('x;"=1', "x;\"'=1"),
        ("x;;=1", "x;;'=1"),
        ("x;'=1", "x;'=1"),
        ("a = b; c - d", "a = b; c - d"),
    ],
)
def test_no_part_of_a_text_is_a_formula_either(text, told):
    assert csv_of([text]) == [[told]]
    assert sheet_of([text])["A2"].value == text.replace("\r", "\n")


@given(st.lists(st.text(st.sampled_from("=+-@;\t\n\r,\"' a1\0"), max_size=12), min_size=1, max_size=3))
def test_by_whatever_separator_a_file_is_read_no_cell_is_a_formula(texts):
    data = b"".join(to_csv(texts, [[texts]])).decode("utf-8-sig")
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(data, newline=""), delimiter=separator):
            for cell in row:
                assert cell[:1] not in tuple("=+-@") or _is_number(cell), (separator, cell, data)


def _is_number(cell):
    return re.fullmatch(r"[+-]?\d+([.,]\d+)?[\s\"',]*", cell) is not None


def test_a_formula_behind_a_character_that_is_left_out_is_none_either():
    assert csv_of(["\0=1+1"]) == [["'=1+1"]]


@pytest.mark.parametrize("piece", ["\n", ' "', "\n=", ";=1", " =", '\t"+'])
def test_a_long_text_of_signs_does_not_hang(piece):
    text = piece * (80_000 // len(piece)) + "x"
    with patience():
        [[cell]] = csv_of([text])
    assert cell.endswith("x")


@pytest.mark.parametrize("text", ["-3.14", "+5", "-3,5", "7"])
def test_a_number_that_somebody_typed_stays_one(text):
    assert csv_of([text]) == [[text]]


def test_numbers_truths_and_nothing_keep_their_kinds():
    row = [Decimal("-1.50"), 1000, True, False, None, "", Decimal("1E+2"), Decimal("0.333333333")]
    assert csv_of(row) == [["-1.50", "1000", "Yes", "No", "", "", "100", "0.333333333"]]
    [cells] = values_of(sheet_of(row))
    assert cells == [-1.5, 1000, True, False, None, None, 100, 0.333333333]
    assert [type(cell) for cell in cells[2:4]] == [bool, bool]


def test_moments_are_told_by_the_site_s_clock(settings):
    settings.TIME_ZONE = "Asia/Riyadh"
    assert csv_of([MOMENT]) == [["2026-03-02 02:30:15"]]
    assert sheet_of([MOMENT])["A2"].value == datetime(2026, 3, 2, 2, 30, 15)
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=-7)))
    assert csv_of([elsewhere]) == [["2026-03-02 02:30:15"]]


def test_line_breaks_quotes_and_commas_stay_within_a_cell():
    text = 'One, "two";\nthree\r\nفور'
    assert csv_of([text, "next"]) == [[text, "next"]]
    assert values_of(sheet_of([text, " next "])) == [[text.replace("\r\n", "\n"), " next "]]


@given(st.text(st.characters(), max_size=50))
def test_no_character_breaks_a_file(text):
    [row] = csv_of([text, 1])
    assert row[1] == "1"
    sheet = sheet_of([text, 1], heading=[text, text], sheet=text)
    assert sheet["B2"].value == 1
    assert (sheet["A2"].value or "") == (sheet["A1"].value or "")


def test_a_text_that_reads_as_a_character_s_number_stays_a_text():
    data = b"".join(to_xlsx(HEADING, [[["_x0041_ _xyz"]]], sheet="1"))
    xml = zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml").decode()
    assert "_x005F_x0041_ _xyz" in xml


def test_a_text_too_long_for_a_cell_is_cut_in_excel_alone():
    assert len(values_of(sheet_of(["x" * 40_000]))[0][0]) == 32_767
    assert len(csv_of(["x" * 40_000])[0][0]) == 40_000


def test_an_arabic_sheet_reads_from_the_right():
    assert sheet_of([], right_to_left=True).sheet_view.rightToLeft is True
    assert not sheet_of([]).sheet_view.rightToLeft


def test_the_heading_is_bold_and_stays_in_sight():
    sheet = sheet_of(["amal", 1])
    assert [cell.value for cell in sheet[1]] == HEADING
    assert sheet["A1"].font.bold
    assert not sheet["A2"].font.bold
    assert sheet.freeze_panes == "A2"


@pytest.mark.parametrize("name", ["", "a" * 50, "[x]:*?/\\", "'كم؟'", 'He said "no" & <yes>\n'])
def test_any_title_names_a_sheet(name):
    assert 1 <= len(sheet_of([], sheet=name).title) <= 31


def test_each_part_of_the_zip_is_whole_and_is_xml():
    archive = zipfile.ZipFile(io.BytesIO(b"".join(to_xlsx(HEADING, [[["a", 1]]], sheet="1"))))
    assert archive.testzip() is None
    assert len(archive.namelist()) == 6
    for name in archive.namelist():
        ElementTree.fromstring(archive.read(name))


@pytest.mark.parametrize("write", [to_csv, lambda heading, chunks: to_xlsx(heading, chunks, sheet="1")])
def test_a_chunk_is_asked_for_only_once_the_one_before_it_is_sent(write):
    asked = []

    def chunks():
        for number in range(3):
            asked.append(number)
            yield [[f"learner {number}", number]]

    parts = write(HEADING, chunks())
    next(parts)
    assert asked == []
    next(parts)
    assert asked == [0]
    next(parts)
    assert asked == [0, 1]
    assert list(parts)
    assert asked == [0, 1, 2]


def test_what_is_more_than_a_sheet_holds_is_known_before():
    assert fits_a_sheet(1_048_575, 9)
    assert not fits_a_sheet(1_048_576, 9)
    assert not fits_a_sheet(10, 16_385)
    assert not fits_a_sheet(1_000_000, 211)
    assert spreadsheets.MOST_ROWS == 2**20 - 1
