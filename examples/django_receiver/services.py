"""Keep a delivery. The host's own work belongs here."""

from django.db import transaction

from .models import ReceivedDelivery, ReceivedRow
from .payload import Payload

ROWS_AT_ONCE = 1000


@transaction.atomic
def store(payload: Payload) -> bool:
    """
    Store a delivery with its rows, all or nothing; False when it had arrived before.

    The unique ``delivery_id`` decides between two that arrive at the same moment: the second
    waits for the first and then finds it.
    """
    delivery, is_new = ReceivedDelivery.objects.get_or_create(
        delivery_id=payload.delivery_id,
        defaults={
            "record_id": payload.record_id,
            "tenant_id": payload.tenant_id,
            "mapping": payload.mapping,
            "meta": payload.meta,
            "catalog_key": payload.catalog_key,
            "occurred_at": payload.occurred_at,
        },
    )
    if is_new:
        rows = (
            ReceivedRow(delivery=delivery, position=position, values=values)
            for position, values in enumerate(payload.rows)
        )
        ReceivedRow.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    return is_new
