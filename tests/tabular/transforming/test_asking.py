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
