"""A workbook damaged in one part: what can be read is, and what cannot is told."""

import datetime as dt
import io
import struct
import zipfile

import pytest
import xlsxwriter

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read
from tests.tabular.reading import xlsb

RELATIONS, STYLES, STRINGS = (
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/sharedStrings.xml",
)
SECOND = "xl/worksheets/sheet2.xml"
MACROS = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"


def parts_of(*, is_1904=False):
    """Return the parts of a workbook of two sheets with the same three columns."""
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"date_1904": is_1904}) as book:
        percent, day = (book.add_format({"num_format": code}) for code in ("0%", "yyyy-mm-dd"))
        for name in ("Jan", "Feb"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["item", "share", "day"])
            for row in range(1, 4):
                sheet.write(row, 0, f"{name} {row}")
                sheet.write(row, 1, row / 10, percent)
                sheet.write(row, 2, dt.date(2024, 5, row), day)
    with zipfile.ZipFile(written) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.fixture
def write(tmp_path):
    """Return a function that writes parts as a package; the bytes of ``torn`` do not unpack."""

    def _write(parts, torn=()):
        path = tmp_path / "book"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            for name, content in parts.items():
                package.writestr(name, content)
            entries = [package.getinfo(name) for name in torn]
        content = bytearray(path.read_bytes())
        for entry in entries:
            names = struct.unpack_from("<HH", content, entry.header_offset + 26)
            start = entry.header_offset + 30 + sum(names)
            content[start : start + entry.compress_size] = b"\xff" * entry.compress_size
        path.write_bytes(content)
        return path

    return _write


def first_rows(reading):
    """Return the first row of each table that is not a stack, by its sheet."""
    return {
        table.sheet: tuple(next(body.batches()).to_pylist()[0][name] for name in table.columns)
        for table, body in zip(reading.tables, reading.bodies, strict=True)
        if not table.stacked
    }


JAN, FEB = ("Jan 1", "0.1", "2024-05-01"), ("Feb 1", "0.1", "2024-05-01")
WHOLE = {"Jan": JAN, "Feb": FEB}


def test_a_part_without_rows_that_cannot_be_unpacked_costs_no_sheet(write):
    picture = {"xl/media/image1.png": bytes(1000), "xl/drawings/drawing1.xml": b"<x/>" * 99}

    reading = read(write(parts_of() | picture, torn=picture))

    assert first_rows(reading) == WHOLE
    assert [(issue.code, issue.message) for issue in reading.issues] == [
        ("damaged_parts", "The workbook has 2 parts without rows that cannot be unpacked.")
    ]


def test_a_sheet_that_cannot_be_unpacked_costs_no_other(write):
    reading = read(write(parts_of(), torn=[SECOND]))

    assert first_rows(reading) == {"Jan": JAN}
    assert [(issue.code, issue.value) for issue in reading.issues] == [("unread_sheet", "Feb")]


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: {SECOND: parts[SECOND][:-60]},
        lambda parts: {SECOND: b"\0<noise"},
        lambda parts: {SECOND: parts[SECOND].replace(b't="s"', b't="q"')},
        lambda parts: {RELATIONS: parts[RELATIONS].replace(b"sheet2.xml", b"sheet9.xml")},
        lambda parts: {"xl/workbook.xml": parts["xl/workbook.xml"].replace(b'"rId2"', b'"rId9"')},
    ],
    ids=["cut off", "noise", "an unknown kind of cell", "part missing", "relation missing"],
)
def test_a_broken_sheet_costs_no_other(write, change):
    parts = parts_of()

    reading = read(write(parts | change(parts)))

    assert first_rows(reading) == {"Jan": JAN}
    assert [(issue.code, issue.value) for issue in reading.issues] == [("unread_sheet", "Feb")]


def test_a_sheet_of_macros_costs_no_other_and_is_told(write):
    parts = parts_of()
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    first, second, third = parts[RELATIONS].split(kind)
    macros = b'<xm:macrosheet xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"/>'
    changed = {RELATIONS: first + kind + second + MACROS.encode() + third, SECOND: macros}

    reading = read(write(parts | changed))

    assert first_rows(reading) == {"Jan": JAN}
    assert [(issue.code, issue.value) for issue in reading.issues] == [("macro_sheet", "Feb")]


