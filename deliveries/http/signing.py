"""Sign a delivery. Spec: Events > Signature."""

import hashlib
import hmac
import secrets
from base64 import b64encode
from collections.abc import Iterable, Sequence

SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret


def new_secret() -> str:
    """Return a new signing secret: ``whsec_`` and 32 random bytes in base64."""
    return SECRET_PREFIX + b64encode(secrets.token_bytes(32)).decode()


def signature_header(signing_secrets: Sequence[str], *, t: int, body: Iterable[bytes]) -> str:
    """
    Return the value of ``x-import-signature``: one ``v1`` per secret, in the given order.

    The key is the UTF-8 text of the whole secret, prefix included; ``body`` is read once.

    >>> signature_header(["whsec_a"], t=1, body=[b"{}"])[:12]
    't=1,v1=7aaed'
    """
    digests = [
        hmac.new(secret.encode(), f"{t}.".encode(), hashlib.sha256) for secret in signing_secrets
    ]
    for chunk in body:
        for digest in digests:
            digest.update(chunk)
    return ",".join([f"t={t}", *(f"v1={digest.hexdigest()}" for digest in digests)])
