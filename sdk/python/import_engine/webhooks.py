"""
Verify that a delivery comes from your engine.

NotVerified
├── MalformedSignature    the header x-import-signature is missing or cannot be read
├── WrongSignature        no signature was made with your secret, or the body was changed
├── StaleSignature        signed too long ago, possibly a replay; or a clock is wrong
└── UnreadableDelivery    genuine, but not a delivery of rows
"""

import hashlib
import hmac
import json
import re
import time
from collections.abc import Collection, Mapping

from import_engine.generated.models.delivery_event import DeliveryEvent

HEADER = "x-import-signature"
TOLERANCE_S = 300
SECONDS = re.compile(r"[0-9]{1,12}", re.ASCII)
RAW = (
    "Pass the raw body as bytes, before anything parses it: request.body in Django, "
    "await request.body() in FastAPI and Starlette, request.get_data() in Flask."
)

__all__ = [
    "DeliveryEvent",
    "MalformedSignature",
    "NotVerified",
    "StaleSignature",
    "UnreadableDelivery",
    "WrongSignature",
    "check",
    "verify",
]


class NotVerified(Exception):
    """Do not use this delivery; answer 401. ``code`` is stable."""

    code = "not_verified"


class MalformedSignature(NotVerified):
    """The header x-import-signature is missing or cannot be read."""

    code = "malformed_signature"


class WrongSignature(NotVerified):
    """No signature fits the body and the secret."""

    code = "wrong_signature"


class StaleSignature(NotVerified):
    """The signature is too old or from the future."""

    code = "stale_signature"


class UnreadableDelivery(NotVerified):
    """The body is genuine, but not a delivery that this package can read."""

    code = "unreadable_delivery"


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Collection[str],
    *,
    tolerance_s: float = TOLERANCE_S,
    now: float | None = None,
) -> DeliveryEvent:
    """
    Return the delivery, or raise NotVerified.

    body: the raw bytes. secret: as it was shown, ``whsec_`` included; several during a rotation.
    Members that this version does not know are in ``additional_properties``.
    """
    check(body, headers, secret, tolerance_s=tolerance_s, now=now)
    try:
        return DeliveryEvent.from_dict(json.loads(body))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableDelivery(f"The body is not a delivery: {error!r}.") from error


def check(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Collection[str],
    *,
    tolerance_s: float = TOLERANCE_S,
    now: float | None = None,
) -> None:
    """Raise NotVerified unless the body is genuine and fresh; read nothing of it."""
    if not isinstance(body, bytes | bytearray | memoryview):
        raise TypeError(RAW)  # a body that was parsed and written again has another signature
    signed_at, given = _read(headers)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    start = f"{signed_at}.".encode("ascii")
    macs = [hmac.new(key.encode(), start, hashlib.sha256) for key in secrets]
    for mac in macs:
        mac.update(body)
    # Every pair is compared, also after a match: the time taken says nothing.
    fits = [_equal(signature, mac.hexdigest()) for signature in given for mac in macs]
    if not any(fits):
        raise WrongSignature(f"The signature does not fit. Check the secret. {RAW}")
    age_s = (time.time() if now is None else now) - int(signed_at)
    if abs(age_s) > tolerance_s:
        late = f"{age_s:.0f} seconds old" if age_s > 0 else f"{-age_s:.0f} seconds in the future"
        raise StaleSignature(f"The signature is {late}. Check the clock of this machine.")


def _read(headers: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the second that was signed, as text, and every ``v1``."""
    text = next((value for name, value in headers.items() if name.lower() == HEADER), "")
    members = [part.strip().partition("=") for part in text.split(",")]
    times = [value for name, _, value in members if name == "t"]
    given = [value for name, _, value in members if name == "v1"]
    if len(times) != 1 or not SECONDS.fullmatch(times[0]) or not given:
        raise MalformedSignature(f"Expected {HEADER}: t=<unix seconds>,v1=<hex>.")
    return times[0], given


def _equal(given: str, ours: str) -> bool:
    # Encoded, because compare_digest refuses text outside ASCII.
    return len(given) == len(ours) and hmac.compare_digest(
        given.encode("utf-8", "replace"), ours.encode()
    )
