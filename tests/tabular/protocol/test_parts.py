"""Single batches of an Arrow file, read without the rest."""

import string

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.protocol.parts import batch, parts_of, schema_of
from tabular.protocol.tables import batches

SCHEMA = pa.schema(
    [
        ("number", pa.int64()),
        ("text", pa.string()),
        ("list", pa.list_(pa.string())),
        ("kinds", pa.struct([("a", pa.int8())])),
    ]
)
TEXT = st.text(string.printable + "äß€😀", max_size=20)
ROW = st.fixed_dictionaries(
    {
        "number": st.none() | st.integers(-(2**63), 2**63 - 1),
        "text": st.none() | TEXT,
        "list": st.none() | st.lists(st.none() | TEXT, max_size=3),
        "kinds": st.fixed_dictionaries({"a": st.none() | st.integers(-128, 127)}),
    }
)


def written(path, parts, schema=SCHEMA):
    with pa.ipc.new_file(str(path), schema) as writer:
        for rows in parts:
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema))
    return path


@given(parts=st.lists(st.lists(ROW, max_size=4), max_size=5))
def test_each_part_is_its_batch(tmp_path_factory, parts):
    path = written(tmp_path_factory.mktemp("parts") / "a.arrow", parts)
    content = path.read_bytes()

    about, ranges = parts_of(path)
    schema = schema_of(about)

    assert schema == SCHEMA
    assert about["rows"] == [len(rows) for rows in parts]
    decoded = [batch(content[start : start + size], schema) for start, size in ranges]
    assert decoded == list(batches(path))


def test_a_file_with_dictionaries_is_read_whole(tmp_path):
    schema = pa.schema([("text", pa.dictionary(pa.int32(), pa.string()))])
    path = written(tmp_path / "a.arrow", [[{"text": "a"}], [{"text": "a"}]], schema)

    assert parts_of(path) is None


@pytest.mark.parametrize("name", ["reading.json", "known.npy"])
def test_another_file_is_read_whole(tmp_path, name):
    (tmp_path / name).write_bytes(b"{}")

    assert parts_of(tmp_path / name) is None
