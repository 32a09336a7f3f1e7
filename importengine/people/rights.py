"""Give a person what the provider's groups say, at each sign-in, and take away the rest."""

from django.contrib.auth.models import Group, User
from django.db import transaction

from importengine.people.group_map import Rights
from licensing.models import Membership, Tenant
from licensing.people import sign_ins


def apply(user: User, rights: Rights) -> None:
    """Make a person's groups and memberships those of the provider, and note what changed."""
    with transaction.atomic():
        before = sign_ins.rights_of(user)
        user.is_staff, user.is_superuser = bool(rights), rights.is_superuser
        user.save(update_fields=["is_staff", "is_superuser"])
        user.groups.set(Group.objects.filter(name__in=rights.groups))
        roles = dict(rights.roles)
        tenants = {t.public_id: t for t in Tenant.objects.filter(public_id__in=roles)}
        user.memberships.exclude(tenant__in=tenants.values()).delete()
        for name, tenant in tenants.items():
            Membership.objects.update_or_create(
                user=user, tenant=tenant, defaults={"role": roles[name]}
            )
        sign_ins.note_rights(user, before)
