"""The caller: the value every view and tool works with (``request.user``)."""

from dataclasses import dataclass, field
from typing import Any

from common.actors import Actor
from licensing.models import Tenant
from licensing.rights.model import INVALID_ROWS, KNOWN, PUBLISH, REVIEW, SEE_CHANGES


@dataclass(frozen=True, slots=True)
class PagePolicy:
    """The session settings of the page that has its token; the page cannot change them."""

    session_id: str  # ``ses_...``
    scope: str
    catalog_key: str  # empty: any published catalog
    apply_mode: str  # webhook or browser
    invalid_rows: frozenset[str]  # of fix, exclude and include: what may be done with them
    own_only: bool = False  # reaches no import that another page of its scope started
    corrects: str = ""  # the one import that it reaches, to correct rows with errors; blank: others
    region: str = ""  # for phone numbers without a country, if an import names none
    catalog_number: int | None = None  # the version that the overlay was checked against
    context: dict[str, Any] | None = None  # defaults and options of every import
    overlay: dict[str, Any] | None = None  # what else holds for one customer of the host
    keep_unmapped: bool | None = None  # None: as each import asks
    rights: frozenset[str] = frozenset()  # what else the page may do, by name
    origin: str = ""
    meta: dict[str, Any] | None = None

    @property
    def allowances(self) -> frozenset[str]:
        """What the page may do besides viewing and mapping."""
        return self.invalid_rows | self.rights


@dataclass(frozen=True, slots=True)
class Caller:
    """An accepted license key, page session or staff session, and what it may do."""

    tenant: Tenant
    license_id: str  # ``lic_...``; empty for a staff session
    actor: Actor
    plan: str = ""
    entitlements: frozenset[str] = field(default_factory=frozenset)
    expires_at: int | None = None  # Unix seconds
    is_page: bool = False  # the key or token is in a page, where any visitor can read it
    permissions: frozenset[str] | None = None  # of a staff member, through their groups
    changes: bool = True  # a membership with the role viewer is read-only
    address: str = ""  # the address of the call, for keys shared by many visitors
    session: PagePolicy | None = None
    import_token: str = ""  # the value of X-Import-Token; opens the import it was made for

    is_authenticated = True  # checked by DRF's permission

    def may(self, entitlement: str) -> bool:
        """Return whether this key has the entitlement."""
        return entitlement in self.entitlements

    @property
    def publishes(self) -> bool:
        """Return whether the caller may publish what it may edit."""
        return self.permissions is None or (self.changes and PUBLISH in self.permissions)

    @property
    def sees_cells(self) -> bool:
        """Return whether the caller may see cells of the imports and files that it may access."""
        return self.permissions is None or REVIEW in self.permissions

    @property
    def sees_known(self) -> bool:
        """Return whether the caller may see the known entities of a scope, with their values."""
        if self.is_page or self.session is not None:
            return self.session is not None and SEE_CHANGES in self.session.rights
        return self.permissions is None or KNOWN in self.permissions

    @property
    def corrects(self) -> str:
        """Return the one import that the page may correct; blank for every other caller."""
        return self.session.corrects if self.session is not None else ""

    @property
    def overlay(self) -> dict[str, Any] | None:
        """Return what the session sets for one customer of the host; None without a session."""
        return self.session.overlay if self.session is not None else None

    def lacks(self, *needs: str) -> tuple[str, ...]:
        """
        Return which of some needs the caller lacks; empty for callers that are not pages.

        No host can grant rights to a page key: its visitors may edit rows like any person.
        """
        if not self.is_page:
            return ()
        given = INVALID_ROWS if self.session is None else self.session.allowances
        return tuple(need for need in needs if need not in given)
