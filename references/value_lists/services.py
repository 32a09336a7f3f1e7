"""Replace and delete value lists, and forget versions that no import was made with."""

import re
import zlib
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

import orjson
from django.db import transaction

from common import events
from common.actors import Actor
from licensing.models import Tenant
from references.value_lists.errors import InvalidValueList, UnknownValueList
from references.value_lists.model import ListVersion, ValueList
from tabular.model.recipe import LIST_KEY
from tabular.protocol.plan import ValueList as Columns


def check_key(key: str) -> None:
    """Raise InvalidValueList for a text that is not the key of a list."""
    if not re.fullmatch(LIST_KEY, key):
        raise InvalidValueList("invalid_value_list.name")


def replace_list(
    *, tenant: Tenant, key: str, columns: Columns, actor: Actor, at: datetime
) -> tuple[ValueList, bool]:
    """Replace a list. Return it, and whether its key is new."""
    tenant = tenant.owner
    text = orjson.dumps([columns.keys, columns.values])
    about = {"row_count": len(columns.keys), "content": zlib.compress(text), "created_at": at}
    with transaction.atomic():
        version, _ = ListVersion.objects.select_for_update().get_or_create(
            tenant=tenant, digest=sha256(text).hexdigest(), defaults=about
        )
        former = ValueList.objects.filter(tenant=tenant, key=key).first()
        changes = {"version": version, "changed_at": at, "changed_by": actor.as_dict()}
        kept, is_new = ValueList.objects.update_or_create(tenant=tenant, key=key, defaults=changes)
        ListVersion.objects.filter(pk=version.pk).update(left_at=None)
        if former is not None:
            _leave(former.version_id, at)
        _note("value-list.saved", kept, actor, at)
    return kept, is_new


def delete(*, tenant: Tenant, key: str, actor: Actor, at: datetime) -> None:
    """Delete a list; imports keep the version they were made with. Raise UnknownValueList."""
    with transaction.atomic():
        kept = ValueList.objects.select_for_update().filter(tenant=tenant.owner, key=key).first()
        if kept is None:
            raise UnknownValueList
        _note("value-list.deleted", kept, actor, at)
        kept.delete()
        _leave(kept.version_id, at)


def _note(kind: events.Kind, kept: ValueList, actor: Actor, at: datetime) -> None:
    about = {"digest": kept.version.digest, "rows": kept.version.row_count}
    events.note(
        tenant=kept.tenant.public_id, kind=kind, subject=kept.key, actor=actor, at=at, about=about
    )


def _leave(version_id: int, at: datetime) -> None:
    left = ListVersion.objects.filter(pk=version_id, lists__isnull=True)
    left.update(left_at=at)


def forget_unused(*, before: datetime, is_used: Callable[[ListVersion], bool]) -> None:
    """Delete the versions that no list has since ``before`` and no import was made with."""
    for version in ListVersion.objects.filter(left_at__lt=before).defer("content").iterator():
        if is_used(version):
            continue
        with transaction.atomic():  # a list may get the same content again at this moment
            left = ListVersion.objects.select_for_update().filter(pk=version.pk, left_at__lt=before)
            left.delete()
