"""Whether an import may be applied as a full sync, and what a person has to confirm before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from changesets.full_sync.unnamed import unnamed_rows
from changesets.models import FULL, Changeset
from changesets.plans.current import CurrentPlan, plan_of
from changesets.plans.under_way import applies_of_entities, full_syncs_under_way
from changesets.transitions import MISSING, UNDER_WAY
from common.errors import Conflict
from common.wording.messages import Message
from deliveries import selectors as deliveries
from deliveries.services.registrations import DELETE
from imports import services as imports
from imports.rows.left_out import SkippedRows

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from tabular.model.catalog import Catalog, FullSync

# Reasons of skipped rows that may be data: a row may name an entity that is then not missing.
UNSURE = frozenset({"subtotal", "total", "footer", "comment", "unmatched", "recipe"})
REASONS = {"under_way": "underWay"}  # on the wire, where it differs
MOST_ROWS = 100  # named in a refusal
Counts = dict[str, list[int]]  # by entity: how many are missing, of how many known


class FullSyncRefused(Conflict):
    """The file may not name every record, or nothing may be deleted. See `reason`."""

    code = "full_sync_refused"


class MissingNotConfirmed(Conflict):
    """Many known records are missing from the file. Confirm how many are deleted."""

    code = "missing_not_confirmed"


class FullSyncUnderWay(Conflict):
    """A full sync of the same records is under way. Wait until it is delivered."""

    code = "full_sync_under_way"


def admitted(
    record: ImportRecord, mode: str, apply_mode: str, confirmed: int | None, *, is_staged: bool
) -> dict[str, Any]:
    """
    Return the columns of a changeset that say what it deletes.

    Raise what ``admit`` and ``refuse_under_way`` raise.
    """
    columns: dict[str, Any] = {"mode": mode, "confirmed_missing": confirmed, "deletes": None}
    if record.state != record.State.REVIEW:
        return columns  # refused when it is frozen
    if mode == FULL:
        columns["deletes"] = admit(record, apply_mode, confirmed, is_staged=is_staged)
    elif not is_staged:
        refuse_under_way(record)
    return columns


def why_not_now(record: ImportRecord, changeset: Changeset) -> str:
    """Return why an apply waits for approval although it was admitted; empty if it does not."""
    if not changeset.is_full:
        return UNDER_WAY if full_syncs_under_way(record) else ""
    deletes, rules = changeset.deletes or {}, rules_of(record.target)
    if applies_of_entities(record, [name for name, (count, _) in deletes.items() if count]):
        return UNDER_WAY
    is_open = is_unconfirmed(deletes, rules, changeset.confirmed_missing)
    return MISSING if is_open and not changeset.approved_at else ""


def admit(
    record: ImportRecord, apply_mode: str, confirmed: int | None, *, is_staged: bool
) -> Counts:
    """
    Return how many entities a full sync would delete, of how many known, by entity.

    confirmed: how many the caller saw. is_staged: approval confirms. Raise FullSyncRefused or
    MissingNotConfirmed.
    """
    rules = rules_of(record.target)
    if not rules:
        raise _refusal("catalog", catalog=record.catalog_key)
    takes = deliveries.registrations_for(record.tenant, DELETE, catalog_key=record.catalog_key)
    if apply_mode != "webhook" or not takes:
        raise _refusal("webhook" if apply_mode == "webhook" else "browser")
    skipped = SkippedRows(record).counts if record.source else {}
    if rows := sum(n for reason, n in skipped.items() if reason in UNSURE):
        raise _refusal("skipped", rows=rows)
    unnamed = unnamed_rows(imports.rows_of(record), rules)
    if len(unnamed):
        raise _refusal("rows", {"rows": unnamed[:MOST_ROWS].tolist()}, rows=len(unnamed))
    if not is_staged and (others := applies_of_entities(record, rules)):
        raise _refusal("under_way", {"changesets": others})
    counts = counts_of(plan_of(record), rules)
    if not is_staged:
        _refuse_unconfirmed(counts, rules, confirmed)
    return counts


def refuse_under_way(record: ImportRecord) -> None:
    """Raise FullSyncUnderWay if another import deletes entities that this one may name."""
    if others := full_syncs_under_way(record):
        raise FullSyncUnderWay(members={"changesets": others})


def rules_of(catalog: Catalog) -> dict[str, FullSync]:
    """Return the rules of the entries of which a full sync may delete entities."""
    return {entry.id: entry.full_sync for entry in catalog.entries if entry.full_sync is not None}


def counts_of(plan: CurrentPlan, rules: dict[str, FullSync]) -> Counts:
    """Return how many entities are missing, of how many known, by entity."""
    return {name: [plan.missing[name], plan.known[name]] for name in plan.known if name in rules}


def is_unconfirmed(counts: Counts, rules: dict[str, FullSync], confirmed: int | None) -> bool:
    """Return whether more entities are missing than are deleted without a confirmation."""
    return total(counts) > (confirmed or 0) and any(
        rules[name].needs_confirmation(known=known, missing=missing)
        for name, (missing, known) in counts.items()
    )


def counted(deletes: Counts | None) -> dict[str, int]:
    """Return the deletions as a changeset counts them."""
    return {} if deletes is None else {"deleted": total(deletes)}


def total(counts: Counts) -> int:
    """Return how many entities are deleted."""
    return sum(missing for missing, _ in counts.values())


def _refuse_unconfirmed(counts: Counts, rules: dict[str, FullSync], confirmed: int | None) -> None:
    is_other = confirmed is not None and confirmed != total(counts)
    if is_other or is_unconfirmed(counts, rules, confirmed):
        entities = [
            {"entity": name, "missing": missing, "known": known}
            for name, (missing, known) in counts.items()
        ]
        members = {"missing": total(counts), "entities": entities}
        raise MissingNotConfirmed(
            "missing_not_confirmed.of", missing=total(counts), members=members
        )


def _refusal(reason: str, members: dict[str, Any] | None = None, **params: Any) -> FullSyncRefused:
    message = Message(f"full_sync_refused.{reason}", **params)
    return FullSyncRefused(
        message, members={"reason": REASONS.get(reason, reason), **(members or {})}
    )
