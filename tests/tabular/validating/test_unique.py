"""Uniqueness over a whole table, and the hash it rests on."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.catalog import Catalog
from tabular.protocol.tables import whole
from tabular.types.hashing import hash_rows
from tabular.validating import duplicates, unique_groups
from tests.tabular.tables import catalog_json, staged


def unique(*columns):
    return {"validations": [{"validate": "unique", "columns": list(columns)}]}


def test_further_rows_with_a_value_are_named_and_the_first_is_not(tmp_path):
    fields = [{"key": "it", **unique()}]

    assert staged(tmp_path, fields, {"it": ["a", "b", "a", None, "a", None]}) == [
        (2, "it", "unique"),
        (4, "it", "unique"),
    ]


def test_values_are_compared_after_reading(tmp_path):
    fields = [{"key": "it", "columnType": "iban", **unique()}]
    texts = ["GB82 WEST 1234 5698 7654 32", "gb82west12345698765432"]

    assert staged(tmp_path, fields, {"it": texts}) == [(1, "it", "unique")]


def test_a_key_of_several_columns_lets_an_empty_part_equal_an_empty_part(tmp_path):
    fields = [{"key": "it", **unique("n")}, {"key": "n", "columnType": "int"}]
    columns = {"it": ["a", "a", "a", None, None], "n": ["1", None, None, None, None]}

    assert staged(tmp_path, fields, columns) == [(2, "it", "unique")]


def test_a_rule_of_a_field_that_takes_no_part_or_names_a_disabled_one_is_left_out():
    fields = [
        {"key": "it", **unique("n")},
        {"key": "n", **unique()},
        {"key": "off", "disabled": True},
        {"key": "vain", **unique("off")},
        {"key": "named", "validations": [{"validate": "required"}]},
    ]
    catalog = Catalog.model_validate_json(catalog_json(fields))

    groups = unique_groups(catalog, paths=catalog.live_fields)
    groups_of_n = unique_groups(catalog, paths={"e.n"})

    assert [group.fields for group in groups] == [("e.it", "e.n"), ("e.n",)]
    assert [group.fields for group in groups_of_n] == [("e.n",)]


def test_equal_hashes_of_different_values_are_not_duplicates():
    later, firsts = duplicates(
        np.array([7, 7, 7], np.uint64), lambda rows: [("a",), ("b",), ("a",)]
    )

    assert (later.tolist(), firsts.tolist()) == ([2], [0])


@pytest.mark.parametrize("part", [1, 3, 100])
def test_rows_are_found_again_however_long_the_table_is(monkeypatch, part):
    monkeypatch.setattr("tabular.validating.unique._PART", part)
    values = np.array([5, 9, 0, 5, 7, 9, 0, 5, 3], np.uint64)

    later, firsts = duplicates(values, lambda rows: values[rows].tolist())

    assert (later.tolist(), firsts.tolist()) == ([3, 5, 7], [0, 1, 0])


def test_a_table_without_equal_hashes_has_no_duplicates():
    later, firsts = duplicates(np.array([3, 1, 0, 0, 2], np.uint64), lambda rows: rows.tolist())

    assert (later.tolist(), firsts.tolist()) == ([], [])


@given(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=12), st.integers(0, 5))
def test_texts_hash_alike_exactly_when_they_are_alike(texts, start):
    hashes = hash_rows([pa.array(texts, pa.string()).slice(start)]).tolist()

    shown = texts[start:]
    for hashed, text in zip(hashes, shown, strict=True):
        assert (hashed == 0) == (text is None)
        assert all(
            (hashed == two) == (text == other) for two, other in zip(hashes, shown, strict=True)
        )


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2, 1, None]),
        pa.array([1.5, 2.5, 1.5, None]),
        pa.array([True, False, True, None]),
        pa.array([date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 1), None]),
        pa.array([["a", "b"], ["a"], ["a", "b"], None]),
    ],
)
def test_every_type_of_value_can_be_hashed(values):
    first, two, again, none = hash_rows([values]).tolist()

    assert (first == again, first == two, none) == (True, False, 0)


@pytest.mark.parametrize(("type_", "first", "two"), [("int", 1, 2), ("float", 0.5, 2.5)])
def test_several_numbers_of_options_are_one_value(tmp_path, type_, first, two):
    options = [{"type": type_, "value": v, "label": f"Option {v}"} for v in (first, two)]
    fields = [{"key": "it", "isMultiSelect": True, "dropdownOptions": options, **unique()}]
    texts = [f"{first};{two}", f"{two}", f"{first};{two}", None, None]

    assert staged(tmp_path, fields, {"it": texts}) == [(2, "it", "unique")]


def test_an_issue_shows_the_values_of_a_list_side_by_side(tmp_path):
    options = [{"type": "string", "value": v, "label": v} for v in ("a", "b")]
    fields = [{"key": "it", "isMultiSelect": True, "dropdownOptions": options, **unique()}]
    rows = {"it": ["a;b", "a|b"]}

    staged(tmp_path, fields, rows)

    (issue,) = whole(tmp_path / "out" / "issues.arrow").to_pylist()
    assert issue["value"] == "a, b"
