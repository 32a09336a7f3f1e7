"""Whether an import may be applied as a full sync, and what a person has to confirm before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from changesets.comparison.differences import versions_of
from changesets.features import sets_of
from changesets.full_sync.rules import Rules, has_rows_above, needs_confirmation, rules_of
from changesets.full_sync.unnamed import has_excluded_key, unnamed_rows, unsure_links
from changesets.models import FULL, Changeset
from changesets.plans.current import CurrentPlan, plan_of
from changesets.plans.under_way import applies_of_entities, full_syncs_under_way
from changesets.transitions import MISSING, UNDER_WAY, UNTAKEN, WITHDRAWN
from common.errors import Conflict
from common.wording.messages import Message
from deliveries import selectors as deliveries
from deliveries.services.registrations import DELETE
from imports import services as imports
from imports.rows.left_out import skipped_rows_of

if TYPE_CHECKING:
    from imports.models import ImportRecord

# Reasons of skipped rows that may be data: a row may name an entity that is then not missing.
UNSURE = frozenset({"subtotal", "total", "footer", "comment", "unmatched", "recipe"})
REASONS = {"under_way": "underWay", "links": "rows"}  # on the wire, where it differs
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
    Return the columns of a changeset that say what it deletes, if it deletes anything.

    Raise what ``admit`` and ``refuse_under_way`` raise.
    """
    if record.state != record.State.REVIEW:
        return {}  # refused when it is frozen
    if mode == FULL:
        seen = versions_of(sets_of(record))  # what the confirmation is about
        deletes = admit(record, apply_mode, confirmed, is_staged=is_staged)
        return {"seen": seen, "deletes": deletes}
    if not is_staged:
        refuse_under_way(record)
    return {}


def under_way(record: ImportRecord, changeset: Changeset) -> str:
    """Return UNDER_WAY if another import of the same records is not delivered yet, else nothing."""
    if not changeset.is_full:
        return UNDER_WAY if full_syncs_under_way(record) else ""
    deletes = changeset.deletes or {}
    names = [name for name, (count, _) in deletes.items() if count]
    return UNDER_WAY if applies_of_entities(record, names) else ""


def why_not_now(record: ImportRecord, changeset: Changeset) -> str:
    """Return why an apply waits for approval although it was admitted; empty if it does not."""
    if (reason := under_way(record, changeset)) or not changeset.is_full:
        return reason
    deletes, rules = changeset.deletes or {}, rules_of(record)
    if not _is_taken(changeset):
        return UNTAKEN
    if changeset.approved_at:
        return ""
    if not rules:
        return WITHDRAWN
    confirmed, is_unsure = changeset.confirmed_missing, _is_unsure(record, rules)
    return MISSING if is_unconfirmed(deletes, rules, confirmed, is_unsure=is_unsure) else ""


def is_stale(record: ImportRecord, changeset: Changeset) -> bool:
    """Return whether what a prepared full sync deletes is not allowed or not taken any more."""
    if not changeset.is_full:
        return False
    rules, deletes = rules_of(record), changeset.deletes or {}
    is_withdrawn = any(count and name not in rules for name, (count, _) in deletes.items())
    return is_withdrawn or not _is_taken(changeset)


def _is_taken(changeset: Changeset) -> bool:
    """Return whether a registration that is still there deletes what is missing."""
    if not total(changeset.deletes or {}):
        return True
    hooks = changeset.parts.filter(action=DELETE).values("webhook_id")
    return deliveries.registrations_of(changeset.tenant).filter(public_id__in=hooks).exists()


def admit(
    record: ImportRecord, apply_mode: str, confirmed: int | None, *, is_staged: bool
) -> Counts:
    """
    Return how many entities a full sync would delete, of how many known, by entity.

    confirmed: how many the caller saw. is_staged: approval confirms. Raise FullSyncRefused or
    MissingNotConfirmed.
    """
    rules = rules_of(record)
    if not rules:
        raise _refusal("full_sync_refused.catalog", catalog=record.catalog_key)
    takes = deliveries.registrations_for(record.tenant, DELETE, catalog_key=record.catalog_key)
    if apply_mode != "webhook" or not takes:
        raise _refusal(
            "full_sync_refused.webhook" if apply_mode == "webhook" else "full_sync_refused.browser"
        )
    skipped = skipped_rows_of(record).counts if record.source else {}
    if rows := sum(n for reason, n in skipped.items() if reason in UNSURE):
        raise _refusal("full_sync_refused.skipped", rows=rows)
    _refuse_unsure_rows(record, rules)
    if not is_staged and (others := applies_of_entities(record, rules)):
        raise _refusal("full_sync_refused.under_way", {"changesets": others})
    counts = counts_of(plan_of(record), rules)
    if not is_staged:
        _refuse_unconfirmed(counts, rules, confirmed, is_unsure=_is_unsure(record, rules))
    return counts


def refuse_under_way(record: ImportRecord) -> None:
    """Raise FullSyncUnderWay if another import deletes entities that this one may name."""
    if others := full_syncs_under_way(record):
        raise FullSyncUnderWay(members={"changesets": others})


def counts_of(plan: CurrentPlan, rules: Rules) -> Counts:
    """Return how many entities are missing, of how many known, by entity."""
    return {name: [plan.missing[name], plan.known[name]] for name in plan.known if name in rules}


def is_unconfirmed(counts: Counts, rules: Rules, confirmed: int | None, *, is_unsure: bool) -> bool:
    """
    Return whether more entities are missing than are deleted without a confirmation.

    is_unsure: the file may name more of them, so that each deletion is confirmed.
    """
    return total(counts) > (confirmed or 0) and (
        is_unsure
        or any(
            needs_confirmation(rules.get(name, []), known=known, missing=missing)
            for name, (missing, known) in counts.items()
        )
    )


def counted(deletes: Counts | None) -> dict[str, int]:
    """Return the deletions as a changeset counts them."""
    return {} if deletes is None else {"deleted": total(deletes)}


def total(counts: Counts) -> int:
    """Return how many entities are deleted."""
    return sum(missing for missing, _ in counts.values())


def _is_unsure(record: ImportRecord, rules: Rules) -> bool:
    """Return whether the file may name more entities than its rows do."""
    return has_rows_above(record) or has_excluded_key(imports.rows_of(record), rules)


def _refuse_unsure_rows(record: ImportRecord, rules: Rules) -> None:
    table = imports.rows_of(record)
    for key, rows in (
        ("full_sync_refused.rows", unnamed_rows(table, rules)),
        ("full_sync_refused.links", unsure_links(table, rules)),
    ):
        if len(rows):
            raise _refusal(key, {"rows": rows[:MOST_ROWS].tolist()}, rows=len(rows))


def _refuse_unconfirmed(
    counts: Counts, rules: Rules, confirmed: int | None, *, is_unsure: bool
) -> None:
    is_other = confirmed is not None and confirmed != total(counts)
    if is_other or is_unconfirmed(counts, rules, confirmed, is_unsure=is_unsure):
        entities = [
            {"entity": name, "missing": missing, "known": known}
            for name, (missing, known) in counts.items()
        ]
        members = {"missing": total(counts), "entities": entities}
        raise MissingNotConfirmed(
            "missing_not_confirmed.of", missing=total(counts), members=members
        )


def _refusal(key: str, members: dict[str, Any] | None = None, **params: Any) -> FullSyncRefused:
    reason = key.partition(".")[2]
    members = {"reason": REASONS.get(reason, reason), **(members or {})}
    return FullSyncRefused(Message(key, **params), members=members)
