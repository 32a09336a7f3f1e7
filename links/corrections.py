"""
Links by which a person without an account corrects one import. docs/how-to/send-a-link.md.

Its page downloads the rows with errors and sends the corrected file back. Only corrected rows are
merged, and the import goes on by the rules of its feed.
"""

from contextlib import suppress
from datetime import datetime

from django.db.models import QuerySet

from common.actors import Actor
from common.errors import StaleState
from imports.models import ImportRecord
from imports.services.held import reconsider
from licensing.caller import Caller
from licensing.models import License
from licensing.sessions import Wanted
from links.models import Link
from links.selectors import is_correctable
from links.services import CreatedLink, NewLink, create_link, revoke_link

State = Link.State


def invite(
    *, record: ImportRecord, license: License, language: str, actor: Actor, at: datetime
) -> CreatedLink | None:
    """
    Create the link by which an import is corrected; None while there is one.

    Call it in a transaction. The link expires in a week, never after the license. Raise
    TooManyLinks.
    """
    list(ImportRecord.objects.select_for_update().filter(pk=record.pk).values_list("pk"))
    if open_links(record).exists():
        return None
    page = {"name": record.tenant.label or record.tenant.host_id, "language": language}
    wanted = NewLink(
        settings=Wanted(scope=record.scope, catalog_key=record.catalog_key),
        page=page,
        kind=Link.Kind.DATED,  # the one who corrects may not be the one who gets the mail
        corrects=record,
    )
    caller = Caller(record.tenant, license.public_id, actor)
    return create_link(caller=caller, wanted=wanted, at=at)


def open_links(record: ImportRecord) -> "QuerySet[Link]":
    """Return the link by which an import is corrected, while it opens."""
    return Link.objects.filter(corrects=record, state__in=(State.OPEN, State.USED))


def close(*, record: ImportRecord, actor: Actor, at: datetime) -> None:
    """Revoke the link of an import that takes no corrections any more."""
    if not is_correctable(record):
        withdraw(record=record, actor=actor, at=at)


def withdraw(*, record: ImportRecord, actor: Actor, at: datetime) -> None:
    """Revoke the link by which an import is corrected."""
    for link in open_links(record).select_related("tenant"):
        revoke_link(link=link, actor=actor, at=at)


def note_merged(*, caller: Caller, record: ImportRecord, at: datetime) -> None:
    """Let the feed of an import judge it again, if the page of a link corrected it."""
    if caller.corrects:
        record.refresh_from_db()
        with suppress(StaleState):  # a person goes on with it
            reconsider(record)
