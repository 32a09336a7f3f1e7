"""Queries about who may act for which tenant."""

from collections.abc import Mapping
from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import connection
from django.db.models import Q, QuerySet

from common.actors import Actor
from licensing.caller import Caller
from licensing.models import License, Membership, Tenant
from licensing.rights.table import EDIT
from licensing.tokens.keys import AGENT_MEMORY, CATALOG_EDITOR


def membership_of(*, user: AbstractBaseUser, tenant_id: str) -> Membership | None:
    """Return the user's membership of a tenant, or of its test side; None for an unknown one."""
    tenant = Tenant.objects.select_related("test_of").filter(public_id=tenant_id).first()
    if tenant is None:
        return None
    mine = Membership.objects.select_related("user").filter(user_id=user.pk, tenant=tenant.owner)
    membership = mine.first()
    if membership is not None:
        membership.tenant = tenant
    return membership


def memberships_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Membership]:
    """Return the tenants a user may act for, by label."""
    mine = Membership.objects.select_related("tenant", "user").filter(user_id=user.pk or 0)
    return mine.order_by("tenant__label", "tenant__public_id")


def tenants_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tenant]:
    """Return the tenants whose rows a user sees in the admin; a superuser sees all."""
    return _tenants(user, Membership.objects.all())


def tenants_to_act_for(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tenant]:
    """Return the tenants for which a user may do more than view, as far as their groups allow."""
    return _tenants(user, Membership.objects.exclude(role=Membership.Role.VIEWER))


def _tenants(
    user: AbstractBaseUser | AnonymousUser, memberships: QuerySet[Membership]
) -> QuerySet[Tenant]:
    if getattr(user, "is_superuser", False):
        return Tenant.objects.all()
    mine = memberships.filter(user_id=user.pk or 0).values("tenant")
    return Tenant.objects.filter(Q(pk__in=mine) | Q(test_of__in=mine))


def is_staff_session(key: str) -> bool:
    """Return whether a session key belongs to an active staff member."""
    try:
        session = import_module(settings.SESSION_ENGINE).SessionStore(key)
        users = get_user_model()._default_manager.filter(is_active=True, is_staff=True)
        return users.filter(pk=session.get(SESSION_KEY) or 0).exists()
    finally:
        connection.close()  # called from threads without a request


def actor_of(user: AbstractBaseUser | AnonymousUser) -> Actor:
    """Return the actor of a user who logged in."""
    return Actor(kind="person", id=f"user:{user.pk}", label=user.get_username())


def staff_caller(membership: Membership) -> Caller:
    """
    Return a staff session's caller; its permissions never come from a license.

    The permissions of the user's groups define what they may do, the membership for which tenant,
    and its role whether they may change anything there. Both are needed.
    """
    user = membership.user
    permissions = frozenset(user.get_all_permissions())
    changes = membership.role != Membership.Role.VIEWER
    edits = changes and EDIT in permissions and not membership.tenant.is_test
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
    Return whether an actor's decisions may be applied to later imports automatically.

    A person's decisions may. An agent's may only if its license key has ``agentMemory``.
    """
    if actor is None or actor.get("kind") != "agent":
        return actor is not None
    keys = License.objects.filter(tenant=tenant, public_id=actor.get("id"))
    return any(key.entitlements.get(AGENT_MEMORY) is True for key in keys)
