"""analyze_file, list_catalogs, propose_mapping, resolved_mapping."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.bounds import MOST_ITEMS
from agents.refusals import FileNotAllowed, NoPathsHere
from agents.sessions import Session
from agents.tools.result_parts import next_step, open_questions_shown, problem_shown
from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from common import clock, storage
from common.errors import InvalidRequest, TooLarge
from common.wording.messages import Message
from imports import services
from imports.customization import customization
from imports.models import ImportRecord
from imports.page_policy import merged_with_session
from imports.previews.dry_run import NotReadYet
from imports.selectors import file_for
from imports.services.new_import import StartImport
from licensing.rights import table as rights
from licensing.rights.checker import check_members
from schemas.shapes.context import CustomerIn
from schemas.shapes.imports import MappingOut
from schemas.shapes.reading import TablesOut
from schemas.shapes.targets.catalogs import CatalogSummary
from tabular.model.catalog import Field

Json = dict[str, Any]
INLINE_BYTES = 8 * 1024**2
CHUNK_BYTES = 1 << 20
WAYS = "text", "base64", "path", "recordId"
ABOUT = frozenset({"scope", "meta", "keepUnmapped", *CustomerIn().get_fields()})


def analyze_file(session: Session, params: Json) -> Json:
    """Import a file, or take one that was imported, and return its tables."""
    session, record_id, token = _record_of(session, params, version=None)
    record = session.wait_for(lambda: file_for(session.caller, record_id))
    questions = open_questions_shown(record)
    tables: Json = (
        TablesOut(record.parsed.reading).data if record.parsed.reading else {"tables": []}
    )
    return token | {
        "recordId": record.public_id,
        "state": record.state,
        "catalogKey": record.catalog_key or None,
        "filename": record.filename,
        "size": record.size,
        "problem": problem_shown(record, session.caller),
        "chosen": tables.get("chosen"),
        "tableCount": len(tables["tables"]),
        "tables": [_narrow(table) for table in tables["tables"]],
        "questions": questions,
        "nextStep": next_step(record, asks=bool(questions)),
    }


def list_catalogs(session: Session, params: Json) -> Json:
    """Return the published catalogs with their fields, by key."""
    mine = catalogs.published_catalogs(session.caller.tenant)
    if after := params.get("cursor"):
        mine = mine.filter(catalog__key__gt=after)
    listed = list(mine[: params["limit"] + 1])
    shown = [_catalog(version) for version in listed[: params["limit"]]]
    more = len(listed) > len(shown)
    return {"items": shown, "next": shown[-1]["key"] if more else None}


def propose_mapping(session: Session, params: Json) -> Json:
    """Map a file to a catalog, up to the first open question."""
    caller = session.caller
    by_record = params.get("recordId")
    record = file_for(caller, by_record) if by_record else None
    is_sample = record is None or record.purpose == ImportRecord.Purpose.SAMPLE
    token: Json = {}
    if is_sample or params.get("catalogKey") or ABOUT & params.keys():
        check_members(caller, rights.TOOLS["propose_mapping"], params)
        key = params.get("catalogKey") or (record.catalog_key if record else None)
        version = catalogs.choose(caller.tenant, key).version
        about = _about(session, params, version)
        if record is None:
            session, by_record, token = _record_of(session, params, version=version, about=about)
        else:
            record = session.wait_for(lambda: file_for(caller, str(by_record)))
            services.choose_catalog(
                record=record,
                catalog_version=version,
                about=about,
                actor=caller.actor,
                at=clock.now(),
            )
    record_read = session.wait_for(lambda: file_for(session.caller, str(by_record)))
    return token | _mapped(session, record_read, 0)


def _about(session: Session, params: Json, version: CatalogVersion) -> services.ImportSettings:
    """Return what is said of an import besides its catalog, checked against it."""
    members = {name: params[name] for name in ABOUT & params.keys()}
    if not members:
        return services.NO_SETTINGS
    members = merged_with_session(session.caller, members)
    special = customization(
        members,
        version,
        tenant=session.caller.tenant,
        scope=members.get("scope", ""),
        entitlements=session.caller.entitlements,
    )
    return services.ImportSettings(
        context=special.context or None,
        overlay=special.overlay,
        scope=members.get("scope"),
        meta=members.get("meta"),
        keep_unmapped=members.get("keepUnmapped"),
    )


def resolved_mapping(session: Session, params: Json) -> Json:
    """Return the mapping of an import, and what the import waits for."""
    record = session.wait_for(lambda: file_for(session.caller, params["recordId"]))
    return _mapped(session, record, params["offset"])


def _mapped(session: Session, record: ImportRecord, offset: int) -> Json:
    if record.problem is None and (record.parsed.reading is None or record.parsed.proposal is None):
        raise NotReadYet
    questions = open_questions_shown(record)
    shown: Json = dict(MappingOut(record).data) if record.parsed.proposal else _unmapped()
    columns = shown["columns"][offset : offset + MOST_ITEMS]
    end = offset + len(columns)
    return shown | {
        "columns": columns,
        "offset": offset,
        "next": str(end) if end < len(shown["columns"]) else None,
        "recordId": record.public_id,
        "state": record.state,
        "catalogKey": record.catalog_key,
        "catalogVersion": record.catalog_number,
        "counts": record.counts,
        "problem": problem_shown(record, session.caller),
        "questions": questions,
        "nextStep": next_step(record, asks=bool(questions)),
    }


def _unmapped() -> Json:
    nothing: Json = {"mapping": {}, "recipe": None}
    none = {"mapping": None, "recipe": None, "profile": None}
    return {"columns": [], "proposed": nothing, **none, "modelSteps": []}


def _record_of(
    session: Session,
    params: Json,
    *,
    version: CatalogVersion | None,
    about: services.ImportSettings = services.NO_SETTINGS,
) -> tuple[Session, str, Json]:
    """Return the named import, created if necessary; and the token of a new one."""
    ways = [way for way in WAYS if params.get(way) is not None]
    if len(ways) != 1:
        wrong = [
            {"pointer": f"/{way}", "detail": Message("invalid_request.one")} for way in ways or WAYS
        ]
        raise InvalidRequest("invalid_request.one_of", ways=", ".join(WAYS), errors=wrong)
    if ways == ["recordId"]:
        return session, params["recordId"], {}
    chunks, name = _bytes_of(session, ways[0], params)
    caller = session.caller
    stored = services.receive_file(chunks)
    wanted = StartImport(
        caller=caller,
        source=stored,
        filename=params.get("filename") or name,
        catalog_version=version,
        auto_map=True,
        **about.given(),
    )
    try:
        started = services.start_import(wanted, at=clock.now())
    except Exception:
        storage.delete(stored.name)
        raise
    record_id = started.record.public_id
    if not caller.is_page:
        return session, record_id, {}
    session = replace(session, caller=replace(caller, import_token=started.token))
    return session, record_id, {"importToken": started.token}


def _bytes_of(session: Session, way: str, params: Json) -> tuple[Iterable[bytes], str]:
    if way == "path":
        path = allowed_path(session.files, params["path"])
        return storage.chunks_of(path, chunk_bytes=CHUNK_BYTES), path.name
    if way == "text":
        return [_bounded(params["text"].encode())], "text.csv"
    return [_decoded(params["base64"])], "file"


def _decoded(text: str) -> bytes:
    if len(text) > INLINE_BYTES * 4 // 3 + 4:
        return _bounded(b"", is_over=True)
    try:
        return _bounded(base64.b64decode(text, validate=True))
    except binascii.Error as error:
        wrong = [{"pointer": "/base64", "detail": Message("invalid_request.not_base64")}]
        raise InvalidRequest("invalid_request.base64", errors=wrong) from error


def _bounded(content: bytes, *, is_over: bool = False) -> bytes:
    if is_over or len(content) > INLINE_BYTES:
        raise TooLarge("too_large.call", most=INLINE_BYTES)
    return content


def allowed_path(root: Path | None, path: str) -> Path:
    """Return a readable file below the folder, links resolved. Raise FileNotAllowed otherwise."""
    if root is None:
        raise NoPathsHere
    base = root.resolve()
    try:
        resolution = (base / path).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise FileNotAllowed from error
    if not resolution.is_relative_to(base) or not resolution.is_file():
        raise FileNotAllowed
    return resolution


def _narrow(table: Json) -> Json:
    """Return a table with only the first of very many columns."""
    preview = table["preview"] or []
    return {
        **table,
        "columnCount": len(table["columns"]),
        "columns": table["columns"][:MOST_ITEMS],
        "preview": [row[:MOST_ITEMS] for row in preview],
    }


def _catalog(version: CatalogVersion) -> Json:
    catalog = version.as_catalog()
    shown = dict(CatalogSummary(version).data)
    offered = {path: field for path, field in catalog.live_fields.items() if not field.hidden}
    return {**shown, "fields": [_field(path, field) for path, field in offered.items()]}


def _field(path: str, field: Field) -> Json:
    return {
        "path": path,
        "label": field.label or "",
        "columnType": field.column_type,
        "required": field.is_required,
        "description": field.description or "",
    }


__all__ = ["analyze_file", "list_catalogs", "propose_mapping", "resolved_mapping"]
