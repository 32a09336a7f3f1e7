"""Edits check again the rows that have a parent in common with an edited one."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common import clock
from common.ids import new_id
from staging import services as staging
from staging.changes import Changes
from staging.edits import preparation
from staging.edits.rewrite import prepare_rewrite
from staging.issues import issues_now
from staging.selectors import table_of
from tests.jobs import plan_written
from tests.staging.conftest import ADA, stage_texts
from tests.tries import tries

pytestmark = pytest.mark.django_db
UNIQUE = [{"validate": "unique"}]
ENTRIES = [
    {
        "id": "e",
        "fields": [
            {"key": "number", "required": True, "validations": UNIQUE},
            {"key": "buyer", "required": True},
            {"key": "invoice", "validations": UNIQUE},
        ],
    },
    {"id": "line", "childOf": "e", "fields": [{"key": "sku"}]},
]
COLUMNS = ("number", "buyer", "invoice", "sku")
PATHS = ("e.number", "e.buyer", "e.invoice", "line.sku")
TEXTS = st.sampled_from([None, "A", "B", "C"])
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=5)
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def orders(db, monkeypatch):
    """Return a function that stages rows of orders and lines."""

    def make(rows):
        def plan(columns, fields, recipe=None):
            catalog = {"key": "t", "entries": ENTRIES}
            return plan_written(catalog=catalog, mapping=dict(zip(COLUMNS, PATHS, strict=True)))

        monkeypatch.setattr("tests.staging.conftest.plan_for", plan)
        columns = {name: [row[i] for row in rows] for i, name in enumerate(COLUMNS)}
        return table_of(stage_texts(new_id("rec_"), columns))

    return make


def issues(table):
    """Return what the review says of the rows that are not excluded, in any order."""
    listed = issues_now(table).to_pylist()
    out = table.is_excluded
    return sorted(
        (
            (
                i["row"],
                i["field"],
                i["code"],
                i["severity"],
                str(i["value"]),
                json.loads(i["params"] or "{}"),
            )
            for i in listed
            if not out[i["row"]]
        ),
        key=str,
    )


def carried_out(table, prepared):
    number = staging.next_number(table.revision.subject)
    made = staging.commit(prepared=prepared, number=number, actor=ADA, at=clock.now())
    return table_of(made)


def edit(table, texts, *, exclude=()):
    changes = Changes(texts, exclude=frozenset(exclude))
    prepared = preparation.prepare(table, changes, kind="edit", actor=ADA, at=clock.now())
    assert prepared.manifest is None  # an overlay
    return carried_out(table, prepared)


def rewritten(table, changes):
    return carried_out(table, prepare_rewrite(table, preparation.in_bulk(changes), kind="edit"))


def test_a_value_that_a_parent_has_twice_is_wrong_until_it_is_edited(orders):
    table = orders([("A", "x", None, "1"), ("B", "z", None, "2"), ("A", "y", None, "3")])
    assert [(i[0], i[2]) for i in issues(table)] == [(2, "differing_parent_value")]

    table = edit(table, {(0, "e.buyer"): "y"})
    assert issues(table) == []

    table = edit(table, {(1, "e.number"): "A"})
    assert [(i[0], i[2]) for i in issues(table)] == [(1, "differing_parent_value")]

    table = edit(table, {}, exclude={0, 2})
    assert issues(table) == []


@settings(max_examples=tries(10), deadline=None, suppress_health_check=SLOW)
@given(
    rows=ROWS,
    texts=st.dictionaries(
        st.tuples(st.integers(0, 4), st.sampled_from(PATHS)), TEXTS, min_size=1, max_size=4
    ),
    excluded=st.frozensets(st.integers(0, 4), max_size=2),
)
def test_an_edit_says_what_a_transform_of_the_edited_file_says(orders, rows, texts, excluded):
    texts = {cell: text for cell, text in texts.items() if cell[0] < len(rows)}
    excluded = frozenset(row for row in excluded if row < len(rows))
    later = [list(row) for row in rows]
    for (row, path), text in texts.items():
        later[row][PATHS.index(path)] = text
    changes = Changes(texts, exclude=excluded)

    by_overlay = edit(orders(rows), texts, exclude=excluded)
    by_files = rewritten(orders(rows), changes)

    assert issues(by_overlay) == issues(by_files)
    kept = [row for row in range(len(rows)) if row not in excluded]
    place = {row: at for at, row in enumerate(kept)}
    numbered = [(place[i[0]], *i[1:5]) for i in issues(by_overlay)]
    anew = issues(orders([tuple(later[row]) for row in kept])) if kept else []
    assert numbered == [i[:5] for i in anew]
