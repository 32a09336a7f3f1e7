"""Files that lie, break off or ask for too much are refused by their code, or read safely."""

import gzip
import io
import random
import zipfile

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabular.model.places import ReadingChoices
from tabular.model.problem import (
    LimitExceeded,
    Limits,
    TabularProblem,
    UnreadableFile,
    UnusableRequest,
)
from tabular.reading import read
from tests.tries import tries

CSV = b"id,name,amount\n1,bolt,2.50\n2,nut,0.75\n3,washer,0.10\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def workbook_bytes(rows=(("id", "name"), (1, "bolt"), (2, "nut"))):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def zip_bytes(files, compression=zipfile.ZIP_DEFLATED):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return target.getvalue()


def replaced_part(content, name, change):
    """Return the workbook with one of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        files = {entry: package.read(entry) for entry in package.namelist()}
    return zip_bytes({**files, name: change(files[name])})


SPREADSHEETML = b"""<?xml version="1.0"?><Workbook
 xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>
<Row><Cell><Data ss:Type="String">id</Data></Cell></Row></Table></Worksheet></Workbook>"""
SHEET = "xl/worksheets/sheet1.xml"
NOISE = random.Random(7).randbytes(6000)
UNREADABLE = {
    "empty_file": b"",
    "binary_file": CSV * 100 + NOISE,
    "unsupported_format": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "no_table_found": b" \n\t\n   \n",
    "damaged_file": workbook_bytes()[:-500],
    "password_protected": OLE + bytes(2000) + "EncryptedPackage".encode("utf-16-le"),
    "unsafe_file": replaced_part(
        workbook_bytes(),
        SHEET,
        lambda part: b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + part,
    ),
    "several_files": zip_bytes({f"{n}.csv": CSV for n in range(201)}),
    "nested_archive": gzip.compress(gzip.compress(CSV)),
}


@pytest.mark.parametrize("code", UNREADABLE)
def test_an_unreadable_file_is_refused_by_its_code(tmp_path, code):
    path = tmp_path / "file.csv"
    path.write_bytes(UNREADABLE[code])

    with pytest.raises(UnreadableFile) as raised:
        read(path)

    assert raised.value.code == code
    assert raised.value.sentence.endswith(".")


@pytest.mark.parametrize(
    ("what", "content"),
    [
        ("gz", gzip.compress(CSV * 1000)[:-20]),
        ("zip", zip_bytes({"a.csv": CSV * 1000}, zipfile.ZIP_STORED)[:-60]),
        ("json", b'[{"id": 1}, {"id": 2'),
        ("deep json", b'{"a":' * 100_000),
        ("xls", OLE + bytes(600)),
        ("workbook", replaced_part(workbook_bytes(), "xl/workbook.xml", lambda part: part[:-9])),
        ("feather", b"ARROW1\0\0" + bytes(200) + b"ARROW1"),
        ("parquet", b"PAR1" + bytes(200) + b"\xff\xff\xff\x7fPAR1"),
        ("spreadsheetml", SPREADSHEETML[:-40]),
        ("another XML", b'<?xml version="1.0"?><invoice><line><no>1</no></line>'),
    ],
)
def test_a_file_cut_off_or_of_a_foreign_kind_is_a_problem_not_a_crash(tmp_path, what, content):
    path = tmp_path / what
    path.write_bytes(content)

    with pytest.raises(UnreadableFile) as raised:
        read(path)

    assert raised.value.code in {"damaged_file", "unsupported_format"}


BOMB = bytes(8_000_000)
TOO_LARGE = {
    "columns": (b",".join(b"c%d" % n for n in range(5001)) + b"\n", Limits()),
    "rows": (CSV, Limits(rows=2)),
    "cells": (CSV, Limits(cells=8)),
    "cell_bytes": (b"id,note\n1," + b"x" * 3000 + b"\n", Limits(cell_bytes=2000)),
    "expanded_bytes": (gzip.compress(BOMB), Limits(expanded_bytes=1_000_000)),
}


@pytest.mark.parametrize("limit", TOO_LARGE)
def test_a_file_that_asks_for_too_much_is_refused_by_the_name_of_its_limit(tmp_path, limit):
    content, limits = TOO_LARGE[limit]
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(LimitExceeded) as raised:
        read(path, limits=limits)

    assert raised.value.code == "too_large"
    assert raised.value.details["limit"] == limit
    setting = f"IMPORT_LIMIT_{limit.upper()}"
    assert raised.value.details.get("setting") == (setting if limit == "rows" else None)
    assert (setting in raised.value.sentence) is (limit == "rows")


@pytest.mark.parametrize(
    "content",
    [
        zip_bytes({"a.csv": BOMB}),
        replaced_part(workbook_bytes(), SHEET, lambda part: part + b" " * 8_000_000),
        zip_bytes({"xl/workbook.xml": b"<x/>", "xl/media/image1.bin": BOMB}),
    ],
    ids=["zip", "sheet", "picture in a workbook"],
)
def test_a_bomb_is_refused_before_it_has_expanded(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(LimitExceeded) as raised:
        read(path, limits=Limits(expanded_bytes=1_000_000))

    assert raised.value.details["limit"] == "expanded_bytes"


def ods_bytes(content):
    mimetype = b"application/vnd.oasis.opendocument.spreadsheet"
    return zip_bytes({"mimetype": mimetype, "content.xml": content})


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<document><table>", "damaged_file"),
        (b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', "unsafe_file"),
    ],
)
def test_an_ods_of_broken_or_unsafe_xml_is_refused(tmp_path, content, code):
    path = tmp_path / "file"
    path.write_bytes(ods_bytes(content))

    with pytest.raises(UnreadableFile) as raised:
        read(path)

    assert raised.value.code == code


def test_repeated_cells_of_an_ods_do_not_make_a_sheet_of_billions(tmp_path):
    cell = b'<table:table-cell table:number-columns-repeated="16384" office:value-type="string"/>'
    row = b'<table:table-row table:number-rows-repeated="1048576">' + cell + b"</table:table-row>"
    path = tmp_path / "file"
    path.write_bytes(ods_bytes(b'<x><table:table table:name="s">' + row + b"</table:table></x>"))

    with pytest.raises(LimitExceeded) as raised:
        read(path)

    assert raised.value.details["limit"] == "cells"


def test_one_far_cell_does_not_make_a_sheet_of_billions(tmp_path):
    book = openpyxl.Workbook()
    book.active["A1"] = "id"
    book.active["XFD1048576"] = "far"
    book.save(tmp_path / "file")

    with pytest.raises(LimitExceeded) as raised:
        read(tmp_path / "file")

    assert raised.value.details["limit"] == "cells"


def test_a_name_in_an_archive_is_never_used_as_a_path(tmp_path):
    (tmp_path / "inner").mkdir()
    path = tmp_path / "inner" / "file.zip"
    path.write_bytes(zip_bytes({"../../escaped.csv": CSV}))

    reading = read(path)

    assert reading.tables[0].row_count == 3
    assert not list(tmp_path.rglob("escaped.csv"))


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        (ReadingChoices(encoding="klingon"), "unknown_encoding"),
        (ReadingChoices(encoding="ascii"), "wrong_encoding"),
    ],
)
def test_a_choice_that_does_not_fit_the_file_is_refused(tmp_path, choices, code):
    path = tmp_path / "file"
    path.write_bytes("id,name\n1,Müller\n".encode())

    with pytest.raises(UnusableRequest) as raised:
        read(path, choices=choices)

    assert raised.value.code == code


@pytest.mark.parametrize(
    "content",
    [
        CSV,
        CSV.decode().encode("utf-16-le"),
        CSV.decode().encode("utf-16"),
        gzip.compress(CSV),
        zip_bytes({"table.csv": CSV, "__MACOSX/._table.csv": b"x"}),
    ],
    ids=["plain", "utf-16 without a mark", "utf-16", "gz", "zip"],
)
def test_bytes_decide_whatever_the_name_says(tmp_path, content):
    path = tmp_path / "file.xlsx"
    path.write_bytes(content)

    table = read(path).tables[0]

    assert table.columns == ("id", "name", "amount")
    assert table.row_count == 3


def test_a_byte_that_does_not_exist_in_the_encoding_stays_visible_and_is_reported(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(CSV + "4,café,1\n".encode() * 40 + b"5,caf\xff,1\n")

    body = read(path).bodies[0]
    names = [name for batch in body.batches() for name in batch.column("name").to_pylist()]
    _, issues = body.outcome()

    assert names[-1] == r"caf\xff"
    assert [(issue.code, issue.row) for issue in issues] == [("undecodable_bytes", 44)]


def test_a_table_of_only_a_header_has_no_rows(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"id;name;amount\n")

    table = read(path).tables[0]

    assert table.columns == ("id", "name", "amount")
    assert table.row_count == 0


def test_a_cell_of_many_megabytes_is_read_whole(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(CSV + b'4,"' + b"x" * 20_000_000 + b'",1\n5,end,2\n')

    body = read(path).bodies[0]
    names = [name for batch in body.batches() for name in batch.column("name").to_pylist()]

    assert [len(name) for name in names] == [4, 3, 6, 20_000_000, 3]


def rows_or_code(path, limits):
    try:
        bodies = read(path, limits=limits).bodies
        return max(sum(batch.num_rows for batch in body.batches()) for body in bodies), ""
    except TabularProblem as problem:
        return 0, problem.code


@settings(
    max_examples=tries(150),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    head=st.sampled_from(
        [b"", CSV, b"PK\x03\x04", OLE, b"\x1f\x8b\x08", b"[{", b'{"a":', b"\xff\xfe", b"a;b\n"]
    ),
    tail=st.binary(max_size=400),
)
def test_random_bytes_never_crash(tmp_path, head, tail):
    path = tmp_path / "file"
    path.write_bytes(head + tail)

    rows, code = rows_or_code(path, Limits(rows=1000, columns=500))

    assert code or rows <= 1000
