"""Issue contracts, change the keys that sign, and check files against contracts."""

from contracts.services.checks import carry_out_check, create_check
from contracts.services.issuance import ExportOptions, export, revoke_key, rotate_key, signing_key

__all__ = [
    "ExportOptions",
    "carry_out_check",
    "create_check",
    "export",
    "revoke_key",
    "rotate_key",
    "signing_key",
]
