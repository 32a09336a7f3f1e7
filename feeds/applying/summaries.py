"""The daily summary for the sender of a feed's files: what came since yesterday, and what waits."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from feeds.applying.senders import Sender
from feeds.models import Feed, TakenFile
from imports.models import ImportRecord
from imports.selectors import DAY, counts_of_day
from mails.choices import next_digest
from mails.lines import queue_digest_for_sender
from mails.models import Kind
from mails.readers import is_on

AT_ONCE = 100  # feeds in one look


def due_after(feed: Feed, at: datetime) -> datetime | None:
    """Return when the next summary is due: at seven on the clock of the feed; None without any."""
    sender = Sender.kept(feed.sender)
    wants_it = sender is not None and Kind.DIGEST in sender.mails
    return next_digest(at, feed.time_zone) if wants_it else None


def is_due(*, at: datetime) -> bool:
    """Return whether a summary is due."""
    return is_on() and Feed.objects.filter(summary_due_at__lte=at).exists()


def queue_due(*, at: datetime) -> None:
    """Queue the summaries that are due; a feed of which there is nothing to say has none."""
    due = Feed.objects.filter(summary_due_at__lte=at).order_by("summary_due_at")
    for key in list(due.values_list("pk", flat=True)[:AT_ONCE]) if is_on() else ():
        with transaction.atomic():
            locked = Feed.objects.select_for_update(of=("self",)).select_related("tenant")
            feed = locked.filter(pk=key, summary_due_at__lte=at).first()
            if feed is not None:  # else another worker makes it
                _queue(feed, at=at)


def _queue(feed: Feed, *, at: datetime) -> None:
    Feed.objects.filter(pk=feed.pk).update(summary_due_at=due_after(feed, at))
    sender = Sender.kept(feed.sender)
    if sender is None:
        return
    for address, counts in _counts(feed, sender, at=at):
        queue_digest_for_sender(
            tenant=feed.tenant,
            address=address,
            language=sender.language,
            scope=feed.scope,
            counts=counts,
            at=at,
        )


def _counts(feed: Feed, sender: Sender, *, at: datetime) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield each sender of whose files there is something to say."""
    mine = ImportRecord.objects.filter(feed_file__feed=feed, purged_at=None, corrects=None)
    lately = Q(settled_at=None) | Q(settled_at__gt=at - DAY) | Q(taken_at__gt=at - DAY)
    files = TakenFile.objects.filter(lately, feed=feed).exclude(sender="")
    own = files.order_by("sender").values_list("sender", flat=True).distinct()
    for address in [sender.address] if sender.address else own:
        sent = mine if sender.address else mine.filter(feed_file__sender=address)
        if any((counts := counts_of_day(sent, at=at)).values()):
            yield address, counts
