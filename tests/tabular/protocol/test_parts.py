"""Single batches of an Arrow file, read without the rest."""

import json
import string

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.protocol import parts
from tabular.protocol.parts import Batches, parts_of
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


def written(path, made):
    with pa.ipc.new_file(str(path), SCHEMA) as writer:
        for rows in made:
            writer.write_batch(pa.RecordBatch.from_pylist(rows, SCHEMA))
    return path


@given(made=st.lists(st.lists(ROW, max_size=4), max_size=5))
def test_each_part_is_its_batch(tmp_path_factory, made):
    path = written(tmp_path_factory.mktemp("parts") / "a.arrow", made)
    content = path.read_bytes()

    written_about, ranges = parts_of(path)
    about = Batches.kept(json.loads(json.dumps(written_about)))

    assert about.schema == SCHEMA
    assert about.rows == tuple(len(rows) for rows in made)
    decoded = [about.decoded(content[start : start + size]) for start, size in ranges]
    assert decoded == list(batches(path))
    assert decoded_bounds(about) == bounds_of(made)


def decoded_bounds(about):
    return about.bounds and list(about.bounds)


def bounds_of(made):
    numbers = [[row["number"] for row in rows] for rows in made]
    if not numbers or not all(numbers) or any(number is None for of in numbers for number in of):
        return None
    return [(of[0], of[-1]) for of in numbers]


WORDS = pa.schema([("row", pa.int64()), ("text", pa.dictionary(pa.int32(), pa.string()))])


def with_words(path):
    """Write two batches that share the words of a dictionary."""
    words = pa.array(["wrong", "late"])
    with pa.ipc.new_file(str(path), WORDS) as writer:
        for row, places in ((0, [0, 1]), (2, [1, None])):
            texts = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), words)
            numbers = pa.array([row, row + 1], pa.int64())
            writer.write_batch(pa.RecordBatch.from_arrays([numbers, texts], schema=WORDS))
    return path


def test_a_part_has_the_words_of_its_dictionary(tmp_path):
    path = with_words(tmp_path / "a.arrow")
    content = path.read_bytes()
    written_about, ranges = parts_of(path)
    about = Batches.kept(written_about)

    texts = [about.decoded(content[a : a + size])["text"].to_pylist() for a, size in ranges]

    assert texts == [["wrong", "late"], ["late", None]]
    assert about.bounds == ((0, 1), (2, 3))


def test_a_file_with_large_dictionaries_is_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "_MOST_WORDS", 100)

    assert parts_of(with_words(tmp_path / "a.arrow")) is None


@pytest.mark.parametrize("name", ["reading.json", "known.npy"])
def test_another_file_is_read_whole(tmp_path, name):
    (tmp_path / name).write_bytes(b"{}")

    assert parts_of(tmp_path / name) is None
