"""Cells that are numbers already are never read like texts."""

import datetime as dt
import json
from decimal import Decimal

import openpyxl
import pyarrow as pa
import pytest

from tabular.job.read import read as read_job
from tabular.job.transform import transform as transform_job
from tabular.model.recipe import Recipe
from tabular.model.table import Kind, silent
from tabular.protocol import forms
from tabular.protocol.results import ReadResult
from tabular.reading.workbook.texts import number_text
from tabular.transforming.inference import infer
from tabular.transforming.inferred import inferred_of
from tabular.transforming.reading_rows import transform
from tabular.transforming.source import Source
from tabular.types.kinds import read_cells, typed_again
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tests.jobs import reading_of, transforming_of
from tests.tabular.tables import batch, plan_for

PERCENT = "percentage"


def cells(columns):
    """Return a batch. columns: per name texts, or pairs of text and kind."""
    pairs = {
        name: [c if isinstance(c, tuple) else (c, Kind.TEXT) for c in cells]
        for name, cells in columns.items()
    }
    texts = batch({name: [text for text, _ in cells] for name, cells in pairs.items()})
    kinds = pa.StructArray.from_arrays(
        [pa.array([kind for _, kind in cells], pa.int8()) for cells in pairs.values()],
        names=list(pairs),
    )
    names = texts.schema.names
    return pa.RecordBatch.from_arrays(
        [texts.column(0), kinds, *texts.columns[1:]], names=[names[0], "__kinds__", *names[1:]]
    )


def read(field, pairs, **extra):
    """Read one column; return values, codes by row, kinds of question."""
    plan = plan_for([{"key": "f", **field}], {"f": []}, **extra)
    source = [cells({"f": pairs})]
    inferred = infer(source, plan=plan)
    (rows,) = transform(source, plan=plan, inferred=inferred)
    codes = {row: finding.code for finding in rows.findings for row in finding.rows.tolist()}
    return rows.values["e.f"].to_pylist(), codes, [q.kind for q in inferred.questions]


def recipe_of(steps):
    return Recipe.model_validate_json(json.dumps({"version": 1, "steps": steps}))


def number(text):
    return text, Kind.NUMBER


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ({"columnType": "float", "numberFormat": "eu"}, "5.125", 5.125),
        ({"columnType": "float", "numberFormat": "eu"}, "7.5", 7.5),
        ({"columnType": "currency_eur", "numberFormat": "eu"}, "99.125", Decimal("99.1250")),
        ({"columnType": "percentage", "numberFormat": "eu"}, "0.125", 0.125),
        ({"columnType": "int", "numberFormat": "eu"}, "1234", 1234),
        ({"columnType": "date"}, "45000", dt.date(2023, 3, 15)),
        ({"columnType": "time_hms"}, "0.5", dt.time(12)),
    ],
)
def test_a_number_is_that_number_whatever_the_fields_format(field, text, value):
    values, codes, _ = read(field, [number(text)])

    assert (values, codes) == ([value], {})


def test_numbers_among_german_texts_stay_numbers():
    texts = ["1.234,50", "2.000,75", "12,5", "7,25"]

    values, codes, questions = read({"columnType": "float"}, [*texts, number("5.125")])

    assert values == [1234.5, 2000.75, 12.5, 7.25, 5.125]
    assert (codes, questions) == ({}, [])


def test_numbers_say_nothing_about_how_texts_are_written():
    _, _, alone = read({"columnType": "float"}, [number("1.125"), number("2.250")])
    _, _, texts = read({"columnType": "float"}, ["1.125", "2.250"])

    assert (alone, texts) == ([], ["decimal_separator"])


def test_a_percent_format_says_hundredths_and_a_bare_number_asks_its_column():
    shares = [("0.19", Kind.PERCENT), ("0.07", Kind.PERCENT), ("1.5", Kind.PERCENT)]

    assert read({"columnType": PERCENT}, shares)[0] == [0.19, 0.07, 1.5]
    assert read({"columnType": PERCENT}, [number("19"), number("0.5")])[0] == [0.19, 0.005]
    assert read({"columnType": PERCENT}, ["19 %", ("0.07", Kind.PERCENT)])[0] == [0.19, 0.07]
    assert read({"columnType": "float"}, shares)[0] == [0.19, 0.07, 1.5]
    assert read({"columnType": "string"}, shares)[0] == ["19 %", "7 %", "150 %"]


