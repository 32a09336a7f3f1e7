"""Keep a delivery. The host's own work belongs here."""

from django.db import transaction

from .models import ReceivedDelivery, ReceivedEntity, ReceivedRow
from .payload import Change, Payload

ROWS_AT_ONCE = 1000


@transaction.atomic
def store(payload: Payload) -> bool:
    """
    Store a delivery with its rows, all or nothing; False when it had arrived before.

    The unique ``delivery_id`` decides between two that arrive at the same moment: the second
    waits for the first and then finds it. A revert deletes the rows that it takes back, and stores
    again what the delivery deleted; deliveries have no order, so what comes after its revert is
    stored without rows, and deletes nothing.
    """
    delivery, is_new = ReceivedDelivery.objects.get_or_create(
        delivery_id=payload.delivery_id,
        defaults={
            "record_id": payload.record_id,
            "tenant_id": payload.tenant_id,
            "mapping": payload.mapping,
            "meta": payload.meta,
            "catalog_key": payload.catalog_key,
            "reverts": payload.reverts,
            "occurred_at": payload.occurred_at,
        },
    )
    if is_new and payload.reverts:
        stored = ReceivedRow.objects.filter(delivery__delivery_id=payload.reverts)
        if stored.exists():
            _take_back(payload)
        stored.delete()
        if ReceivedDelivery.objects.filter(delivery_id=payload.reverts).exists():
            _store_again(payload)
    elif is_new and not ReceivedDelivery.objects.filter(reverts=payload.delivery_id).exists():
        rows = (
            ReceivedRow(delivery=delivery, position=position, values=values)
            for position, values in enumerate(payload.rows)
        )
        ReceivedRow.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
        _upsert(payload)
        _delete(payload)
    return is_new


def _upsert(payload: Payload) -> None:
    """
    Store what the rows say of entities; of one that is there only the cells in ``changes`` are set.

    So what people changed here, and what the catalog keeps, stays.
    """
    changes, kept, new = _by_row(payload), _locked(payload), {}
    for named in payload.named:
        name = (named.entity, named.ref)
        if name in kept:
            kept[name].values |= {each.field: each.after for each in changes.get(named.row, ())}
        else:  # of rows about the same new entity, the last one counts
            new[name] = ReceivedEntity(
                entity=named.entity, ref=named.ref, values=payload.rows[named.row]
            )
    ReceivedEntity.objects.bulk_create(new.values(), batch_size=ROWS_AT_ONCE)
    ReceivedEntity.objects.bulk_update(kept.values(), ["values"], batch_size=ROWS_AT_ONCE)


def _delete(payload: Payload) -> None:
    """Delete the entities that a full sync found missing from the file."""
    for entity, refs in _by_entity(payload).items():
        ReceivedEntity.objects.filter(entity=entity, ref__in=refs).delete()


def _store_again(payload: Payload) -> None:
    """Store the entities that a full sync deleted, under the refs they had."""
    again = (
        ReceivedEntity(entity=deleted.entity, ref=deleted.ref, values=deleted.values)
        for deleted in payload.deleted
    )
    ReceivedEntity.objects.bulk_create(again, batch_size=ROWS_AT_ONCE, ignore_conflicts=True)


def _by_entity(payload: Payload) -> dict[str, set[str]]:
    refs: dict[str, set[str]] = {}
    for deleted in payload.deleted:
        refs.setdefault(deleted.entity, set()).add(deleted.ref)
    return refs


def _take_back(payload: Payload) -> None:
    """Set each changed cell to its value before, and remove the entities that were new."""
    changes, kept = _by_row(payload), _locked(payload)
    for named in payload.named:
        if (entity := kept.get((named.entity, named.ref))) is not None:
            entity.values |= {each.field: each.before for each in changes.get(named.row, ())}
    new = {(named.entity, named.ref) for named in payload.named if named.is_new}
    gone = [entity.pk for name, entity in kept.items() if name in new]
    ReceivedEntity.objects.filter(pk__in=gone).delete()
    stays = [entity for name, entity in kept.items() if name not in new]
    ReceivedEntity.objects.bulk_update(stays, ["values"], batch_size=ROWS_AT_ONCE)


def _locked(payload: Payload) -> dict[tuple[str, str], ReceivedEntity]:
    """Return the entities of a delivery that are there, by name and ref, locked in one order."""
    refs: dict[str, set[str]] = {}
    for named in payload.named:
        refs.setdefault(named.entity, set()).add(named.ref)
    return {
        (entity.entity, entity.ref): entity
        for name in sorted(refs)
        for entity in ReceivedEntity.objects.select_for_update()
        .filter(entity=name, ref__in=refs[name])
        .order_by("pk")
    }


def _by_row(payload: Payload) -> dict[int, list[Change]]:
    by_row: dict[int, list[Change]] = {}
    for change in payload.changes:
        by_row.setdefault(change.row, []).append(change)
    return by_row
