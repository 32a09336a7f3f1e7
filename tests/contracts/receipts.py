"""Receipts for tests, signed with the keys of the contracts."""

import copy
import json

from contracts.receipts import document
from signatures import merkle
from signatures.canonical_rows import canonical_row
from tests.contracts.bundles import KEY_ID, SIGNER

DIGEST = f"sha256:{'0' * 64}"
CONTENT = {
    "issuer": {"tenant": "tnt_owner", "keyId": KEY_ID},
    "recordId": "rec_1",
    "changesetId": "chg_1",
    "state": "applied",
    "applyMode": "webhook",
    "appliedAt": "2026-11-20T09:30:00.000Z",
    "issuedAt": "2026-11-20T10:00:00.000Z",
    "file": {"sha256": DIGEST, "size": 1200},
    "catalog": {"key": "orders", "version": 3, "digest": DIGEST},
    "engine": {"release": "0.1.0", "matcher": "9", "transform": "6"},
    "mapping": DIGEST,
    "counts": {
        "rows": 3,
        "delivered": 3,
        "excluded": 0,
        "invalid": 0,
        "unselected": 0,
        "skipped": {"title": 2, "total": 1},
    },
    "receivers": [],
}


def rows_of(count: int) -> list[dict[str, object]]:
    return [{"order.number": f"A-{n}", "order.amount": n / 4} for n in range(1, count + 1)]


def committed(rows: list[dict[str, object]]) -> dict[str, object]:
    """Return the member ``rows`` of a receipt."""
    hashes = [merkle.leaf(canonical_row(row)) for row in rows]
    size = merkle.block_size(len(hashes))
    return {
        "count": len(rows),
        "root": merkle.root(hashes).hex(),
        "blockSize": size,
        "blocks": [block.hex() for block in merkle.blocks(hashes, size)],
    }


def receipt(rows: list[dict[str, object]], *, by=SIGNER, **members) -> str:
    """Return the text of a signed receipt."""
    return document.sign(copy.deepcopy(CONTENT) | {"rows": committed(rows)} | members, by)


def lines(rows: list[dict[str, object]]) -> str:
    """Return rows as a file of JSON lines."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)
