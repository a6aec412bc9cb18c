"""Tables as files that are sent while they are written: CSV, and XLSX (ISO/IEC 29500) in a zip that nobody seeks in.

The libraries that write XLSX want the whole table first. A cell is a text, a number, a moment, a truth or None.
"""

import csv
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape

from django.utils import timezone
from django.utils.translation import gettext

Cell = str | int | Decimal | datetime | bool | None
Row = Sequence[Cell]

MOST_ROWS = 1_048_575
"""Rows below the heading of a sheet; more open in no program."""
MOST_COLUMNS = 16_384
_MOST_CELLS = 10_000_000  # of one sheet: its XML must stay below 2 GB
_LONGEST = 32_767  # characters of a cell

_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n]")
_BETWEEN = re.compile(r"[;\s\"]+")
_SEPARATOR = re.compile(r"[;\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # reads as a character by its number


def fits_a_sheet(rows: int, columns: int) -> bool:
    """Whether a table can be an XLSX file."""
    return rows <= MOST_ROWS and columns <= MOST_COLUMNS and rows * columns <= _MOST_CELLS


def _local(moment: datetime) -> datetime:
    """The time on the site's clock, as tables hold it: without a zone."""
    return timezone.make_naive(moment, timezone.get_default_timezone()) if timezone.is_aware(moment) else moment


# CSV --------------------------------------------------------------------------------------------------------


class _Sent:
    """A file that hands on what was written and keeps nothing. It cannot be sought in, and so zip seeks not."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes | str, /) -> int:
        self._parts.append(data.encode() if isinstance(data, str) else bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is kept back."""

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def to_csv(heading: Row, chunks: Iterable[Iterable[Row]]) -> Iterator[bytes]:
    """The file in parts, one for the heading and one for each chunk of rows; UTF-8 with the mark that Excel wants."""
    return _csv(heading, chunks, {True: gettext("Yes"), False: gettext("No")})  # in the language of this moment


def _csv(heading: Row, chunks: Iterable[Iterable[Row]], truths: Mapping[bool, str]) -> Iterator[bytes]:
    sent = _Sent()
    writer = csv.writer(sent, quoting=csv.QUOTE_ALL)
    sent.write("\ufeff")
    writer.writerow([_plain(cell, truths) for cell in heading])
    yield sent.taken()
    for chunk in chunks:
        writer.writerows([_plain(cell, truths) for cell in row] for row in chunk)
        yield sent.taken()


def _plain(cell: Cell, truths: Mapping[bool, str]) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return truths[cell]
    if isinstance(cell, datetime):
        return _local(cell).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return harmless(cell) if isinstance(cell, str) else cell


def harmless(text: str) -> str:
    """A text that no program takes for a formula; a number stays one.

    Nor is one any part of it: read by another separator than the comma, a file has cells that begin within a text.
    """
    text = "".join(_made_harmless(_FORBIDDEN.sub("", text)))
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _made_harmless(text: str) -> Iterator[str]:
    """The text in pieces, with an apostrophe before each part that would be a formula. Looks at each letter twice."""
    start = 0
    for gap in _BETWEEN.finditer(text):
        end = gap.end()
        if _SEPARATOR.search(gap[0]) and _FORMULA.match(text, end):
            after = _SEPARATOR.search(text, end)
            part = text[end : after.start() if after else len(text)]
            if not _NUMBER.fullmatch(part.strip()):
                yield text[start:end]
                yield "'"
                start = end
    yield text[start:]


# XLSX -------------------------------------------------------------------------------------------------------

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BOLD, _MOMENT = 1, 2  # places in the styles below

_PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_RELATIONS}">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_RELATIONS}">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}">'
        '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
        '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
        '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
        "</styleSheet>"
    ),
}


def to_xlsx(
    heading: Row, chunks: Iterable[Iterable[Row]], *, sheet: str, right_to_left: bool = False
) -> Iterator[bytes]:
    """The file in parts, one for each chunk of rows and some around them, of a sheet that reads from either side.

    To be asked only where ``fits_a_sheet``.
    """
    sent = _Sent()
    file: Any = sent  # of a file it has what writing asks for
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, xml in {**_PARTS, "xl/workbook.xml": _workbook(sheet)}.items():
            archive.writestr(name, _XML + xml)
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            part.write((_XML + _sheet_begin(right_to_left) + _row(heading, _BOLD)).encode())
            yield sent.taken()
            for chunk in chunks:
                part.write("".join(map(_row, chunk)).encode())
                yield sent.taken()
            part.write(b"</sheetData></worksheet>")
    yield sent.taken()


def _workbook(sheet: str) -> str:
    name = re.sub(r"[\[\]:*?/\\']", " ", _FORBIDDEN.sub("", sheet))[:31].strip() or "1"
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{_attribute(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;", "\n": " ", "\t": " ", "\r": " "})


def _sheet_begin(right_to_left: bool) -> str:
    """The heading stays in sight."""
    side = ' rightToLeft="1"' if right_to_left else ""
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    view = f'<sheetViews><sheetView{side} workbookViewId="0">{pane}</sheetView></sheetViews>'
    return f'<worksheet xmlns="{_MAIN}">{view}<sheetData>'


def _row(row: Row, style: int = 0) -> str:
    return f"<row>{''.join(_cell(cell, style) for cell in row)}</row>"


def _cell(cell: Cell, style: int) -> str:
    """A text is typed as one, so that it is never a formula."""
    if cell is None or cell == "":
        return "<c/>"
    if isinstance(cell, bool):
        return f'<c t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, datetime):
        return f'<c s="{_MOMENT}"><v>{_serial(cell)}</v></c>'
    if isinstance(cell, int | Decimal):
        return f"<c><v>{cell:f}</v></c>" if isinstance(cell, Decimal) else f"<c><v>{cell}</v></c>"
    text = escape(_ESCAPED.sub("_x005F_", _FORBIDDEN.sub("", cell)[:_LONGEST]))
    return f'<c t="inlineStr" s="{style}"><is><t xml:space="preserve">{text}</t></is></c>'


def _serial(moment: datetime) -> str:
    """A moment as spreadsheets count: days since the end of 1899."""
    days = (_local(moment).replace(microsecond=0) - datetime(1899, 12, 30)).total_seconds() / 86_400
    return f"{days:.8f}"
