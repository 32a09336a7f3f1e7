"""Limits for one tenant, so that none fills the engine for the others."""

from typing import Any

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length

from common.errors import InsufficientStorage, TooManyRequests
from deliveries.models import Delivery
from imports.models import ImportRecord
from licensing.models import Tenant
from staging.models import Revision

MOST_EDIT_BYTES = 256 * 1024**2  # that the database stores of one import's edits


class TooManyImports(TooManyRequests):
    """Too many imports are running. Wait until one finishes."""

    code = "too_many_imports"


class TooMuchStored(InsufficientStorage):
    """Your storage is full. Delete imports, or ask the operator for more."""

    code = "too_much_stored"


class TooManyEdits(InsufficientStorage):
    """This import has reached its limit of edits. Apply it, or use a bulk change."""

    code = "too_many_edits"


def refuse_beyond(tenant: Tenant, *, size: int) -> None:
    """
    Raise if a tenant that used up its quota starts an import of ``size`` bytes.

    The quota counts imports in progress, and the bytes that are still stored: see ``stored_by``.
    """
    mine = ImportRecord.objects.filter(tenant=tenant)
    if mine.filter(state__in=ImportRecord.WORKING).count() >= settings.TENANT_IMPORTS_AT_WORK:
        raise TooManyImports(
            "too_many_imports.at_once",
            most=settings.TENANT_IMPORTS_AT_WORK,
            members={"retryAfter": 10},
        )
    if stored_by(tenant) + size > settings.TENANT_STORED_BYTES:
        raise TooMuchStored("too_much_stored.file", quota=settings.TENANT_STORED_BYTES)


def refuse_edits(record: ImportRecord, *, size: int) -> None:
    """
    Raise if a change of ``size`` bytes exceeds the quota of the tenant or of this import.

    Raise TooManyEdits if the changes of the import fill what the database stores of one.
    """
    mine = Revision.objects.filter(subject=record.public_id, folder="")
    if _sum(mine, "stored_bytes") + size > MOST_EDIT_BYTES:
        raise TooManyEdits
    if stored_by(record.tenant) + size > settings.TENANT_STORED_BYTES:
        raise TooMuchStored


def refuse_another_revision(record: ImportRecord) -> None:
    """Raise if the rows of an import are to be made again and the tenant's quota is used up."""
    if record.revision and stored_by(record.tenant) > settings.TENANT_STORED_BYTES:
        raise TooMuchStored


def stored_by(tenant: Tenant) -> int:
    """Return the bytes stored for a tenant: files, contexts, revisions and bodies."""
    files = ImportRecord.objects.filter(tenant=tenant, purged_at=None)
    changes = Revision.objects.filter(subject__in=files.values("public_id"))
    bodies = Delivery.objects.filter(tenant=tenant).exclude(body_name="")
    shared = bodies.order_by("body_name").values("body_name", "body_size").distinct()
    with_lengths = files.exclude(context={}).annotate(length=Length("context"))
    counted_rows = ((files, "size"), (with_lengths, "length"), (changes, "stored_bytes"))
    return sum(_sum(*row) for row in counted_rows) + _sum(shared, "body_size")


def _sum(rows: "QuerySet[Any, Any]", column: str) -> int:
    return int(rows.aggregate(sum=Sum(column))["sum"] or 0)
