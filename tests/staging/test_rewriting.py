"""A large operation writes files that show exactly what an overlay of the same edits shows."""

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common import clock
from common.ids import new_id
from imports import services
from staging import pages
from staging.changes import Changes
from staging.edits import preparation
from staging.edits.preparation import in_bulk
from staging.edits.rewrite import prepare_rewrite
from staging.issues import summarised
from staging.selectors import table_of
from staging.services import commit, next_number
from staging.views import View, resolve
from tests.staging.conftest import ADA, ROWS, stage_texts
from tests.staging.test_editing import edit, rows
from tests.tries import tries

pytestmark = pytest.mark.django_db
TEXTS = st.one_of(
    st.none(),
    st.sampled_from(["K1", "K2", "K9", "1.5", "x", "2024-02-29", "a@b.de", "Red", "9 characters"]),
    st.text(string.ascii_letters + " ", max_size=10),
)
CELLS = st.tuples(
    st.integers(0, 5), st.sampled_from(["e.id", "e.amount", "e.paid", "e.mail", "e.note"])
)
BATCHES = st.lists(
    st.tuples(
        st.dictionaries(CELLS, TEXTS, max_size=4),
        st.frozensets(st.integers(0, 5), max_size=2),
        st.frozensets(st.integers(0, 5), max_size=2),
    ),
    min_size=1,
    max_size=4,
)


def everything(table):
    import numpy as np

    counts = {k: v for k, v in table.revision.counts.items() if v}
    shown = pages.shown(table, np.arange(table.row_count))
    for row in shown:
        row["issues"] = sorted(row["issues"], key=str)
    views = [View(filter=name) for name in ("error", "valid", "edited", "excluded")]
    views += [View(sort="e.amount"), View(sort="e.id", descending=True), View(search="r")]
    return shown, counts, summarised(table), [resolve(table, view).tolist() for view in views]


def carried_out(table, prepared):
    return table_of(
        commit(
            prepared=prepared,
            number=next_number(table.revision.subject),
            actor=ADA,
            at=clock.now(),
        )
    )


def changed(batch):
    texts, exclude, include = batch
    return Changes(dict(texts), exclude, include - exclude)


def small(table, changes):
    return carried_out(
        table, preparation.prepare(table, changes, kind="edit", actor=ADA, at=clock.now())
    )


def large(table, changes):
    return carried_out(table, prepare_rewrite(table, in_bulk(changes), kind="replace"))


@settings(
    max_examples=tries(20),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(batches=BATCHES, sizes=st.lists(st.booleans(), min_size=4, max_size=4))
def test_overlays_and_rewritten_files_show_the_same(db, batches, sizes):
    over, mixed = (table_of(stage_texts(new_id("rec_"))) for _ in range(2))

    for batch, is_large in zip(batches, sizes, strict=False):
        changes = changed(batch)
        over = small(over, changes)
        mixed = (large if is_large else small)(mixed, changes)

        assert everything(mixed) == everything(over)
        counts = over.revision.counts
        parts = (counts[word] for word in ("valid", "warning", "error", "excluded"))
        assert counts["rows"] == sum(parts)


@settings(
    max_examples=tries(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(batches=BATCHES, limits=st.lists(st.sampled_from([0, 10_000]), min_size=4, max_size=4))
def test_undo_restores_exactly(in_review, monkeypatch, batches, limits):
    record = in_review()
    states = [(rows(record), record.counts)]
    for (texts, exclude, include), limit in zip(batches, limits, strict=False):
        monkeypatch.setattr(preparation, "MAX_OVERLAY", limit)
        edit(record, texts, exclude=exclude, include=include - exclude)
        states.append((rows(record), record.counts))

    for expected in states[-2::-1]:
        services.undo(record=record, seen=record.revision, actor=ADA, at=clock.now())
        assert (rows(record), record.counts) == expected
    for expected in states[1:]:
        services.redo(record=record, seen=record.revision, actor=ADA, at=clock.now())
        assert (rows(record), record.counts) == expected


def test_a_rewrite_writes_only_what_changed(in_review):
    record = in_review()
    table = services.rows_of(record)

    prepared = prepare_rewrite(table, in_bulk(Changes({(0, "e.note"): "n"})), kind="replace")

    before, after = table.files.manifest.file_of, prepared.manifest.file_of
    assert {path for path in before if before[path] != after[path]} == {"e.note"}
    assert prepared.manifest.hashes == table.files.manifest.hashes
    assert len(ROWS["id"]) == prepared.counts.rows


def test_a_revision_keeps_its_manifest_in_the_form_it_always_had(staged):
    kept = staged().revision.manifest

    assert set(kept) == {
        *("columns", "rowsFile", "issuesFile", "hashes", "rows", "counts", "sourceRows", "skipped"),
        *("inferred", "questions", "unmatched", "source", "place", "plan", "pins"),
    }
    assert set(kept["columns"][0]) == {"field", "columnType", "outputFormat", "file"}
    assert set(kept["plan"]) == {
        *("catalog", "mapping", "recipe", "answers", "context", "document", "document_kinds"),
    }
    assert set(kept["inferred"]) == {"documents", "documentKinds", "fields"}
    assert kept["place"]["sheet"] == "S"
    assert kept["plan"]["context"] == {"today": "2026-01-02"}
