"""Rows over HTTP: pages, edits, replace, fix, explain, issues, undo, of one's own imports only."""

import json

import pytest

from imports.models import ImportRecord
from tests.staging.conftest import ROWS, in_review, stage_texts

pytestmark = pytest.mark.django_db
__all__ = ["in_review"]


@pytest.fixture
def record(in_review):
    return in_review()


@pytest.fixture
def call(client_of, mint_key, record):
    """Return a function that calls a path below the import and returns status and JSON."""
    client = client_of(mint_key("tnt_owner"))

    def call(path, body=None, *, method="post", by="Ada", using=client):
        url = f"/api/import/v1/imports/{record.public_id}/{path}"
        answer = getattr(using, method)(url, body, format="json", HTTP_X_IMPORT_ACTOR=by)
        return answer.status_code, answer.json()

    return call


def test_a_page_says_where_its_rows_are_in_the_file(call):
    status, page = call("rows/query", {"view": {"filter": "error"}, "limit": 1, "offset": 1})

    assert (status, page["total"], page["revision"]) == (200, 3, 1)
    (row,) = page["rows"]
    assert (row["row"], row["sourceRow"], row["sheet"], row["page"]) == (2, 3, "S", None)
    assert row["issues"][0]["message"]


def test_an_edit_answers_with_the_rows_it_changed(call):
    status, changed = call(
        "rows",
        {"revision": 1, "edits": [{"row": 0, "field": "e.id", "text": "K7"}]},
        method="patch",
    )

    assert (status, changed["revision"], changed["changedRows"]) == (200, 2, 2)
    assert [row["row"] for row in changed["rows"]] == [0, 2]
    assert changed["rows"][0]["values"]["e.id"] == "K7"
    assert changed["counts"]["byCode"].get("unique") is None


def test_an_open_view_keeps_its_order_and_shows_the_new_values(call):
    edits = [{"row": 1, "field": path, "text": text} for path, text in GOOD.items()]
    call("rows", {"revision": 1, "edits": edits}, method="patch")

    view = {"filter": "error", "asOf": 1}
    status, page = call("rows/query", {"revision": 2, "view": view})

    assert status == 200
    assert [row["row"] for row in page["rows"]] == [1, 2, 4]
    assert page["rows"][0]["severity"] == "valid"


GOOD = {"e.amount": "2", "e.mail": "b@c.de", "e.note": "red"}


def test_two_editors_of_one_cell_are_told_about_each_other(call):
    def edit(text, by):
        cell = {"row": 1, "field": "e.amount", "text": text}
        return call("rows", {"revision": 1, "edits": [cell]}, method="patch", by=by)

    assert edit("2", "Ada")[0] == 200
    status, problem = edit("3", "Bob")

    assert (status, problem["code"]) == (409, "overlapping_edits")
    (conflict,) = problem["conflicts"]
    assert (conflict["yours"], conflict["theirs"]) == ("3", "2")
    assert conflict["by"]["label"] == "Ada"


def test_replace_counts_first_and_then_replaces(call):
    body = {"revision": 1, "inFields": ["e.note"], "find": "red", "replace": "blue"}
    status, preview = call("rows/replace", {**body, "preview": True})
    assert (status, preview["cells"]) == (200, 3)
    assert preview["samples"][0] == {
        "row": 0,
        "field": "e.note",
        "before": "Red",
        "after": "blue",
    }

    status, changed = call("rows/replace", body)

    assert (status, changed["cells"]) == (200, 3)
    _, page = call("rows/query", {})
    notes = [row["values"]["e.note"] for row in page["rows"]]
    assert notes == ["blue", "blue and long", "blue", None, "green", "blue"]
    assert call("undo", {"revision": changed["revision"]})[1]["revision"] == 1


