"""Who may act for which tenant."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import connection
from django.db.models import QuerySet

from common.actors import Actor
from licensing.caller import Caller
from licensing.keys import CATALOG_EDITOR
from licensing.models import Membership, Tenant

ENTITLEMENTS_OF = {
    Membership.Role.EDITOR.value: frozenset({CATALOG_EDITOR}),
    Membership.Role.VIEWER.value: frozenset[str](),
}


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
    Give a staff session's caller; what it may do never comes from a license.

    The role of the membership says it, and groups narrow it: who has any, edits catalogs only if
    one of them does, and publishes them only if one of them does that.
    """
    user = membership.user
    entitlements = ENTITLEMENTS_OF.get(membership.role, frozenset())
    is_narrowed = bool(entitlements) and user.groups.exists()
    if is_narrowed and not user.has_perm("catalogs.change_catalog"):
        entitlements -= {CATALOG_EDITOR}
    return Caller(
        tenant=membership.tenant,
        license_id="",
        actor=actor_of(user),
        entitlements=entitlements,
        publishes=not is_narrowed or user.has_perm("catalogs.change_catalogversion"),
    )
