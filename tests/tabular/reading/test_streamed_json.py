"""A large JSON document is read item by item, and gives what the whole one would give."""

import io
import json
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read
from tabular.reading.structured import reader, streamed_array
from tabular.reading.structured.flat_records import parse
from tabular.reading.structured.streamed_array import BrokenArray, StreamedArray, items, outline

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
BROKEN = [
    '[{"a": 1}, {"a": 2}',
    '[{"a": 1},\n {"a": }]',
    '[{"a": 1}\n\n{"a": 2}]',
    '[{"a": 1},\r\n\r\n  {"a": "open}]',
    '[{"a": 1}, {"a": "tab\there"}]',
    '[{"a": 1}, nul]',
    '[{"a": 1}] [',
    '[{"a": 1}]\n{"a": 2}',
    "[",
    '[{"a": 1},',
]
BROKEN_OBJECTS = [
    '{"a": [{"b": 1}, {"b": 2}',
    '{"a": [{"b": 1}], }',
    '{"a": [{"b": 1}]\n "c": 2}',
    '{"a" [{"b": 1}]}',
    '{"a": {"b": [{"c": 1}, nul]}}',
    '{"a": [{"b": 1}]} {}',
    '{"a": }',
    "{a: 1}",
    "{",
]


@pytest.fixture
def streamed(monkeypatch):
    monkeypatch.setattr(reader, "_STREAMED_FROM", 0)


def outcome(path, **choices):
    """Return what a caller sees of a document."""
    reading = read(path, choices=ReadingChoices(**choices))
    rows = [batch.to_pylist() for body in reading.bodies for batch in body.batches()]
    return reading.file_format, reading.tables, rows


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 1 << 18])
@given(values=st.lists(VALUES, max_size=5), indent=st.sampled_from([None, 0, 2]))
def test_items_are_those_of_the_whole_document(at_once, values, indent):
    text = json.dumps(values, indent=indent, ensure_ascii=False)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(streamed_array, "_AT_ONCE", at_once)
        assert list(items(io.StringIO(text))) == parse(text)


def with_items(value):
    """Return an outline with its arrays filled in."""
    if isinstance(value, StreamedArray):
        filled = list(value)
        assert len(value) == len(filled)
        return filled
    if isinstance(value, dict):
        return {name: with_items(item) for name, item in value.items()}
    return value


@pytest.mark.parametrize("at_once", [1, 2, 7, 1 << 18])
@given(value=VALUES, indent=st.sampled_from([None, 0, 2]))
def test_an_outline_with_its_items_is_the_whole_document(at_once, value, indent):
    text = json.dumps({"a": {"b": value, "c": [{"d": 1}, value]}, "e": value}, indent=indent)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(streamed_array, "_AT_ONCE", at_once)
        made = outline(lambda: io.StringIO(text))
        assert with_items(made) == parse(text)
    assert isinstance(made["a"]["c"], StreamedArray)


@pytest.mark.parametrize("at_once", [1, 5, 1 << 18])
@pytest.mark.parametrize("text", BROKEN_OBJECTS)
def test_damage_around_arrays_is_reported_at_its_place(monkeypatch, text, at_once):
    monkeypatch.setattr(streamed_array, "_AT_ONCE", at_once)
    with pytest.raises(json.JSONDecodeError) as whole:
        parse(text)

    with pytest.raises(BrokenArray) as of_outline:
        outline(lambda: io.StringIO(text, newline=""))

    assert str(of_outline.value) == str(whole.value)


@pytest.mark.parametrize("at_once", [1, 5, 1 << 18])
@pytest.mark.parametrize("text", BROKEN)
def test_damage_is_reported_at_its_place_in_the_document(monkeypatch, text, at_once):
    monkeypatch.setattr(streamed_array, "_AT_ONCE", at_once)
    with pytest.raises(json.JSONDecodeError) as whole:
        parse(text)

    with pytest.raises(BrokenArray) as of_items:
        list(items(io.StringIO(text, newline="")))

    assert str(of_items.value) == str(whole.value)


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": 1, "to": {"city": "Bonn"}}, {"id": 2, "tags": ["a", 1.10]}]',
        ' \n[{"id": 1}, null, 3, {"id": "x", "more": true}]\n',
        '[{"no": "A", "lines": [{"sku": "x"}, {"sku": "y"}]}, {"no": "B"}]',
        '[["id", "name"], [1, "bolt"], [2, "nut"]]',  # a grid, which is laid out as a whole
        '[[1], {"id": 2}]',
        "[1, 2, 3]",
        '{"orders": [{"id": 1}], "day": "2026-01-01"}',
        '{"page": {"no": 1, "orders": [{"id": 1.10}, {"id": 2}]}, "customers": [{"name": "Ada"}]}',
        '{"orders": [{"id": 1}], "total": null, "orders": [{"id": 2}, {"id": 3}]}',
        '{"a": {"b": {"c": {"d": {"e": {"f": [{"id": 1}]}}}}}}',
        '{"a": {"b": {"c": {"d": {"e": {"f": {"g": [{"id": 1}]}}}}}}}',
        '{"orders": [], "notes": ["a", "b"], "rows": [[1, 2], [3, 4]]}',
        '{"id": 1}\n{"id": 2}\n',
    ],
)
@pytest.mark.parametrize("lists_as_rows", [False, True])
def test_a_streamed_document_is_read_as_a_whole_one(tmp_path, monkeypatch, text, lists_as_rows):
    path = tmp_path / "file.json"
    path.write_bytes(text.encode())
    whole = outcome(path, lists_as_rows=lists_as_rows)

    monkeypatch.setattr(reader, "_STREAMED_FROM", 0)

    assert outcome(path, lists_as_rows=lists_as_rows) == whole


@pytest.mark.usefixtures("streamed")
def test_a_document_that_is_damaged_late_is_refused(tmp_path):
    path = tmp_path / "file.json"
    path.write_text('[{"id": 1},\n{"id": 2}')

    with pytest.raises(UnreadableFile, match=r"line 2 column 10 \(char 21\)"):
        read(path)


@pytest.mark.usefixtures("streamed")
def test_the_limit_of_rows_ends_the_reading(tmp_path, monkeypatch):
    path = tmp_path / "file.json"
    path.write_text(json.dumps([{"id": number} for number in range(60_000)]))
    parsed = []

    def counted(file):
        for item in items(file):
            parsed.append(item)
            yield item

    monkeypatch.setattr(reader, "items", counted)

    with pytest.raises(LimitExceeded):
        read(path, limits=Limits(rows=2_000))
    assert len(parsed) < 4_000


def test_a_document_of_many_megabytes_is_never_in_memory():
    record = {"id": 1, "text": "x" * 200}
    text = json.dumps([record] * 80_000)
    file = io.StringIO(text)
    tracemalloc.start()
    try:
        count = sum(1 for _ in items(file))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count == 80_000
    assert peak < len(text) / 4


def test_the_records_inside_a_large_object_are_never_all_in_memory(tmp_path):
    path = tmp_path / "file.json"
    record = {"id": 1, "text": "x" * 200}
    path.write_text(json.dumps({"total": 80_000, "items": [record] * 80_000}))
    tracemalloc.start()
    try:
        document = outline(path.open)
        count = sum(1 for _ in document["items"])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert document["total"] == str(count) == "80000"
    assert peak < path.stat().st_size / 4


def test_a_value_that_is_longer_than_a_part_is_read():
    chance = random.Random(3)
    long = "".join(chance.choices('ab"\\\n', k=1_000_000))

    assert list(items(io.StringIO(json.dumps([{"a": long}, 1])))) == [{"a": long}, "1"]
