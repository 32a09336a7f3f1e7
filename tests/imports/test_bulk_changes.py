"""A worker makes a large change: as one revision, with progress, or not at all."""

from datetime import timedelta

import pytest

from common import clock
from common.actors import ENGINE
from imports import services, transitions
from imports.allowances import TooManyImports
from imports.bulk_changes import request, worker
from imports.bulk_changes.transitions import cancel
from imports.models import BulkChange, ImportRecord
from imports.transitions import RowsChanging
from staging.edits.fixes import Fix
from staging.models import Revision
from tests.staging.conftest import in_review
from workflow import tasks

pytestmark = pytest.mark.django_db
__all__ = ["in_review"]
SEARCH = {"inFields": ["e.id", "e.note"], "find": "e", "replace": "E", "matchCase": True}


@pytest.fixture
def record(in_review) -> ImportRecord:
    return in_review()


@pytest.fixture
def call(client_of, mint_key, record):
    """Return a function that calls a path below the import and returns status and JSON."""
    client = client_of(mint_key("tnt_owner"))

    def call(path, body=None, *, method="post", language="en"):
        url = f"/api/import/v1/imports/{record.public_id}{path and '/' + path}"
        answer = getattr(client, method)(
            url, body, format="json", HTTP_ACCEPT_LANGUAGE=language, HTTP_X_IMPORT_ACTOR="Ada"
        )
        return answer.status_code, answer.json() if answer.content else None

    return call


@pytest.fixture(params=["changes", "cells"])
def large(request, monkeypatch) -> None:
    """Let workers make every change: it changes too much, or has too much to look at."""
    if request.param == "changes":
        monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", 0)
    else:
        monkeypatch.setattr("staging.edits.preparation.LOOKED_AT", 0)


@pytest.fixture
def files(monkeypatch) -> None:
    """Let every change require new files."""
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", 0)


def notes(call):
    return [row["values"]["e.note"] for row in call("rows/query", {})[1]["rows"]]


def begun(call, **more):
    status, change = call("rows/replace", {"revision": 1, **SEARCH, **more})
    assert (status, change["state"]) == (202, "running"), change
    return change["changeId"]


def test_a_large_replacement_is_made_by_a_worker_as_one_step(call, large):
    before = notes(call)
    change_id = begun(call)
    assert notes(call) == before
    status, running = call("", method="get")
    assert (status, running["rowsChange"]["changeId"]) == (200, change_id)

    tasks.make_change("")

    _, done = call(f"rows/changes/{change_id}", method="get")
    assert (done["state"], done["revision"], done["cells"]) == ("done", 2, 5)
    assert (done["done"], done["total"]) == (6, 6)
    assert notes(call) == ["REd", "rEd and long", "bluE", None, "grEEn", "REd"]
    record = call("", method="get")[1]
    assert (record["rowsChange"], record["revision"]) == (None, 2)
    assert BulkChange.objects.get().request is None
    assert call("undo", {"revision": 2})[1]["revision"] == 1
    assert notes(call) == before


def test_a_small_replacement_is_answered_at_once(call):
    status, changed = call("rows/replace", {"revision": 1, **SEARCH})

    assert (status, changed["cells"]) == (200, 5)
    assert not BulkChange.objects.exists()


def test_as_many_changes_as_an_overlay_takes_are_made_at_once_and_one_more_is_not(
    call, monkeypatch
):
    body = {"revision": 1, **SEARCH}
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", 4)
    assert call("rows/replace", body)[0] == 202
    BulkChange.objects.all().delete()

    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", 5)

    assert call("rows/replace", body)[0] == 200


FIX = {"field": "e.mail", "code": "not_an_email", "text": "x@y.de"}
CALLS = [
    # path, body, rows by id whose mail or exclusion is checked afterwards
    ("rows/fix", FIX, lambda rows: rows[4]["values"]["e.mail"] == "x@y.de"),
    ("rows/fix", {**FIX, "exclude": True}, lambda rows: rows[4]["excluded"]),
    ("duplicates", {"by": "unique", "keep": "first"}, lambda rows: rows[2]["excluded"]),
    ("duplicates", {"by": "unique", "keep": "merge"}, lambda rows: rows[2]["excluded"]),
]


@pytest.mark.parametrize(("path", "body", "is_done"), CALLS)
def test_other_large_changes_are_a_workers_too(call, files, path, body, is_done):
    body = {"revision": 1, **body}
    if "exclude" in body:
        del body["text"]
    status, change = call(path, body)
    assert (status, change["state"]) == (202, "running")

    tasks.make_change("")

    assert call(f"rows/changes/{change['changeId']}", method="get")[1]["state"] == "done"
    assert is_done(call("rows/query", {})[1]["rows"])


def test_the_rows_of_a_view_are_those_the_caller_chose(call, large):
    begun(call, view={"filter": "error", "field": "e.mail", "asOf": 1})

    tasks.make_change("")

    # Only rows 1 and 4 have an error of the mail.
    assert notes(call) == ["Red", "rEd and long", "blue", None, "grEEn", "Red"]


