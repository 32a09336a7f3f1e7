"""
Stop mails without signing in, by the signed address in each of them. RFC 8058.

The address names a reader and a kind, and does nothing else, so it never expires.
"""

from datetime import datetime

from django.core import signing

from common.http.addresses import public
from licensing.models import Tenant
from mails import choices
from mails.models import Mail, Unsubscribed
from mails.readers import address_key

SALT = "mails.unsubscribe"
PERSON, SENDER = "person", "sender"


def address_of(mail: Mail) -> str:
    """Return the whole address at which the reader of a mail stops mails like it."""
    return public(f"/mail/stop/{token_of(mail)}")


def token_of(mail: Mail) -> str:
    """Return the signed name of a mail's reader and kind."""
    if mail.user_id is not None:
        return _signer().sign_object([PERSON, mail.user_id, mail.kind])
    return _signer().sign_object([SENDER, mail.tenant_id, address_key(mail.address)])


def is_genuine(token: str) -> bool:
    """Return whether the engine signed a token."""
    return _read(token) is not None


def unsubscribe(token: str, *, at: datetime) -> bool:
    """Stop the mails that a token names; return False for one that the engine did not sign."""
    named = _read(token)
    if named is None:
        return False
    reader, key, about = named
    if reader == PERSON:
        choices.stop(user_id=key, kind=about)
    elif (tenant := Tenant.objects.filter(pk=key).first()) is not None:
        Unsubscribed.objects.get_or_create(tenant=tenant, address_sha256=about, defaults={"at": at})
    return True


def _read(token: str) -> tuple[str, int, str] | None:
    """Return the kind of reader, their key, and what they stop: a kind, or all for an address."""
    try:
        reader, key, about = _signer().unsign_object(token)
    except signing.BadSignature:
        return None
    return reader, key, about


def _signer() -> signing.Signer:
    return signing.Signer(salt=SALT)
