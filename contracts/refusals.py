"""Why a bundle is not accepted; ``code`` is public and never changes.

ContractRefused
├── BundleMalformed     malformed_bundle            no strict JSON
│   └── BundleLoose                                 a JSON object, but not strict
├── ContractInvalid     contract_invalid            departs from the tables, with findings
├── IdWrong             contract_id_mismatch        the id is not the hash of the content
├── KeyUnknown          contract_key_unknown        no such key, or the bundle names two
├── SignatureInvalid    contract_signature_invalid  not signed by this key, or not in our form
├── ContractExpired     contract_expired
├── PinMismatch         contract_pin_mismatch       made with another engine
└── NotUsable           contract_not_usable         authentic, but no file can be checked with it
"""

from collections.abc import Sequence

from tabular.model.catalog_findings import Finding


class ContractRefused(Exception):
    """The contract is not accepted."""

    code = "contract_refused"

    def __init__(self, sentence: str = "", *, findings: Sequence[Finding] = ()) -> None:
        self.sentence = sentence or (self.__doc__ or "").strip()
        self.findings = tuple(findings)
        super().__init__(self.sentence)


class BundleMalformed(ContractRefused):
    """The bundle is not strict JSON."""

    code = "malformed_bundle"


class BundleLoose(BundleMalformed):
    """The bundle is a JSON object, of which two readers might take different values."""


class ContractInvalid(ContractRefused):
    """The bundle is not a contract of version 1."""

    code = "contract_invalid"


class IdWrong(ContractRefused):
    """The id does not match the contract, so the contract was changed."""

    code = "contract_id_mismatch"


class KeyUnknown(ContractRefused):
    """The key that signed the contract is not among the keys given."""

    code = "contract_key_unknown"


class SignatureInvalid(ContractRefused):
    """The signature does not match: the contract was changed, or signed with another key."""

    code = "contract_signature_invalid"


class ContractExpired(ContractRefused):
    """The contract has expired. Ask for a new one."""

    code = "contract_expired"


class PinMismatch(ContractRefused):
    """The contract was made with a different version of the engine."""

    code = "contract_pin_mismatch"


class NotUsable(ContractRefused):
    """The contract is authentic, but this engine cannot check a file with it."""

    code = "contract_not_usable"
