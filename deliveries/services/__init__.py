"""The operations on registrations and deliveries."""

from deliveries.services.notices import announce, announce_failed_feed
from deliveries.services.outbox import (
    enqueue,
    mark_outdated,
    mark_reverted,
    redeliver,
    resend_in_parts,
    send_test,
)
from deliveries.services.purge import purge_finished, purge_import, purge_tests
from deliveries.services.registrations import (
    AlreadyRegistered,
    Secret,
    TooManyRegistrations,
    delete_registration,
    register,
    rotate,
)

__all__ = [
    "AlreadyRegistered",
    "Secret",
    "TooManyRegistrations",
    "announce",
    "announce_failed_feed",
    "delete_registration",
    "enqueue",
    "mark_outdated",
    "mark_reverted",
    "purge_finished",
    "purge_import",
    "purge_tests",
    "redeliver",
    "register",
    "resend_in_parts",
    "rotate",
    "send_test",
]
