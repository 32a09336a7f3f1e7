"""What holds for every text: canonical values read back, order and batches change nothing."""

from dataclasses import replace
from datetime import date
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabular.model.catalog import ColumnType, StringOption
from tabular.types.canonical import canonical_texts
from tabular.types.distinct import Memory
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import tidy
from tabular.types.registry import read_column
from tabular.values.blanks import BLANKS
from tests.tries import tries

OPTIONS = tuple(StringOption(label=w, type="string", value=w) for w in ("red", "green", "blue"))
HOWS = [
    ParseOptions(
        number_format=number, date_order=order, region="DE", today=date(2026, 1, 2), options=OPTIONS
    )
    for number in ("eu", "us")
    for order in ("dmy", "mdy")
]
LIKELY = st.text(alphabet="0123456789.,:-/+ TZ%€$()aeghimnoprstuDEAT@w\u00a0", max_size=24)
SPELLINGS = st.sampled_from(
    [
        "31.12.2024",
        "12/31/24",
        "2024-01-31T10:00:00Z",
        "3. März 2024",
        "45322.75",
        "2:05 pm",
        "23:59:59",
        "1.234,56",
        "-5 €",
        "12 %",
        "9999999999999999",
        "ja",
        "No",
        "gren",
        "a@b.de",
        "Jörg <j@münchen.de>",
        "www.x.de",
        "https://x.de/a",
        "0171 3817965",
        "+1 650 253 0000",
        "GB82 WEST 1234 5698 7654 32",
        "DEUTDEFF",
        "ATU13585627",
        "4006381333931",
        "1067",
        "Österreich",
        "USA",
        "eur",
        "00//",
    ]
)
TEXTS = st.lists(st.one_of(st.none(), LIKELY, SPELLINGS, st.text(max_size=12)), max_size=8)


@pytest.mark.parametrize("column_type", ColumnType.__args__)
@settings(max_examples=tries(15))
@given(texts=TEXTS, how=st.sampled_from(HOWS))
@example(texts=["0.5", "1e-7", "1E+22", "-0", "0001", "1.005"], how=HOWS[2])
def test_a_canonical_value_reads_back_to_itself(column_type, texts, how):
    values = read_column(pa.array(texts, pa.string()), column_type, how).values

    again = read_column(canonical_texts(values, column_type, how), column_type, how)

    assert again.values.to_pylist() == values.to_pylist()
    assert all(fault.severity == "warning" for fault in again.faults)


@pytest.mark.parametrize("column_type", ColumnType.__args__)
@settings(max_examples=tries(10))
@given(texts=TEXTS, how=st.sampled_from(HOWS), data=st.data())
def test_a_text_is_read_alike_alone_and_in_any_company(column_type, texts, how, data):
    order = data.draw(st.permutations(range(len(texts))))
    values = read_column(pa.array(texts, pa.string()), column_type, how).values.to_pylist()
    shuffled = [texts[i] for i in order]

    together = read_column(pa.array(shuffled, pa.string()), column_type, how).values.to_pylist()
    alone = [
        read_column(pa.array([text], pa.string()), column_type, how).values[0].as_py()
        for text in texts
    ]

    assert together == [values[i] for i in order]
    assert alone == values


@pytest.mark.parametrize("column_type", ColumnType.__args__)
@settings(max_examples=tries(10))
@given(texts=TEXTS, how=st.sampled_from(HOWS), start=st.integers(0, 8))
def test_a_slice_of_a_larger_array_reads_like_a_copy(column_type, texts, how, start):
    whole = pa.array(texts, pa.string())

    sliced = read_column(whole.slice(start), column_type, how)
    copied = read_column(pa.array(texts[start:], pa.string()), column_type, how)

    assert sliced.values.to_pylist() == copied.values.to_pylist()
    assert [(f.code, f.rows.tolist()) for f in sliced.faults] == [
        (f.code, f.rows.tolist()) for f in copied.faults
    ]


@given(
    st.lists(st.one_of(st.none(), st.text(BLANKS + "aä1", max_size=3)), max_size=6),
    st.integers(0, 6),
)
@example(texts=["", None, "a"], start=0)
@example(texts=["a", "\u00a0ä"], start=1)
@example(texts=["ä", "a\u3000"], start=0)
def test_tidying_takes_outer_blanks_off_and_leaves_nothing_for_no_text(texts, start):
    whole = pa.array(texts, pa.string())

    stripped = [text and (text.strip(BLANKS) or None) for text in texts]
    assert tidy(whole.slice(start)).to_pylist() == [text or None for text in stripped[start:]]


@pytest.mark.parametrize("remembered", [0, 1, 100])
@settings(max_examples=tries(15))
@given(batches=st.lists(TEXTS, max_size=4))
def test_what_is_remembered_of_a_column_changes_no_value(remembered, batches):
    how = ParseOptions(today=date(2026, 1, 2))

    with patch("tabular.types.distinct.REMEMBERED", remembered):
        memory = replace(how, memory=Memory())
        for texts in batches:
            column = pa.array(texts, pa.string())
            plain, two = (read_column(column, "date", chosen) for chosen in (how, memory))
            assert plain.values.equals(two.values)
            assert faults_of(plain) == faults_of(two)


def faults_of(parsed):
    return sorted((fault.code, fault.severity, fault.rows.tolist()) for fault in parsed.faults)
