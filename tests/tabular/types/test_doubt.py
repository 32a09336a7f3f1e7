"""A mark of doubt around a value is never dropped in silence."""

import pyarrow as pa
import pytest

from tabular.model.catalog import StringOption
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.values.doubt import doubted, is_doubted

MARKED = ("{}?", "{} ?", "{} (?)", "{}*", "[{}]", "ca. {}", "approx. {}", "circa {}", "~{}", "?{}")
VALUES = {
    "int": "100",
    "float": "100.5",
    "percentage": "12 %",
    "currency_eur": "100 €",
    "boolean": "yes",
    "date": "05.02.2026",
    "date_iso": "2026-02-05",
    "datetime": "05.02.2026 10:00",
    "time_hm": "10:30",
    "country_code_alpha_2": "Germany",
    "country_code_alpha_3": "Germany",
    "currency_code": "EUR",
    "phone": "+49 30 123456",
    "iban": "DE89370400440532013000",
    "gtin": "4006381333931",
    "zip_code_de": "10115",
}
OPTIONS = tuple(
    StringOption(label=label, type="string", value=value)
    for label, value in [("Cancelled", "cancelled"), ("Yes (please)", "yes"), ("Sure?", "sure")]
)


def read_one(column_type, text, **how):
    parsed = read_column(pa.array([text]), column_type, ParseOptions(**how))
    return parsed.values[0].as_py(), [(fault.code, fault.severity) for fault in parsed.faults]


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("column_type", VALUES)
def test_a_value_with_a_mark_of_doubt_is_an_error_of_its_type(column_type, mark):
    assert read_one(column_type, VALUES[column_type])[0] is not None

    value, codes = read_one(column_type, mark.format(VALUES[column_type]))

    assert value is None
    assert [severity for _, severity in codes] == ["error"]


@pytest.mark.parametrize("mark", [*MARKED, "({})"])
@pytest.mark.parametrize("multi", [False, True])
def test_an_option_with_a_mark_of_doubt_is_asked_about(mark, multi):
    value, codes = read_one(
        "category", mark.format("cancelled"), options=OPTIONS, multi_select=multi
    )

    assert value is None
    assert codes == [("unknown_option", "error")]


def test_an_answer_settles_a_doubted_option():
    reading = read_one(
        "category", "cancelled?", options=OPTIONS, answered={"cancelled?": "cancelled"}
    )

    assert reading == ("cancelled", [])


@pytest.mark.parametrize(
    ("text", "value"),
    [("Sure?", "sure"), ("sure?", "sure"), ("yes (please)", "yes"), ("YES [please]", "yes")],
)
def test_an_option_that_is_spelled_with_such_a_mark_is_found(text, value):
    assert read_one("category", text, options=OPTIONS) == (value, [])


@pytest.mark.parametrize(
    ("column_type", "text", "value"),
    [
        ("string", "What?", "What?"),
        ("string", "[see note] *", "[see note] *"),
        ("string", "ca. 12", "ca. 12"),
        ("float", "(100)", -100.0),
        ("int", "(1,000)", -1000),
        ("phone", "+49 (30) 123456", "+4930123456"),
        ("url", "https://example.com/?", "https://example.com/?"),
        ("country_code_alpha_2", "Ca", "CA"),
        ("country_code_alpha_2", "Korea (Republic of)", "KR"),
        ("date", "3 May 2024", "2024-05-03"),
    ],
)
def test_what_is_not_doubtful_stays_as_it_is(column_type, text, value):
    reading, codes = read_one(column_type, text)

    assert (str(reading), codes) == (str(value), [])


def test_one_text_and_a_column_are_judged_alike():
    texts = ["open?", "ca 5 May", "CA 5", "CA Office", "(a) b (c)", "(a)", "a*b", "Circa", "etwa 5"]

    assert doubted(pa.array(texts)).to_pylist() == [is_doubted(text) for text in texts]
    assert [text for text in texts if is_doubted(text)] == [
        *("open?", "ca 5 May", "CA 5", "(a)", "etwa 5")
    ]
