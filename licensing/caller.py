"""Who calls: the value every view and tool works with (``request.user``)."""

from dataclasses import dataclass, field

from common.actors import Actor
from licensing.models import Tenant


@dataclass(frozen=True, slots=True)
class Caller:
    """An accepted license key or staff session, its tenant and what it may do."""

    tenant: Tenant
    license_id: str  # ``lic_...``; empty for a staff session
    actor: Actor
    plan: str = ""
    entitlements: frozenset[str] = field(default_factory=frozenset)
    expires_at: int | None = None  # Unix seconds
    is_page: bool = False  # the key names origins: it stands in a page, where any visitor reads it
    import_token: str = ""  # what X-Import-Token says; opens the import it was made for

    is_authenticated = True  # what DRF's permission asks

    def may(self, entitlement: str) -> bool:
        """Whether this very key carries the entitlement."""
        return entitlement in self.entitlements
