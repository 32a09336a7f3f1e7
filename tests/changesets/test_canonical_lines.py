"""Columns are hashed in the canonical form of each row, whatever their types are."""

from types import SimpleNamespace

import orjson
import pyarrow as pa
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from changesets.proof.commitment import canonical_lines

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.none()
decimals = st.decimals(-(10**12), 10**12, places=9) | st.none()
numbers = st.decimals(-999, 999, places=2)


def lines_of(columns):
    batch = pa.record_batch(columns)
    rows = SimpleNamespace(types=dict.fromkeys(columns), formats={})
    return batch, list(canonical_lines(batch, rows))


def expected(batch):
    from deliveries.payload import rows_as_lines

    delivered = rows_as_lines(batch, dict.fromkeys(batch.schema.names), {})
    lines = delivered.decode().split("\n")[1:]
    return [rfc8785.dumps(orjson.loads(line.removesuffix(","))) for line in lines]


@given(st.lists(st.tuples(texts, decimals, numbers), min_size=1, max_size=8))
def test_rows_are_spelled_as_their_receiver_would_spell_them(rows):
    text, wide, price = zip(*rows, strict=True)
    batch, lines = lines_of(
        {
            "b": pa.array(text, pa.string()),
            "a.\U00010000": pa.array(wide, pa.decimal128(38, 9)),
            "a.\uffff": pa.array(price, pa.decimal128(20, 2)),
        }
    )

    assert lines == expected(batch)


@given(st.lists(st.tuples(texts, numbers), min_size=1, max_size=8))
def test_prices_need_no_second_look(rows):
    text, price = zip(*rows, strict=True)
    batch, lines = lines_of(
        {"b": pa.array(text, pa.string()), "a": pa.array(price, pa.decimal128(20, 2))}
    )

    assert lines == expected(batch)


def test_lists_fractions_and_flags_are_spelled_alike_too():
    batch, lines = lines_of(
        {
            "l": pa.array([["b", "a"], None], pa.list_(pa.string())),
            "f": pa.array([1e-7, 1e21], pa.float64()),
            "t": pa.array([True, None], pa.bool_()),
        }
    )

    assert lines == expected(batch)
