"""Seal a contract into a bundle, and open one. Spec: Portable import contract."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import ValidationError

from contracts.bundle import Bundle, Contract
from contracts.canonical import BOUNDS, canonical, content_id, read_strictly
from contracts.refusals import (
    BundleLoose,
    BundleMalformed,
    ContractExpired,
    ContractInvalid,
    IdWrong,
    KeyUnknown,
    PinMismatch,
    SignatureInvalid,
)
from signatures import jws
from tabular import versions
from tabular.model import i_json
from tabular.model.catalog_findings import MAX_FINDINGS, first_errors, model_findings, validated
from tabular.model.i_json import MAX_SAFE_INTEGER
from tabular.model.sentences import Sentence

TYPE = "import-contract+jws"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """A bundle in the right format: its content, and the exact members that were hashed."""

    bundle: Bundle
    members: Json

    @property
    def contract(self) -> Contract:
        """The contract that was signed."""
        return self.bundle.contract


def sign(content: Json, private_key: ec.EllipticCurvePrivateKey) -> str:
    """
    Sign a contract and return the bundle's text. Raise ContractInvalid if it would be refused.

    content: the contract without ``id``. Whole numbers are written as integers.
    """
    content = _plain(content)
    contract = {"contractVersion": content["contractVersion"], "id": content_id(content)} | content
    parts = jws.sign(private_key, canonical(contract), typ=TYPE)
    bundle = {
        "contract": contract,
        "signature": {"protected": parts.protected, "signature": parts.signature},
        "keyId": contract["issuer"]["keyId"],
    }
    text = i_json.write(bundle)
    verify(open_bundle(text.encode()), {contract["issuer"]["keyId"]: private_key.public_key()})
    return text


def open_bundle(text: bytes) -> Opened:
    """Read a bundle and check its form: BundleMalformed, ContractInvalid. Proves nothing yet."""
    try:
        document = read_strictly(text)
    except i_json.NotIJson as error:
        kind = BundleLoose if _is_object(text) else BundleMalformed
        raise kind(Sentence("The bundle is not strict JSON: {A}", A=error.sentence)) from error
    try:
        bundle = validated(Bundle, document)
    except ValidationError as error:
        findings = model_findings(document, first_errors(error))[:MAX_FINDINGS]
        first = findings[0]
        where = " at {place}" if first.pointer else ""
        template = f"The bundle is not a contract of version 1{where}: {{A}}"
        sentence = Sentence(template, place=first.pointer, A=first.sentence)
        raise ContractInvalid(sentence, findings=findings) from error
    return Opened(bundle, document)


def _is_object(text: bytes) -> bool:
    """Return whether a lenient parser would find an object."""
    try:
        i_json.refuse_beyond(text, BOUNDS)
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def verify(opened: Opened, keys: Mapping[str, ec.EllipticCurvePublicKey]) -> None:
    """
    Verify that one of the keys signed exactly this. Raise IdWrong, KeyUnknown or SignatureInvalid.

    keys: by kid. A key is valid for the issuer of its key set. The caller decides
    which issuers to trust.
    """
    check_id(opened)
    contract = opened.members["contract"]
    key_id = opened.bundle.key_id
    if key_id != opened.contract.issuer.key_id:
        raise SignatureInvalid("The bundle and the contract name different keys.")
    signature = opened.bundle.signature
    payload = jws.encode(canonical(contract))
    try:
        kid = jws.verify(
            jws.Parts(signature.protected, payload, signature.signature), typ=TYPE, keys=keys
        )
    except jws.KeyUnknown as error:
        raise KeyUnknown(
            Sentence("The key {key} is not among the keys given.", key=key_id)
        ) from error
    except jws.JwsRefused as error:
        raise SignatureInvalid(Sentence("The signature is not accepted: {A}", A=error)) from error
    if kid != key_id:
        raise SignatureInvalid("The signature and the contract name different keys.")


def check_id(opened: Opened) -> None:
    """Raise IdWrong if the contract's id is not the hash of its content."""
    contract = opened.members["contract"]
    if content_id(contract) != contract["id"]:
        raise IdWrong


def check_time(contract: Contract, at: datetime) -> None:
    """Raise ContractExpired if the contract has expired."""
    if contract.is_expired(at):
        raise ContractExpired(
            Sentence(
                "The contract expired at {moment}. Ask for a new one.", moment=contract.expires_at
            )
        )


def differing_pins(contract: Contract) -> dict[str, tuple[str, str]]:
    """Return each pin that differs: the contract's, and this engine's."""
    ours = versions.pins()
    theirs = {"matcher": contract.engine.matcher, "transform": contract.engine.transform}
    return {name: (theirs[name], ours[name]) for name in ours if theirs[name] != ours[name]}


def check_pins(contract: Contract) -> None:
    """Raise PinMismatch if the contract was made with another engine."""
    if differ := differing_pins(contract):
        differences = " and ".join(
            f"{name} {theirs!r} (this engine has {ours!r})"
            for name, (theirs, ours) in differ.items()
        )
        raise PinMismatch(
            Sentence("The contract is pinned to {said}; results may differ.", said=differences)
        )


def _plain(value: Any) -> Any:
    """Convert each whole number to an integer: 50.0 and 50 are one number, and one text."""
    match value:
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
            return int(value)
    return value
