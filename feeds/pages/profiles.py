"""The profiles that a form of a feed offers: those of its tenant, catalog and scope."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet

from feeds.models import Feed
from imports.models import Profile
from licensing.models import Tenant

MOST = 200  # profiles that are offered, the newest
MOST_COLUMNS = 5  # of one profile that are shown
BY_HEADER = ("", "The one of each file's header")
OTHER = "Choose a profile of this tenant and catalog, and of this scope or of none."


def profile_field(
    tenants: "QuerySet[Tenant]", typed: Mapping[str, Any] | None, feed: Feed | None
) -> forms.ChoiceField:
    """
    Return the field with what fits the feed, or what was entered for it.

    Before anything is entered for a new feed, all profiles of the user's tenants are offered. One
    that the feed names stays a choice after it was deleted, so saving the form does not change it.
    """
    fitting = _fitting(tenants, typed, feed)
    offered = list(fitting.select_related("tenant").order_by("-saved_at", "-pk")[:MOST])
    choices = [BY_HEADER, *((row.public_id, _label(row, typed, feed)) for row in offered)]
    kept = feed.profile_id if feed is not None else ""
    if kept and kept not in dict(choices):
        row = Profile.objects.filter(public_id=kept).select_related("tenant").first()
        if row is None:
            choices.append((kept, f"{kept} (deleted)"))
        elif fitting.filter(pk=row.pk).exists():
            choices.append((kept, _label(row, typed, feed)))
    return forms.ChoiceField(
        label="Profile",
        required=False,
        choices=choices,
        help_text="The remembered mapping that files must fit to be applied by themselves.",
        error_messages={"invalid_choice": OTHER},
    )


def _fitting(
    tenants: "QuerySet[Tenant]", typed: Mapping[str, Any] | None, feed: Feed | None
) -> "QuerySet[Profile]":
    if feed is not None:
        tenants = tenants.filter(pk=feed.tenant_id)
    elif typed is not None:
        tenants = tenants.filter(public_id=typed.get("tenant", ""))
    rows = Profile.objects.filter(tenant__in=tenants.values("pk"))
    if typed is not None:
        key, scope = (typed.get(name, "").strip() for name in ("catalog_key", "scope"))
    elif feed is not None:
        key, scope = feed.catalog_key, feed.scope
    else:
        return rows
    return rows.filter(catalog_key=key, scope__in=["", scope])


def _label(profile: Profile, typed: Mapping[str, Any] | None, feed: Feed | None) -> str:
    """Return what tells a profile from others: its scope and columns, and at first its catalog."""
    columns = list(profile.columns)
    named = ", ".join(columns[:MOST_COLUMNS])
    more = len(columns) - MOST_COLUMNS
    rest = f" and {more:,} more" if more > 0 else ""
    is_new = typed is None and feed is None
    of = f" of {profile.tenant.public_id}, {profile.catalog_key}" if is_new else ""
    scope = f", scope {profile.scope}" if profile.scope else ""
    return f"{profile.public_id}{of}{scope}: {named}{rest}"
