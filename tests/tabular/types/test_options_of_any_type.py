"""Options act on every column type that has them. Spec: field > dropdownOptions."""

import pytest

from tabular.protocol.answers import Answers
from tabular.types.value_texts import json_texts
from tests.tabular.tables import typed


def option(value, label, type_="string", **more):
    return {"type": type_, "value": value, "label": label, **more}


def read(column_type, options, texts, **more):
    """Return the delivered JSON of one column, and its codes by row."""
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


def test_what_is_not_an_option_is_read_by_the_type_where_that_is_allowed():
    texts = ["First", "1.234", "viel"]

    values, codes = read("int", RANKS, texts, allowCustomOptions=True, numberFormat="eu")

    assert values == ["1", "1234", None]
    assert codes == {(2, "not_a_whole_number")}


def test_a_date_next_to_options_is_written_as_a_text():
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


COUNTRIES = [option("DE", "Germany"), option("AT", "Austria")]


@pytest.mark.parametrize(
    ("options", "countries", "numbers"),
    [
        # Of several countries none is the one of a number.
        (COUNTRIES, ["DE", "DE;AT", "AT"], ["+49301234567", None, "+4312345678"]),
        ([option(1, "Germany", "int")], ["1", "Germany", None], [None, None, None]),
        ([option("de-south", "Bavaria")], ["Bavaria", None, None], [None, None, None]),
    ],
)
@pytest.mark.parametrize("is_several", [True, False])
def test_options_of_a_country_field_may_be_anything(options, countries, numbers, is_several):
    country = {"key": "land", "columnType": "country_code_alpha_2", "dropdownOptions": options}
    fields = [country | {"isMultiSelect": is_several}, {"key": "tel", "columnType": "phone"}]
    columns = {"land": countries, "tel": ["030 1234567", "030 1234567", "01 2345678"]}

    rows = typed(fields, columns)

    assert rows.values["e.tel"].to_pylist() == numbers


def test_options_of_an_import_take_the_place_of_the_catalogs_in_rules_and_formats():
    rule = {"validate": "compare", "op": "gt", "value": 1}
    rule_of_other = {"validate": "compare", "op": "gt", "column": "day"}
    fields = [
        {"key": "day", "columnType": "date", "outputFormat": "DD.MM.YYYY", "validations": [rule]},
        {"key": "end", "columnType": "date", "validations": [rule_of_other]},
    ]
    context = {"options": {"e.day": [option(1, "Mo", "int"), option(2, "Tu", "int")]}}

    rows = typed(fields, {"day": ["Mo", "Tu"], "end": ["2024-01-31", None]}, context=context)

    assert rows.values["e.day"].to_pylist() == [1, 2]
    assert [(f.code, f.rows.tolist()) for f in rows.findings] == [("compare", [0])]


@pytest.mark.parametrize(
    ("options", "answer", "values"),
    [
        ([*SIZES, option(7, "Seven", "int")], 7, ['"7"', '"s"']),
        (RANKS, 2.0, ["2", None]),
        (RANKS, "soon", [None, None]),
        (RANKS, 10**30, [None, None]),
        (RANKS, 1.5, [None, None]),
    ],
)
@pytest.mark.parametrize("is_several", [True, False])
def test_an_answer_is_the_value_or_an_issue_never_an_end(options, answer, values, is_several):
    more = {"dropdownOptions": options, "allowCustomOptions": True, "isMultiSelect": is_several}
    fields = [{"key": "it", "columnType": "category", **more}]

    rows = typed(
        fields, {"it": ["huge", "s"]}, answers=Answers(category_value={"e.it": {"huge": answer}})
    )

    shown = json_texts(rows.values["e.it"], "category").to_pylist()
    assert shown == [f"[{v}]" if v and is_several else v for v in values]
    lost = [row for f in rows.findings for row in f.rows.tolist() if f.code == "unknown_option"]
    assert lost == [row for row, value in enumerate(values) if value is None]


@pytest.mark.parametrize("more", [{}, {"optionMappingMode": "exact"}, {"isMultiSelect": True}])
@pytest.mark.parametrize("others", [[], [option("s", "Small")]])
def test_a_whole_number_among_fractions_is_found_as_people_write_it(more, others):
    options = [option(2.0, "Double", "float"), option(0.5, "Half", "float"), *others]

    values, codes = read("category", options, ["2", "2.0", "0.5"], **more)

    assert codes == set()
    assert len(set(values[:2])) == 1
