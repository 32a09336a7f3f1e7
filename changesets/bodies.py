"""The deliveries of an apply: which rows each has, and one body for all that have the same."""

from collections.abc import Iterator
from datetime import datetime

from changesets.comparison.outcome import Prepared, prepared_of
from changesets.models import Changeset, DeliveryPart
from common import clock
from common.errors import Conflict
from common.ids import new_id
from deliveries import bodies, nested, payload, splitter
from deliveries import selectors as delivery_selectors
from deliveries import services as deliveries
from deliveries.bodies import Body
from deliveries.models import Registration
from deliveries.nested import MOST_ROWS
from deliveries.services.outbox import ParentTooLarge
from deliveries.services.registrations import CHANGES, DELETE
from imports.inputs import source_mapping
from imports.models import ImportRecord
from staging import selectors as staging
from staging.columns import StagedTable
from staging.exports.delivered_rows import Delivered
from staging.exports.parents import Parents

SUBMIT = "submit"
APPLYING = (SUBMIT, DELETE)  # the actions of the deliveries of an apply
MOST_PARTS = 10_000


class TooManyParts(Conflict):
    """A registration's maxRowsPerDelivery splits this import into too many deliveries. Raise it."""

    code = "too_many_parts"


def table_of(changeset: Changeset) -> StagedTable:
    """Return the rows a changeset froze."""
    table = staging.at_revision(changeset.record.public_id, changeset.revision)
    if table is None:
        raise LookupError(f"{changeset.record} has no revision {changeset.revision}")
    return table


def delivered(changeset: Changeset) -> Delivered:
    """Return the rows a changeset delivers."""
    table, prepared = table_of(changeset), prepared_of(changeset.prepared)
    includes_invalid = changeset.invalid_rows == "include"
    if prepared is None:
        return Delivered(table, includes_invalid=includes_invalid)
    return Delivered(
        table,
        includes_invalid=includes_invalid,
        chosen=prepared.numbers,
        nulls=prepared.nulls,
        omitted=prepared.omitted_references,
        kept=prepared.kept,
    )


def parts_for(
    changeset: Changeset,
    registration: Registration,
    row_count: int,
    *,
    action: str = SUBMIT,
    parents: Parents | None = None,
) -> Iterator[DeliveryPart]:
    """
    Yield the deliveries of some rows, or of as many deleted entities, to one registration.

    parents: those of the rows, if the registration gets nested deliveries. Raise TooManyParts, or
    ParentTooLarge if one of them alone does not fit.
    """
    max_rows = registration.max_rows_per_delivery or max(row_count, 1)
    if parents is None:
        sizes = splitter.rows_of_parts(row_count, max_rows)
    else:
        sizes = whole_parents(parents, max_rows)
    if (count := len(sizes)) > MOST_PARTS:
        raise TooManyParts(
            "too_many_parts.of",
            rows=row_count,
            most=max_rows,
            deliveries=count,
            url=registration.url,
            limit=MOST_PARTS,
        )
    first = 0
    for index, rows in enumerate(sizes):
        yield DeliveryPart(
            changeset=changeset,
            delivery_id=new_id("dlv_"),
            webhook_id=registration.public_id,
            number=index + 1,
            part_count=count,
            first=first,
            row_count=rows,
            action=action,
            nested=parents is not None,
            has_changes=action == SUBMIT and CHANGES in registration.include,
        )
        first += rows


def whole_parents(parents: Parents, max_rows: int) -> list[int]:
    """Return how many rows each part has if no parent is split. Raise ParentTooLarge."""
    most = min(max_rows, MOST_ROWS)
    if len(parents.sizes) and (largest := int(parents.sizes.max())) > most:
        key = parents.key(int(parents.sizes.argmax()))
        raise ParentTooLarge(
            "parent_too_large.key",
            key=", ".join(map(str, key.values())),
            rows=largest,
            most=most,
            members={"key": key, "rows": largest, "allowed": most},
        )
    return [cut.rows for cut in splitter.whole_parents(parents.sizes.tolist(), max_rows)]


