"""Who may act for which tenant."""

from collections.abc import Mapping
from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import connection
from django.db.models import QuerySet

from common.actors import Actor
from licensing.caller import Caller
from licensing.keys import AGENT_MEMORY, CATALOG_EDITOR
from licensing.models import License, Membership, Tenant
from licensing.rights.table import EDIT


def membership_of(*, user: AbstractBaseUser, tenant_id: str) -> Membership | None:
    """Give the user's membership of a tenant; none for an unknown tenant, too."""
    mine = Membership.objects.select_related("tenant", "user")
    return mine.filter(user_id=user.pk, tenant__public_id=tenant_id).first()


def memberships_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Membership]:
    """Give the tenants a user may act for, by label."""
    mine = Membership.objects.select_related("tenant", "user").filter(user_id=user.pk or 0)
    return mine.order_by("tenant__label", "tenant__public_id")


def tenants_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tenant]:
    """Give the tenants whose rows somebody sees in the admin: a superuser's are all."""
    return _tenants(user, Membership.objects.all())


def tenants_to_act_for(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tenant]:
    """Give the tenants for which somebody does more than look, as far as their groups go."""
    return _tenants(user, Membership.objects.exclude(role=Membership.Role.VIEWER))


def _tenants(
    user: AbstractBaseUser | AnonymousUser, memberships: QuerySet[Membership]
) -> QuerySet[Tenant]:
    if getattr(user, "is_superuser", False):
        return Tenant.objects.all()
    return Tenant.objects.filter(pk__in=memberships.filter(user_id=user.pk or 0).values("tenant"))


def is_staff_session(key: str) -> bool:
    """Whether a session key is that of an active member of the staff."""
    try:
        session = import_module(settings.SESSION_ENGINE).SessionStore(key)
        users = get_user_model()._default_manager.filter(is_active=True, is_staff=True)
        return users.filter(pk=session.get(SESSION_KEY) or 0).exists()
    finally:
        connection.close()  # called from threads that serve no request


def actor_of(user: AbstractBaseUser | AnonymousUser) -> Actor:
    """Name somebody who logged in."""
    return Actor(kind="person", id=f"user:{user.pk}", label=user.get_username())


def staff_caller(membership: Membership) -> Caller:
    """
    Return a staff session's caller; what it may do never comes from a license.

    The permissions of the user's groups say what, the membership says for which tenant, and its
    role whether anything may be changed there. Both are needed.
    """
    user = membership.user
    permissions = frozenset(user.get_all_permissions())
    changes = membership.role != Membership.Role.VIEWER
    edits = changes and EDIT in permissions
    return Caller(
        tenant=membership.tenant,
        license_id="",
        actor=actor_of(user),
        entitlements=frozenset({CATALOG_EDITOR} if edits else ()),
        permissions=permissions,
        changes=changes,
    )


def may_teach(*, tenant: Tenant, actor: Mapping[str, str] | None) -> bool:
    """
    Return whether what an actor settled may decide later imports by itself.

    A person's word may. An agent's only where its license key carries ``agentMemory``.
    """
    if actor is None or actor.get("kind") != "agent":
        return actor is not None
    keys = License.objects.filter(tenant=tenant, public_id=actor.get("id"))
    return any(key.entitlements.get(AGENT_MEMORY) is True for key in keys)
