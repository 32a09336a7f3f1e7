"""A very small xlsb writer: what the tests read, they write."""

import io
import struct
import zipfile

ERRORS = {
    "#NULL!": 0x00, "#DIV/0!": 0x07, "#VALUE!": 0x0F, "#REF!": 0x17, "#NAME?": 0x1D,
    "#NUM!": 0x24, "#N/A": 0x2A, "#GETTING_DATA": 0x2B,
}  # fmt: skip
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="{type}" Target="{target}"/></Relationships>'
)


def record(number, content=b""):
    """Return one record: its number and length in seven bits a byte."""
    head = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
    size = len(content)
    while size >= 128:
        head += bytes([size & 0x7F | 0x80])
        size >>= 7
    return head + bytes([size]) + content


def text(words):
    """Return a wide string."""
    return struct.pack("<I", len(words)) + words.encode("utf-16-le")


def cell(column, value):
    """Return a cell: a number, an error by its name, or a text."""
    head = struct.pack("<II", column, 0)
    if isinstance(value, str) and value in ERRORS:
        return record(3, head + bytes([ERRORS[value]]))
    if isinstance(value, str):
        return record(6, head + text(value))
    return record(5, head + struct.pack("<d", value))


def sheet(rows, hidden=(), first=b"", last=b""):
    """Return a sheet from ``{row: {column: value}}``, with records before and after its rows."""
    written = record(129) + record(148, struct.pack("<4I", 0, 0, 0, 0)) + first + record(145)
    for row, cells in rows.items():
        flags = 0x10 if row in hidden else 0
        written += record(0, struct.pack("<IIHBBBI", row, 0, 300, 0, flags, 0, 0))
        written += b"".join(cell(column, value) for column, value in cells.items())
    return written + record(146) + last + record(130)


def workbook(sheet_part, more=None):
    """Return the bytes of a workbook of one sheet, and of further parts."""
    names = record(156, struct.pack("<II", 0, 1) + text("rId1") + text("stock"))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        book = record(131) + record(143) + names + record(144) + record(132)
        package.writestr("xl/workbook.bin", book)
        package.writestr(
            "xl/_rels/workbook.bin.rels",
            RELATIONS.format(type=f"{RELATION}/worksheet", target="worksheets/sheet1.bin"),
        )
        package.writestr("xl/worksheets/sheet1.bin", sheet_part)
        for name, content in (more or {}).items():
            package.writestr(name, content)
    return target.getvalue()
