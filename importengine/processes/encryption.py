"""Whether the configured encryption keys can read what is stored."""

import logging
import threading
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import Error, connections, models
from django.db.models import CharField
from django.db.models.functions import Substr

from common.secrets import ID_LENGTH, MARK, SealedTextField, SecretUnreadable, key_id_of

logger = logging.getLogger(__name__)


def sealed_fields() -> list[tuple[type[models.Model], list[str]]]:
    """Return every model with secrets, and the names of those fields."""
    by_model = [
        (
            model,
            [f.attname for f in model._meta.concrete_fields if isinstance(f, SealedTextField)],
        )
        for model in apps.get_models()
    ]
    return [(model, names) for model, names in by_model if names]


def what_is_unreadable() -> str:
    """
    Return the ids of missing keys; empty if everything stored can be read.

    Every stored key id is compared with the configured ones, and one secret of each is decrypted.
    """
    from importengine.people import factors  # models are not ready when programs are named

    missing = sorted({*_missing(), *factors.missing_keys()})
    if not missing:
        return ""
    named = ", ".join(key_id or "of an earlier version" for key_id in missing)
    there = ", ".join(map(key_id_of, settings.ENCRYPTION_KEYS))
    return f"IMPORT_ENCRYPTION_KEYS lacks the key {named}; it has {there}"


def _missing() -> Iterator[str]:
    for model, names in sealed_fields():
        for name in names:
            for some_key_id, pk in _one_of_each_key(model, name):
                try:
                    model._default_manager.only(name).get(pk=pk)
                except SecretUnreadable:
                    yield some_key_id
                except ObjectDoesNotExist:  # deleted meanwhile
                    continue


def _one_of_each_key(model: type[models.Model], name: str) -> list[tuple[str, Any]]:
    begins = Substr(name, 1, ID_LENGTH + len(MARK), output_field=CharField())
    rows = model._default_manager.exclude(**{f"{name}__isnull": True}).annotate(begins=begins)
    one_of_each = rows.order_by().values_list("begins").annotate(pk_of_one=models.Max("pk"))
    return [(begin[:-1] if begin.endswith(MARK) else "", pk) for begin, pk in one_of_each]


def say_at_start(**_: Any) -> None:
    """Log which encryption keys are missing; an unavailable database is reported elsewhere."""
    try:
        if wrong := what_is_unreadable():
            logger.error("secrets cannot be read: %s", wrong)
    except Error:
        return


def begin() -> None:
    """Log it from a separate thread, so that a slow database does not delay the start."""

    def say() -> None:
        say_at_start()
        connections.close_all()

    threading.Thread(target=say, name="sealed", daemon=True).start()
