"""Issue contracts, change the keys that sign, sign receipts, and check files."""

from contracts.services.checks import carry_out_check, create_check
from contracts.services.issuance import ExportOptions, export, revoke_key, rotate_key, signing_key
from contracts.services.receipts import sign_receipt

__all__ = [
    "ExportOptions",
    "carry_out_check",
    "create_check",
    "export",
    "revoke_key",
    "rotate_key",
    "sign_receipt",
    "signing_key",
]