@pytest.mark.parametrize(
    ("type_", "kind", "code"),
    [
        ("currency_eur", Kind.DOLLAR, "other_currency"),
        ("currency_eur", Kind.MONEY, "other_currency"),
        ("currency_usd", Kind.EURO, "other_currency"),
        ("currency_eur", Kind.PERCENT, "not_an_amount"),
        ("percentage", Kind.EURO, "not_a_percentage"),
        ("time_hm", Kind.NUMBER, "not_a_time"),  # as a text, 3.45 is a quarter to four
    ],
)
def test_a_number_of_another_kind_is_an_issue(type_, kind, code):
    assert read({"columnType": type_}, [("3.45", kind)]) == ([None], {0: code}, [])


def test_amounts_keep_their_currency():
    euro = [("99.125", Kind.EURO), number("1.5"), "2 €"]

    values, codes, _ = read({"columnType": "currency_eur"}, euro)

    assert (values, codes) == ([Decimal("99.125"), Decimal("1.5"), Decimal(2)], {})


def test_steps_that_leave_a_text_alone_leave_its_kind():
    steps = [
        {"do": "trim", "columns": ["f"]},
        {"do": "copy", "column": "f", "into": "g"},
        {"do": "fill_down", "columns": ["g"]},
    ]
    recipe = recipe_of(steps)
    german = {"columnType": "float", "numberFormat": "eu"}

    values, _, _ = read(
        german, [number("5.125"), None, "5,125"], recipe=recipe, mapping={"g": "e.f"}
    )

    assert values == [5.125, 5.125, 5.125]


def test_a_step_that_changes_a_text_makes_it_a_text():
    steps = [{"do": "replace", "columns": ["f"], "find": ".", "by": ","}]
    recipe = recipe_of(steps)

    values, _, _ = read(
        {"columnType": "float", "numberFormat": "eu"}, [number("5.125")], recipe=recipe
    )

    assert values == [5.125]


def test_unpivoted_numbers_stay_numbers():
    step = {"do": "unpivot", "columns": ["a", "b"], "nameInto": "n", "valueInto": "v"}
    recipe = recipe_of([step])
    field = {"key": "f", "columnType": "float", "numberFormat": "eu"}
    plan = plan_for([field], {}, recipe=recipe, mapping={"v": "e.f"})
    source = [cells({"a": ["1,5", number("2.125")], "b": [number("3.125"), "4,5"]})]

    (rows,) = transform(source, plan=plan, inferred=infer(source, plan=plan))

    assert rows.values["e.f"].to_pylist() == [1.5, 3.125, 2.125, 4.5]


def upload(tmp_path, name, field, columns=None):
    """Process a file in both steps, with stored files between; return values and codes."""
    catalog = {"key": "t", "entries": [{"id": "e", "fields": [{"key": "item"}, field]}]}
    (tmp_path / "out").mkdir()
    job = read_job(reading_of(tmp_path / name, catalog=catalog), tmp_path, silent)
    table = forms.read(ReadResult, forms.written(job)).table
    request = transforming_of(
        tmp_path / "out" / "source.arrow",
        catalog=catalog,
        mapping=columns or {"item": "e.item"},
        document=table.document,
        document_kinds=table.document_kinds,
    )
    result = transform_job(request, tmp_path, silent)
    plan = request.plan
    inferred = inferred_of(plan, result.inferred)
    source = Source(tmp_path / "out" / "source.arrow")
    (rows,) = transform(source, plan=plan, inferred=inferred)
    codes = {row: f.code for f in rows.findings for row in f.rows.tolist()}
    return rows.values[f"e.{field['key']}"].to_pylist(), codes


