"""Views: which rows, in which order, and that an open one stays as it is."""

import json
from dataclasses import asdict

import pytest

from staging.views import View, resolve
from tests.staging.test_editing import edit

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (View(), [0, 1, 2, 3, 4, 5]),
        (View(filter="valid"), [0, 3, 5]),
        (View(filter="error"), [1, 2, 4]),
        (View(filter="warning"), []),
        (View(filter="error", field="e.mail"), [1, 4]),
        (View(code="unique"), [2]),
        (View(filter="error", field="e.amount", code="not_a_number"), [1]),
        (View(filter="error", field="e.paid", code="not_a_number"), []),
        (View(search="RED"), [0, 1, 5]),
        (View(search="nope"), [4]),  # a refused text has no value, and is found all the same
        (View(search="nope", field="e.note"), []),
        (View(search="6", field="e.amount"), [5]),
        (View(search="red", filter="error"), [1]),
        (View(sort="e.amount"), [0, 2, 4, 5, 1, 3]),  # empty values last
        (View(sort="e.amount", descending=True), [5, 4, 2, 0, 1, 3]),
        (View(sort="e.note"), [0, 5, 2, 4, 1, 3]),  # equal ones in the order of the file
        (View(sort="e.note", filter="error"), [2, 4, 1]),
    ],
)
def test_a_view_shows_the_rows_it_asks_for_in_its_order(staged, view, expected):
    assert resolve(staged(), view).tolist() == expected


@pytest.mark.parametrize(
    "view", [View(), View(search="x", meant=(("e.note", ("a", "b")), ("e.size", (1, 2.5))))]
)
def test_a_view_that_was_kept_as_json_is_the_same(view):
    assert View.kept(json.loads(json.dumps(asdict(view)))) == view


def test_views_see_what_was_edited_and_left_out(in_review):
    from imports.services import rows_of

    record = in_review()
    edit(record, {(0, "e.amount"): "9000", (1, "e.mail"): "x@y.de"})
    edit(record, exclude={4})
    record.refresh_from_db()
    table = rows_of(record)

    assert resolve(table, View(filter="edited")).tolist() == [0, 1]
    assert resolve(table, View(filter="excluded")).tolist() == [4]
    assert resolve(table, View(filter="error")).tolist() == [1, 2]
    assert resolve(table, View(filter="error", field="e.mail")).tolist() == []
    assert resolve(table, View(sort="e.amount", descending=True)).tolist() == [0, 5, 4, 2, 1, 3]
    assert resolve(table, View(search="9000")).tolist() == [0]
    assert resolve(table, View(search="x@y")).tolist() == [1]


def test_an_edit_does_not_reorder_an_open_view(in_review):
    from imports.services import rows_of

    record = in_review()
    before = resolve(rows_of(record), View(filter="error")).tolist()
    seen = record.revision
    edit(record, {(1, "e.mail"): "x@y.de", (1, "e.amount"): "1", (1, "e.note"): "n"})
    record.refresh_from_db()

    assert resolve(rows_of(record, seen), View(filter="error")).tolist() == before
    assert resolve(rows_of(record), View(filter="error")).tolist() == [2, 4]


def test_the_arrays_of_views_are_kept_within_a_bound(staged, monkeypatch, data_folder):
    from staging import views

    table = staged()
    monkeypatch.setattr(views, "MAX_CACHED_BYTES", 600)
    for number in range(10):
        resolve(table, View(search=str(number)))

    kept = list((data_folder / "cache" / "views").glob("*.npy"))
    assert 1 <= len(kept) < 10
    assert sum(path.stat().st_size for path in kept) <= 600