def store_bodies(changeset: Changeset) -> Iterator[Body]:
    """Write each slice of the rows once, for all registrations that get it, and yield its body."""
    rows = delivered(changeset)
    by_slice: dict[tuple[object, ...], Body] = {}
    for part in changeset.parts.all():
        place = (part.first, part.row_count, part.number, part.part_count)
        same = (part.action, *place, part.has_changes, part.nested)
        if same in by_slice:
            body = bodies.sharing(by_slice[same], delivery_id=part.delivery_id)
        else:
            rest = _shared(changeset, part, rows)
            body = bodies.store_shared(rest, delivery_id=part.delivery_id)
            by_slice[same] = body
        yield body


def _shared(changeset: Changeset, part: DeliveryPart, rows: Delivered) -> Iterator[bytes]:
    record, prepared = changeset.record, prepared_of(changeset.prepared)
    first, end = part.first, part.first + part.rows
    settings = {"emptyCells": changeset.empty_cells, "only": changeset.only}
    starts = rows.parents.within(first, end) if part.nested and rows.parents else None
    envelope = payload.Envelope(
        delivery_id=part.delivery_id,
        tenant_id=record.tenant.host_id,
        test=record.tenant.is_test,
        record_id=record.public_id,
        action=part.action,
        row_count=part.rows,
        parent_count=None if starts is None else len(starts) - 1,
        mapping=source_mapping(record),
        occurred_at=clock.iso(changeset.occurred_at),
        catalog_key=record.catalog_key,
        catalog_version=record.catalog_number,
        meta=record.meta,
        row_issues=[
            {**issue, "row": issue["row"] - first} for issue in rows.row_issues(first, end)
        ],
        custom_options=[
            {**option, "row": option["row"] - first} for option in rows.custom_options(first, end)
        ],
        custom_fields=record.shown_custom_fields,
        batch=part.batch,
        contract_id=record.contract_id or None,
        extra={name: word for name, word in settings.items() if word},
    )
    return payload.shared(
        envelope,
        rows.batches(first, end),
        rows.types,
        formats=rows.formats,
        unmapped=_unmapped(record, rows, first, end),
        members=_members(prepared, part),
        parents=None if starts is None else nested_lines(rows, first, end),
    )


def nested_lines(rows: Delivered, first: int, end: int) -> Iterator[bytes]:
    """Yield the parents of some delivered rows, one on each line, with commas between them."""
    parents = rows.parents
    if parents is None:
        raise LookupError("the catalog nests nothing")
    shape = nested.Shape(parents.fields, parents.lists, rows.types, rows.formats)
    return nested.lines(rows.parent_batches(first, end), parents.within(first, end), shape)


def _members(prepared: Prepared | None, part: DeliveryPart) -> Iterator[bytes]:
    if prepared is None:
        return iter(())
    first, end = part.first, part.first + part.row_count
    if part.action == DELETE:
        return prepared.deleted_pieces(first, end)
    if part.has_changes:
        return prepared.change_pieces(first, end)
    return prepared.graph_pieces(first, end)


def _unmapped(
    record: ImportRecord, rows: Delivered, first: int, end: int
) -> payload.Unmapped | None:
    if not record.keep_unmapped or first == end:
        return None
    return payload.Unmapped(rows.unmapped.names, rows.unmapped_batches(first, end))


def enqueue(changeset: Changeset, part: DeliveryPart, body: Body, at: datetime) -> None:
    """Queue a delivery of an apply; call it in the transaction that applies."""
    registrations = delivery_selectors.registrations_of(changeset.tenant)
    registration = registrations.filter(public_id=part.webhook_id).first()
    if registration is None:
        return  # deleted since the apply: no state to change
    deliveries.enqueue(
        tenant=changeset.tenant,
        registration=registration,
        delivery_id=part.delivery_id,
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action=part.action,
        body=body,
        row_count=part.rows,
        at=at,
    )
