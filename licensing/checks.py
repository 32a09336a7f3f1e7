"""System checks: the engine gets public keys only. Spec: Authentication; docs/licensing.md."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

PUBLIC, PRIVATE = "IMPORT_LICENSE_PUBLIC_KEY", "IMPORT_LICENSE_PRIVATE_KEY"
PEM_BYTES = 64 * 1024  # no key is larger; other files in the data folder are not read


@register(Tags.security)
def check_public_key(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Reject a set of keys that verifies nothing, or that could mint."""
    if not settings.LICENSE_PUBLIC_KEY:
        return []
    from signatures.keysets import UnusableKeySet, read_public_keys  # only where checks run

    try:
        read_public_keys(settings.LICENSE_PUBLIC_KEY)
    except UnusableKeySet as error:
        return [Error(f"{PUBLIC} {error}.", id="licensing.E001")]
    return []


@register(Tags.security, deploy=True)
def check_deployed_keys(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Require a public key, and reject the private key that belongs to it."""
    if not settings.LICENSE_PUBLIC_KEY:
        hint = "Set it to the account's public key (PEM or JWKS), or name a file in its _FILE."
        return [Error(f"{PUBLIC} is not set: every call gets 401.", hint=hint, id="licensing.E002")]
    places = [*_private_variables(), *_private_files()]
    hint = "Keep it where keys are minted; anyone who reads it can mint a key of any tenant."
    return [
        Error(f"A license private key is on this engine: {where}.", hint=hint, id="licensing.E003")
        for where in places
    ]


def _private_variables() -> Iterator[str]:
    for name in (PRIVATE, f"{PRIVATE}_FILE"):
        if os.environ.get(name):
            yield name


def _private_files() -> Iterator[str]:
    """Yield the private keys in the data folder that mint keys this engine accepts."""
    from licensing.tokens.keyfiles import UnusableKeyFile, read_private_key
    from signatures.keysets import UnusableKeySet, read_public_keys, thumbprint

    try:
        accepted = read_public_keys(settings.LICENSE_PUBLIC_KEY)
    except UnusableKeySet:
        return
    folder = Path(settings.DATA_DIR)
    for path in sorted([*folder.glob("*.pem"), *folder.glob("keys/*.pem")]):
        try:
            small = path.stat().st_size <= PEM_BYTES
            private_key = read_private_key(path) if small else None
        except (OSError, UnusableKeyFile):
            continue
        if private_key is not None and thumbprint(private_key.public_key()) in accepted:
            yield str(path)
