"""Read the body of a delivery. Spec: Events > Body fields; members we do not know are ignored."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

MEMBERS: dict[str, type] = {
    "event": str,
    "deliveryId": str,
    "tenantId": str,
    "recordId": str,
    "action": str,
    "rowCount": int,
    "mapping": dict,
    "rows": list,
    "occurredAt": str,
}


class NotUnderstood(Exception):
    """The body is genuine, but not a delivery this receiver knows."""


@dataclass(frozen=True, slots=True)
class Payload:
    """A delivery of rows."""

    delivery_id: str
    tenant_id: str
    record_id: str
    mapping: dict[str, str]
    rows: list[dict[str, Any]]
    occurred_at: datetime
    meta: dict[str, Any] | None
    catalog_key: str  # whose fields the rows have; empty in a test delivery


def read(file: IO[bytes]) -> Payload:
    """Read a verified body; NotUnderstood says what is missing."""
    try:
        body = json.load(file)
    except ValueError as error:
        raise NotUnderstood("The body is not JSON.") from error
    _require_members(body)
    if (body["event"], body["action"]) != ("import.apply", "submit"):
        # A revert taken for a submit would import the rows a second time.
        raise NotUnderstood(f"Event {body['event']!r}, action {body['action']!r} is not known.")
    return Payload(
        delivery_id=body["deliveryId"],
        tenant_id=body["tenantId"],
        record_id=body["recordId"],
        mapping=body["mapping"],
        rows=body["rows"],
        occurred_at=_read_time(body["occurredAt"]),
        meta=body.get("meta"),
        catalog_key=body.get("catalogKey", ""),
    )


def _require_members(body: Any) -> None:
    if not isinstance(body, dict):
        raise NotUnderstood("The body is not an object.")
    for name, kind in MEMBERS.items():
        if not isinstance(body.get(name), kind):
            raise NotUnderstood(f"The member {name!r} is missing or of another type.")
    if body["rowCount"] != len(body["rows"]):
        raise NotUnderstood("rowCount differs from the number of rows.")


def _read_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise NotUnderstood("occurredAt is not an ISO 8601 time.") from error
    if time.tzinfo is None:
        raise NotUnderstood("occurredAt has no time zone.")
    return time
