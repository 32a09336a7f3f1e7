"""What the engine sends to receivers, as ``webhooks`` of the OpenAPI document. Spec: Events."""

from typing import Any

from api import notified
from deliveries.payload import EVENT
from deliveries.services.notices import NOTICES
from deliveries.services.registrations import CHECK, DELETE

JSON = "application/json"
TEXT = {"type": "string"}
WHOLE = {"type": "integer", "minimum": 0}
PARTS = {"type": "integer", "minimum": 1}
OBJECT = {"type": "object", "additionalProperties": {}}
ROW = {
    "type": "object",
    "description": "One row by field path; an empty value is null.",
    "additionalProperties": {},
}


def _object(required: dict[str, Any], optional: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": {**required, **optional},
        "required": list(required),
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


SCHEMAS = {
    "DeliveredLink": _object(
        {"row": WHOLE, "field": TEXT, "entity": TEXT, "refs": _list(TEXT)},
        {},
        "Which entities a cell refers to; `row` counts the rows of this body from 0.",
    ),
    "DeliveredEntity": _object(
        {"ref": TEXT, "status": TEXT, "key": OBJECT, "values": OBJECT},
        {},
        "One entity that rows refer to: `matched` was known before, `created` was not. "
        "`deleted`: a full sync deletes it.",
    ),
    "DeliveredIssue": _object(
        {"row": WHOLE, "field": TEXT, "code": TEXT, "message": TEXT},
        {"value": {"type": ["string", "null"]}},
        "A value that was delivered as null, and why.",
    ),
    "DeliveredOption": _object(
        {"row": WHOLE, "field": TEXT, "value": {}},
        {},
        "A value outside the options of a field that takes others.",
    ),
    "DeliveredCustomField": _object(
        {"field": TEXT, "key": TEXT, "label": TEXT, "columnType": TEXT},
        {},
        "A field that a person added to this import; `field` is its path in the rows.",
    ),
    "DeliveredRowEntity": _object(
        {"row": WHOLE, "entity": TEXT, "ref": TEXT},
        {},
        "Which entity a row is; for a registration that asked for changes.",
    ),
    "DeliveredChange": _object(
        {"row": WHOLE, "field": TEXT, "before": {}, "after": {}},
        {},
        "A cell that differs from what was known; for a registration that asked for changes.",
    ),
    "DeliveredBatch": _object(
        {"index": PARTS, "count": PARTS},
        {"of": TEXT},
        "Which part this is, counted from 1; `of` names the delivery that was resent in parts.",
    ),
    "DeliveredUnmapped": _object(
        {"columns": _list(TEXT), "rows": _list(_list({"type": ["string", "null"]}))},
        {},
        "The texts of columns that feed no field, for each of `rows`.",
    ),
    "RevertedDelivery": _object(
        {"changesetId": TEXT, "deliveryId": TEXT}, {}, "The delivery whose rows are taken back."
    ),
    "DeliveryEvent": _object(
        {
            "event": {"type": "string", "const": EVENT},
            "deliveryId": TEXT,
            "tenantId": TEXT,
            "recordId": TEXT,
            "action": {"type": "string", "description": "`submit`, `delete`, `revert` or `check`."},
            "rowCount": WHOLE,
            "mapping": {"type": "object", "additionalProperties": TEXT},
            "rows": _list(ROW),
            "occurredAt": {"type": "string", "format": "date-time"},
        },
        {
            "catalogKey": TEXT,
            "catalogVersion": PARTS,
            "meta": OBJECT,
            "entities": {
                "type": "object",
                "additionalProperties": _list(_ref("DeliveredEntity")),
            },
            "links": _list(_ref("DeliveredLink")),
            "rowEntities": _list(_ref("DeliveredRowEntity")),
            "changes": _list(_ref("DeliveredChange")),
            "rowIssues": _list(_ref("DeliveredIssue")),
            "customOptions": _list(_ref("DeliveredOption")),
            "customFields": _list(_ref("DeliveredCustomField")),
            "unmapped": _ref("DeliveredUnmapped"),
            "reverts": _ref("RevertedDelivery"),
            "results": _list(OBJECT),
            "batch": _ref("DeliveredBatch"),
            "contractId": TEXT,
            "test": {"type": "boolean"},
        },
        "The body of a delivery. Ignore members that you do not know: new ones may come.",
    ),
    "ReceiverResult": _object(
        {"row": WHOLE},
        {
            "status": TEXT,
            "field": TEXT,
            "severity": {"type": "string", "description": "Of a check: `error` or `warning`."},
            "before": OBJECT,
            "message": TEXT,
        },
        "What a receiver reports about one row; `row` counts from 0 in the delivery.",
    ),
    "ReceiverAnswer": _object(
        {},
        {"results": _list(_ref("ReceiverResult")), "set": _list(_ref("ReceiverValue"))},
        "What a receiver may answer with a 2xx.",
    ),
    "ReceiverValue": _object(
        {"row": WHOLE, "field": TEXT, "value": {}},
        {},
        "In a check: a value that replaces that of a cell, typed as in `rows`.",
    ),
}

SUBMITTED: dict[str, Any] = {
    "event": EVENT,
    "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5c",
    "tenantId": "tnt_owner",
    "recordId": "rec_01m850r13w41nqxpxyxe38zz5d",
    "action": "submit",
    "rowCount": 2,
    "mapping": {"Order No": "order.number"},
    "rows": [{"order.number": "A-1"}, {"order.number": None}],
    "occurredAt": "2026-11-20T12:00:00.000Z",
    "catalogKey": "orders",
    "catalogVersion": 3,
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "importApply": SUBMITTED,
    "importRevert": {
        **SUBMITTED,
        "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5f",
        "action": "revert",
        "reverts": {
            "changesetId": "chg_01m850r13w41nqxpxyxe38zz5g",
            "deliveryId": SUBMITTED["deliveryId"],
        },
    },
    "importDelete": {
        **SUBMITTED,
        "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5k",
        "action": DELETE,
        "rowCount": 0,
        "rows": [],
        "entities": {
            "order": [
                {
                    "ref": "4711",
                    "status": "deleted",
                    "key": {"number": "A-2"},
                    "values": {"number": "A-2"},
                }
            ]
        },
    },
    "importCheck": {**SUBMITTED, "action": CHECK},
    "importTest": {
        "event": EVENT,
        "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5h",
        "tenantId": "tnt_owner",
        "recordId": "rec_01m850r13w41nqxpxyxe38zz5j",
        "action": "submit",
        "rowCount": 0,
        "mapping": {},
        "rows": [],
        "occurredAt": "2026-11-20T12:00:00.000Z",
        "test": True,
    },
}
SUMMARIES = {
    "importApply": "Rows of an import that was applied",
    "importRevert": "Rows that are taken back; for receivers of the action `revert`",
    "importDelete": "Entities that a full sync deletes; for receivers of the action `delete`",
    "importCheck": "Rows in review, to be checked; for receivers of the action `check`",
    "importTest": "A delivery without rows, to test a receiver",
    "notice": "A notice of any kind; for receivers of such `events`",
}
HEADERS = {
    "x-import-delivery-id": (TEXT, "Equals `deliveryId` of the body."),
    "x-import-timestamp": (TEXT, "Unix seconds, equals `t` of the signature."),
    "x-import-signature": (TEXT, "`t=<unix seconds>,v1=<hex>`; two `v1` during a rotation."),
}


def add_webhooks(document: dict[str, Any]) -> None:
    """Add what receivers get to an OpenAPI document."""
    document["components"]["schemas"] |= SCHEMAS | notified.NOTICE_SCHEMAS
    document["webhooks"] = {name: {"post": item} for name, item in _operations().items()}


def _operations() -> dict[str, dict[str, Any]]:
    const: dict[str, Any] = {"const": EVENT}
    rows = {
        name: _operation(name, SUMMARIES[name], "DeliveryEvent", const, body)
        for name, body in EXAMPLES.items()
    }
    kinds: dict[str, Any] = {"enum": list(NOTICES)}
    shown = notified.example("link.opened")
    notices = {"notice": _operation("notice", SUMMARIES["notice"], "NoticeEvent", kinds, shown)}
    for kind in NOTICES:
        name, shape = notified.name_of(kind), notified.schema_name_of(kind)
        summary, shown = notified.SUMMARIES[kind], notified.example(kind)
        notices[name] = _operation(name, summary, shape, {"const": kind}, shown)
    return rows | notices


def _operation(
    name: str, summary: str, shape: str, event: dict[str, Any], example: dict[str, Any]
) -> dict[str, Any]:
    """Return one webhook. event: what its header says, as a schema."""
    headers = HEADERS | {"x-import-event": (TEXT | event, "The event, as in the body.")}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [
            {"in": "header", "name": header, "required": True, "schema": schema, "description": why}
            for header, (schema, why) in headers.items()
        ],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": _ref(shape), "example": example}},
        },
        "responses": {
            "2XX": {
                "description": "Received; the delivery is done.",
                "content": {JSON: {"schema": _ref("ReceiverAnswer")}},
            },
            "4XX": {"description": "Final: the engine does not try again."},
            "5XX": {"description": "The engine tries again for about five days."},
        },
    }
