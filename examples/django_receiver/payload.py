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
DELIVERY = "import.apply"
ACTIONS = ("submit", "delete", "revert")
KEY_SEPARATOR = "."  # of your catalogs: between entity and field in a path


class NotUnderstood(Exception):
    """The body is genuine, but not a delivery this receiver knows."""


class Notice(Exception):
    """The body is genuine, and of another event than a delivery: it has no rows to store."""


@dataclass(frozen=True, slots=True)
class Change:
    """A cell that differs from what was known: of a row of this delivery, counted from 0."""

    row: int
    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Named:
    """The entity that a row describes. is_new: it was not known before the delivery."""

    row: int
    entity: str
    ref: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """An entity that a full sync deletes, with its values by field path."""

    entity: str
    ref: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Payload:
    """
    A delivery of rows, of entities to delete, or of what is taken back.

    reverts: the delivery whose rows are taken back; empty if these are to be stored. named,
    changes: empty unless the registration has ``"include": ["changes"]``.
    """

    delivery_id: str
    tenant_id: str
    record_id: str
    mapping: dict[str, str]
    rows: list[dict[str, Any]]
    occurred_at: datetime
    meta: dict[str, Any] | None
    catalog_key: str  # whose fields the rows have; empty in a test delivery
    reverts: str = ""
    named: tuple[Named, ...] = ()
    changes: tuple[Change, ...] = ()
    deleted: tuple[Deleted, ...] = ()


def read(file: IO[bytes]) -> Payload:
    """Read a verified body; NotUnderstood says what is missing, Notice names another event."""
    try:
        body = json.load(file)
    except ValueError as error:
        raise NotUnderstood("The body is not JSON.") from error
    event = body.get("event") if isinstance(body, dict) else None
    if isinstance(event, str) and event != DELIVERY:
        raise Notice(event)
    _require_members(body)
    if body["action"] not in ACTIONS:
        raise NotUnderstood(f"Action {body['action']!r} is not known.")
    return Payload(
        delivery_id=body["deliveryId"],
        tenant_id=body["tenantId"],
        record_id=body["recordId"],
        mapping=body["mapping"],
        rows=body["rows"],
        occurred_at=_read_time(body["occurredAt"]),
        meta=body.get("meta"),
        catalog_key=body.get("catalogKey", ""),
        reverts=_read_reverts(body),
        named=_read_named(body),
        changes=_read_changes(body),
        deleted=_read_deleted(body),
    )


def _read_reverts(body: dict[str, Any]) -> str:
    """Return what is taken back; a revert taken for a submit would store the rows again."""
    if body["action"] != "revert":
        return ""
    about = body.get("reverts")
    delivery_id = about.get("deliveryId") if isinstance(about, dict) else None
    if not isinstance(delivery_id, str) or not delivery_id:
        raise NotUnderstood("The revert does not say what it takes back.")
    return delivery_id


def _read_named(body: dict[str, Any]) -> tuple[Named, ...]:
    """Return which entity each row describes."""
    try:
        new = {
            (entity, about["ref"])
            for entity, known in body.get("entities", {}).items()
            for about in known
            if about["status"] == "created"
        }
        return tuple(
            Named(
                _row_of(item, body), item["entity"], item["ref"],
                is_new=(item["entity"], item["ref"]) in new,
            )
            for item in body.get("rowEntities", ())
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError) as error:
        raise NotUnderstood("entities or rowEntities are not as documented.") from error


def _read_changes(body: dict[str, Any]) -> tuple[Change, ...]:
    try:
        return tuple(
            Change(_row_of(item, body), item["field"], item.get("before"), item.get("after"))
            for item in body.get("changes", ())
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise NotUnderstood("changes are not as documented.") from error


def _read_deleted(body: dict[str, Any]) -> tuple[Deleted, ...]:
    """Return the entities to delete, or, of a revert, to store again."""
    try:
        return tuple(
            Deleted(
                entity,
                about["ref"],
                {f"{entity}{KEY_SEPARATOR}{key}": v for key, v in about["values"].items()},
            )
            for entity, known in body.get("entities", {}).items()
            for about in known
            if about["status"] == "deleted"
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise NotUnderstood("entities are not as documented.") from error


def _row_of(item: dict[str, Any], body: dict[str, Any]) -> int:
    row = item["row"]
    if not isinstance(row, int) or not 0 <= row < len(body["rows"]):
        raise NotUnderstood("A row is named that the delivery does not have.")
    return row


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
