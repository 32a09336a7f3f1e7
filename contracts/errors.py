"""Errors about contracts as callers see them; the codes are those of ``contracts.refusals``.

ServiceError
├── NotFound        UnknownContract     unknown_contract
│                   UnknownKey          unknown_key
├── Conflict        ContractNotInForce  contract_expired, contract_pin_mismatch, contract_not_usable
│                   NotProven           contract_id_mismatch, contract_key_unknown,
│                                       contract_signature_invalid; malformed_bundle of an object
│                   UnusableKeys        unusable_keys
│                   ProfileOutdated     profile_outdated
│                   CustomFieldsNotExported  custom_fields_not_exported
│                   ValuesQuoted        recipe_quotes_values, with the ``steps``
│                   DraftNotExported    draft_not_exported
│                   NeverInForce        never_in_force
│                   ProfileOfOtherCatalog  profile_other_catalog
└── Unprocessable   BundleRefused       malformed_bundle, contract_invalid: the form alone is wrong
"""

from common.errors import Conflict, NotFound, ServiceError, Unprocessable
from common.wording.messages import english_message
from contracts.refusals import (
    BundleLoose,
    ContractExpired,
    ContractRefused,
    IdWrong,
    KeyUnknown,
    NotUsable,
    PinMismatch,
    SignatureInvalid,
)


class UnknownContract(NotFound):
    """There is no such contract."""

    code = "unknown_contract"


class UnknownKey(NotFound):
    """There is no such signing key."""

    code = "unknown_key"


class ContractNotInForce(Conflict):
    """The contract is authentic but cannot be used now."""


class NotProven(Conflict):
    """The bundle looks like a contract, but none of the given keys verifies it."""

    title = "title.contract_refused"


class UnusableKeys(Conflict):
    """The key set looks like a JWKS, but cannot verify a signature."""

    code = "unusable_keys"


class BundleRefused(Unprocessable):
    """The bundle does not have the form of a contract."""

    title = "title.contract_refused"


class ProfileOutdated(Conflict):
    """The profile maps to fields that this version of the catalog does not have."""

    code = "profile_outdated"


class CustomFieldsNotExported(Conflict):
    """The profile has custom fields, which a contract cannot promise."""

    code = "custom_fields_not_exported"


class ValuesQuoted(Conflict):
    """The profile's recipe quotes texts of cells. Send allowValues: true to sign them."""

    code = "recipe_quotes_values"


class ListNeeded(Conflict):
    """The profile's recipe needs a value list, which a contract cannot contain."""

    code = "recipe_needs_list"


class DraftNotExported(Conflict):
    """A contract needs a published version. Publish the draft first."""

    code = "draft_not_exported"


class ProfileOfOtherCatalog(Conflict):
    """The profile belongs to a different catalog than the contract."""

    code = "profile_other_catalog"


class NeverInForce(Conflict):
    """The contract would expire before it is signed."""

    code = "never_in_force"


def as_service_error(refusal: ContractRefused) -> ServiceError:
    """Return a refusal as a ServiceError, with its findings at their JSON pointers."""
    kind: type[ServiceError] = BundleRefused
    if isinstance(refusal, ContractExpired | PinMismatch | NotUsable):
        kind = ContractNotInForce
    elif isinstance(refusal, IdWrong | KeyUnknown | SignatureInvalid | BundleLoose):
        kind = NotProven
    errors = [
        {"pointer": f.pointer, "code": f.code, "detail": english_message(f.sentence)}
        for f in refusal.findings
    ]
    return kind(english_message(refusal.sentence), code=refusal.code, errors=errors or None)
