"""Contracts for tests, and the keys that sign them."""

import copy
import json

from cryptography.hazmat.primitives.asymmetric import ec

from contracts import signing
from signatures.keysets import thumbprint
from tabular import versions

SIGNER = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())
KEY_ID = thumbprint(SIGNER.public_key())
KEYS = {KEY_ID: SIGNER.public_key()}

CONTENT = {
    "contractVersion": 1,
    "issuer": {"tenant": "tnt_owner", "keyId": KEY_ID},
    "title": "Orders",
    "profile": {
        "version": 1,
        "mapping": {"Order No": "order.number", "Amount": "order.amount", "Mail": "order.mail"},
    },
    "catalog": [
        {
            "id": "order",
            "label": "Bestellungen für Köln",
            "fields": [
                {"key": "number", "columnType": "string", "required": True},
                {"key": "amount", "columnType": "float", "numberFormat": "us"},
                {"key": "mail", "columnType": "email"},
            ],
        }
    ],
    "keySeparator": ".",
    "engine": {"matcher": versions.MATCHER, "transform": versions.TRANSFORM},
    "policy": {"requiredColumns": ["Order No", "Amount"], "maxRows": 1000},
    "createdAt": "2026-11-20T09:30:00.000Z",
}


def content(**members):
    """Return a contract without id, with some members changed."""
    return copy.deepcopy(CONTENT) | members


def bundle(**members):
    """Return the text of a signed bundle."""
    return signing.sign(content(**members), SIGNER)


def resigned(document, *, by=SIGNER):
    """Sign a changed contract again: correct id and signature, any content."""
    from contracts.canonical import canonical, content_id
    from signatures import jws

    contract = document["contract"]
    contract["id"] = content_id(contract)
    parts = jws.sign(by, canonical(contract), typ=signing.TYPE)
    document["signature"] = {"protected": parts.protected, "signature": parts.signature}
    return json.dumps(document)
