"""All code that has to classify a text gives the answer of the one judge."""

import pyarrow as pa
import pytest

from tabular.detecting.accepting import accepted
from tabular.detecting.patterns import kinds_of
from tabular.reading.cells import Look, is_nothing, look
from tabular.reading.pdf.grids.content import kind_of
from tabular.types.families.numbers import tally_numbers
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.values import Kind, amount, judge

# Text, its kind, its kind for the layout, its kind in a PDF, what it may be to a detector, whether
# a column of decimals accepts it in one of the two formats.
ANSWERS = [
    ("12", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("-1.234,50", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("1.500", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("CHF 12.50", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("12,50 €", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("(12)", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("39 %", Kind.NUMBER, Look.NUMBER, "number", "number", False),  # a percentage, no decimal
    ("1 234 567", Kind.NUMBER, Look.NUMBER, "number", "number", True),
    ("12 kg", Kind.QUANTITY, Look.NUMBER, "number", "number", False),
    ("TOP 10", Kind.WORD, Look.WORD, "text", None, False),
    ("1.2.3", Kind.CODE, Look.CODE, "code", "code", False),
    ("1,2,3", Kind.WORD, Look.WORD, "text", None, False),
    ("AB-12", Kind.CODE, Look.CODE, "code", "code", False),
    ("31.12.2024", Kind.DATE, Look.DATE, "date", "date", False),
    ("3. März 2024", Kind.DATE, Look.DATE, "date", "date", False),
    ("Jan 31, 2024", Kind.DATE, Look.DATE, "date", "date", False),
    ("2024-01-31T10:00:00Z", Kind.DATE, Look.DATE, "date", "date", False),
    ("2024-13-01", Kind.CODE, Look.CODE, "code", "code", False),
    ("31.02.2024", Kind.CODE, Look.CODE, "code", "code", False),
    ("März 2024", Kind.PERIOD, Look.DATE, "date", None, False),
    ("14:30", Kind.TIME, Look.TIME, "text", "time", False),
    ("25:30", Kind.CODE, Look.CODE, "code", "code", False),
    ("n/a", Kind.PLACEHOLDER, Look.WORD, "mark", None, False),
    ("k. A.", Kind.PLACEHOLDER, Look.WORD, "mark", None, False),
    ("--", Kind.PLACEHOLDER, Look.WORD, "mark", None, False),
    ("#DIV/0!", Kind.ERROR, Look.WORD, "mark", None, False),
    ("ja", Kind.BOOLEAN, Look.FLAG, "text", "boolean", False),
    ("a@b.example", Kind.EMAIL, Look.ADDRESS, "text", "email", False),
    ("https://b.example/1", Kind.URL, Look.ADDRESS, "text", "url", False),
    ("+49 171 1234567", Kind.PHONE, Look.ADDRESS, "text", "phone", False),
    ("784-366-7490", Kind.PHONE, Look.ADDRESS, "text", "phone", False),
    ("DE89 3704 0044 0532 0130 00", Kind.WORD, Look.WORD, "text", "iban", False),
    ("DE89370400440532013000", Kind.CODE, Look.CODE, "code", "iban", False),
    ("4006381333931", Kind.NUMBER, Look.NUMBER, "number", "gtin", True),
    ("Oak hinge", Kind.WORD, Look.WORD, "text", "words", False),
]


@pytest.mark.parametrize(("text", "kind", "cell", "in_pdf", "detected", "decimal"), ANSWERS)
def test_every_caller_gives_the_same_answer(text, kind, cell, in_pdf, detected, decimal):
    column = pa.array([text], pa.string())
    reads = [read_column(column, "float", ParseOptions(number_format=fmt)) for fmt in ("eu", "us")]
    votes = tally_numbers(column)

    assert judge(text).kind is kind
    assert look(text) is cell
    assert kind_of(text) == in_pdf
    assert detected is None or detected in kinds_of(text)
    assert any(item.values.is_valid()[0].as_py() for item in reads) == decimal
    assert (amount(text) is not None) == (kind in {Kind.NUMBER, Kind.QUANTITY})
    assert ("number" in kinds_of(text)) == (cell is Look.NUMBER)
    assert ("date" in kinds_of(text)) == (kind is Kind.DATE)
    assert is_nothing(text) == (kind is Kind.PLACEHOLDER)
    assert not (votes.eu or votes.us or votes.either) or kind in {Kind.NUMBER, Kind.QUANTITY}


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("DE89 3704 0044 0532 0130 00", "iban"),
        ("DE89 3704 0044 0532 0130 01", "iban"),  # wrong check digits
        ("4006381333931", "gtin"),
        ("4006381333932", "gtin"),
        ("COBADEFFXXX", "bic"),
        ("COBAXXFFXXX", "bic"),  # no such country
    ],
)
def test_a_code_is_what_its_column_type_takes(text, type_):
    assert (type_ in kinds_of(text)) == (accepted((text,), type_) == 1.0)


@pytest.mark.parametrize("text", ["n/a", "-", "k. A.", "#N/A", "NULL"])
def test_no_detector_and_no_type_takes_a_placeholder(text):
    assert kinds_of(text) == frozenset()
    for type_ in ("float", "date", "boolean", "currency_code", "country_code_alpha_2", "iban"):
        assert accepted((text,), type_) == 0.0
