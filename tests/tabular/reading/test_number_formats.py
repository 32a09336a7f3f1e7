"""What a workbook's number formats, parts and digits make of its cells."""

import datetime as dt
import zipfile

import openpyxl
import pytest
import xlwt

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.table import MONIES, Kind
from tabular.reading import read
from tabular.reading.workbook.formats import shown_by

PARTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def column(path, name, **options):
    """Read a file; return the texts and the kinds of a column."""
    (batch,) = read(path, **options).bodies[0].batches()
    kinds = batch["__kinds__"]
    place = [f.name for f in kinds.type].index(name)
    return batch[name].to_pylist(), kinds.field(place).to_pylist()


def written(path, values, number_format):
    book = openpyxl.Workbook()
    book.active.append(["name", "value"])
    for number, value in enumerate(values, 2):
        book.active.append([f"n{number}", value])
        book.active.cell(number, 2).number_format = number_format
    book.save(path)
    return path


def written_xls(path, values, number_format):
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    style = xlwt.easyxf(num_format_str=number_format)
    for place, name in enumerate(["name", "value"]):
        sheet.write(0, place, name)
    for number, value in enumerate(values, 1):
        sheet.write(number, 0, f"n{number}")
        sheet.write(number, 1, value, style)
    book.save(str(path))
    return path


def rewritten(path, change):
    """Write a package again. change: name and bytes of a part to the new ones."""
    target = path.with_name(f"re-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(*change(name, old.read(name)))
    return target


@pytest.mark.parametrize("write", [written, written_xls])
@pytest.mark.parametrize(
    ("number_format", "values", "texts", "kind"),
    [
        ("0%", [0.19, 0.07, 1.5], ["0.19", "0.07", "1.5"], Kind.PERCENT),
        ("0.00%", [1, 2], ["1", "2"], Kind.PERCENT),
        ('#,##0.00 "€"', [99.125, 1], ["99.125", "1"], Kind.EURO),
        ("[$$-409]#,##0.00", [5.125], ["5.125"], Kind.DOLLAR),
        ("[$£-809]#,##0.00", [5.125], ["5.125"], MONIES["GBP"]),
        ("# ?/?", [0.5], ["0.5"], Kind.NUMBER),
        ("00000", [1234, 1], ["01234", "00001"], Kind.NUMBER),
        ("[h]:mm:ss", [dt.timedelta(hours=30)], ["30:00:00"], Kind.DURATION),
        ("hh:mm", [dt.time(12, 30)], ["12:30:00"], Kind.TIME),
        ("DD.MM.YYYY", [dt.date(2024, 5, 1)], ["2024-05-01"], Kind.DATE),
        ("General", [0.57 * 100, 1e15], ["57", "1000000000000000"], Kind.NUMBER),
    ],
)
def test_the_number_format_says_what_a_cell_is(tmp_path, write, number_format, values, texts, kind):
    if write is written_xls and kind is Kind.DURATION:
        values = [value / dt.timedelta(days=1) for value in values]

    path = write(tmp_path / "a", values, number_format)

    assert column(path, "value") == (texts, [kind] * len(texts))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("0%;[Red]-0%", Kind.PERCENT),
        ('0" %"', Kind.NUMBER),  # the sign is only shown
        ("0\\%", Kind.NUMBER),
        ('_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-', Kind.EURO),
        ("[$EUR] #,##0.00", Kind.EURO),
        ("$#,##0.00", Kind.DOLLAR),
        ("[$$-C09]#,##0.00", MONIES["AUD"]),
        ("[$$-x-none]#,##0.00", Kind.MONEY),  # anybody's dollars
        ("[$¥-411]#,##0", MONIES["JPY"]),
        ('"¥"#,##0', MONIES["¥"]),  # the yen or the yuan
        ("[$THB] #,##0.00", MONIES["THB"]),
        ("[$CHF-807] #,##0.00", MONIES["CHF"]),
        ('0.00 "kg"', Kind.NUMBER),
        ("[Red]0.00", Kind.NUMBER),
        ("#,##0.00_);(#,##0.00)", Kind.NUMBER),
        ("@", Kind.NUMBER),
        ('"', Kind.NUMBER),
    ],
)
def test_a_format_code_is_read_like_a_spreadsheet_does(code, kind):
    assert shown_by(code).kind is kind


