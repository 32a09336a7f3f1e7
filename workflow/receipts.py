"""The receipt of an import: a signed document without data. Spec: Proof."""

from datetime import datetime
from typing import Any

from django.conf import settings

from changesets.models import Changeset
from changesets.proof import answers
from changesets.proof.commitment import evidence_of
from changesets.results import NotApplied
from common import clock
from common.release import release_in
from contracts.services import sign_receipt
from imports.models import ImportRecord

Json = dict[str, Any]
S = Changeset.State
WITH_RECEIPT = (S.APPLIED, S.REVERTING, S.REVERTED)


def receipt_of(record: ImportRecord, *, at: datetime) -> str:
    """
    Return the receipt of an import as it is now, signed by its tenant.

    Raise NotApplied, or RowsPurged if an earlier version applied it and its rows are gone.
    """
    applied = record.changesets.filter(state__in=WITH_RECEIPT).order_by("-pk")
    changeset = applied.select_related("tenant", "record__catalog_version__catalog").first()
    if changeset is None:
        raise NotApplied
    return sign_receipt(tenant=changeset.tenant, content=_content(changeset, at), at=at)


def _content(changeset: Changeset, at: datetime) -> Json:
    record, evidence = changeset.record, evidence_of(changeset)
    optional = {
        "recipe": evidence.recipe,
        "acknowledgedAt": changeset.acknowledged_at and clock.iso(changeset.acknowledged_at),
    }
    return {
        "recordId": record.public_id,
        "changesetId": changeset.public_id,
        "state": changeset.state,
        "applyMode": changeset.apply_mode,
        "appliedAt": clock.iso(changeset.occurred_at),
        "issuedAt": clock.iso(at),
        "file": {"sha256": f"sha256:{record.sha256}", "size": record.size},
        "catalog": _catalog(record),
        "engine": {"release": release_in(settings.BASE_DIR).engine, **evidence.pins},
        "mapping": evidence.mapping,
        **{name: value for name, value in optional.items() if value is not None},
        "counts": _counts(changeset.counts, evidence.skipped),
        "rows": {
            "count": changeset.counts["imported"],
            "root": evidence.root,
            "blockSize": evidence.block_size,
            "blocks": evidence.blocks,
        },
        "receivers": list(map(_receiver, answers.receivers_of(changeset))),
    }


def _catalog(record: ImportRecord) -> Json:
    version = record.catalog_version
    assert version is not None  # noqa: S101 - an apply needs one
    digest = f"sha256:{version.etag}"
    return {"key": version.catalog.key, "version": version.number, "digest": digest}


def _counts(counts: dict[str, int], skipped: dict[str, int]) -> Json:
    return {
        "rows": counts["rows"],
        "delivered": counts["imported"],
        "excluded": counts["excluded"],
        "invalid": counts["failed"],
        "unselected": counts.get("unselected", 0),
        "skipped": skipped,
    }


def _receiver(proof: answers.ReceiverProof) -> Json:
    tally = proof.tally
    return {
        "webhookId": proof.webhook_id,
        "deliveries": proof.deliveries,
        "rows": tally.rows,
        "agreed": tally.agreed,
        "differs": tally.differs,
        "refused": tally.refused,
        "notAnswered": tally.not_answered,
    }