@pytest.mark.parametrize(
    ("search", "cells"),
    [
        ({"find": "Red", "matchCase": True}, 2),
        ({"find": "red", "whole": True}, 2),
        ({"find": "", "whole": True}, 1),  # the empty cell
        ({"find": "."}, 0),  # a point is a point
        ({"find": "red", "view": {"filter": "error"}}, 1),
    ],
)
def test_a_search_finds_what_it_says(call, search, cells):
    body = {"revision": 1, "inFields": ["e.note"], "replace": "x", "preview": True}

    assert call("rows/replace", body | search)[1]["cells"] == cells


def test_replace_changes_the_rows_that_an_open_view_shows(call):
    edits = [{"row": 1, "field": path, "text": text} for path, text in GOOD.items()]
    call("rows", {"revision": 1, "edits": edits}, method="patch")
    body = {"revision": 2, "inFields": ["e.id"], "find": "K", "replace": "L", "preview": True}

    now = call("rows/replace", {**body, "view": {"filter": "error"}})
    opened = call("rows/replace", {**body, "view": {"filter": "error", "asOf": 1}})

    assert (now[1]["cells"], opened[1]["cells"]) == (1, 2)


@pytest.mark.parametrize("path", ["rows/query", "rows/replace"])
def test_a_view_of_rows_before_a_new_transform_is_outdated(call, record, path):
    later = stage_texts(record.public_id, {name: texts[:2] for name, texts in ROWS.items()})
    ImportRecord.objects.update(revision=later.number)
    body = {"revision": later.number, "view": {"filter": "error", "asOf": 1}}
    search = {"inFields": ["e.id"], "find": "K", "replace": "L"}

    status, problem = call(path, body | (search if path.endswith("replace") else {}))

    assert (status, problem["code"]) == (409, "view_outdated")


def test_a_group_of_issues_is_fixed_by_another_reading(call):
    edits = [{"row": r, "field": "e.paid", "text": t} for r, t in ((0, "02/13/2024"), (3, "x"))]
    call("rows", {"revision": 1, "edits": edits}, method="patch")
    group = {"revision": 2, "field": "e.paid", "code": "not_a_date", "readAs": "mdy"}

    _, preview = call("rows/fix", {**group, "preview": True})
    status, changed = call("rows/fix", group)

    assert (preview["cells"], preview["of"]) == (1, 3)
    assert (status, changed["rows"][0]["values"]["e.paid"]) == (200, "2024-02-13")
    assert changed["counts"]["byCode"]["not_a_date"] == 2


@pytest.mark.parametrize("way", [{"text": "a@b.de"}, {"exclude": True}])
def test_a_group_of_issues_is_fixed_by_a_text_or_by_leaving_its_rows_out(call, way):
    status, changed = call(
        "rows/fix", {"revision": 1, "field": "e.mail", "code": "not_an_email", **way}
    )

    assert status == 200
    assert "not_an_email" not in changed["counts"]["byCode"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"readAs": "mdy", "text": "x"}, 400),
        ({}, 400),
        ({"exclude": False}, 400),  # that wishes nothing, and must not empty the cells
        ({"readAs": "eu"}, 409),  # a date has no decimal separator
        ({"exclude": True, "revision": 9}, 404),
        ({"exclude": True, "field": "e.none"}, 409),
    ],
)
def test_a_fix_that_makes_no_sense_is_refused(call, body, status):
    base = {"revision": 1, "field": "e.paid", "code": "not_a_date", "preview": True}

    assert call("rows/fix", base | body)[0] == status


def test_explain_says_where_each_value_comes_from_and_who_changed_it(call):
    cell = {"row": 1, "field": "e.amount", "text": "2"}
    call("rows", {"revision": 1, "edits": [cell]}, method="patch")

    status, story = call("rows/1/explain", method="get")

    cells = {item["field"]: item for item in story["cells"]}
    assert (status, story["sourceRow"]) == (200, 2)
    assert (cells["e.amount"]["stemsFrom"], cells["e.amount"]["value"]) == ("edit", 2)
    assert cells["e.amount"]["texts"] == {"amount": "x"}
    assert cells["e.note"]["stemsFrom"] == "column"
    (edit,) = story["edits"]
    assert (edit["previous"], edit["text"], edit["by"]["label"]) == ("x", "2", "Ada")
    assert call("rows/99/explain", method="get")[0] == 404


