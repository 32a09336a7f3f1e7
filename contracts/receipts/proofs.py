"""Proofs that a single row was delivered, and what a look at a receipt says."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from contracts.receipts.document import Receipt
from contracts.receipts.rows import Difference, NotRows, hash_of, hashes_of
from signatures import merkle
from tabular.model.sentences import counted

Json = dict[str, Any]


def proof_of(path: Path, row: int, receipt: Receipt) -> Json:
    """Return the proof that a row of a file, counted from 1, was delivered. Raise NotRows."""
    try:
        proof = merkle.prove(list(hashes_of(path)), row - 1)
    except IndexError as error:
        raise NotRows(f"There is no row {row:,}: the file has {receipt.rows.count:,}.") from error
    path_of_row = [neighbor.hex() for neighbor in proof.path]
    return {"receiptId": receipt.id, "row": row, "rows": proof.size, "path": path_of_row}


def is_proven(row: bytes, proof: bytes, receipt: Receipt) -> bool:
    """Return whether a proof shows that a row was delivered. Raise NotRows if it has no form."""
    hashed, root = hash_of(row), bytes.fromhex(receipt.rows.root)
    given = _proof(proof)
    return given.size == receipt.rows.count and merkle.is_included(hashed, given, root)


def _proof(text: bytes) -> merkle.Proof:
    try:
        members = json.loads(text)
        path = tuple(bytes.fromhex(neighbor) for neighbor in members["path"])
        proof = merkle.Proof(members["row"] - 1, members["rows"], path)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotRows("The proof is not what --prove prints.") from error
    if type(proof.index) is not int or type(proof.size) is not int:
        raise NotRows("The proof is not what --prove prints.")
    return proof


@dataclass(frozen=True, slots=True)
class Looked:
    """What was verified besides the signature. is_proven: None if no row was given."""

    has_rows: bool
    differences: tuple[Difference, ...]
    is_proven: bool | None

    @property
    def is_right(self) -> bool:
        """Whether the rows that were given are those of the receipt."""
        return not self.differences and self.is_proven is not False

    def as_json(self, receipt: Receipt) -> Json:
        """Return it as one JSON document."""
        shown: Json = {
            "verified": True,
            "receiptId": receipt.id,
            "tenant": receipt.issuer.tenant,
            "keyId": receipt.issuer.key_id,
            "state": receipt.state,
            "issuedAt": receipt.issued_at,
            "rows": receipt.rows.count,
            "root": receipt.rows.root,
        }
        if self.has_rows:
            shown["differences"] = [asdict(difference) for difference in self.differences]
        return shown if self.is_proven is None else {**shown, "rowIsProven": self.is_proven}

    def for_people(self, receipt: Receipt) -> str:
        """Return it in sentences."""
        issuer, counts = receipt.issuer, receipt.counts
        lines = [
            f"The receipt is authentic: {issuer.tenant} signed it at {receipt.issued_at}.",
            f"Import {receipt.record_id} was {receipt.state} then; its rows were frozen at "
            f"{receipt.applied_at}.",
            f"{counted(receipt.rows.count, 'row')} delivered, {counts.invalid:,} invalid, "
            f"{counts.excluded:,} excluded, {counts.unselected:,} unselected, "
            f"{sum(counts.skipped.values()):,} skipped{_reasons(counts.skipped)}.",
        ]
        lines += [
            f"{receiver.webhook_id}: {receiver.agreed:,} agreed, {receiver.differs:,} differ, "
            f"{receiver.not_answered:,} not answered."
            for receiver in receipt.receivers
        ]
        if self.has_rows and not self.differences:
            lines.append("The rows of the file are the delivered rows, in their order.")
        lines += [difference.sentence for difference in self.differences]
        if self.is_proven is not None:
            lines.append(
                "The row was delivered at its place."
                if self.is_proven
                else "The proof does not show that this row was delivered."
            )
        return "\n".join(lines) + "\n"


def _reasons(skipped: Mapping[str, int]) -> str:
    named = ", ".join(f"{reason} {n:,}" for reason, n in sorted(skipped.items()))
    return f" ({named})" if named else ""
