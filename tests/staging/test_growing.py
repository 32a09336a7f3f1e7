"""No change makes a cell, or all cells together, larger than the engine keeps."""

import pytest

from common import clock
from common.errors import InsufficientStorage
from imports import allowances, services
from staging import changes
from staging.changes import ChangeTooLarge
from staging.edits.fixes import Fix
from staging.edits.replacement import CellTooLong, Search
from staging.models import Revision
from staging.views import View
from tests.staging.conftest import ADA
from tests.staging.test_editing import edit, rows

pytestmark = pytest.mark.django_db
LONG = "e" * 10_000


def wanted(record, **search):
    record.refresh_from_db()
    body = {"find": "e", "replace": LONG, "fields": ("e.note",), **search}
    wish = services.Replace(seen=record.revision, search=Search(**body), view=View())
    return {"record": record, "wish": wish}


def replace(record, **search):
    return services.change_rows(**wanted(record, **search), actor=ADA, at=clock.now())


def test_a_replacement_that_would_outgrow_a_cell_is_refused_before_it_is_made(in_review):
    record = in_review()
    replace(record)  # "green" becomes 20,000 characters
    before = rows(record)

    for attempt in (services.preview_replace, None):
        with pytest.raises(CellTooLong) as refused:
            replace(record) if attempt is None else attempt(**wanted(record))
        assert isinstance(refused.value.members["row"], int)

    assert rows(record) == before


def test_a_cell_that_is_long_already_may_become_shorter(in_review):
    record = in_review(columns={"note": ["ab" * 20_000, "c"]}, fields=[{"key": "note"}])

    replace(record, find="ab", replace="a")

    assert rows(record)[0]["values"]["e.note"] == "a" * 20_000


@pytest.mark.parametrize("search", [{}, {"find": "", "replace": "x"}])
def test_a_change_writes_no_more_than_so_much(in_review, monkeypatch, search):
    record = in_review()
    monkeypatch.setattr(changes, "MAX_CHANGED", 0)

    with pytest.raises(ChangeTooLarge):
        replace(record, **search)
    with pytest.raises(ChangeTooLarge):
        services.preview_replace(**wanted(record, **search))


def test_a_fix_writes_no_more_than_so_much(in_review, monkeypatch):
    record = in_review()
    monkeypatch.setattr(changes, "MAX_CHANGED", 0)
    fix = services.FixGroup(record.revision, "e.mail", "not_an_email", Fix(text="a@b.de"))

    with pytest.raises(ChangeTooLarge):
        services.preview_fix(record=record, wish=fix)
    with pytest.raises(ChangeTooLarge):
        services.change_rows(record=record, wish=fix, actor=ADA, at=clock.now())


def test_a_revision_knows_what_it_stores_in_the_database_or_as_files(in_review, monkeypatch):
    record = in_review()

    edit(record, {(0, "e.note"): "x" * 5_000})
    edited = Revision.objects.get(subject=record.public_id, number=record.revision)
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", 0)
    edit(record, {(1, "e.note"): "y"})
    rewritten = Revision.objects.get(subject=record.public_id, number=record.revision)

    assert edited.stored_bytes > 5_000
    assert rewritten.folder
    assert rewritten.stored_bytes > 0


def test_the_edits_of_one_import_have_an_end(in_review, monkeypatch):
    record = in_review()
    edit(record, {(0, "e.note"): "a" * 5_000})
    monkeypatch.setattr(allowances, "MOST_EDIT_BYTES", 20_000)

    with pytest.raises(InsufficientStorage) as refused:
        edit(record, {(0, "e.note"): "b" * 5_000})

    assert refused.value.code == "too_many_edits"
    assert rows(record)[0]["values"]["e.id"] == "K1"  # the rows are as they were


def test_edits_fill_the_space_of_the_tenant(in_review, settings):
    record = in_review()
    settings.TENANT_STORED_BYTES = 20_000

    edit(record, {(0, "e.note"): "x"})
    with pytest.raises(InsufficientStorage) as refused:
        edit(record, {(0, "e.note"): "x" * 30_000})

    assert refused.value.code == "too_much_stored"
