"""An import from the command line: the same services, run in this process."""

from pathlib import Path
from typing import Any

from catalogs import selectors as catalogs
from common import clock
from common.actors import Actor
from imports import services
from imports.models import ImportRecord
from imports.services.upload import ImportOptions
from ledger import selectors as ledger
from licensing.models import Tenant

OPERATOR = Actor(kind="person", id="operator", label="manage.py import")
CHUNK_BYTES = 1 << 20


def start(*, tenant: Tenant, file: Path, catalog_key: str | None, auto_map: bool) -> ImportRecord:
    """Create an import of a file."""
    chosen = catalogs.choose(tenant, catalog_key)
    with file.open("rb") as handle:
        stored = services.receive_file(iter(lambda: handle.read(CHUNK_BYTES), b""))
    return services.create_import(
        tenant=tenant,
        catalog_version=chosen.version,
        filename=file.name,
        stored=stored,
        actor=OPERATOR,
        at=clock.now(),
        options=ImportOptions(auto_map=auto_map),
    )


def report(record: ImportRecord) -> dict[str, Any]:
    """Return a summary of an import for a terminal or a script."""
    return {
        "recordId": record.public_id,
        "state": record.state,
        "mapping": record.mapping or record.proposed_mapping,
        "questions": [
            {
                "id": q.public_id,
                "kind": q.kind,
                "field": q.field,
                "columns": q.columns,
                "default": q.default,
                "blocking": q.blocking,
            }
            for q in ledger.open_questions(record.tenant, record.public_id)
        ],
        "counts": record.counts,
        "problem": record.problem,
    }
