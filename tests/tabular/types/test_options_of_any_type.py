"""Options act on every column type that has them. Spec: field > dropdownOptions."""

import pytest

from tabular.types.value_texts import json_texts
from tests.tabular.tables import typed


def option(value, label, type_="string", **more):
    return {"type": type_, "value": value, "label": label, **more}


def read(column_type, options, texts, **more):
    """Give the delivered JSON of one column, and its codes by row."""
    fields = [{"key": "it", "columnType": column_type, "dropdownOptions": options, **more}]
    rows = typed(fields, {"it": texts})
    codes = {(row, f.code) for f in rows.findings for row in f.rows.tolist()}
    return json_texts(rows.values["e.it"], column_type).to_pylist(), codes


SIZES = [option("s", "Small", alternativeMatches=["klein"]), option("l", "Large")]
RANKS = [option(1, "First", "int"), option(2, "Second", "int")]


@pytest.mark.parametrize("column_type", ["string", "category", "date", "int", "email", "boolean"])
def test_a_field_of_any_type_delivers_the_value_of_its_option(column_type):
    values, codes = read(column_type, SIZES, ["Small", "KLEIN", "l", "huge", None])

    assert values == ['"s"', '"s"', '"l"', None, None]
    assert codes == {(3, "unknown_option")}


def test_numbers_of_options_are_delivered_as_numbers():
    assert read("string", RANKS, ["First", "2"])[0] == ["1", "2"]


def test_fractions_of_options_are_delivered_as_numbers():
    shares = [option(0.5, "Half", "float"), option(2.0, "Double", "float")]

    assert read("string", shares, ["Half", "0.5", "double"])[0] == ["0.5", "0.5", "2"]


def test_what_is_no_option_is_read_by_the_type_where_that_is_allowed():
    texts = ["First", "1.234", "viel"]

    values, codes = read("int", RANKS, texts, allowCustomOptions=True, numberFormat="eu")

    assert values == ["1", "1234", None]
    assert codes == {(2, "not_a_whole_number")}


def test_a_date_beside_options_is_written_as_a_text():
    soon = [option("soon", "Soon")]

    values, codes = read("date", soon, ["31.12.2024", "soon", "x"], allowCustomOptions=True)

    assert (values, codes) == (['"2024-12-31"', '"soon"', None], {(2, "not_a_date")})


def test_a_number_that_the_options_cannot_hold_is_an_issue():
    values, codes = read("float", RANKS, ["1", "2.5"], allowCustomOptions=True)

    assert (values, codes) == (["1", None], {(1, "unknown_option")})


def test_several_options_are_held_by_any_type():
    values, _ = read("string", SIZES, ["Small; Large", "l"], isMultiSelect=True)

    assert values == ['["s","l"]', '["l"]']


def test_texts_and_numbers_in_one_list_are_delivered_as_texts():
    values, codes = read("category", [*SIZES, *RANKS], ["Second", "Large"])

    assert (values, codes) == (['"2"', '"l"'], set())


def test_an_output_format_without_effect_writes_nothing():
    values, codes = read("date", SIZES, ["Small"], outputFormat="DD.MM.YYYY")

    assert (values, codes) == (['"s"'], set())
