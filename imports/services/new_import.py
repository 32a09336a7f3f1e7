"""Start an import: the one command behind ``POST imports`` and the tools of agents."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from catalogs.models import CatalogVersion
from common.secrets import new_token, token_digest
from common.storage import StoredFile
from imports.customization import check_context
from imports.models import ImportRecord
from imports.page_policy import is_unknown_page
from imports.services.again import start_again
from imports.services.upload import ImportOptions, announce_import, create_import
from licensing.caller import Caller
from pipeline.terms import Terms

PREFIX = "imp_tok_"  # of a token that lets a page key access one import, and no other


@dataclass(frozen=True, slots=True)
class Announced:
    """A file whose bytes come later."""

    size: int  # bytes


@dataclass(frozen=True, slots=True)
class FileOf:
    """The stored file of an earlier import."""

    former: ImportRecord
    with_mapping: bool  # reuse its mapping and answers, if the catalog is the same


@dataclass(frozen=True, slots=True, kw_only=True)
class StartImport:
    """What a caller wants imported, and how."""

    caller: Caller
    source: StoredFile | Announced | FileOf
    filename: str
    catalog_version: CatalogVersion | None  # None: a sample, for which a catalog is chosen later
    constraints: Terms | None = None  # the constraints of a contract
    meta: dict[str, Any] | None = None
    context: dict[str, Any] = field(default_factory=dict)
    overlay: dict[str, Any] | None = None  # what is special for one customer
    scope: str = ""
    auto_map: bool = False
    keep_unmapped: bool = False
    origin: dict[str, Any] | None = None  # of a file that arrived by itself: the feed and its place


@dataclass(frozen=True, slots=True)
class Started:
    """A new import, and the token by which the page that started it finds it again."""

    record: ImportRecord
    token: str


def start_import(wanted: StartImport, *, at: datetime) -> Started:
    """
    Create an import; a worker reads its file once all bytes are there.

    The caller keeps the bytes if this raises: InvalidRequest or a Conflict for a context that does
    not fit the catalog, EmptyFile, AnnouncedTooLarge, FileGone, or a quota that is used up.
    """
    caller, version = wanted.caller, wanted.catalog_version
    if version is not None:
        check_context(wanted.context, version.as_catalog(wanted.overlay))
    token = new_token(PREFIX)
    about: dict[str, Any] = {
        "catalog_version": version,
        "filename": wanted.filename,
        "at": at,
        "license_id": caller.license_id,
        "options": _options(wanted, token),
    }
    match wanted.source:
        case FileOf(former, with_mapping):
            is_same = version is not None and version.catalog.key == former.catalog_key
            keep = with_mapping and is_same
            record = start_again(former=former, with_mapping=keep, actor=caller.actor, **about)
        case Announced(size):
            record = announce_import(tenant=caller.tenant, size=size, **about)
        case stored:
            about |= {"tenant": caller.tenant, "actor": caller.actor}
            record = create_import(stored=stored, **about)
    return Started(record, token)


def _options(wanted: StartImport, token: str) -> ImportOptions:
    caller, constraints = wanted.caller, wanted.constraints
    is_sample = wanted.catalog_version is None
    purposes = ImportRecord.Purpose
    return ImportOptions(
        purpose=purposes.SAMPLE if is_sample else purposes.IMPORT,
        meta=wanted.meta,
        context=wanted.context,
        overlay=wanted.overlay,
        auto_map=wanted.auto_map,
        keep_unmapped=wanted.keep_unmapped,
        scope=wanted.scope,
        from_page=is_unknown_page(caller),
        session_id=caller.session.session_id if caller.session else "",
        started_by=caller.actor.as_dict(),
        token_sha256=token_digest(token),
        origin=wanted.origin,
        contract_id=constraints.contract_id if constraints else "",
        contract=constraints.as_json() if constraints else None,
    )
