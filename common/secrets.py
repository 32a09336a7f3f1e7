"""Secrets at rest: encrypted with the first key, readable with every key."""

import base64
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import models, transaction


@lru_cache(maxsize=4)
def _box(keys: tuple[str, ...]) -> MultiFernet:
    derived = (hashlib.sha256(b"import-engine at rest\0" + key.encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in derived])


def seal(text: str) -> str:
    """Encrypt a secret for the database."""
    return _box(tuple(settings.ENCRYPTION_KEYS)).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Decrypt a secret; cryptography.fernet.InvalidToken when no key fits."""
    return _box(tuple(settings.ENCRYPTION_KEYS)).decrypt(sealed.encode()).decode()


def reseal(model: type[models.Model], key: Any, names: list[str]) -> int:
    """
    Encrypt the sealed fields of one row with the first key; give 1, or 0 for a row that is gone.

    The row is locked meanwhile, so that a secret which is just being rotated is not put back.
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
    """Text that is in clear in Python and encrypted in the database."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """Decrypt on reading."""
        return None if value is None else unseal(value)

    def get_prep_value(self, value: Any) -> Any:
        """Encrypt on writing."""
        return None if value is None else seal(str(value))
