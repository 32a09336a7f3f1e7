"""Text above a table, and how the cells of workbooks and records are written."""

import datetime as dt

import pytest

from tabular.model.table import MONIES, Kind, NumberText
from tabular.reading.layout import lay_out
from tabular.reading.layout.grid import Grid
from tabular.reading.layout.header_signs import shape
from tabular.reading.layout.pairs import document_pairs
from tabular.reading.structured.flat_records import flatten, parse
from tabular.reading.workbook.formats import shown_by, telling
from tabular.reading.workbook.texts import number_text, plain_text, text_of, texts_of


@pytest.mark.parametrize(
    ("row", "pairs"),
    [
        (["Date: 1.5.2024"], {"Date": "1.5.2024"}),
        (["Date:", "1.5.2024"], {"Date": "1.5.2024"}),
        (["Date", "1.5.2024"], {"Date": "1.5.2024"}),
        (["# Date:", "1.5.2024"], {"Date": "1.5.2024"}),
        (["Date:", "1.5.2024", "Rate:", "5"], {"Date": "1.5.2024", "Rate": "5"}),
        (["Date: 1.5.2024", "Rate:", "5"], {"Date": "1.5.2024", "Rate": "5"}),
        (["", "Date:", "", "1.5.2024"], {"Date": "1.5.2024"}),
        (["Date:"], {}),
        (["A:", "b"], {"A": "b"}),
        ([":", "b"], {}),
        (["x" * 40, "b"], {"x" * 40: "b"}),
        (["x" * 41, "b"], {}),
        (["Done.", "b"], {}),
        (["1.5.2024", "b"], {}),
        (["a", "b"], {}),
        (["name", "price", "day"], {}),
        (["See http://x.test/y"], {}),
    ],
)
def test_pairs_above_a_table_are_read(row, pairs):
    assert document_pairs(Grid.whole([row]), [0]) == pairs


def test_the_first_of_two_equal_keys_wins():
    assert document_pairs(Grid.whole([["Date: 1"], ["Date: 2"]]), [0, 1]) == {"Date": "1"}


BODY = [[f"part {n}", f"{n}.5", f"{n * 7}.25", f"{n * 3}.75"] for n in range(1, 7)]


@pytest.mark.parametrize(
    ("names", "is_header"),
    [
        (["Part", "2021", "2022", "2023"], True),
        (["Part", "1800", "2200", "2000"], True),
        (["Part", "1", "2", "3"], True),  # they count
        (["Part", "10", "20", "30"], True),
        (["Part", "2021", "2021", "2022"], False),
        (["Part", "1", "2", "4"], False),
        (["Part", "1.5", "2.5", "3.5"], False),
        (["Part", "1799", "2201", "2350"], False),
    ],
)
def test_numbers_that_count_or_are_years_name_the_columns_below(names, is_header):
    region = lay_out([names, *BODY])[0]

    assert (region.header_rows == (0,)) == is_header


def test_years_above_years_are_data():
    rows = [["part", "2021", "2022"], *([f"p{n}", f"{2000 + n}", f"{2010 + n}"] for n in range(6))]

    assert lay_out(rows)[0].header_rows == ()


@pytest.mark.parametrize(
    ("first", "other", "is_alike"),
    [
        ("Ada Lovelace", "Grace Brewster Hopper", True),
        ("Ada Lovelace", "first_name", False),
        ("K-12", "AB-3456", True),
        ("K-12", "k-12", False),
        ("12 kg", "7 kg", True),
    ],
)
def test_texts_have_a_shape(first, other, is_alike):
    assert (shape(first) == shape(other)) == is_alike


