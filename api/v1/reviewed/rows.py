"""Rows in review: view and change them, undo and redo."""

from dataclasses import asdict
from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from api.v1.http.kept_rows import while_kept
from api.v1.imports import WAIT
from api.v1.reviewed.questions import seen_by
from catalogs.overlays import digest_of
from common import clock
from common.http.addresses import below
from common.http.language import current_language
from common.response_size import cut_to_fit, fitting
from imports import services
from imports.answers.behind import answers_behind
from imports.bulk_changes import transitions as bulk_changes
from imports.bulk_changes.model import BulkChange
from imports.bulk_changes.state import change_of
from imports.models import ImportRecord
from imports.page_policy import require_own
from imports.previews.pages import clip_link
from imports.rows.customer_settings import settings_behind
from imports.rows.references import hint_at_other_scopes
from imports.rows.search_words import meant_by
from imports.selectors import import_for, rows_import_for
from imports.services.review import Changed
from licensing.authentication import caller_of
from licensing.rights.checker import check_members, declares, operation_of, require
from licensing.rights.model import EXCLUDE, FIX
from schemas.shapes.review.bulk_changes import BulkChangeOut
from schemas.shapes.review.explain import CellAnswerOut, ExplainOut
from schemas.shapes.review.rows import (
    ChangedOut,
    EditIn,
    FixIn,
    IssuesOut,
    LostOut,
    PointerOut,
    PreviewOut,
    ReplaceIn,
    RevisionIn,
    RowsOut,
    RowsQuery,
)
from schemas.wait import seconds_to_wait, wait_for
from staging import pages
from staging.changes import changes_of, require_fields
from staging.edits.fixes import Fix
from staging.edits.replacement import Search, editable_texts
from staging.issues import summarised
from staging.lineage.explanation import explained
from staging.selectors import orphaned_edits
from staging.views import View, resolve

SHOWN_ROWS = 500  # how many of the changed rows an answer shows
BY_WORKER = OpenApiResponse(
    BulkChangeOut, description="A worker makes it: ask `rows/changes/{changeId}`."
)
CHANGED_BY_WHOM = {
    200: PolymorphicProxySerializer(
        component_name="ChangedOrPreview",
        serializers=[ChangedOut, PreviewOut],
        resource_type_field_name=None,
    ),
    202: BY_WORKER,
}


@extend_schema(request=RowsQuery, responses=RowsOut)
@declares(POST="imports_rows_query_create")
@api_view(["POST"])
@while_kept
def query(request: Request, record_id: str) -> Response:
    """Return a page of the rows of a view, with their issues."""
    record = rows_import_for(caller_of(request), record_id)
    params = _read(RowsQuery, request)
    table = services.rows_of(record, params.get("revision"))
    ordered = services.rows_as_of(record, table, params["view"].pop("asOf", None))
    view = _view(record, params["view"])
    require_fields(ordered, view.named)
    numbers = resolve(ordered, view)
    wanted = numbers[params["offset"] : params["offset"] + params["limit"]]
    shown = pages.fitting_rows(table, wanted)
    shown_rows = pages.shown(table, shown)
    if not caller_of(request).is_page:
        hint_at_other_scopes(table, shown_rows)
    if params["texts"]:
        values = [row["values"] for row in shown_rows]
        for row, texts in zip(shown_rows, editable_texts(table, shown, values), strict=True):
            row["texts"] = texts
    rows = fitting(shown_rows, cut=pages.cut)
    end = params["offset"] + len(rows)
    page = {
        "revision": table.revision.number,
        "current": record.revision,
        "total": len(numbers),
        "rows": rows,
        "next": end if rows and end < len(numbers) else None,
    }
    return Response(page)


