"""Send the mails that are due: claimed a few at a time by a worker, never in a request."""

import logging
import smtplib
import threading
from datetime import datetime
from email.mime.image import MIMEImage
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import F

from common import clock
from common.errors import Conflict
from common.work.claims import claim, due, renewed
from licensing.logo import bytes_of, logo_of
from mails import lines, transitions
from mails.models import Mail, Preference
from mails.readers import Reader, address_key, is_on, reader_of, wants_none
from mails.unsubscribing import address_of
from mails.verdict import GivenUp, TryAgain, judge
from mails.wording import LOGO_ID, written

logger = logging.getLogger(__name__)
_sending = threading.Lock()

AT_ONCE = 20  # mails in one claim
UNWANTED = "Its reader no longer wants it, or may no longer have it."


class WithPicture(EmailMultiAlternatives):
    """A mail whose HTML shows what is attached: RFC 2387."""

    mixed_subtype = "related"


def is_work_due(*, at: datetime) -> bool:
    """Return whether a mail, lines to gather, or a daily summary is due."""
    return is_on() and (
        Mail.objects.filter(due(at)).exists()
        or Preference.objects.filter(digest_due_at__lte=at).exists()
        or lines.ripe(at).exists()
    )


def send_due() -> None:
    """Gather lines and send what is due, in one thread of a process."""
    if not is_on() or not _sending.acquire(blocking=False):
        return
    try:
        lines.gather(at=clock.now())
        while mails := claim(Mail.objects.all(), at=clock.now(), limit=AT_ONCE):
            with renewed(mails):
                _send(mails)
    finally:
        _sending.release()


def _send(mails: list[Mail]) -> None:
    """Send mails; once the server cannot be reached, the others wait as well."""
    away: OSError | None = None
    for mail in mails:
        try:
            reader = reader_for(mail)
            if reader is None:
                transitions.cancel(mail, reason=UNWANTED, at=clock.now())
            elif away is not None:
                _settle(mail, away)
            else:
                away = _try(mail, reader)
        except Conflict:
            logger.info("%s: another worker holds it", mail.public_id)


def _try(mail: Mail, reader: Reader) -> OSError | None:
    """Send a mail over a connection of its own; return the error if the server is away."""
    try:
        message_of(mail, reader).send()
    except OSError as error:  # SMTPException is one
        _settle(mail, error)
        answered = isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused)
        is_refused = answered and not isinstance(error, smtplib.SMTPAuthenticationError)
        return None if is_refused else error
    except ValueError as error:  # of an address that no mail can have
        transitions.fail(mail, problem=type(error).__name__, at=clock.now())
        return None
    transitions.sent(mail, at=clock.now())
    return None


def _settle(mail: Mail, error: OSError) -> None:
    """Schedule the next try of a mail, or record that it failed for good."""
    at = clock.now()
    match judge(error, tries=mail.tries + 1):
        case GivenUp(problem):
            transitions.fail(mail, problem=problem, at=at)
        case TryAgain(problem, wait):
            mail.update_as_claimed(
                due_at=at + wait, claimed_until=None, tries=F("tries") + 1, problem=problem
            )
            logger.warning("mail %s: not sent, cause=%s", mail.public_id, problem)


def reader_for(mail: Mail) -> Reader | None:
    """Return where a mail goes now; None if its reader does not want it any more."""
    if mail.user is not None:
        return reader_of(mail.user, tenant=mail.tenant, kind=mail.kind)
    is_unwanted = wants_none(mail.tenant, address_key(mail.address))
    return None if is_unwanted else Reader(mail.address, mail.language)


def message_of(mail: Mail, reader: Reader) -> EmailMultiAlternatives:
    """Return a mail as it is sent; its id stays the same, so that a repeated one is recognised."""
    logo = logo_of(mail.tenant)
    content = written(mail, reader, stop_url=address_of(mail), has_logo=bool(logo))
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    message = WithPicture(
        content.subject,
        content.text,
        to=[reader.address],
        headers={
            "Message-ID": f"<{mail.public_id}@{domain}>",
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{address_of(mail)}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    message.attach_alternative(content.html, "text/html")
    if logo:
        message.attach(_picture(logo))
    return message


def _picture(logo: str) -> MIMEImage:
    """Return the part of a mail that its HTML shows as the logo: nothing is loaded from a site."""
    kind, picture = bytes_of(logo)
    part = MIMEImage(picture, kind)
    part["Content-ID"] = f"<{LOGO_ID}>"
    part["Content-Disposition"] = f'inline; filename="logo.{kind}"'
    return part