@pytest.mark.parametrize(
    ("type_", "value", "number_format", "read_as"),
    [
        ("float", 5.125, "General", 5.125),
        ("currency_eur", 99.125, "General", Decimal("99.125")),
        ("percentage", 0.19, "0%", 0.19),
        ("string", 0.19, "0%", "19 %"),
        ("float", "5.125", "General", 5125.0),  # a text: the field's own format reads it
    ],
)
def test_a_number_above_the_table_is_that_number(tmp_path, type_, value, number_format, read_as):
    book = openpyxl.Workbook()
    book.active.append(["Rate:", value])
    book.active["B1"].number_format = number_format
    for row in ([], ["item", "count", "place"], ["a", 1, "x"], ["b", 2, "y"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    field = {"key": "rate", "columnType": type_, "scope": "document"}
    field |= {} if type_ == "string" else {"numberFormat": "eu"}

    assert upload(tmp_path, "a.xlsx", field) == ([read_as, read_as], {})


def test_a_number_next_to_the_records_of_a_json_is_that_number(tmp_path):
    (tmp_path / "a.json").write_text('{"rate": 5.125, "rows": [{"item": "a"}, {"item": "b"}]}')
    field = {"key": "rate", "columnType": "float", "scope": "document", "numberFormat": "eu"}

    assert upload(tmp_path, "a.json", field) == ([5.125, 5.125], {})


@pytest.mark.parametrize(
    ("second", "values", "codes"),
    [
        (None, [5.125, 5.125], {}),  # a replacement for an empty cell keeps its kind
        ("5,125", [5.125, 5.125], {}),  # the same, written in the field's way
        ("5.125", [5.125, 5125.0], {1: "document_differs"}),  # the same letters, not the same value
    ],
)
def test_a_document_field_with_a_column_keeps_the_kind_of_its_first_cell(second, values, codes):
    field = {"columnType": "float", "scope": "document", "numberFormat": "eu"}

    read_values, read_codes, _ = read(field, [number("5.125"), second])

    assert (read_values, read_codes) == (values, codes)


def kinds_of(path):
    """Read a file; return the kinds of each column."""
    from tabular.reading import read as read_file

    (batch,) = read_file(path).bodies[0].batches()
    return {
        f.name: batch["__kinds__"].field(i).to_pylist()
        for i, f in enumerate(batch["__kinds__"].type)
    }


def test_a_workbook_says_what_its_cells_are(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["text", "number", "flag", "day", "time"])
    book.active.append(["5.125", 5.125, True, dt.date(2024, 5, 1), dt.time(12, 30)])
    book.save(tmp_path / "a.xlsx")

    assert kinds_of(tmp_path / "a.xlsx") == {
        "text": [Kind.TEXT],
        "number": [Kind.NUMBER],
        "flag": [Kind.BOOLEAN],
        "day": [Kind.DATE],
        "time": [Kind.TIME],
    }


def test_json_says_what_its_values_are(tmp_path):
    records = [{"n": 5.125, "t": "5.125", "b": True}, {"n": None, "t": "x", "b": False}]
    (tmp_path / "a.json").write_text(json.dumps(records))

    assert kinds_of(tmp_path / "a.json") == {
        "n": [Kind.NUMBER, Kind.TEXT],
        "t": [Kind.TEXT, Kind.TEXT],
        "b": [Kind.BOOLEAN, Kind.BOOLEAN],
    }


@pytest.mark.parametrize("name", ["__row__", "__page__", "__boxes__", "__kinds__"])
def test_a_column_cannot_take_a_name_of_ours(tmp_path, name):
    from tabular.reading import read as read_file

    (tmp_path / "a.csv").write_text(f"id,{name}\n1,2\n3,4\n")

    reading = read_file(tmp_path / "a.csv")

    assert reading.tables[0].columns == ("id", f"{name} (2)")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.57 * 100, "57"),  # 56.99999999999999
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.333333333333333"),
        (1e16, "10000000000000000"),
        (9007199254740991.0, "9007199254740991"),
        (1e-7, "0.0000001"),
        (1.5e300, "1.5e+300"),
        (-0.0, "0"),
    ],
)
def test_a_number_has_the_digits_that_spreadsheets_show(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize("number_format", ["eu", "us"])
@pytest.mark.parametrize(
    ("type_", "cell"),
    [
        ("float", number("5.125")),
        ("float", ("0.19", Kind.PERCENT)),
        ("int", number("1234")),
        ("percentage", ("0.195", Kind.PERCENT)),
        ("percentage", number("19.5")),
        ("currency_eur", ("99.125", Kind.EURO)),
        ("string", ("0.07", Kind.PERCENT)),
        ("string", number("5.125")),
        ("date", ("2024-05-01", Kind.DATE)),
    ],
)
def test_a_cell_typed_again_reads_to_the_same(type_, cell, number_format):
    how = ParseOptions(number_format=number_format)
    texts, kinds = pa.array([cell[0]]), pa.array([cell[1]], pa.int8())

    typed = typed_again(texts, kinds, type_, how)

    assert read_column(typed, type_, how) == read_cells(texts, kinds, type_, how)
