"""Sign receipts with the key of a tenant."""

from datetime import datetime
from typing import Any

from contracts.receipts import document
from contracts.services.issuance import private_key, signing_key
from licensing.models import Tenant


def sign_receipt(*, tenant: Tenant, content: dict[str, Any], at: datetime) -> str:
    """Return a signed receipt as text. content: the receipt without its issuer."""
    key = signing_key(tenant=tenant, at=at)
    issuer = {"tenant": tenant.public_id, "keyId": key.kid}
    return document.sign({"issuer": issuer, **content}, private_key(key))
