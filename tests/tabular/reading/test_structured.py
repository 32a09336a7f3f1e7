"""JSON and NDJSON: records flattened, numbers kept digit for digit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read
from tabular.reading.batches import first_text
from tabular.reading.structured.flat_records import flatten, parse


def reading_of(tmp_path, text):
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    return read(path)


def rows_of(body):
    return [
        list(row)
        for batch in body.batches()
        for row in zip(
            *(column.to_pylist() for column in batch.columns[first_text(batch) :]), strict=True
        )
    ]


def test_records_of_an_array_become_rows_with_dotted_columns(tmp_path):
    reading = reading_of(
        tmp_path, '[{"id": 1, "to": {"city": "Bonn"}}, {"id": 2, "tags": ["a", 1.10]}]'
    )

    assert reading.file_format == "json"
    assert reading.tables[0].columns == ("id", "to.city", "tags")
    assert rows_of(reading.bodies[0]) == [["1", "Bonn", None], ["2", None, '["a", 1.10]']]


def test_arrays_inside_an_object_are_tables_and_its_values_the_document(tmp_path):
    text = '{"day": "2024-05-01", "data": {"orders": [{"id": 1}, {"id": 2}], "tax": [{"rate": 7}]}}'

    reading = reading_of(tmp_path, text)

    assert [table.sheet for table in reading.tables] == ["data.orders", "data.tax"]
    assert reading.tables[0].document == {"day": "2024-05-01"}


def test_an_array_of_rows_is_laid_out_like_any_grid(tmp_path):
    reading = reading_of(tmp_path, '[["id", "name"], [1, "bolt"], [2, "nut"]]')

    assert reading.tables[0].columns == ("id", "name")
    assert rows_of(reading.bodies[0]) == [["1", "bolt"], ["2", "nut"]]


def test_a_broken_line_is_left_out_and_reported_with_its_text(tmp_path):
    reading = reading_of(tmp_path, '{"id": 1}\n{"id": 2}\n\n{"id": \n{"id": 3, "x": null}\n')

    body = reading.bodies[0]

    assert reading.file_format == "ndjson"
    assert rows_of(body) == [["1", None], ["2", None], ["3", None]]
    assert [(i.code, i.row, i.value.strip()) for i in body.outcome()[1]] == [
        ("broken_json_line", 3, '{"id":')
    ]


@pytest.mark.parametrize("text", ['[{"id": 1}', '{"id": 1', '{"a": 1}}', '[{"id": nope}]'])
def test_json_that_breaks_off_is_a_problem(tmp_path, text):
    with pytest.raises(UnreadableFile) as raised:
        reading_of(tmp_path, text)

    assert raised.value.code == "damaged_file"


def test_records_with_too_many_keys_are_refused(tmp_path):
    path = tmp_path / "file"
    path.write_text(json.dumps([{f"k{n}": n for n in range(50)}]))

    with pytest.raises(LimitExceeded) as raised:
        read(path, limits=Limits(columns=20))

    assert raised.value.details["limit"] == "columns"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    ).map(lambda value: {"value": value})
)
def test_every_leaf_of_a_record_has_a_place(record):
    flat = flatten(parse(json.dumps(record)))

    assert len(flat) == leaves(record)
    assert all(isinstance(text, str) for text in flat.values())


def leaves(value):
    if isinstance(value, dict) and value:
        return sum(map(leaves, value.values()))
    return 1


@pytest.mark.parametrize("text", ["{}\n{}\n{}\n", "[{}, {}]", '{"items": [{}, {}]}'])
def test_a_file_of_records_without_members_is_refused(tmp_path, text):
    with pytest.raises(UnreadableFile) as refused:
        reading_of(tmp_path, text)

    assert refused.value.code == "no_table_found"


def test_a_list_of_records_without_members_hides_no_other(tmp_path):
    reading = reading_of(tmp_path, '{"empty": [{}, {}], "items": [{"id": 1}]}')

    assert [table.columns for table in reading.tables] == [("id",)]
    assert rows_of(reading.bodies[0]) == [["1"]]
