"""What is asked about how a column is written, with evidence, effects and a default."""

import pytest

from tabular.transforming import settle
from tests.tabular.tables import batch, plan_for

FLOAT = [{"key": "price", "columnType": "float"}]


def ask(fields, columns, **extra):
    plan = plan_for(fields, columns, **extra)
    return settle([batch(columns)], plan=plan)


@pytest.mark.parametrize(
    ("other", "extra", "likely"),
    [
        ({}, {}, "us"),
        ({}, {"delimiter": ";"}, "eu"),
        ({}, {"delimiter": ","}, "us"),
        ({}, {"context": {"region": "DE"}}, "eu"),
        ({}, {"context": {"region": "CH"}}, "us"),
        ({"total": ["1.234,50 €", "7,5"]}, {}, "eu"),
        ({"total": ["1.234,50 €", "7,5"]}, {"delimiter": ","}, "eu"),  # numbers say more
        ({"total": ["1,234.50", "7.5"]}, {"delimiter": ";"}, "us"),
        ({"one": ["7,5", "1,5"], "two": ["7.5", "1.5"]}, {"delimiter": ";"}, "eu"),  # they differ
        ({"version": ["1.2.3", "1.5"]}, {"delimiter": ";"}, "eu"),  # not all are numbers
        ({"note": ["about 1,5", "x"]}, {}, "us"),
    ],
)
def test_the_rest_of_the_file_is_the_default_of_the_decimal_mark(other, extra, likely):
    columns = {"price": ["1.500", "2.250"], **other}
    settled = ask(FLOAT, columns, mapping={"price": "e.price"}, **extra)

    (question,) = settled.questions
    assert (question.kind, question.default) == ("decimal_separator", likely)
    assert settled.hows["e.price"].number_format == likely


def test_the_question_says_which_columns_speak_for_its_default():
    columns = {"price": ["1.500"], "total": ["7,5"]}
    settled = ask(FLOAT, columns, mapping={"price": "e.price"}, delimiter=";")

    assert settled.questions[0].evidence[-1] == "“total”: a comma before the decimals"


@pytest.mark.parametrize(
    ("type_", "text", "kind", "effects"),
    [
        ("float", "1.500", "decimal_separator", ["Every row gets 1500.0", "Every row gets 1.5"]),
        ("currency_eur", "1.500 €", "decimal_separator", ["1500", "1.5"]),
        ("date", "03/04/2024", "date_order", ["2024-04-03", "2024-03-04"]),
    ],
)
@pytest.mark.parametrize("column", [None, [None, None]])  # none, or one that says nothing
def test_a_text_above_the_table_that_reads_two_ways_is_asked_about(
    type_, text, kind, effects, column
):
    fields = [{"key": "x"}, {"key": "rate", "columnType": type_, "scope": "document"}]
    columns = {"x": ["a", "b"]} | ({"rate": column} if column else {})
    mapping = {name: f"e.{name}" for name in columns}
    settled = ask(fields, columns, mapping=mapping, document={"rate": text})

    (question,) = settled.questions
    assert (question.kind, question.field) == (kind, "e.rate")
    assert question.columns == (("rate",) if column else ())
    assert all(told in one.effect for told, one in zip(effects, question.candidates, strict=True))
    assert text in question.evidence[0]


@pytest.mark.parametrize(("type_", "text"), [("float", "1.500,25"), ("date", "23/04/2024")])
def test_a_text_above_the_table_that_reads_one_way_is_not_asked_about(type_, text):
    fields = [{"key": "x"}, {"key": "rate", "columnType": type_, "scope": "document"}]
    plan = plan_for(fields, {"x": ["a"]}, mapping={"x": "e.x"}, document={"rate": text})

    assert settle([batch({"x": ["a"]})], plan=plan).questions == ()


def test_the_column_settles_how_the_text_above_it_is_read():
    field = {"key": "day", "columnType": "date", "scope": "document"}
    columns = {"day": ["23/04/2024", "04/23/2024", "24/04/2024"], "x": ["a", "b", "c"]}
    settled = ask([field], columns, mapping={"day": "e.day"}, document={"day": "03/04/2024"})

    assert [one.columns for one in settled.questions] == [("day",)]
