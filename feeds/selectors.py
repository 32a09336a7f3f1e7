"""Queries for feeds, always of one tenant."""

from datetime import datetime

from django.db.models import QuerySet

from common.rows import the_only
from feeds.errors import UnknownFeed
from feeds.models import Feed, FeedRun, TakenFile
from licensing.models import License, Tenant
from licensing.tokens.keys import FEEDS


def feeds_of(tenant: Tenant) -> "QuerySet[Feed]":
    """Return a tenant's feeds."""
    return Feed.objects.filter(tenant=tenant).select_related("tenant")


def feed_of(tenant: Tenant, feed_id: str) -> Feed:
    """Return a feed of a tenant. Raise UnknownFeed."""
    row = the_only(feeds_of(tenant).filter(public_id=feed_id))
    if row is None:
        raise UnknownFeed
    return row


def license_of(tenant: Tenant, *, at: datetime) -> License | None:
    """Return the license key of a tenant, valid now, that lets it have feeds the longest."""
    valid = License.objects.filter(tenant=tenant, revoked_at=None, expires_at__gt=at)
    return next((key for key in valid.order_by("-expires_at") if key.entitlements.get(FEEDS)), None)


def runs_of(feed: Feed) -> "QuerySet[FeedRun]":
    """Return the runs of a feed, with the files of each."""
    return FeedRun.objects.filter(feed=feed).prefetch_related("files__record")


def files_of(feed: Feed) -> "QuerySet[TakenFile]":
    """Return the files of a feed that were taken or refused, newest first."""
    taken = TakenFile.objects.filter(feed=feed).exclude(stage=TakenFile.Stage.SEEN)
    return taken.select_related("record").order_by("-pk")
