"""Rows in review: look at them, change them, undo and redo."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from common import clock
from imports import services
from imports.models import ImportRecord
from imports.selectors import import_for
from imports.services.reviewing import Changed
from imports.terms import require
from licensing.authentication import caller_of, for_pages, reading_post
from licensing.sessions import EXCLUDE, FIX
from staging import pages
from staging.changes import changes_of, require_fields
from staging.edits.fixing import Fix
from staging.edits.replacing import Search, editable_texts
from staging.issues import summarised
from staging.lineage.explaining import explained
from staging.selectors import lost_edits
from staging.views import View, resolve
from wire.shapes.explain import ExplainOut
from wire.shapes.rows import (
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

SHOWN_ROWS = 500  # of those that a change made look different
CHANGED_OR_PREVIEW = PolymorphicProxySerializer(
    component_name="ChangedOrPreview",
    serializers=[ChangedOut, PreviewOut],
    resource_type_field_name=None,
)


@reading_post
@extend_schema(request=RowsQuery, responses=RowsOut)
@for_pages("POST")
@api_view(["POST"])
def query(request: Request, record_id: str) -> Response:
    """Give a page of the rows of a view, with their issues."""
    record = _import(request, record_id)
    asked = _read(RowsQuery, request)
    table = services.rows_of(record, asked.get("revision"))
    ordered = services.rows_as_of(record, table, asked["view"].pop("asOf", None))
    view = _view(asked["view"])
    require_fields(ordered, view.named)
    numbers = resolve(ordered, view)
    shown = numbers[asked["offset"] : asked["offset"] + asked["limit"]]
    found = pages.shown(table, shown)
    if asked["texts"]:
        values = [row["values"] for row in found]
        for row, texts in zip(found, editable_texts(table, shown, values), strict=True):
            row["texts"] = texts
    page = {
        "revision": table.revision.number,
        "current": record.revision,
        "total": len(numbers),
        "rows": found,
    }
    return Response(page)


@extend_schema(request=EditIn, responses=ChangedOut)
@for_pages("PATCH")
@api_view(["PATCH"])
def edit(request: Request, record_id: str) -> Response:
    """Change cells, leave rows out or put them back; the reply says what became of them."""
    record = _import(request, record_id)
    asked = _read(EditIn, request)
    require(
        caller_of(request),
        *([FIX] if asked["edits"] else []),
        *([EXCLUDE] if asked["exclude"] else []),
    )
    changed = services.edit_rows(
        record=record,
        seen=asked.pop("revision"),
        changes=changes_of(**asked),
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(changed_shown(record, changed))


@extend_schema(methods=["GET"], responses=LostOut)
@extend_schema(methods=["DELETE"], responses={204: None})
@for_pages("GET", "DELETE")
@api_view(["GET", "DELETE"])
def lost(request: Request, record_id: str) -> Response:
    """List the edits that a new mapping or recipe left without a cell, or confirm that."""
    record = _import(request, record_id)
    if request.method == "DELETE":
        services.confirm_lost(record=record)
        return Response(status=204)
    found = lost_edits(services.rows_of(record).revision) if record.revision else []
    return Response(LostOut({"items": found}).data)


@extend_schema(responses=IssuesOut)
@for_pages("GET")
@api_view(["GET"])
def issues(request: Request, record_id: str) -> Response:
    """Count the issues by code, field and severity."""
    table = services.rows_of(_import(request, record_id))
    groups = [asdict(group) for group in summarised(table)]
    return Response({"revision": table.revision.number, "issues": groups})


@extend_schema(request=ReplaceIn, responses=CHANGED_OR_PREVIEW)
@for_pages("POST")
@api_view(["POST"])
def replace(request: Request, record_id: str) -> Response:
    """Find and replace, or count first what that would change."""
    record = _import(request, record_id)
    asked = _read(ReplaceIn, request)
    wanted: dict[str, Any] = {
        "record": record,
        "seen": asked["revision"],
        "as_of": asked["view"].pop("asOf", None),
        "view": _view(asked["view"]),
        "search": Search(
            find=asked["find"],
            replace=asked["replace"],
            fields=tuple(asked["inFields"]),
            whole=asked["whole"],
            match_case=asked["matchCase"],
        ),
    }
    if asked["preview"]:
        return Response(asdict(services.preview_replace(**wanted)))
    require(caller_of(request), FIX)
    by = caller_of(request).actor
    return Response(changed_shown(record, services.replace(**wanted, actor=by, at=clock.now())))


@extend_schema(request=FixIn, responses=CHANGED_OR_PREVIEW)
@for_pages("POST")
@api_view(["POST"])
def fix(request: Request, record_id: str) -> Response:
    """Fix one group of issues, or count first how many that would fix."""
    record = _import(request, record_id)
    asked = _read(FixIn, request)
    wanted: dict[str, Any] = {
        "record": record,
        "seen": asked["revision"],
        "field": asked["field"],
        "code": asked["code"],
        "fix": Fix(
            read_as=asked.get("readAs"),
            text=asked.get("text"),
            exclude=asked.get("exclude", False),
        ),
    }
    if asked["preview"]:
        return Response(asdict(services.preview_fix(**wanted)))
    require(caller_of(request), EXCLUDE if wanted["fix"].exclude else FIX)
    by = caller_of(request).actor
    return Response(changed_shown(record, services.fix(**wanted, actor=by, at=clock.now())))


@extend_schema(responses=ExplainOut)
@for_pages("GET")
@api_view(["GET"])
def explain(request: Request, record_id: str, row: int) -> Response:
    """Say where each value of a row comes from, and who changed it."""
    return Response(explained(services.rows_of(_import(request, record_id)), row))


@extend_schema(request=RevisionIn, responses=PointerOut)
@for_pages("POST")
@api_view(["POST"])
def undo(request: Request, record_id: str) -> Response:
    """Take the last change back."""
    return _travelled(request, record_id, services.undo)


@extend_schema(request=RevisionIn, responses=PointerOut)
@for_pages("POST")
@api_view(["POST"])
def redo(request: Request, record_id: str) -> Response:
    """Do again what was taken back last."""
    return _travelled(request, record_id, services.redo)


def _travelled(request: Request, record_id: str, travel: Any) -> Response:
    record = _import(request, record_id)
    seen = _read(RevisionIn, request)["revision"]
    by = caller_of(request).actor
    there = travel(record=record, seen=seen, actor=by, at=clock.now())
    return Response({"revision": there.revision, "counts": there.counts})


def _import(request: Request, record_id: str) -> ImportRecord:
    return import_for(caller_of(request), record_id)


def _read(shape: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    read: dict[str, Any] = body.validated_data
    return read


def _view(asked: dict[str, Any]) -> View:
    sort = asked.pop("sort", None) or {}
    return View(**asked, sort=sort.get("field"), descending=sort.get("descending", False))


def changed_shown(record: ImportRecord, changed: Changed) -> dict[str, Any]:
    """Give what became of a change, with the first rows that look different."""
    import numpy as np

    table = services.rows_of(record, changed.revision)
    return {
        "revision": changed.revision,
        "counts": changed.counts,
        "cells": changed.cells,
        "changedRows": len(changed.rows),
        "rows": pages.shown(table, np.array(changed.rows[:SHOWN_ROWS], np.int64)),
    }
