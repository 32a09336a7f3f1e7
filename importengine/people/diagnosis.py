"""What is wrong with the settings of people, for ``check --deploy`` and ``doctor``."""

from collections.abc import Iterator

import requests
from django.conf import settings
from django.contrib.auth.models import Group

from importengine.people import outbound
from importengine.people.group_map import NAME
from licensing.models import Tenant

WELL_KNOWN = "/.well-known/openid-configuration"


def unknown_groups() -> list[str]:
    """Return the groups of the map that this engine does not have."""
    named = {grant.group for grant in settings.OIDC_GROUPS if grant.tenant}
    return sorted(named - set(Group.objects.values_list("name", flat=True)))


def unknown_tenants() -> list[str]:
    """Return the tenants of the map that are not there (yet): nothing is given for them."""
    named = {grant.tenant for grant in settings.OIDC_GROUPS if grant.tenant}
    there = Tenant.objects.filter(public_id__in=named).values_list("public_id", flat=True)
    return sorted(named - set(there))


def provider_findings() -> Iterator[tuple[str, str]]:
    """Call the provider; yield what is wrong, and what to do about it."""
    if not settings.OIDC_URL:
        return
    if missing := unknown_tenants():
        yield (
            f"{NAME} names tenants that are not there: {', '.join(missing)}.",
            "Correct the id, or mint the tenant's first license; nothing is given until then.",
        )
    try:
        with outbound.session() as session:
            answer = session.get(f"{settings.OIDC_URL}{WELL_KNOWN}")
            answer.raise_for_status()
            issuer = answer.json()["issuer"]
    except requests.RequestException as error:
        remedy = "Check IMPORT_OIDC_URL; a private address needs IMPORT_OIDC_ALLOW_NETWORKS."
        yield f"The provider: {error}.", remedy
    except (LookupError, TypeError, ValueError):
        yield "The provider's answer is not a description.", f"Open IMPORT_OIDC_URL{WELL_KNOWN}."
    else:
        if str(issuer).rstrip("/") != settings.OIDC_URL:
            yield f"The provider calls itself {issuer}.", "Set IMPORT_OIDC_URL to that."
