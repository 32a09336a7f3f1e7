"""
Tell the sender of a feed's files what becomes of them, and let them correct rows with errors.

The sender is the address that the feed names. A mailbox without one tells the sender of each mail,
if that is proven. Each step is told once; how many mails that makes is up to ``mails``.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from django.db import transaction
from django.db.models import Q, QuerySet

from common.actors import Actor
from feeds.events import actor_of
from feeds.models import Feed, TakenFile
from feeds.selectors import license_of
from imports.models import ImportRecord
from links.corrections import close, invite, withdraw
from links.services import TooManyLinks
from mails.lines import hears, note_for_sender
from mails.models import Kind

logger = logging.getLogger(__name__)
State = ImportRecord.State
WAITING, REVIEW, FAILED, DONE = "waiting", "review", "failed", "done"  # what was told last


@dataclass(frozen=True, slots=True)
class Sender:
    """Who hears of the files of a feed: which mails, and whether they may correct rows."""

    address: str = ""  # blank: of each mail its own sender
    language: str = "en"
    mails: tuple[str, ...] = ()
    corrects: bool = False

    @classmethod
    def kept(cls, document: Mapping[str, Any] | None) -> Self | None:
        """Return a stored sender; None without one."""
        return None if document is None else cls(**{**document, "mails": tuple(document["mails"])})

    def as_json(self) -> dict[str, Any]:
        """Return it as a feed stores it."""
        return asdict(self) | {"mails": list(self.mails)}


def unsettled() -> "QuerySet[TakenFile]":
    """Return the files whose imports are not over."""
    return TakenFile.objects.filter(outcome=TakenFile.Outcome.IMPORTED, settled_at__isnull=True)


def to_tell() -> "QuerySet[TakenFile]":
    """Return the files whose senders were not told what their imports came to."""
    waits = Q(record__state__in=(State.MAPPING, State.STAGED), mailed="")
    is_held = Q(record__state=State.REVIEW, record__held__isnull=False) & ~Q(mailed=REVIEW)
    failed = Q(record__state=State.FAILED) & ~Q(mailed=FAILED)
    of_imports = unsettled().filter(feed__sender__isnull=False, record__corrects=None)
    return of_imports.filter(waits | is_held | failed)


def tell_all(*, at: datetime) -> None:
    """Inform senders of files that wait for a person, and of files that failed."""
    about = ("feed__tenant", "record__catalog_version__catalog", "record__tenant")
    for file in to_tell().select_related(*about).order_by("pk"):
        try:
            with transaction.atomic():
                _tell_state(file, at=at)
        except Exception:
            logger.exception("%s: its sender was not told", file.feed.public_id)


def _tell_state(file: TakenFile, *, at: datetime) -> None:
    """Inform the sender of a file once: of two workers, the second finds the file changed."""
    record = file.record
    if record is None:
        return
    state = {State.REVIEW: REVIEW, State.FAILED: FAILED}.get(State(record.state), WAITING)
    if not TakenFile.objects.filter(pk=file.pk, mailed=file.mailed).update(mailed=state):
        return
    if state == FAILED:
        code = str(record.failure.problem["code"]) if record.failure else ""
        tell(file, Kind.FAILED, "import.failed", record=record, at=at, code=code)
    elif (state != REVIEW or not _ask_to_correct(file, record, at=at)) and file.mailed != WAITING:
        tell(file, Kind.WAITING, "import.waiting", record=record, at=at)


def tell(
    file: TakenFile,
    kind: str,
    event: str,
    *,
    record: ImportRecord | None,
    at: datetime,
    code: str = "",
) -> None:
    """Note an event for the sender of a file, if they get mails of its kind."""
    sender = Sender.kept(file.feed.sender)
    if sender is None or kind not in sender.mails:
        return
    subject = record.public_id if record else f"file {file.pk}"
    _note(file, sender, event, subject=subject, record=record, at=at, about={"code": code})


def tell_done(file: TakenFile, record: ImportRecord, *, at: datetime) -> None:
    """Inform the sender that a file was imported, and close the link to correct it."""
    if record.state == State.APPLIED:
        tell(file, Kind.DONE, "import.applied", record=record, at=at)
    close(record=record, actor=actor_of(file.feed), at=at)


def tell_refused(file: TakenFile, *, at: datetime) -> None:
    """Inform the sender that a file cannot be imported, and why."""
    code = str((file.problem or {}).get("code", ""))
    tell(file, Kind.FAILED, "import.failed", record=None, at=at, code=code)


def _ask_to_correct(file: TakenFile, record: ImportRecord, *, at: datetime) -> bool:
    """Mail the sender where to correct rows with errors; return whether there is such a mail."""
    sender, tenant = Sender.kept(file.feed.sender), file.feed.tenant
    if sender is None or not sender.corrects or not record.counts.get("error"):
        return False
    license, address = license_of(tenant, at=at), _address(file, sender)
    if license is None or not address or not hears(tenant, address):
        return False
    about: dict[str, Any] = {"language": sender.language, "actor": actor_of(file.feed), "at": at}
    try:
        with transaction.atomic():
            created = invite(record=record, license=license, **about)
    except TooManyLinks:
        return False
    if created is None:
        return True
    why = {"why": ["rows_with_errors"]}
    return _note(
        file, sender, "import.waiting", subject=record.public_id, record=record, at=at,
        about=why, page=f"/i/{created.token}",
    )  # fmt: skip


def _note(
    file: TakenFile,
    sender: Sender,
    event: str,
    *,
    subject: str,
    record: ImportRecord | None,
    at: datetime,
    about: Mapping[str, Any],
    page: str | None = None,
) -> bool:
    address = _address(file, sender)
    if not address:
        return False
    noted = note_for_sender(
        tenant=file.feed.tenant,
        address=address,
        language=sender.language,
        event=event,
        subject=subject,
        at=at,
        scope=file.feed.scope,
        record_id=record.public_id if record else "",
        catalog_key=file.feed.catalog_key,
        page=page,
        about=about,
    )
    return noted > 0


def _address(file: TakenFile, sender: Sender) -> str:
    return sender.address or file.sender


def forget_sender(feed: Feed, *, actor: Actor, at: datetime) -> None:
    """Revoke the links of a former sender; the next one hears what the files wait for now."""
    unsettled().filter(feed=feed, record__corrects=None).update(mailed="")
    for file in unsettled().filter(feed=feed).select_related("record"):
        if file.record is not None:
            withdraw(record=file.record, actor=actor, at=at)
