"""The state before any step is there for as long as the import: nothing sweeps its files away."""

import os
import time

import pytest

from common import storage
from imports.models import ImportRecord
from staging import selectors
from tests.imports.conftest import carry_on
from tests.imports.test_undo import MAPPING, UPPER, every_kind_of_step, review
from workflow import tasks
from workflow.retention import UNNAMED_FOR_S, purge

__all__ = ["review"]  # fixtures

pytestmark = pytest.mark.django_db
GONE = {"Id": "p.id"}


def a_day_passes(review):
    """Sweep with every file old enough, and without open files from before."""
    late = time.time() - UNNAMED_FOR_S - 60
    for path in storage.root().glob("*/*"):
        os.utime(path, (late, late))
    purge()
    selectors.forget(review.id)


def everything(review):
    """Return what an import shows, and the source of each value of a row."""
    story = review.client.get(f"{review.url}/rows/0/explain").json()
    return review.seen(), {name: story[name] for name in ("cells", "edits")}


def replaced(review):
    body = {"inFields": ["p.id"], "find": "K", "replace": "C"}
    changed = review.send("post", "rows/replace", {"revision": review.revision, **body})
    assert changed.status_code in {200, 202}, changed.content
    tasks.make_change("")  # where a worker makes it


@pytest.mark.parametrize("limit", [0, 10_000])  # edits as files, and as an overlay
def test_every_state_is_there_after_any_sweep(review, monkeypatch, limit):
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    seen = [everything(review)]
    for step in (lambda: replaced(review), *every_kind_of_step(review)):
        step()
        a_day_passes(review)
        seen.append(everything(review))

    for way, states in (("undo", seen[-2::-1]), ("redo", seen[1:])):
        for expected in states:
            assert review.travel(way).status_code == 200
            a_day_passes(review)
            assert everything(review) == expected


def test_what_no_undo_comes_back_to_is_swept(review):
    left = storage.root() / "staged" / "0123456789abcdef"  # of a step that was killed
    left.mkdir()

    a_day_passes(review)

    assert not left.exists()


def test_a_step_whose_column_is_gone_is_undone_to_where_it_was(review):
    review.edit(1, "p.note", "navy", who="Bob")
    before = everything(review)
    drop = {"do": "drop_rows", "columns": ["Id"], "where": "matches", "value": "^K2$"}
    review.map(GONE, {"version": 1, "steps": [drop]})
    assert [item["text"] for item in review.seen()["lost"]["items"]] == ["navy"]
    review.map({"Id": "p.id", "Status": "p.note"}, None)

    assert review.travel("undo").status_code == 200
    assert review.travel("undo").status_code == 200
    assert everything(review) == before
    assert review.travel("undo").status_code == 200

    assert review.seen()["rows"][1]["values"]["p.note"] == "blue"


def test_another_reading_without_the_column_is_undone(review):
    review.edit(0, "p.note", "navy")
    before = everything(review)
    body = {"table": 0, "headerRows": []}
    assert review.send("put", "reading", body).status_code == 202
    if carry_on(review.client, review.id)["state"] == "mapping":
        columns = review.client.get(f"{review.url}/mapping").json()["columns"]
        assert "Note" not in {column["column"] for column in columns}
        review.map({columns[0]["column"]: "p.id"})
    a_day_passes(review)

    assert review.travel("undo").status_code == 200

    assert everything(review) == before


def test_undo_of_a_purged_import_says_that_it_is_over(review):
    review.edit(0, "p.note", "RED")
    review.map(MAPPING, UPPER)
    at = review.revision
    review.client.delete(review.url)
    assert ImportRecord.objects.get(public_id=review.id).purged_at

    refused = review.send("post", "undo", {"revision": at})

    assert (refused.status_code, refused.json()["code"]) == (409, "not_in_review")
