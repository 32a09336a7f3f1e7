"""Verify keys against the configured public keys, each signature once. Spec: Authentication."""

import hashlib
import logging
import threading
from collections import OrderedDict
from functools import lru_cache

from django.conf import settings

from licensing.refusals import LicenseRejected
from licensing.tokens import keys
from licensing.tokens.keys import Claims
from signatures.keysets import PublicKeys, UnusableKeySet, read_public_keys

logger = logging.getLogger(__name__)
REMEMBERED = 4096  # keys


class Verifier:
    """Caches the claims of accepted keys by hash; never a key, a refusal or a time."""

    def __init__(self, public_keys: PublicKeys, *, remembered: int = REMEMBERED) -> None:
        self._public_keys = public_keys
        self._remembered = remembered
        self._by_hash: OrderedDict[bytes, Claims] = OrderedDict()
        self._lock = threading.Lock()

    def claims_of(self, text: str, *, now: float) -> Claims:
        """Return the claims of an accepted key; expiry is checked on every call."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            claims = self._by_hash.get(digest)
        if claims is None:
            claims = keys.verify(text, self._public_keys)
            self._remember(digest, claims)
        claims.check_time(now)
        return claims

    def _remember(self, digest: bytes, claims: Claims) -> None:
        with self._lock:
            self._by_hash[digest] = claims
            if len(self._by_hash) > self._remembered:
                self._by_hash.popitem(last=False)


def configured_verifier() -> Verifier:
    """Return the verifier of ``IMPORT_LICENSE_PUBLIC_KEY``; without a usable key it rejects all."""
    try:
        return _verifier(settings.LICENSE_PUBLIC_KEY)
    except UnusableKeySet as error:
        logger.error("IMPORT_LICENSE_PUBLIC_KEY %s; every license key is refused", error)
        raise LicenseRejected("license_rejected.no_public_key") from error


@lru_cache(maxsize=4)
def _verifier(public_key_text: str) -> Verifier:
    return Verifier(read_public_keys(public_key_text))
