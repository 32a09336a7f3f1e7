"""Nested lines hold exactly the rows of a flat delivery."""

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deliveries import nested, payload, splitter
from tabular.validating.groups import codes_of, numbered
from tests.tries import tries

(BLOCK,) = re.findall(
    r"```python\n(.*?)```",
    (Path(__file__).parents[2] / "docs" / "nested.md").read_text("utf-8"),
    re.DOTALL,
)
PAGE: dict = {}
exec(BLOCK, PAGE)  # the page's own function is what receivers copy
flattened = PAGE["flattened"]
TYPES = {
    "order.number": "string",
    "order.tags": "category",
    "line.sku": "string",
    "line.n": "int",
    "depot.name": "string",
}
KINDS = [pa.string(), pa.list_(pa.string()), pa.string(), pa.int64(), pa.string()]
SHAPE = nested.Shape(
    ["order.number", "order.tags"],
    {"line": ["line.sku", "line.n"], "depot": ["depot.name"]},
    TYPES,
    {},
)
TEXTS = st.one_of(st.none(), st.sampled_from(['{"$row":7', "]", "a\nb", "ä"]), st.text(max_size=4))
TAGS = {"A": ["x", "y"], "B": None, '"$rows":[1]': ["z"]}
ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, *TAGS]),
        TEXTS,
        st.one_of(st.none(), st.integers(0, 9)),
        TEXTS,
    ),
    min_size=1,
    max_size=12,
)


def ordered(rows):
    """Return rows as a delivery holds them, those of one parent together, and where these begin."""
    groups, _ = numbered([codes_of(pa.array([row[0] for row in rows], pa.string()))])
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    return [rows[place] for place in order.tolist()], np.append(starts, len(rows))


def batch_of(rows):
    cells = [(row[0], TAGS.get(row[0]), *row[1:]) for row in rows]
    columns = zip(zip(*cells, strict=True), KINDS, strict=True)
    return pa.record_batch([pa.array(c, kind) for c, kind in columns], names=list(TYPES))


def body_of(rows, starts):
    envelope = payload.Envelope(
        delivery_id="d", tenant_id="t", record_id="r", action="submit", row_count=len(rows),
        mapping={}, occurred_at="now", parent_count=len(starts) - 1,
    )  # fmt: skip
    lines = nested.lines([batch_of(rows)], starts, SHAPE)
    pieces = payload.shared(envelope, [], TYPES, parents=lines)
    return payload.own_head("d") + b"".join(pieces)


def complete(rows):
    return [{**dict.fromkeys(TYPES), **row} for row in rows]


@settings(max_examples=tries(100), deadline=None)
@given(ROWS)
def test_flattened_parents_are_the_rows(rows):
    rows, starts = ordered(rows)

    body = json.loads(body_of(rows, starts))

    assert complete(flattened(body["rows"])) == batch_of(rows).to_pylist()
    assert len(body["rows"]) == body["parentCount"] == len(starts) - 1


@settings(max_examples=tries(50), deadline=None)
@given(rows=ROWS, extra=st.integers(0, 4))
def test_parts_of_a_body_hold_the_same_rows_counted_from_their_first(rows, extra, tmp_path_factory):
    rows, starts = ordered(rows)
    path = tmp_path_factory.mktemp("body") / "body"
    path.write_bytes(body_of(rows, starts))
    most = int(np.diff(starts).max()) + extra

    cuts = splitter.cuts_of(path, max_rows=most)
    ids = [str(number) for number in range(len(cuts))]
    parts = [json.loads(b"".join(p)) for p in splitter.parts(path, delivery_ids=ids, cuts=cuts)]

    assert all(part["rowCount"] <= most for part in parts)
    assert [part["parentCount"] for part in parts] == [cut.lines for cut in cuts]
    for part in parts:
        assert sorted(n for item in part["rows"] for n in item["$rows"]) == [
            *range(part["rowCount"])
        ]
    joined = [row for part in parts for row in flattened(part["rows"])]
    assert complete(joined) == batch_of(rows).to_pylist()


def test_a_parent_with_more_rows_than_a_part_is_refused(tmp_path):
    rows, starts = ordered([("A", "1", None, None), ("A", "2", None, None)])
    path = tmp_path / "body"
    path.write_bytes(body_of(rows, starts))

    with pytest.raises(splitter.LargeParent) as raised:
        splitter.cuts_of(path, max_rows=1)

    assert (raised.value.number, raised.value.rows) == (0, 2)


def test_batches_that_lack_rows_are_an_error():
    rows, starts = ordered([("A", "1", None, None), ("B", "2", None, None)])

    with pytest.raises(payload.RowCountDiffers):
        b"".join(nested.lines([batch_of(rows[:1])], starts, SHAPE))