@extend_schema(request=EditIn, responses=ChangedOut)
@declares(PATCH="imports_rows_partial_update")
@api_view(["PATCH"])
@while_kept
def edit(request: Request, record_id: str) -> Response:
    """Change cells, exclude rows or put them back; the reply says what became of them."""
    record = _import(request, record_id)
    params = _read(EditIn, request)
    check_members(caller_of(request), operation_of(request), params)
    changed = services.edit_rows(
        record=record,
        seen=params.pop("revision"),
        changes=changes_of(**params),
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(changed_shown(record, changed))


@extend_schema(methods=["GET"], responses=LostOut)
@extend_schema(methods=["DELETE"], responses={204: None})
@declares(GET="imports_rows_lost_retrieve", DELETE="imports_rows_lost_destroy")
@api_view(["GET", "DELETE"])
@while_kept
def lost(request: Request, record_id: str) -> Response:
    """List the edits that a new mapping or recipe left without a cell, or confirm that."""
    record = _import(request, record_id)
    if request.method == "DELETE":
        services.confirm_lost(record=record)
        return Response(status=204)
    edits = orphaned_edits(services.rows_of(record).revision) if record.revision else []
    return Response({"items": fitting(LostOut({"items": edits}).data["items"])})


@extend_schema(responses=IssuesOut)
@declares(GET="imports_issues_retrieve")
@api_view(["GET"])
@while_kept
def issues(request: Request, record_id: str) -> Response:
    """Count the issues by code, field and severity."""
    table = services.rows_of(_import(request, record_id))
    groups = fitting(asdict(group) for group in summarised(table))
    return Response({"revision": table.revision.number, "issues": groups})


@extend_schema(request=ReplaceIn, responses=CHANGED_BY_WHOM)
@declares(POST="imports_rows_replace_create")
@api_view(["POST"])
@while_kept
def replace(request: Request, record_id: str) -> Response:
    """Find and replace, or count first what that would change; a worker makes a large change."""
    record = _import(request, record_id)
    params = _read(ReplaceIn, request)
    wish = services.Replace(
        seen=params["revision"],
        as_of=params["view"].pop("asOf", None),
        view=_view(record, params["view"]),
        search=Search(
            find=params["find"],
            replace=params["replace"],
            fields=tuple(dict.fromkeys(params["inFields"])),
            whole=params["whole"],
            match_case=params["matchCase"],
        ),
    )
    if params["preview"]:
        return Response(cut_to_fit(asdict(services.preview_replace(record=record, wish=wish))))
    require(caller_of(request), FIX)
    return changed_in_bulk(request, record, wish)


@extend_schema(request=FixIn, responses=CHANGED_BY_WHOM)
@declares(POST="imports_rows_fix_create")
@api_view(["POST"])
@while_kept
def fix(request: Request, record_id: str) -> Response:
    """Fix one group of issues, or count first how many; a worker makes a large change."""
    record = _import(request, record_id)
    params = _read(FixIn, request)
    wish = services.FixGroup(
        seen=params["revision"],
        field=params["field"],
        code=params["code"],
        fix=Fix(
            read_as=params.get("readAs"),
            text=params.get("text"),
            exclude=params.get("exclude", False),
        ),
    )
    if params["preview"]:
        return Response(cut_to_fit(asdict(services.preview_fix(record=record, wish=wish))))
    require(caller_of(request), EXCLUDE if wish.fix.exclude else FIX)
    return changed_in_bulk(request, record, wish)


@extend_schema(operation_id="imports_rows_change_read", parameters=[WAIT], responses=BulkChangeOut)
@declares(GET="imports_rows_change_read")
@api_view(["GET"])
def change(request: Request, record_id: str, change_id: str) -> Response:
    """Return the progress of a bulk change by a worker; ``wait`` waits for its end."""
    record = _import(request, record_id)
    bulk_change = wait_for(
        lambda: change_of(record, change_id),
        is_done=lambda bulk_change: bulk_change.state != BulkChange.State.RUNNING,
        seconds=seconds_to_wait(request),
    )
    return Response(BulkChangeOut(bulk_change).data)


@extend_schema(operation_id="imports_rows_change_cancel", request=None, responses=BulkChangeOut)
@declares(POST="imports_rows_change_cancel")
@api_view(["POST"])
def cancel_running(request: Request, record_id: str, change_id: str) -> Response:
    """Cancel a running bulk change; nothing is changed then."""
    caller = caller_of(request)
    bulk_change = change_of(_import(request, record_id), change_id)
    require_own(caller, bulk_change.actor)
    return Response(
        BulkChangeOut(
            bulk_changes.cancel(change=bulk_change, actor=caller.actor, at=clock.now())
        ).data
    )


@extend_schema(responses=ExplainOut)
@declares(GET="imports_rows_explain_retrieve")
@api_view(["GET"])
@while_kept
def explain(request: Request, record_id: str, row: int) -> Response:
    """Return where each value of a row comes from, what decided about it, and who changed it."""
    record = _import(request, record_id)
    table = services.rows_of(record)
    explanation = explained(table, row)
    explanation["overlayDigest"] = digest_of(record.overlay) if record.overlay else None
    settings = settings_behind(record, table, row)
    answers = answers_behind(record, explanation["cells"])
    for cell in explanation["cells"]:
        behind = answers[cell["field"]]
        cell["answers"] = CellAnswerOut(behind, many=True, context=seen_by(request)).data
        cell["settings"] = [asdict(setting) for setting in settings.get(cell["field"], ())]
        for place in cell["places"]:
            place["clip"] = clip_link(record, explanation["page"], place["box"])
    shorter = cut_to_fit(explanation)
    return Response(explanation if shorter is explanation else {**shorter, "cut": True})


@extend_schema(request=RevisionIn, responses=PointerOut)
@declares(POST="imports_undo_create")
@api_view(["POST"])
def undo(request: Request, record_id: str) -> Response:
    """Take the last change back."""
    return _travelled(request, record_id, services.undo)


@extend_schema(request=RevisionIn, responses=PointerOut)
@declares(POST="imports_redo_create")
@api_view(["POST"])
def redo(request: Request, record_id: str) -> Response:
    """Do again what was taken back last."""
    return _travelled(request, record_id, services.redo)


def _travelled(request: Request, record_id: str, travel: Any) -> Response:
    record = _import(request, record_id)
    seen = _read(RevisionIn, request)["revision"]
    caller = caller_of(request)
    there = travel(
        record=record,
        seen=seen,
        check_undo=partial(require_own, caller),
        actor=caller.actor,
        at=clock.now(),
    )
    return Response({"revision": there.revision, "counts": there.counts})


def _import(request: Request, record_id: str) -> ImportRecord:
    return import_for(caller_of(request), record_id)


def _read(shape: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    read: dict[str, Any] = body.validated_data
    return read


def _view(record: ImportRecord, params: dict[str, Any]) -> View:
    sort = params.pop("sort", None) or {}
    return View(
        **params,
        meant=meant_by(record, params.get("search", ""), language=current_language()),
        sort=sort.get("field"),
        descending=sort.get("descending", False),
    )


def changed_shown(record: ImportRecord, changed: Changed) -> dict[str, Any]:
    """Return the result of a change, with the first rows that it changed."""
    import numpy as np

    table = services.rows_of(record, changed.revision)
    first = pages.fitting_rows(table, np.array(changed.rows[:SHOWN_ROWS], np.int64))
    return {
        "revision": changed.revision,
        "counts": changed.counts,
        "cells": changed.cells,
        "changedRows": len(changed.rows),
        "rows": fitting(pages.shown(table, first), cut=pages.cut),
        "refused": [asdict(refused) for refused in changed.refused],
    }


def changed_in_bulk(request: Request, record: ImportRecord, wish: services.Wish) -> Response:
    """Make a bulk change; if a worker makes it, return 202 and its progress."""
    caller = caller_of(request)
    changed = services.change_rows(record=record, wish=wish, actor=caller.actor, at=clock.now())
    if isinstance(changed, Changed):
        return Response(changed_shown(record, changed))
    at = below(f"/api/import/v1/imports/{record.public_id}/rows/changes/{changed.public_id}")
    headers = {"Location": at, "Retry-After": "1"}
    return Response(BulkChangeOut(changed).data, status=202, headers=headers)
