"""Who calls: the value every view and tool works with (``request.user``)."""

from dataclasses import dataclass, field
from typing import Any

from common.actors import Actor
from licensing.models import Tenant


@dataclass(frozen=True, slots=True)
class PageTerms:
    """What a session fixes for the page that holds its token; the page cannot change it."""

    session_id: str  # ``ses_...``
    scope: str
    catalog_key: str  # empty: any published catalog
    apply_mode: str  # webhook or browser
    invalid_rows: frozenset[str]  # of fix, exclude and include: what may be done to them
    origin: str = ""
    meta: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """An accepted license key, session of a page or staff session, and what it may do."""

    tenant: Tenant
    license_id: str  # ``lic_...``; empty for a staff session
    actor: Actor
    plan: str = ""
    entitlements: frozenset[str] = field(default_factory=frozenset)
    expires_at: int | None = None  # Unix seconds
    is_page: bool = False  # the key or token stands in a page, where any visitor reads it
    publishes: bool = True  # what it may edit; groups of the staff part the two
    address: str = ""  # where the call came from, for keys that many visitors share
    session: PageTerms | None = None
    import_token: str = ""  # what X-Import-Token says; opens the import it was made for

    is_authenticated = True  # what DRF's permission asks

    def may(self, entitlement: str) -> bool:
        """Whether this very key carries the entitlement."""
        return entitlement in self.entitlements
