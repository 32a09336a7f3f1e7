"""The daily summary of a tenant: what came since yesterday, and what waits now."""

from common import clock
from imports.selectors import counts_of_day, imports_of
from mails import choices, lines
from mails.readers import is_on


def queue_due() -> None:
    """Queue the summaries that are due; a tenant of which there is nothing to say has none."""
    at = clock.now()
    if not is_on():
        return
    for choice, tenants in choices.claim_digests(at=at):
        for tenant in tenants:
            counts = counts_of_day(imports_of(tenant).filter(purged_at=None), at=at)
            if any(counts.values()):
                lines.queue_digest(tenant=tenant, user_id=choice.user_id, counts=counts, at=at)
