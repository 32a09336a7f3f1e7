"""What each step changes: the rows are counted, and the first are shown before and after."""

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.recipe import Recipe
from tabular.protocol.plan import UnusablePlan
from tabular.transforming.executing import execute
from tabular.transforming.step_changes import step_changes
from tests.tabular.tables import batch, plan_for

SOURCE = {"a": [" x ", "y", None, "z"], "b": ["1", None, "3", ""]}


def compared(columns, *steps, batch_rows=None, **extra):
    recipe = Recipe.model_validate_json(orjson.dumps({"version": 1, "steps": steps}))
    plan = plan_for([{"key": "it"}], {}, recipe=recipe, mapping={}, **extra)
    whole = pa.Table.from_batches([batch(columns)])
    return step_changes(whole.to_batches(max_chunksize=batch_rows), plan)


def shown(changes):
    return [(row.source_row, row.before, list(row.after)) for row in changes.rows]


def test_a_step_counts_the_rows_with_another_text_and_shows_them():
    result = compared(SOURCE, {"do": "trim", "columns": ["a", "b"]})

    (trimmed,) = result.steps
    assert (result.looked_at, trimmed.rows_before, trimmed.rows_after) == (4, 4, 4)
    assert trimmed.changed_rows == 1
    assert shown(trimmed) == [(0, {"a": " x ", "b": "1"}, [{"a": "x", "b": "1"}])]


def test_an_empty_text_that_becomes_none_counts_as_unchanged():
    (trimmed,) = compared({"a": ["", None]}, {"do": "trim", "columns": ["a"]}).steps

    assert trimmed.changed_rows == 0


def test_a_row_that_is_left_out_has_nothing_after():
    (dropped,) = compared(SOURCE, {"do": "drop_rows", "columns": ["b"], "where": "empty"}).steps

    assert (dropped.rows_before, dropped.rows_after, dropped.changed_rows) == (4, 2, 2)
    assert shown(dropped) == [(1, {"b": None}, []), (3, {"b": ""}, [])]


def test_a_row_that_was_taken_back_is_not_left_out():
    drop = {"do": "drop_rows", "columns": ["b"], "where": "empty"}

    (dropped,) = compared(SOURCE, drop, keep=(1,)).steps

    assert [row.source_row for row in dropped.rows] == [3]


def test_a_made_column_changes_the_rows_where_it_has_a_text():
    (joined,) = compared(SOURCE, {"do": "join", "columns": ["a", "b"], "into": "c"}).steps

    assert joined.changed_rows == 4
    assert shown(joined)[1] == (1, {"a": "y", "b": None}, [{"a": "y", "b": None, "c": "y"}])


def test_a_row_that_becomes_several_shows_all_of_them():
    long = {"do": "unpivot", "columns": ["a", "b"], "nameInto": "name", "valueInto": "value"}
    result = compared({"id": ["1"], "a": ["x"], "b": ["y"]}, long)

    (longer,) = result.steps
    assert (longer.rows_before, longer.rows_after, longer.changed_rows) == (1, 2, 1)
    assert shown(longer) == [
        (0, {"a": "x", "b": "y"}, [{"name": "a", "value": "x"}, {"name": "b", "value": "y"}])
    ]


def test_rows_of_one_row_are_compared_one_by_one_after_it_became_several():
    result = compared(
        {"a": ["x", "u"], "b": ["y", "v"], "c": ["z", "w"], "d": ["p", None]},
        {"do": "unpivot", "columns": ["a", "b"], "nameInto": "n1", "valueInto": "v1"},
        {"do": "unpivot", "columns": ["c", "d"], "nameInto": "n2", "valueInto": "v2"},
        {"do": "map_values", "columns": ["v1"], "values": {"y": "Y"}},
        {"do": "drop_rows", "columns": ["v1"], "where": "equals", "value": "v"},
    )

    first, second, mapped, dropped = result.steps
    assert (first.rows_after, second.rows_before, second.rows_after) == (4, 4, 6)
    assert second.changed_rows == 4
    assert [(row.source_row, row.after[0]["v1"]) for row in mapped.rows] == [(0, "Y"), (0, "Y")]
    assert [(row.source_row, row.before["v1"]) for row in dropped.rows] == [(1, "v")]
    assert (result.whole.rows_before, result.whole.rows_after) == (2, 5)
    assert [len(row.after) for row in result.whole.rows] == [4, 1]


def test_the_whole_is_compared_with_the_file():
    there = {"do": "replace", "columns": ["a"], "find": "y", "by": "Y"}
    back = {"do": "replace", "columns": ["a"], "find": "Y", "by": "y"}

    result = compared(SOURCE, there, back)

    assert [step.changed_rows for step in result.steps] == [1, 1]
    assert (result.whole.changed_rows, result.whole.rows) == (0, ())


def test_no_more_than_ten_rows_and_twenty_columns_are_shown_and_long_texts_cut():
    many = {f"c{n}": [f"{'x' * 300} "] * 30 for n in range(30)}

    (trimmed,) = compared(many, {"do": "trim", "columns": list(many)}, batch_rows=7).steps

    assert (trimmed.changed_rows, len(trimmed.rows)) == (30, 10)
    assert [row.source_row for row in trimmed.rows] == list(range(10))
    assert {len(row.before) for row in trimmed.rows} == {20}
    assert trimmed.rows[0].before["c0"] == f"{'x' * 200}…"


def test_a_recipe_that_does_not_fit_is_refused():
    with pytest.raises(UnusablePlan):
        compared(SOURCE, {"do": "trim", "columns": ["nowhere"]})


TEXT = st.sampled_from([None, "", " ", "a", " a", "b"])
ROWS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=12)
STEPS = st.lists(
    st.sampled_from(
        [
            {"do": "trim", "columns": ["a", "b"]},
            {"do": "fill_down", "columns": ["a"]},
            {"do": "drop_rows", "columns": ["b"], "where": "empty"},
            {"do": "default", "columns": ["b"], "value": "?"},
        ]
    ),
    max_size=4,
)


@given(ROWS, STEPS, st.integers(1, 5))
def test_the_rows_are_those_of_the_transform_however_the_file_is_cut(rows, steps, batch_rows):
    columns = {"a": [row[0] for row in rows], "b": [row[1] for row in rows]}
    recipe = Recipe.model_validate_json(orjson.dumps({"version": 1, "steps": steps}))
    plan = plan_for([{"key": "it"}], {}, recipe=recipe, mapping={})

    result = compared(columns, *steps, batch_rows=batch_rows)

    assert result == compared(columns, *steps)
    (cooked,) = execute([batch(columns)], plan)
    now = {
        source: tuple(text or "" for text in texts)
        for source, *texts in zip(
            cooked.sources.to_pylist(),
            cooked.columns["a"].to_pylist(),
            cooked.columns["b"].to_pylist(),
            strict=True,
        )
    }
    named = [place for place, name in enumerate("ab") if any(name in s["columns"] for s in steps)]
    changed = [
        source
        for source, row in enumerate(rows)
        if source not in now or any((row[place] or "") != now[source][place] for place in named)
    ]
    assert result.whole.changed_rows == len(changed)
    assert [row.source_row for row in result.whole.rows] == changed[:10]
