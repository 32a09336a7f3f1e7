"""An apply that its caller may repeat safely."""

from typing import Any

from changesets.models import Changeset
from changesets.services import apply
from common.errors import Conflict
from imports.models import ImportRecord
from imports.transitions import NotReady


class RequestKeyReused(Conflict):
    """The key already applied the import in another mode. Send a new one."""

    code = "idempotency_key_reused"
    key = "idempotency_key_reused.mode"


def apply_once(
    *, record: ImportRecord, apply_mode: str, invalid_rows: str, request_key: str, **about: Any
) -> Changeset:
    """
    Apply an import, or return the changeset of the same earlier call.

    request_key: chosen by the caller; if empty, this equals ``apply``. Raise RequestKeyReused if it
    was used with another mode.
    """
    try:
        return apply(
            record=record,
            apply_mode=apply_mode,
            invalid_rows=invalid_rows,
            request_key=request_key,
            **about,
        )
    except NotReady:
        live = record.changesets.exclude(state=Changeset.State.DISCARDED)
        made = live.filter(request_key=request_key).first() if request_key else None
        if made is None:
            raise
        wanted = (apply_mode, invalid_rows, about.get("mode", ""))
        if (made.apply_mode, made.invalid_rows, made.mode) != wanted:
            raise RequestKeyReused from None
        return made
