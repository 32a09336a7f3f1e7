"""
Secrets at rest: encrypted with the first key, readable with every key; of a token, the digest.

A stored secret begins with the id of its key, a digest, so that a missing key can be named.
"""

import base64
import hashlib
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import models, transaction

from common.errors import Unavailable

ID_LENGTH = 8  # hexadecimal digits
MARK = "."  # after the id; no Fernet token contains one


class SecretUnreadable(Unavailable):
    """A stored secret cannot be read: its encryption key is missing. Ask the operator."""

    code = "secret_unreadable"

    def __init__(self, key_id: str) -> None:
        if key_id:
            super().__init__("secret_unreadable.named", encryption_key=key_id)
        else:
            super().__init__()
        self.key_id = key_id  # empty for a secret stored without one


def new_token(prefix: str) -> str:
    """Return a new token; it is shown once, and only its digest is stored."""
    return prefix + secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """Return the stored digest of a token, from which the token cannot be derived."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=4)
def _boxes(keys: tuple[str, ...]) -> dict[str, Fernet]:
    return {key_id_of(key): Fernet(_derived("at rest", key)) for key in keys}


def key_id_of(key: str) -> str:
    """Return the id of an encryption key, which reveals nothing else about the key."""
    return hashlib.sha256(b"import-engine key id\0" + key.encode()).hexdigest()[:ID_LENGTH]


def _derived(purpose: str, key: str) -> bytes:
    digest = hashlib.sha256(f"import-engine {purpose}\0".encode() + key.encode()).digest()
    return base64.urlsafe_b64encode(digest)


def seal(text: str) -> str:
    """Encrypt a secret for the database."""
    key_id, box = next(iter(_boxes(tuple(settings.ENCRYPTION_KEYS)).items()))
    return f"{key_id}{MARK}{box.encrypt(text.encode()).decode()}"


def unseal(sealed: str) -> str:
    """Decrypt a secret. Raise SecretUnreadable if no key fits."""
    boxes = _boxes(tuple(settings.ENCRYPTION_KEYS))
    key_id, _, token = sealed.rpartition(MARK)
    fitting = [boxes[key_id]] if key_id in boxes else [] if key_id else list(boxes.values())
    for box in fitting:
        try:
            return box.decrypt(token.encode()).decode()
        except InvalidToken:
            continue
    raise SecretUnreadable(key_id)


def reseal(model: type[models.Model], key: Any, names: list[str]) -> int:
    """
    Encrypt one row's sealed fields with the first key. Return 1, or 0 if the row is gone.

    The row is locked meanwhile, so that a secret that is being rotated is not overwritten with the
    old one.
    """
    with transaction.atomic():
        rows = model._default_manager.select_for_update().filter(pk=key)
        row = rows.only(*names).first()
        if row is None:
            return 0
        return rows.update(**{name: getattr(row, name) for name in names})


if TYPE_CHECKING:
    _TextField = models.TextField[str, str]
else:
    _TextField = models.TextField


class SealedTextField(_TextField):
    """Text that is plain in Python and encrypted in the database."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """Decrypt on reading."""
        return None if value is None else unseal(value)

    def get_prep_value(self, value: Any) -> Any:
        """Encrypt on writing."""
        return None if value is None else seal(str(value))
