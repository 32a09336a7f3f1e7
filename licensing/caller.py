"""Who calls: the value every view and tool works with (``request.user``)."""

from dataclasses import dataclass, field
from typing import Any

from common.actors import Actor
from licensing.models import Tenant
from licensing.rights.model import INVALID_ROWS, PUBLISH, REVIEW


@dataclass(frozen=True, slots=True)
class PageTerms:
    """What a session fixes for the page that holds its token; the page cannot change it."""

    session_id: str  # ``ses_...``
    scope: str
    catalog_key: str  # empty: any published catalog
    apply_mode: str  # webhook or browser
    invalid_rows: frozenset[str]  # of fix, exclude and include: what may be done to them
    region: str = ""  # of phone numbers without a country, where an import names none
    rights: frozenset[str] = frozenset()  # what else the page may do, by name
    origin: str = ""
    meta: dict[str, Any] | None = None

    @property
    def allowances(self) -> frozenset[str]:
        """What the page may do beyond looking and mapping."""
        return self.invalid_rows | self.rights


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
    permissions: frozenset[str] | None = None  # of a member of the staff, by their groups
    changes: bool = True  # a membership of the role viewer only looks
    address: str = ""  # where the call came from, for keys that many visitors share
    session: PageTerms | None = None
    import_token: str = ""  # what X-Import-Token says; opens the import it was made for

    is_authenticated = True  # what DRF's permission asks

    def may(self, entitlement: str) -> bool:
        """Whether this very key carries the entitlement."""
        return entitlement in self.entitlements

    @property
    def publishes(self) -> bool:
        """Whether the caller may publish what it may edit."""
        return self.permissions is None or (self.changes and PUBLISH in self.permissions)

    @property
    def sees_cells(self) -> bool:
        """Whether the caller may see the cells of the imports and files that it reaches."""
        return self.permissions is None or REVIEW in self.permissions

    def lacks(self, *needs: str) -> tuple[str, ...]:
        """
        Return what of some needs the caller was not given; nothing for what is not a page.

        A page key has no host that could name rights: its visitor treats rows as any person does.
        """
        if not self.is_page:
            return ()
        given = INVALID_ROWS if self.session is None else self.session.allowances
        return tuple(need for need in needs if need not in given)
