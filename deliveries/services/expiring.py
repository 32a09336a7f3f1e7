"""License keys that expire soon, as notices to the hosts that ask for them."""

from datetime import datetime

from common import clock
from deliveries.services.notices import announce
from licensing.models import License
from licensing.tokens import expiry


def announce_expiring(*, at: datetime) -> None:
    """
    Announce each license 30, 7 and 1 days before its end, once each, in the log and to hosts.

    The line of the audit log and the notices are one transaction, so neither is there alone.
    """
    expiry.announce(at=at, also=_announce)


def _announce(license: License, days: int, at: datetime) -> None:
    announce(
        tenant=license.tenant,
        kind="license.expiring",
        subject=license.public_id,
        at=at,
        about={"days": days, "expiresAt": clock.iso(license.expires_at)},
    )