@pytest.mark.parametrize(
    ("record", "flat"),
    [
        ('{"a": {"b": {"c": 1}}}', {"a.b.c": "1"}),
        ('{"a.b": 1, "a": {"b": 2}}', {"a.b": "1", "a.b (2)": "2"}),
        ('{"a": {}}', {"a": "{}"}),
        ('{"a": [1.10, "x", {"y": null}, true]}', {"a": '[1.10, "x", {"y": null}, true]'}),
        ('{"a": null, "b": false, "c": ""}', {"a": "", "b": "false", "c": ""}),
        ('{"a": 12345678901234567890, "b": 1e400}', {"a": "12345678901234567890", "b": "1e400"}),
        ('{"a": "ü"}', {"a": "ü"}),
    ],
)
def test_a_record_becomes_one_row_of_texts(record, flat):
    assert flatten(parse(record)) == flat


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (69.0, "69"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (0.57 * 100, "57"),
        (1 / 3, "0.333333333333333"),
        (123456.789, "123456.789"),
        (1e15, "1000000000000000"),
        (2.0**53, "9007199254740992"),
        (1e16, "10000000000000000"),
        (1e21, "1000000000000000000000"),
        (1e22, "1e+22"),
        (1.5e-7, "0.00000015"),
        (1e-22, "1e-22"),
        (float("inf"), "inf"),
        (-2.5, "-2.5"),
    ],
)
def test_a_number_is_written_as_a_spreadsheet_shows_it(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("digits", "text"),
    [("57.00", "57"), ("1E3", "1000"), ("0.50", "0.5"), ("1e300", "1e300"), ("100", "100")],
)
def test_a_decimal_number_is_written_without_an_exponent(digits, text):
    assert plain_text(digits) == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("007", "007"),
        (7, "7"),
        (True, "true"),
        (False, "false"),
        (dt.date(2024, 1, 31), "2024-01-31"),
        (dt.datetime.fromisoformat("2024-01-31"), "2024-01-31"),
        (dt.datetime.fromisoformat("2024-01-31T13:05"), "2024-01-31 13:05:00"),
        (dt.time(13, 5, 9), "13:05:09"),
        (dt.timedelta(days=1, hours=2, minutes=3, seconds=4), "26:03:04"),
        (dt.timedelta(seconds=-61), "-0:01:01"),
        (dt.timedelta(0), "0:00:00"),
    ],
)
def test_a_cell_of_a_workbook_has_one_spelling(cell, text):
    assert text_of(cell) == text
    assert texts_of([cell, "x"]) == [text, "x"]


@pytest.mark.parametrize(
    ("code", "kind", "digits"),
    [
        ("General", Kind.NUMBER, 0),
        ("0.0%", Kind.PERCENT, 0),
        ('0" %"', Kind.NUMBER, 0),  # only written next to it
        ('#,##0.00 "€"', Kind.EURO, 0),
        ("[$€-407] #,##0.00", Kind.EURO, 0),
        ("[$-407] #,##0.00", Kind.NUMBER, 0),
        ("$#,##0.00", Kind.DOLLAR, 0),
        ("[$$-409]#,##0.00", Kind.DOLLAR, 0),
        ("[$$-C09]#,##0.00", MONIES["AUD"], 0),  # the Australian one
        ('#,##0.00 "CHF"', MONIES["CHF"], 0),
        ('#,##0 "kr."', MONIES["kr."], 0),
        ('0 "pcs"', Kind.NUMBER, 0),
        ("0;-0%", Kind.NUMBER, 0),  # the first section is for positive numbers
        ("00000", Kind.NUMBER, 5),
        ("0", Kind.NUMBER, 0),
    ],
)
def test_a_number_format_says_what_a_number_is(code, kind, digits):
    shown = shown_by(code)

    assert (shown.kind, shown.digits) == (kind, digits)


def test_leading_zeros_are_put_back_to_whole_numbers_only():
    shown = shown_by("00000")

    assert shown.text(NumberText("1067")) == "01067"
    assert shown.text(NumberText("-7")) == "-7"
    assert shown.text("1067") == "1067"  # a text stays


def test_styles_that_say_more_than_a_number_are_kept_by_their_place():
    styles = telling({164: '0 "€"', 165: "0.00"}, [0, 9, 10, 164, 165])

    assert {place: item.kind for place, item in styles.items()} == {
        1: Kind.PERCENT,
        2: Kind.PERCENT,
        3: Kind.EURO,
    }
