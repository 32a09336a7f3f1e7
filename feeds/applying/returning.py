"""
Merge corrected rows that arrive as files of a feed do: an exported file comes back by the same way.

Only for a feed whose sender may correct rows. Every other file that comes back waits for a person.
"""

import logging
from datetime import datetime

from django.db.models import Q

from common.errors import ServiceError, StaleState
from feeds.applying.senders import Sender, unsettled
from feeds.events import actor_of
from feeds.models import Feed, TakenFile
from imports import services as imports
from imports.models import ImportRecord
from imports.services.held import reconsider

logger = logging.getLogger(__name__)
State = ImportRecord.State
RETURNED = "returned"  # was looked at: it is merged, or waits for a person


def is_returned() -> Q:
    """Return the filter for files that bring rows of another import back and were not looked at."""
    waits = Q(record__state=State.MAPPING, record__corrects__isnull=False, mailed="")
    return waits & Q(feed__sender__isnull=False)


def merge_returned(feed: Feed, *, at: datetime) -> None:
    """Merge the corrected rows that the sender of a feed sent as a file."""
    about = ("record__tenant", "record__corrects__catalog_version__catalog")
    for file in unsettled().filter(is_returned(), feed=feed).select_related(*about).order_by("pk"):
        if TakenFile.objects.filter(pk=file.pk, mailed="").update(mailed=RETURNED):
            _merge(feed, file, at=at)


def _merge(feed: Feed, file: TakenFile, *, at: datetime) -> None:
    correction = file.record
    of = correction.corrects if correction else None
    if correction is None or of is None or not _may_correct(feed, file, of):
        return
    of.tenant = feed.tenant
    try:
        imports.merge(record=of, correction=correction, actor=actor_of(feed), at=at)
        of.refresh_from_db()
        reconsider(of)
    except StaleState:
        logger.info("%s: it was moved meanwhile", of.public_id)
    except ServiceError as refused:  # it corrects nothing, for example: a person decides
        logger.info("%s: not merged, code=%s", correction.public_id, refused.code)


def _may_correct(feed: Feed, file: TakenFile, of: ImportRecord) -> bool:
    """Return whether the rows are of a file of this feed, and of the same sender."""
    sender = Sender.kept(feed.sender)
    first = TakenFile.objects.filter(feed=feed, record=of).first()
    if sender is None or not sender.corrects or first is None:
        return False
    return bool(sender.address) or first.sender == file.sender
