"""Verify that a delivery comes from the Import Engine. Spec: Events > Signature.

Standard library only: copy this one file into any Python web server.

NotVerified
├── MalformedSignature    the header cannot be read
├── WrongSignature        no signature in it was made with one of your secrets
└── StaleDelivery         signed too long ago: possibly a replay
"""

import hashlib
import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass

TOLERANCE_S = 300
_SECONDS = re.compile(r"[0-9]{1,12}", re.ASCII)


class NotVerified(Exception):
    """The delivery must not be used."""


class MalformedSignature(NotVerified):
    """The header x-import-signature is missing or cannot be read."""


class WrongSignature(NotVerified):
    """No signature fits the body and the signing secret."""


class StaleDelivery(NotVerified):
    """The signature is too old or from the future."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A parsed header: ``t=<unix seconds>,v1=<hex>[,v1=<hex>]``."""

    signed_at: str  # kept as text: these very characters were signed
    v1: tuple[str, ...]


def parse(header: str) -> Signature:
    """
    Read the header x-import-signature; members that are not known are ignored.

    >>> parse("t=1700000000,v1=aa,v1=bb,v2=cc")
    Signature(signed_at='1700000000', v1=('aa', 'bb'))
    """
    members = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in members if name == "t"]
    v1 = tuple(value for name, _, value in members if name == "v1")
    if len(times) != 1 or not _SECONDS.fullmatch(times[0]) or not v1:
        raise MalformedSignature("Expected x-import-signature: t=<unix seconds>,v1=<hex>.")
    return Signature(times[0], v1)


class Verifier:
    """
    Verifies one delivery while its body streams in, so that a large body needs no memory.

    1. Make it with the header, all secrets in use and the second the request arrived.
    2. Feed it every chunk of the raw body, in order, before anything decodes it.
    3. Call ``check``; only then trust the body.
    """

    def __init__(
        self,
        header: str,
        secrets: Collection[str],
        *,
        arrived_at: float,
        tolerance_s: int = TOLERANCE_S,
    ) -> None:
        self._signature = parse(header)
        self._age_s = arrived_at - int(self._signature.signed_at)
        self._tolerance_s = tolerance_s
        start = f"{self._signature.signed_at}.".encode("ascii")
        # The key is the whole secret as it was shown, "whsec_" included.
        self._macs = [hmac.new(secret.encode(), start, hashlib.sha256) for secret in secrets]

    def feed(self, chunk: bytes) -> None:
        """Add the next piece of the raw body."""
        for mac in self._macs:
            mac.update(chunk)

    def check(self) -> None:
        """Raise WrongSignature or StaleDelivery unless the whole body is genuine and fresh."""
        expected = [mac.hexdigest() for mac in self._macs]
        # Every pair is compared, also after a match: the time taken says nothing.
        matches = [_equal(given, ours) for given in self._signature.v1 for ours in expected]
        if not any(matches):
            raise WrongSignature("The signature does not fit the body.")
        if abs(self._age_s) > self._tolerance_s:
            raise StaleDelivery(f"The signature is {self._age_s:.0f} seconds old.")


def verify(
    body: bytes,
    header: str,
    secrets: Collection[str],
    *,
    arrived_at: float,
    tolerance_s: int = TOLERANCE_S,
) -> None:
    """Raise NotVerified unless a body that is in memory is genuine and fresh."""
    verifier = Verifier(header, secrets, arrived_at=arrived_at, tolerance_s=tolerance_s)
    verifier.feed(body)
    verifier.check()


def _equal(given: str, ours: str) -> bool:
    # Length first, then constant time; encoded, because compare_digest refuses other alphabets.
    return len(given) == len(ours) and hmac.compare_digest(
        given.encode("utf-8", "replace"), ours.encode()
    )