def test_issues_are_counted_by_code_field_and_severity(call):
    status, groups = call("issues", method="get")

    assert status == 200
    counted = {(i["code"], i["field"], i["severity"]): i["count"] for i in groups["issues"]}
    assert counted["not_a_number", "e.amount", "error"] == 1
    for (code, field, _), count in counted.items():
        view = {"code": code, "field": field}
        assert call("rows/query", {"view": view})[1]["total"] == count


@pytest.mark.parametrize(
    ("path", "method", "body"),
    [
        ("rows/query", "post", {}),
        ("rows", "patch", {"revision": 1, "exclude": [0]}),
        (
            "rows/replace",
            "post",
            {"revision": 1, "inFields": ["e.id"], "find": "K", "replace": "L"},
        ),
        ("rows/fix", "post", {"revision": 1, "field": "e.id", "code": "unique", "exclude": True}),
        ("rows/0/explain", "get", None),
        ("issues", "get", None),
        ("results", "get", None),
        ("undo", "post", {"revision": 1}),
        ("redo", "post", {"revision": 1}),
    ],
)
def test_the_rows_of_another_tenant_are_not_there(
    call, client_of, mint_key, record, path, method, body
):
    stranger = client_of(mint_key("tnt_stranger"))

    status, problem = call(path, body, method=method, using=stranger)

    assert (status, problem["code"]) == (404, "unknown_import")
    record.refresh_from_db()
    assert record.revision == 1


@pytest.mark.parametrize(
    ("path", "method", "body", "code"),
    [
        ("rows/query", "post", {"view": {"sort": {"field": "e.none"}}}, "unknown_field"),
        ("rows/query", "post", {"view": {"order": "x"}}, "invalid_request"),
        (
            "rows/replace",
            "post",
            {"revision": 1, "inFields": ["e.id"], "find": "a", "replace": "b"}
            | {"view": {"sort": {"field": "e.none"}}},
            "unknown_field",
        ),
        ("rows", "patch", {"revision": 1}, "contradictory_batch"),
        ("rows", "patch", {"revision": 1, "exclude": [1], "include": [1]}, "contradictory_batch"),
        ("rows", "patch", {"revision": 1, "exclude": [6]}, "unknown_cells"),
    ],
)
def test_what_cannot_be_asked_of_rows_is_said(call, path, method, body, code):
    status, problem = call(path, body, method=method)

    # the schema answers 400; only these rows decide the rest
    assert (status, problem["code"]) == (400 if code == "invalid_request" else 409, code)


def test_rows_are_not_changed_after_an_apply(call, record):
    record.state = "applied"
    record.save()

    status, problem = call("rows", {"revision": 1, "exclude": [0]}, method="patch")

    assert (status, problem["code"]) == (409, "not_in_review")


def test_browser_mode_makes_no_delivery_and_gives_the_rows(call, record, client_of, mint_key):
    from deliveries.models import Delivery
    from workflow.worker import advance

    assert call("results", method="get")[1]["code"] == "not_applied"
    call("rows", {"revision": 1, "exclude": [0]}, method="patch")
    wish = {"applyMode": "browser", "invalidRows": "exclude"}
    assert call("apply", wish)[0] == 202
    advance(record.public_id)

    status, page = call("results?limit=1", method="get")
    _, last = call(f"results?limit=9&cursor={page['next']}", method="get")
    url = f"/api/import/v1/imports/{record.public_id}/results?stream=true"
    stream = client_of(mint_key("tnt_owner")).get(url)
    lines = b"".join(stream.streaming_content).splitlines()

    assert (status, page["rowCount"], last["next"]) == (200, 2, None)
    assert [json.loads(line) for line in lines] == page["items"] + last["items"]
    assert [row["e.id"] for row in page["items"] + last["items"]] == ["K4", "K6"]
    assert not Delivery.objects.exists()