CHANGES = [
    ("patch", "rows", {"edits": [{"row": 0, "field": "e.note", "text": "x"}]}),
    ("post", "rows/replace", SEARCH),
    ("post", "rows/fix", FIX),
    ("post", "duplicates", {"by": "unique", "keep": "first"}),
    ("post", "undo", {}),
    ("post", "redo", {}),
    ("post", "apply", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_other_changes_wait_until_it_is_over(call, files, method, path, body):
    change_id = begun(call)
    if path == "apply":
        sent = {"applyMode": "browser", "invalidRows": "exclude"}
    else:
        sent = {"revision": 1, **body}

    status, problem = call(path, sent, method=method)

    assert (status, problem["code"]) == (409, "rows_changing"), problem
    assert problem["changeId"] == change_id


def test_the_rows_are_not_made_again_meanwhile(call, record, files):
    """A mapping, an answer and another reading all start like this."""
    begun(call)
    record.refresh_from_db()

    with pytest.raises(RowsChanging):
        transitions.transform_again(record, actor=ENGINE, at=clock.now())

    assert call("", method="get")[1]["state"] == "review"


def test_a_cancelled_change_changes_nothing(call, files):
    change_id = begun(call)

    status, change = call(f"rows/changes/{change_id}/cancel")
    tasks.make_change("")

    assert (status, change["state"]) == (200, "cancelled")
    assert call(f"rows/changes/{change_id}", method="get")[1]["revision"] is None
    assert Revision.objects.count() == 1
    again, problem = call(f"rows/changes/{change_id}/cancel")
    assert (again, problem["code"]) == (409, "illegal_move")
    assert begun(call) != change_id


@pytest.fixture
def meanwhile(monkeypatch):
    """Run a function after a worker computed a change and before it is committed."""

    def arrange(happens):
        real, done = worker.prepared_by, []

        def prepared_by(*arguments, **named):
            prepared = real(*arguments, **named)
            if not done:
                done.append(happens())
            return prepared

        monkeypatch.setattr(worker, "prepared_by", prepared_by)

    return arrange


def staged_folders(data_folder):
    return len(list((data_folder / "files" / "staged").iterdir()))


def cancelled(record):
    cancel(change=BulkChange.objects.get(), actor=ENGINE, at=clock.now())


def claimed_by_another(record):
    BulkChange.objects.update(claim_no=7)


def purged(record):
    services.delete(record=ImportRecord.objects.get(pk=record.pk), actor=ENGINE, at=clock.now())


def import_cancelled(record):
    transitions.cancel(ImportRecord.objects.get(pk=record.pk), actor=ENGINE, at=clock.now())


@pytest.mark.parametrize("happens", [cancelled, claimed_by_another, purged, import_cancelled])
def test_what_happens_before_the_commit_leaves_nothing_of_the_change(
    call, record, files, meanwhile, data_folder, happens
):
    begun(call)
    meanwhile(lambda: happens(record))
    before = staged_folders(data_folder)

    tasks.make_change("")

    assert Revision.objects.count() == 1
    assert not BulkChange.objects.filter(state="done").exists()
    assert staged_folders(data_folder) == (0 if happens is purged else before)


def test_a_change_whose_worker_died_is_made_once_by_the_next(call, files):
    change_id = begun(call)
    BulkChange.objects.update(claimed_until=clock.now() - timedelta(hours=1), claim_no=1, tries=1)

    assert worker.due_changes(limit=1) == [change_id]
    tasks.make_change("")
    tasks.make_change("")

    assert call(f"rows/changes/{change_id}", method="get")[1]["state"] == "done"
    assert Revision.objects.count() == 2


def test_a_change_that_ends_each_worker_is_given_up(call, files):
    change_id = begun(call)
    BulkChange.objects.update(tries=worker.MOST_TRIES)

    tasks.make_change("")

    _, change = call(f"rows/changes/{change_id}", method="get")
    assert (change["state"], change["problem"]["code"]) == ("failed", "internal_error")
    assert call("rows/fix", {"revision": 1, **FIX})[0] == 202


def test_a_failure_of_the_machine_is_tried_again(call, files, monkeypatch):
    change_id = begun(call)
    real, failures = worker.prepared_by, [OSError("no room"), OSError("no room")]

    def broken_at_first(*arguments, **named):
        if failures:
            raise failures.pop()
        return real(*arguments, **named)

    monkeypatch.setattr(worker, "prepared_by", broken_at_first)
    monkeypatch.setattr(worker, "TRY_AGAIN", timedelta(0))

    tasks.make_change("")

    assert call(f"rows/changes/{change_id}", method="get")[1]["state"] == "done"


def test_a_change_that_is_refused_later_says_why_in_the_readers_language(call, large):
    change_id = begun(call, replace="e" * 9_000, inFields=["e.note"])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("staging.changes.MAX_CHANGED", 10)
        tasks.make_change("")

    english = call(f"rows/changes/{change_id}", method="get")[1]["problem"]
    german = call(f"rows/changes/{change_id}", method="get", language="de")[1]["problem"]

    assert english["code"] == german["code"] == "change_too_large"
    assert english["detail"] != german["detail"]
    assert notes(call)[0] == "Red"


def test_rows_that_were_changed_meanwhile_are_not_changed(call, record, files):
    change_id = begun(call)
    _, before = call("rows/query", {})
    ImportRecord.objects.update(revision=1)
    Revision.objects.create(
        **{
            field.name: getattr(Revision.objects.get(), field.name)
            for field in Revision._meta.fields
            if field.name not in {"id", "number"}
        },
        number=2,
    )
    ImportRecord.objects.update(revision=2)

    tasks.make_change("")

    _, change = call(f"rows/changes/{change_id}", method="get")
    assert (change["state"], change["problem"]["code"]) == ("failed", "rows_changed")
    assert call("rows/query", {})[1]["rows"] == before["rows"]


@pytest.fixture
def two_by_two(monkeypatch) -> None:
    """Process the rows in batches of two."""
    monkeypatch.setattr("tabular.transforming.source._ROWS", 2)


def test_a_worker_says_how_far_it_is(call, files, two_by_two, monkeypatch):
    begun(call)
    noted = []
    real = BulkChange.update_as_claimed

    def update(change, **changes):
        noted.append((changes["stage"], changes["done"], changes["total"]))
        real(change, **changes)

    monkeypatch.setattr(worker, "PROGRESS_EVERY_S", 0.0)
    monkeypatch.setattr(BulkChange, "update_as_claimed", update)

    tasks.make_change("")

    finding = [("finding", done, 6) for done in (2, 4, 6)]
    assert noted == [*finding, *(("changing", done, 6) for done in (2, 4, 6))]


def test_resolving_duplicates_stops_when_it_is_given_up(call, files, monkeypatch):
    _, change = call("duplicates", {"revision": 1, "by": "unique", "keep": "first"})
    stages = []
    real = BulkChange.update_as_claimed

    def update(change, **changes):
        stages.append(changes["stage"])
        cancel(change=BulkChange.objects.get(), actor=ENGINE, at=clock.now())
        real(change, **changes)

    monkeypatch.setattr(BulkChange, "update_as_claimed", update)

    tasks.make_change("")

    assert stages == ["finding"]
    assert call(f"rows/changes/{change['changeId']}", method="get")[1]["state"] == "cancelled"


def test_a_change_is_known_to_its_own_import_alone(call, files, in_review, client_of, mint_key):
    change_id = begun(call)
    other = in_review()
    strangers = in_review(tenant="tnt_stranger")
    owner, stranger = (client_of(mint_key(tenant)) for tenant in ("tnt_owner", "tnt_stranger"))

    for client, at in ((owner, other), (stranger, strangers), (stranger, other)):
        url = f"/api/import/v1/imports/{at.public_id}/rows/changes/{change_id}"
        assert client.get(url).status_code == 404
        assert client.post(f"{url}/cancel").status_code == 404
    assert BulkChange.objects.get().state == "running"


def test_a_tenant_has_so_many_changes_at_work(call, files, settings, in_review):
    begun(call)
    settings.TENANT_IMPORTS_AT_WORK = 1
    other = in_review()
    wish = request.FixGroup(1, "e.mail", "not_an_email", Fix(text="a@b.de"))

    with pytest.raises(TooManyImports):
        services.change_rows(record=other, wish=wish, actor=ENGINE, at=clock.now())


def test_a_preview_of_a_large_table_counts_its_first_rows(call, two_by_two, monkeypatch):
    body = {"revision": 1, **SEARCH, "preview": True}
    _, whole = call("rows/replace", body)
    assert (whole["complete"], whole["of"], whole["cells"]) == (True, 6, 5)
    assert whole["byField"] == {"e.id": 0, "e.note": 5}

    monkeypatch.setattr(request, "LOOKED_AT", 8)  # two fields of two batches of two rows
    _, first = call("rows/replace", body)

    assert (first["complete"], first["of"], first["cells"]) == (False, 4, 3)
    assert [sample["row"] for sample in first["samples"]] == [0, 1, 2]


def test_a_view_of_few_rows_is_looked_at_whole(call, two_by_two, monkeypatch):
    monkeypatch.setattr(request, "LOOKED_AT", 6)
    view = {"filter": "error", "field": "e.mail"}
    body = {"revision": 1, **SEARCH, "inFields": ["e.note"], "view": view, "preview": True}

    _, preview = call("rows/replace", body)

    assert (preview["complete"], preview["cells"]) == (True, 2)


def test_one_thread_of_a_process_makes_changes(call, files):
    begun(call)
    assert worker._making.acquire(blocking=False)
    try:
        tasks.make_change("")
    finally:
        worker._making.release()

    assert BulkChange.objects.get().state == "running"