@pytest.mark.parametrize("part", ["_rels/.rels", "[Content_Types].xml"])
@pytest.mark.parametrize("content", [None, b"<Relationships", b""])
def test_what_only_says_where_the_workbook_is_can_be_missing(write, part, content):
    parts = {name: kept for name, kept in parts_of().items() if name != part}

    reading = read(write(parts if content is None else parts | {part: content}))

    assert first_rows(reading) == WHOLE
    assert reading.issues == ()


@pytest.mark.parametrize("styles", [None, b"<styleSheet", b""])
def test_without_formats_days_are_numbers_and_that_is_told(write, styles):
    parts = {name: kept for name, kept in parts_of().items() if name != STYLES}

    reading = read(write(parts if styles is None else parts | {STYLES: styles}))

    assert first_rows(reading)["Jan"] == ("Jan 1", "0.1", "45413")
    assert [issue.code for issue in reading.issues] == ["damaged_formats"]


@pytest.mark.parametrize("part", [STYLES, STRINGS])
def test_styles_and_strings_are_where_their_relation_says(write, part):
    parts = parts_of()
    moved = {f"{part}.part": parts.pop(part)}
    name = part.removeprefix("xl/").encode()
    parts[RELATIONS] = parts[RELATIONS].replace(name, name + b".part")

    reading = read(write(parts | moved))

    assert first_rows(reading) == WHOLE
    assert reading.issues == ()


def test_days_of_a_repaired_workbook_count_from_its_own_year(write):
    parts = parts_of(is_1904=True)

    assert first_rows(read(write(parts | {"_rels/.rels": b""}))) == WHOLE


@pytest.mark.parametrize(
    ("changed", "torn"),
    [
        ({STRINGS: b"<sst"}, []),
        ({}, [STRINGS]),
        ({RELATIONS: b"<Relationships"}, []),
        ({"xl/workbook.xml": b"<workbook"}, []),
        ({SECOND: b"<", "xl/worksheets/sheet1.xml": b"<"}, []),
    ],
    ids=["strings", "torn strings", "relations", "workbook", "every sheet"],
)
def test_a_workbook_without_a_part_that_all_sheets_need_is_refused(write, changed, torn):
    with pytest.raises(UnreadableFile) as raised:
        read(write(parts_of() | changed, torn))

    assert raised.value.code == "damaged_file"


def test_a_bomb_behind_a_torn_part_is_refused_before_it_has_expanded(write):
    parts = {"xl/media/a.png": bytes(1000)} | parts_of() | {"xl/media/b.png": bytes(8_000_000)}

    with pytest.raises(LimitExceeded) as raised:
        read(write(parts, torn=["xl/media/a.png"]), limits=Limits(expanded_bytes=1_000_000))

    assert raised.value.details["limit"] == "expanded_bytes"


def test_a_picture_of_an_xlsb_that_cannot_be_unpacked_costs_no_sheet(write):
    sheet = xlsb.sheet({0: {0: "id", 1: "name"}, 1: {0: 1.0, 1: "bolt"}})
    with zipfile.ZipFile(io.BytesIO(xlsb.workbook(sheet, {"xl/media/a.png": bytes(99)}))) as book:
        parts = {name: book.read(name) for name in book.namelist()}

    reading = read(write(parts, torn=["xl/media/a.png"]))

    assert first_rows(reading) == {"stock": ("1", "bolt")}
    assert [issue.code for issue in reading.issues] == ["damaged_parts"]


def test_a_picture_of_an_ods_that_cannot_be_unpacked_costs_no_sheet(write):
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{text}</text:p>'
            "</table:table-cell>"
            for text in row
        )
        + "</table:table-row>"
        for row in (("id", "name"), ("1", "bolt"))
    )
    office = "urn:oasis:names:tc:opendocument:xmlns"
    parts = {
        "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
        "Thumbnails/thumbnail.png": bytes(1000),
        "content.xml": f'<office:document-content xmlns:office="{office}:office:1.0" '
        f'xmlns:table="{office}:table:1.0" xmlns:text="{office}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="stock">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>",
        "META-INF/manifest.xml": b"<manifest/>",
    }

    reading = read(write(parts, torn=["Thumbnails/thumbnail.png"]))

    assert first_rows(reading) == {"stock": ("1", "bolt")}
    assert [issue.code for issue in reading.issues] == ["damaged_parts"]
