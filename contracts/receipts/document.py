"""
A receipt member by member, its seal, and what proves it. Spec: Proof.

ReceiptRefused
├── ReceiptMalformed    malformed_receipt           no strict JSON
├── ReceiptInvalid      receipt_invalid             departs from the form below
├── ReceiptChanged      receipt_changed             the id is not the hash of the content
├── ReceiptKeyUnknown   receipt_key_unknown         no such key among those given
└── ReceiptUnsigned     receipt_signature_invalid   the key did not sign this
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import Field as Constraint
from pydantic import ValidationError

from contracts.bundle import Issuer, Signature, Timestamp
from contracts.canonical import canonical, content_id, read_strictly
from contracts.refusals import ContractRefused
from signatures import jws, merkle
from tabular.model import i_json
from tabular.model.catalog_findings import first_errors, model_findings, validated
from tabular.model.i_json import Counted, Noun, Omittable, Positive
from tabular.model.sentences import Sentence

RECEIPT_VERSION = 1
TYPE = "import-receipt+jws"
Json = dict[str, Any]
Keys = Mapping[str, ec.EllipticCurvePublicKey]
Digest = Annotated[str, Constraint(pattern="^sha256:[0-9a-f]{64}$")]
Hash = Annotated[str, Constraint(pattern="^[0-9a-f]{64}$")]


class ReceiptRefused(ContractRefused):
    """The receipt is not accepted."""

    code = "receipt_refused"


class ReceiptMalformed(ReceiptRefused):
    """The receipt is not strict JSON."""

    code = "malformed_receipt"


class ReceiptInvalid(ReceiptRefused):
    """The document is not a receipt of version 1."""

    code = "receipt_invalid"


class ReceiptChanged(ReceiptRefused):
    """The receipt was changed after it was signed: its id doesn't match its content."""

    code = "receipt_changed"


class ReceiptKeyUnknown(ReceiptRefused):
    """The key that signed the receipt is not among the keys given."""

    code = "receipt_key_unknown"


class ReceiptUnsigned(ReceiptRefused):
    """The signature does not match: the receipt was changed, or signed with another key."""

    code = "receipt_signature_invalid"


class File(Noun):
    """The bytes that were uploaded."""

    sha256: Digest
    size: Counted


class CatalogNamed(Noun):
    """The version of the catalog that the rows were typed by."""

    key: str
    version: Positive
    digest: Digest


class EngineNamed(Noun):
    """What read the file and made the rows."""

    release: str
    matcher: Omittable[str] = None
    transform: Omittable[str] = None


class Counts(Noun):
    """Rows of the table: delivered + excluded + invalid + unselected. skipped: by reason."""

    rows: Counted
    delivered: Counted
    excluded: Counted
    invalid: Counted
    unselected: Counted
    skipped: dict[str, Counted]


class Rows(Noun):
    """The delivered rows: the root of their Merkle tree (RFC 6962), and those of its blocks."""

    count: Counted
    root: Hash
    block_size: Positive
    blocks: tuple[Hash, ...]


class ReceiverOutcome(Noun):
    """What became of the rows at one receiver. deliveries: how many are in each state."""

    webhook_id: str
    deliveries: dict[str, Counted]
    rows: Counted
    agreed: Counted
    differs: Counted
    refused: Counted  # among those that differ
    not_answered: Counted


class Receipt(Noun):
    """The signed content."""

    receipt_version: Literal[1]
    id: Digest
    issuer: Issuer
    record_id: str
    changeset_id: str
    state: Literal["applied", "reverting", "reverted"]
    apply_mode: Literal["webhook", "browser"]
    applied_at: Timestamp
    acknowledged_at: Omittable[Timestamp] = None
    issued_at: Timestamp
    file: File
    catalog: CatalogNamed
    engine: EngineNamed
    mapping: Digest
    recipe: Omittable[Digest] = None
    counts: Counts
    rows: Rows
    receivers: tuple[ReceiverOutcome, ...]


class Signed(Noun):
    """A receipt with its signature: a detached JWS over its canonical form, ``id`` included."""

    receipt: Receipt
    signature: Signature
    key_id: str


def sign(content: Json, private_key: ec.EllipticCurvePrivateKey) -> str:
    """
    Sign a receipt and return its document as text. Raise ReceiptInvalid if it would be refused.

    content: the receipt without ``receiptVersion`` and ``id``.
    """
    content = {"receiptVersion": RECEIPT_VERSION, **content}
    receipt = {"id": content_id(content), **content}
    parts = jws.sign(private_key, canonical(receipt), typ=TYPE)
    key_id = content["issuer"]["keyId"]
    signature = {"protected": parts.protected, "signature": parts.signature}
    text = i_json.write({"receipt": receipt, "signature": signature, "keyId": key_id})
    opened(text.encode(), {key_id: private_key.public_key()})
    return text


def opened(text: bytes, keys: Keys) -> Receipt:
    """Return the receipt of a document that one of the keys signed. Raise ReceiptRefused."""
    try:
        document = read_strictly(text)
    except i_json.NotIJson as error:
        raise ReceiptMalformed(f"The receipt is not strict JSON: {error.sentence}") from error
    signed = _in_form(document)
    members = document["receipt"]
    if content_id(members) != members["id"]:
        raise ReceiptChanged
    _verify(signed, canonical(members), keys)
    if (
        merkle.root(map(bytes.fromhex, signed.receipt.rows.blocks)).hex()
        != signed.receipt.rows.root
    ):
        raise ReceiptInvalid("The blocks of the receipt don't have its root.")
    return signed.receipt


def _in_form(document: Any) -> Signed:
    try:
        return validated(Signed, document)
    except ValidationError as error:
        first = model_findings(document, first_errors(error))[0]
        where = f" at {first.pointer}" if first.pointer else ""
        sentence = f"The document is not a receipt of version 1{where}: {first.sentence}"
        raise ReceiptInvalid(sentence) from error


def _verify(signed: Signed, payload: bytes, keys: Keys) -> None:
    given = jws.Parts(signed.signature.protected, jws.encode(payload), signed.signature.signature)
    try:
        kid = jws.verify(given, typ=TYPE, keys=keys)
    except jws.KeyUnknown as error:
        raise ReceiptKeyUnknown(
            f"The key {signed.key_id} that signed the receipt is not among the keys given. "
            "A key that the tenant revoked is no longer in its key set."
        ) from error
    except jws.JwsRefused as error:
        raise ReceiptUnsigned(Sentence("The signature is not accepted: {A}", A=error)) from error
    if not kid == signed.key_id == signed.receipt.issuer.key_id:
        raise ReceiptUnsigned("The signature and the receipt name different keys.")
