"""What a contract says of a catalog, a profile and a policy. Pure."""

from dataclasses import dataclass
from typing import Any

from contracts.bundle import CONTRACT_VERSION
from tabular import versions
from tabular.model.catalog import Catalog
from tabular.model.i_json import Noun

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ContractDraft:
    """The content of a contract, without its signer; times in RFC 3339 format."""

    title: str
    catalog: Catalog
    profile: Json
    policy: Json
    created_at: str
    expires_at: str | None = None


def content_of(draft: ContractDraft, *, tenant: str, key_id: str) -> Json:
    """
    Return the contract without its ``id``, with all required members, even those with defaults.
    """
    content = {
        "contractVersion": CONTRACT_VERSION,
        "issuer": {"tenant": tenant, "keyId": key_id},
        "title": draft.title,
        "profile": draft.profile,
        "catalog": [written_out(entry) for entry in draft.catalog.entries],
        "keySeparator": draft.catalog.key_separator,
        "engine": versions.pins(),
        "policy": draft.policy,
        "createdAt": draft.created_at,
    }
    return content if draft.expires_at is None else {**content, "expiresAt": draft.expires_at}


def written_out(noun: Noun) -> Json:
    """Return a noun's members: all that were given, even nulls, and defaults that are not null."""
    members = {}
    for name, field in type(noun).model_fields.items():
        value = getattr(noun, name)
        if name in noun.model_fields_set or value is not None:
            members[field.serialization_alias or field.alias or name] = _written_out(value)
    return members


def _written_out(value: Any) -> Any:
    if isinstance(value, Noun):
        return written_out(value)
    if isinstance(value, tuple):
        return [_written_out(item) for item in value]
    return value
