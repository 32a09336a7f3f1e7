"""Each kind of notice as a schema and a webhook with an example. docs/webhooks.md."""

from collections.abc import Mapping
from typing import Any

from deliveries.services.notices import API, NOTICES, Notice, addresses
from imports.events import WAITS_FOR, WHY
from imports.models import ImportRecord
from licensing.tokens.expiry import ANNOUNCED_DAYS

Json = dict[str, Any]
State = ImportRecord.State
TEXT: Json = {"type": "string"}
TIME: Json = {"type": "string", "format": "date-time"}
IGNORE = "Ignore members that you do not know: new ones may come."
URL: Json = {
    "type": "string",
    "format": "uri-reference",
    "description": "Where your server reads it by API. A path, unless the engine's operator set "
    "`IMPORT_PUBLIC_ORIGIN`.",
}
ADMIN_URL: Json = {
    "type": "string",
    "format": "uri-reference",
    "description": "Its page in the admin. A path, as `url` is.",
}
SUBJECT: Json = {"type": "string", "description": "The id of what it happened to."}
REQUIRED: Json = {
    "deliveryId": TEXT,
    "tenantId": TEXT,
    "subject": SUBJECT,
    "occurredAt": TIME,
}
OPTIONAL: Json = {
    "catalogKey": TEXT,
    "test": {"type": "boolean", "description": "Whether a test key made what it is about."},
}
RECORD: Json = {"recordId": {"type": "string", "description": "The import that it is about."}}


def _state(*states: str) -> Json:
    described = {"type": "string", "description": "Of an import: the state it entered."}
    return {"state": {**described, "enum": [*map(str, states)]} if states else described}


WAITING: Json = {
    "for": {
        "type": "string",
        "enum": list(WAITS_FOR),
        "description": "Of an import that waits: who must act. New ones may come.",
    },
    "why": {
        "type": "array",
        "items": {"type": "string", "enum": list(WHY)},
        "description": "Of an import that waits: what for. New ones may come.",
    },
}
CODE: Json = {"code": {"type": "string", "description": "Of an import or a feed that failed: why."}}
RULE: Json = {"rule": {"type": "string", "description": "Of an import that expired: the rule."}}
WEBHOOK: Json = {"webhookId": {"type": "string", "description": "Of a delivery: its webhook."}}
EXPIRING: Json = {
    "days": {
        "type": "integer",
        "enum": sorted(ANNOUNCED_DAYS),
        "description": "Of a license: within how many days it expires.",
    },
    "expiresAt": {**TIME, "description": "Of a license: when it expires."},
}
WAITS = (State.MAPPING, State.REVIEW, State.STAGED, State.APPLIED)  # the last one for a revert
MEMBERS: Mapping[Notice, Json] = {
    "import.received": RECORD,
    "import.waiting": RECORD | _state(*WAITS) | WAITING,
    "import.failed": RECORD | _state(State.FAILED) | CODE,
    "import.applied": RECORD | _state(State.APPLIED),
    "import.expired": RECORD | RULE,
    "feed.failed": CODE,
    "delivery.exhausted": RECORD | WEBHOOK,
    "link.opened": {},
    "link.used": {},
    "link.expired": {},
    "link.revoked": {},
    "license.expiring": EXPIRING,
}
SUMMARIES: Mapping[Notice, str] = {
    "import.received": "The bytes of a file, or the rows, are there",
    "import.waiting": "An import waits for a person",
    "import.failed": "An import stopped with a problem",
    "import.applied": "The rows of an import are frozen and their deliveries queued",
    "import.expired": "Retention deleted the rows and the file of an import",
    "feed.failed": "A run of a feed failed",
    "delivery.exhausted": "The engine gave up a delivery",
    "link.opened": "A browser opened a link",
    "link.used": "No other browser can open a link",
    "link.expired": "The time of a link is over",
    "link.revoked": "A caller withdrew a link",
    "license.expiring": "A license key expires within 30, 7 or 1 days",
}
IMPORT = "rec_01m850r13w41nqxpxyxe38zz5d"
FEED = "fed_01m850r13w41nqxpxyxe38zz5j"
DELIVERY = "dlv_01m850r13w41nqxpxyxe38zz5c"
LINK = "lnk_01m850r13w41nqxpxyxe38zz5m"
LICENSE = "lic_01m850r13w41nqxpxyxe38zz5n"
SUBJECTS = {
    "import": IMPORT,
    "feed": FEED,
    "delivery": DELIVERY,
    "link": LINK,
    "license": LICENSE,
}
SHOWN: Mapping[Notice, Json] = {
    "import.waiting": {
        "state": State.REVIEW.value,
        "for": "sender",
        "why": ["questions", "rows_with_errors"],
    },
    "import.failed": {"state": State.FAILED.value, "code": "pdf_broken"},
    "import.applied": {"state": State.APPLIED.value},
    "import.expired": {"rule": "retention.rows"},
    "feed.failed": {"code": "source_refused_credentials"},
    "delivery.exhausted": {"webhookId": "whk_01m850r13w41nqxpxyxe38zz5p"},
    "license.expiring": {"days": 7, "expiresAt": "2026-11-27T12:00:00.000Z"},
}


def name_of(kind: Notice) -> str:
    """
    Return the name of a kind's webhook; its schema has the same in capitals.

    >>> name_of("import.received")
    'importReceived'
    """
    noun, _, verb = kind.partition(".")
    return f"{noun}{verb.capitalize()}"


def schema_name_of(kind: Notice) -> str:
    """
    Return the name of a kind's schema.

    >>> schema_name_of("import.received")
    'ImportReceivedEvent'
    """
    name = name_of(kind)
    return f"{name[0].upper()}{name[1:]}Event"


def _noun(kind: Notice) -> str:
    return kind.partition(".")[0]


def _schema(kind: Notice) -> Json:
    places = {"url": URL, "adminUrl": ADMIN_URL} if _noun(kind) in API else {"adminUrl": ADMIN_URL}
    event = {"event": {"type": "string", "const": kind}}
    required = event | REQUIRED | places | MEMBERS[kind]
    return {
        "type": "object",
        "description": f"{SUMMARIES[kind]}. {IGNORE}",
        "properties": required | OPTIONAL,
        "required": list(required),
    }


def _any_schema() -> Json:
    """Return the schema of a notice of any kind."""
    required = {"event": {"type": "string", "enum": list(NOTICES)}} | REQUIRED
    further = RECORD | _state() | WAITING | CODE | RULE | WEBHOOK | EXPIRING
    return {
        "type": "object",
        "description": f"What happened, without rows or values. {IGNORE}",
        "properties": required | {"url": URL, "adminUrl": ADMIN_URL} | OPTIONAL | further,
        "required": list(required),
    }


def example(kind: Notice) -> Json:
    """Return a notice of a kind."""
    subject = SUBJECTS[_noun(kind)]
    shown: Json = {
        "event": kind,
        "deliveryId": "dlv_01m850r13w41nqxpxyxe38zz5k",
        "tenantId": "tnt_owner",
        "subject": subject,
        "occurredAt": "2026-11-20T12:00:00.000Z",
        **addresses(kind, subject),
    }
    if "recordId" in MEMBERS[kind]:
        shown["recordId"] = IMPORT
    if _noun(kind) in {"import", "feed", "link"}:
        shown["catalogKey"] = "orders"
    return shown | SHOWN.get(kind, {})


NOTICE_SCHEMAS: dict[str, Json] = {schema_name_of(kind): _schema(kind) for kind in NOTICES} | {
    "NoticeEvent": _any_schema()
}
