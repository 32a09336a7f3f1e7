"""Files of Stata, SAS and SPSS: what their columns mean, parts of them, and broken ones."""

import base64
import datetime as dt
import zlib

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.table import Kind
from tabular.reading import read
from tabular.reading.structured import statistical
from tabular.reading.structured.stored_times import converter_of
from tests.tabular.reading.test_structured import rows_of

PEOPLE = pd.DataFrame(
    {
        "name": ["Ada", "", "Zoë"],
        "sex": [1.0, 2.0, 7.0],
        "born": [dt.date(1815, 12, 10), None, dt.date(2024, 5, 1)],
        "seen": [pd.Timestamp(2024, 5, 1, 12, 30, 5), None, pd.Timestamp(1999, 1, 1)],
        "at": [dt.time(12, 30), None, dt.time(1, 2, 3)],
        "amount": [0.57 * 100, np.nan, 1234567.891],
        "code": ["007", "a", "b"],
    }
)
LABELS = ["Full name", "", "Born on", "", "", "Amount in EUR", ""]
COLUMNS = ("Full name", "sex", "Born on", "seen", "at", "Amount in EUR", "code")
SEXES = {1: "Female", 2: "Male"}
WRITERS = {
    "sav": lambda frame, path, **more: pyreadstat.write_sav(frame, path, **more),
    "dta": lambda frame, path, **more: pyreadstat.write_dta(frame, path, **more),
    "xpt": lambda frame, path, **more: pyreadstat.write_xport(frame, path, **more),
}
# ReadStat wrote it: name (text), born (DATE9, "Born on") and amount (a number), three rows.
SAS7BDAT = zlib.decompress(base64.b64decode(
    "eNpjYECAQ68aEzaLCJ7fO4mDgfO4YY+EvICgsRKDsTEjkyEjRIkIAwMzI4q4MaOyMYOICIMCMyPMnGDHYAU3Tx9XF8cQ"
    "x2DXEAVcgIEAAOmHqbt1bLLJ5bL7jjAaQ7EABDOiCVvqGZgYGPqa+mTmlVYgiRvrGRroGegaGpoZ6Bka6hmiG1dhYRZv"
    "ZoLgg+yd1vEnEIbR1c/YdecfsjsZRsEoGAWjYBSMglEwCkbBKBgFo2AUjIJBBGZC+63oQJkdymDiY+AGUjd4IFwNZlR1"
    "B6DiEmj6M7ggdAQTqrgIVDwEJgDtsD/ghNAmaOJToOI+aOIxUHELNHEZqLgDmnvucGAXn0NAHM14MFDY+PLAfxCo93Fw"
    "TElEjGVc/FEPo5HHOBw+XYMar+FgYGBO1NjHKBgFo2AUjIJRMFLBv9/gWvY/tfVz4lBvwsACJHUY2KllP0T7fxUoXwZK"
    "MwMhIwMznMfIgNpI+gPVB2vbCEBpcJOEBaEWwmdk4EDjIwOoUf8RDQ4VsC+BbREobcHAhubuv1A9SG0iEfS5G/DcTohr"
    "QF5ibmpSflGeExAr5OeB5mxcE3PzS/NK0Az9g2omC5Rmp1Ha4WFHDUtYqLChtefY0PzMiOY+dP5/NHWsaOpY0eKeEc2f"
    "6HxoEiOYxn4Rqe7nf8rS7FAD34AAkotQwXcgANEfoHxeNHlBAyWUfgszDvPRxWF5mI8BLXNCgR9aOvk/wuKDVv1RUgEs"
    "nzGh8bnQ+DxofD40PgfNfMoBL1NA0+oIe3jAbBkibWYBupQRWIqhlqMrcKZftK4sAwBrPfyR"
))  # fmt: skip


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a frame in a format and returns the file, without a suffix."""

    def write(file_format, frame=PEOPLE, **more):
        path = tmp_path / f"file.{file_format}"
        WRITERS[file_format](frame, str(path), **more)
        return path.rename(tmp_path / "file")

    return write


@pytest.mark.parametrize("file_format", WRITERS)
def test_columns_keep_what_they_are(written, file_format):
    labels = {} if file_format == "xpt" else {"variable_value_labels": {"sex": SEXES}}
    reading = read(written(file_format, column_labels=LABELS, **labels))

    table, (body,) = reading.tables[0], reading.bodies
    assert (reading.file_format, table.columns, table.row_count) == (file_format, COLUMNS, 3)
    female, male = ("1", "2") if file_format == "xpt" else ("Female", "Male")
    assert rows_of(body) == [
        ["Ada", female, "1815-12-10", "2024-05-01 12:30:05", "12:30:00", "57", "007"],
        [None, male, None, None, None, None, "a"],
        ["Zoë", "7", "2024-05-01", "1999-01-01", "01:02:03", "1234567.891", "b"],
    ]
    (batch,) = body.batches()
    kinds = [Kind(column[0].as_py()) for column in batch["__kinds__"].flatten()]
    sex = Kind.NUMBER if file_format == "xpt" else Kind.TEXT
    assert kinds == [Kind.TEXT, sex, Kind.DATE, Kind.DATE, Kind.TIME, Kind.NUMBER, Kind.TEXT]
    assert table.preview[0][2] == "1815-12-10"


def test_a_sas_data_set_is_read(tmp_path):
    (tmp_path / "file").write_bytes(SAS7BDAT)

    reading = read(tmp_path / "file")

    assert reading.file_format == "sas7bdat"
    assert reading.tables[0].columns == ("name", "Born on", "amount")
    assert rows_of(reading.bodies[0]) == [
        ["Ada", "1815-12-10", "57"],
        [None, None, None],
        ["007", "2024-05-01", "12"],
    ]


@pytest.mark.parametrize("more", [{"compress": True}, {"row_compress": True}], ids=str)
def test_compressed_spss_is_spss(written, more):
    reading = read(written("sav", **more))

    assert reading.file_format == "sav"
    assert rows_of(reading.bodies[0])[2][0] == "Zoë"


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_every_release_of_stata_is_recognised(tmp_path, version):
    PEOPLE[["name", "amount"]].to_stata(tmp_path / "file", version=version, write_index=False)

    reading = read(tmp_path / "file")

    assert (reading.file_format, rows_of(reading.bodies[0])[2]) == ("dta", ["Zoë", "1234567.891"])


def test_an_old_transport_file_is_in_the_encoding_of_windows(written):
    path = written("xpt", PEOPLE[["name"]], file_format_version=5)
    content = path.read_bytes()
    path.write_bytes(content.replace("Zoë".encode(), "Zoë".encode("cp1252") + b" "))

    assert rows_of(read(path).bodies[0])[2] == ["Zoë"]


def test_a_value_that_the_file_declares_missing_is_empty(written):
    path = written("sav", PEOPLE[["sex"]], missing_ranges={"sex": [7]})

    assert rows_of(read(path).bodies[0]) == [["1"], ["2"], [None]]


def test_two_codes_with_the_same_label_stay_two_values(written):
    labels = {"sex": {1: "Other", 2: "Other", 7: "Not asked"}}
    path = written("sav", PEOPLE[["sex"]], variable_value_labels=labels)

    assert rows_of(read(path).bodies[0]) == [["Other (1)"], ["Other (2)"], ["Not asked"]]


def test_columns_with_the_same_label_or_a_long_one_keep_their_names(written):
    labels = ["Name", "Name", "b" * 81, *LABELS[3:]]

    reading = read(written("sav", column_labels=labels))

    assert reading.tables[0].columns[:3] == ("name", "sex", "born")


def test_leading_zeros_and_single_precision_are_kept(tmp_path):
    frame = pd.DataFrame({"zip": [1067.0, 80331.0], "x": np.array([0.1, 1e6], "float32")})
    pyreadstat.write_sav(frame[["zip"]], tmp_path / "zip", variable_format={"zip": "N5"})
    frame[["x"]].to_stata(tmp_path / "x", write_index=False)

    assert rows_of(read(tmp_path / "zip").bodies[0]) == [["01067"], ["80331"]]
    assert rows_of(read(tmp_path / "x").bodies[0]) == [["0.1"], ["1000000"]]


@pytest.mark.parametrize(
    ("file_format", "stored", "value", "text"),
    [
        ("dta", "%td", 23497, "2024-05-01"),
        ("dta", "%tdCCYY-NN-DD", 23497, "2024-05-01"),
        ("dta", "%d", 23497, "2024-05-01"),
        ("dta", "%tc", 2030185805000, "2024-05-01 12:30:05"),
        ("dta", "%tC", 2030185832000, "2024-05-01 12:30:05"),  # 27 leap seconds
        ("dta", "%tcHH:MM", 45000000, "12:30:00"),
        ("dta", "%tw", 64 * 52 + 17, "2024-04-29"),
        ("dta", "%tm", 772, "2024-05-01"),
        ("dta", "%tq", 257, "2024-04-01"),
        ("dta", "%th", -1, "1959-07-01"),
        ("xpt", "DATE9", 23497, "2024-05-01"),
        ("xpt", "YEAR4", 23497, "2024-05-01"),  # shows the year of a day
        ("xpt", "DTDATE9", 2030185805, "2024-05-01 12:30:05"),
        ("xpt", "TIME8", 100000, "27:46:40"),
        ("sav", "EDATE10", 13933900800, "2024-05-01"),
        ("sav", "DTIME", 100000, "27:46:40"),
        ("sav", "DATE11", 1e15, "1000000000000000"),  # no calendar has this year
        ("xpt", "Z5", 42, "00042"),
    ],
)
def test_a_number_is_what_its_format_says(file_format, stored, value, text):
    assert converter_of(file_format, stored)(float(value)) == text


@pytest.mark.parametrize(
    ("file_format", "stored"),
    [("dta", "%9.0g"), ("dta", "%ty"), ("xpt", "BEST12"), ("xpt", ""), ("sav", "F8.2")],
)
def test_a_plain_format_changes_no_number(file_format, stored):
    assert converter_of(file_format, stored) is None


@pytest.mark.parametrize("file_format", WRITERS)
def test_parts_give_the_same_rows_as_the_whole(written, monkeypatch, file_format):
    frame = pd.DataFrame({"n": np.arange(1000.0), "t": [f"t{n}" for n in range(1000)]})
    path = written(file_format, frame)
    monkeypatch.setattr(statistical, "_PART_CELLS", 2 * 300)

    rows = [
        (batch["__row__"][0].as_py(), batch.num_rows) for batch in read(path).bodies[0].batches()
    ]

    assert rows == [(0, 300), (300, 300), (600, 300), (900, 100)]
    assert rows_of(read(path).bodies[0]) == [[str(n), f"t{n}"] for n in range(1000)]


def test_rows_are_counted_where_the_file_does_not(written, monkeypatch):
    path = written("sav", pd.DataFrame({"n": np.arange(10.0)}))
    content = bytearray(path.read_bytes())
    content[80:84] = (-1).to_bytes(4, "little", signed=True)
    path.write_bytes(content)
    monkeypatch.setattr(statistical, "_PART_CELLS", 4)

    reading = read(path)

    assert reading.tables[0].row_count == len(rows_of(reading.bodies[0])) == 10


@pytest.mark.parametrize("file_format", WRITERS)
@pytest.mark.parametrize("share", [0.1, 0.6, 0.98])
def test_a_file_cut_off_is_a_problem(written, file_format, share):
    path = written(file_format, pd.concat([PEOPLE] * 100))
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])

    with pytest.raises(UnreadableFile) as refused:
        list(read(path).bodies[0].batches())

    assert refused.value.code == "damaged_file"


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"\x1c" + bytes(7) + b"ENCRYPTEDSAV" + bytes(90), "unsupported_format", "encrypted"),
        (b"ASCII SPSS PORT FILE" * 10, "unsupported_format", "portable"),
        (b"**COMPRESSED** **COMPRESSED**" * 9, "unsupported_format", "CPORT"),
        (SAS7BDAT[:12] + b"\xc2\xea\x81\x63" + SAS7BDAT[16:], "unsupported_format", "catalog"),
    ],
)
def test_their_relatives_are_refused_by_name(tmp_path, content, code, says):
    (tmp_path / "file").write_bytes(content)

    with pytest.raises(UnreadableFile) as refused:
        read(tmp_path / "file")

    assert refused.value.code == code
    assert says in refused.value.sentence


def test_a_library_of_two_data_sets_is_refused_with_their_number(written):
    path = written("xpt", PEOPLE[["name"]], file_format_version=5)
    content = path.read_bytes()
    member = content.index(b"HEADER RECORD*******MEMBER")
    path.write_bytes(content + content[member:])

    with pytest.raises(UnreadableFile, match="2 data sets"):
        read(path)


@pytest.mark.parametrize(
    ("limit", "allowed"), [("rows", 2), ("columns", 6), ("cells", 20), ("expanded_bytes", 50)]
)
def test_a_file_that_is_too_large_is_refused_by_its_limit(written, limit, allowed):
    path = written("sav")

    with pytest.raises(LimitExceeded) as refused:
        list(read(path, limits=Limits(**{limit: allowed})).bodies[0].batches())

    assert refused.value.details["limit"] == limit


def test_a_text_that_is_too_long_is_refused(written):
    path = written("sav", pd.DataFrame({"t": ["x" * 3000]}))

    with pytest.raises(LimitExceeded) as refused:
        list(read(path, limits=Limits(cell_bytes=2000)).bodies[0].batches())

    assert refused.value.details["limit"] == "cell_bytes"