def test_marks_hold_in_every_chunk_of_a_large_sheet(tmp_path, monkeypatch):
    monkeypatch.setattr("tabular.reading.workbook.package._CHUNK", 700)
    values = [number / 1000 for number in range(1, 900)]

    texts, kinds = column(written(tmp_path / "a", values, "0.0%"), "value")

    assert texts == [f"{value:.15g}" for value in values]
    assert set(kinds) == {Kind.PERCENT}


def test_whole_numbers_keep_every_digit_of_the_file(tmp_path):
    ids = ["12345678901234567890", "12345678901234567891", "1234567890123456", "7"]

    def exact(name, content):
        for number, digits in enumerate(ids):
            content = content.replace(b"<v>%d</v>" % (900 + number), b"<v>%s</v>" % digits.encode())
        return name, content

    path = rewritten(written(tmp_path / "a", [900, 901, 902, 903], "0"), exact)

    assert column(path, "value") == (ids, [Kind.NUMBER] * 4)


def test_whole_numbers_written_with_an_exponent_have_none(tmp_path):
    texts, _ = column(written(tmp_path / "a", [12345678901234567890, 10**16], "0"), "value")

    assert texts == ["12345678901234570000", "10000000000000000"]  # openpyxl writes 16 digits


def test_cells_of_another_make_are_seen_too(tmp_path):
    def odd(name, content):
        if name == "xl/worksheets/sheet1.xml":
            content = content.replace(b'<c r="B2" s="1"', b"<c s='1' r='B2'")
            content = content.replace(b'<c r="B3" s="1"', b'<c  s="1"')
        return name, content

    path = rewritten(written(tmp_path / "a", [0.19, 0.07, 1.5], "0%"), odd)

    assert column(path, "value") == (["0.19", "0.07", "1.5"], [Kind.PERCENT] * 3)


def test_errors_of_an_xls_are_reported(tmp_path):
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for place, name in enumerate(["name", "value"]):
        sheet.write(0, place, name)
    for row in (1, 2):
        sheet.write(row, 0, f"n{row}")
    sheet.write(1, 1, 5)
    sheet.row(2).set_cell_error(1, 0x2A)
    book.save(str(tmp_path / "a"))

    (body,) = read(tmp_path / "a").bodies
    list(body.batches())

    assert [(item.code, item.row, item.value) for item in body.outcome()[1]] == [
        ("error_cell", 2, "#N/A")
    ]


def moved(name, content):
    return name.replace("xl/", "some/where/"), content.replace(b"/xl/", b"/some/where/").replace(
        b'Target="xl/', b'Target="some/where/'
    )


@pytest.mark.parametrize(
    "change",
    [
        moved,
        lambda name, content: (name.replace("/", "\\"), content),
        lambda name, content: (name.upper() if "sheet1" in name else name, content),
        lambda name, content: (name, content.replace(b"A1:B3", b"A1:XFD1048576")),
    ],
    ids=["other folders", "other slashes", "other case", "a dimension of the whole sheet"],
)
def test_a_workbook_is_known_by_its_relations(tmp_path, change):
    path = rewritten(written(tmp_path / "a", [0.19, 0.07], "0%"), change)

    assert read(path).file_format == "xlsx"
    assert column(path, "value") == (["0.19", "0.07"], [Kind.PERCENT] * 2)


def test_cells_without_a_value_do_not_stretch_a_sheet(tmp_path):
    def far(name, content):
        cell = b'<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
        return name, content.replace(b"</sheetData>", cell)

    path = rewritten(written(tmp_path / "a", [0.19], "0%"), far)

    assert column(path, "value", limits=Limits(cells=10_000))[0] == ["0.19"]


def test_one_far_value_is_refused(tmp_path):
    def far(name, content):
        cell = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
        return name, content.replace(b"</sheetData>", cell)

    path = rewritten(written(tmp_path / "a", [0.19], "0%"), far)

    with pytest.raises(LimitExceeded):
        read(path)


def test_content_types_that_declare_entities_are_refused(tmp_path):
    def evil(name, content):
        if name == "[Content_Types].xml":
            content = b'<!DOCTYPE a [<!ENTITY b "c">]><Types>&b;</Types>'
        return name, content

    path = rewritten(written(tmp_path / "a", [0.19], "0%"), evil)

    with pytest.raises(UnreadableFile) as refused:
        read(path)

    assert refused.value.code == "unsafe_file"
