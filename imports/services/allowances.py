"""How much one tenant may have in hand, so that none fills the engine for the others."""

from django.conf import settings
from django.db.models import Sum

from common.errors import InsufficientStorage, TooManyRequests
from deliveries.models import Delivery
from imports.models import ImportRecord
from licensing.models import Tenant
from tabular.model.sentences import counted, sized


class TooManyImports(TooManyRequests):
    """So many imports are being worked on that no more are begun; wait until some are done."""

    code = "too_many_imports"


class TooMuchStored(InsufficientStorage):
    """The files kept for you fill the room you have. Delete imports, or ask the operator."""

    code = "too_much_stored"


def refuse_beyond(tenant: Tenant, *, size: int) -> None:
    """
    Refuse a new import of ``size`` bytes to a tenant that has its share already.

    Counted are imports in work, and the bytes of files and of bodies that are still kept.
    """
    mine = ImportRecord.objects.filter(tenant=tenant)
    if mine.filter(state__in=ImportRecord.WORKING).count() >= settings.TENANT_IMPORTS_AT_WORK:
        raise TooManyImports(
            f"At most {counted(settings.TENANT_IMPORTS_AT_WORK, 'import')} of yours may be worked "
            "on at once. Wait until some are done.",
            retryAfter=10,
        )
    if _stored(tenant) + size > settings.TENANT_STORED_BYTES:
        raise TooMuchStored(
            f"With this file, more than the {sized(settings.TENANT_STORED_BYTES)} you have room "
            "for would be stored. Delete imports you no longer need, or ask the operator."
        )


def _stored(tenant: Tenant) -> int:
    files = ImportRecord.objects.filter(tenant=tenant, purged_at=None)
    bodies = Delivery.objects.filter(tenant=tenant).exclude(body_name="")
    shared = bodies.order_by("body_name").values("body_name", "body_size").distinct()
    return (files.aggregate(sum=Sum("size"))["sum"] or 0) + (
        shared.aggregate(sum=Sum("body_size"))["sum"] or 0
    )
