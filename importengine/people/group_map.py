"""
Which rights the groups of a provider give. Pure.

    import-admins = superuser
    acme-orders = editor@tnt_acme; acme-readers = viewer@tnt_acme
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

NAME = "IMPORT_OIDC_GROUPS"
SUPERUSER = "superuser"
VIEWER, EDITOR = "viewer", "editor"  # the roles of a membership
FORM = "group = role@tenant, or group = superuser"


@dataclass(frozen=True, slots=True)
class Grant:
    """One line: people in a group of the provider get a group of the engine, for one tenant."""

    claimed: str  # the provider's name of its group
    group: str  # the engine's, or ``superuser``
    tenant: str = ""  # its id; empty for a superuser


@dataclass(frozen=True, slots=True)
class Rights:
    """What a person may do, from all of their groups."""

    is_superuser: bool = False
    groups: frozenset[str] = frozenset()
    roles: tuple[tuple[str, str], ...] = ()  # of each tenant, sorted

    def __bool__(self) -> bool:
        """Return whether there is any right."""
        return self.is_superuser or bool(self.roles)


def read(text: str) -> tuple[Grant, ...]:
    """Return the grants, one per line or semicolon. Raise ImproperlyConfigured."""
    lines = [line.strip() for line in re.split(r"[;\n]", text)]
    return tuple(_grant(line) for line in lines if line)


def _grant(line: str) -> Grant:
    claimed, _, given = (part.strip() for part in line.rpartition("="))
    group, _, tenant = given.partition("@")
    if claimed and given == SUPERUSER:
        return Grant(claimed, SUPERUSER)
    if not (claimed and group and tenant) or group == SUPERUSER:
        raise ImproperlyConfigured(f"{NAME} has {line!r}; write {FORM}.")
    return Grant(claimed, group, tenant)


def rights_of(claimed: Collection[str], grants: Sequence[Grant]) -> Rights:
    """Return what the groups in a person's claims give; a viewer of a tenant only looks."""
    mine = [grant for grant in grants if grant.claimed in claimed]
    roles: dict[str, str] = {}
    for grant in mine:
        if grant.tenant and roles.get(grant.tenant) != EDITOR:
            roles[grant.tenant] = VIEWER if grant.group == VIEWER else EDITOR
    return Rights(
        is_superuser=any(grant.group == SUPERUSER for grant in mine),
        groups=frozenset(grant.group for grant in mine if grant.tenant),
        roles=tuple(sorted(roles.items())),
    )


def groups_in(claims: object) -> tuple[str, ...]:
    """Return the groups of a claim: a list of names, or one name. Others are not groups."""
    if isinstance(claims, str):
        return (claims,)
    if isinstance(claims, list):
        return tuple(name for name in claims if isinstance(name, str))
    return ()
