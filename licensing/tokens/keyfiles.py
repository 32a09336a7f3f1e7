"""Key pairs on disk: the private key for the account that mints, the public key for engines."""

import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from signatures.keysets import thumbprint

PRIVATE_NAME, PUBLIC_NAME = "license-private.pem", "license-public.pem"


class UnusableKeyFile(ValueError):
    """The file holds no private key that can mint."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """The files of a new pair."""

    private_key: Path
    public_key: Path
    kid: str


def write_key_pair(folder: Path) -> KeyPair:
    """
    Create a P-256 pair and write both keys as PEM; the private file is 0600 from the start.

    Raise FileExistsError rather than overwriting: a lost private key cannot mint again.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in (PRIVATE_NAME, PUBLIC_NAME):
        if (folder / name).exists():
            raise FileExistsError(f"{folder / name} is already there")
    private_key = ec.generate_private_key(ec.SECP256R1())
    pair = KeyPair(
        folder / PRIVATE_NAME, folder / PUBLIC_NAME, thumbprint(private_key.public_key())
    )
    _write_new(pair.private_key, private_pem(private_key), mode=0o600)
    _write_new(pair.public_key, public_pem(private_key.public_key()), mode=0o644)
    return pair


def read_private_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """Read a P-256 private key in PEM. Raise UnusableKeyFile if the file contains anything else."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnusableKeyFile(f"{path} holds no readable private key") from error
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    raise UnusableKeyFile(f"{path} holds a private key that is not on the curve P-256")


def private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a private key as unencrypted PKCS #8 PEM."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def public_pem(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as PEM."""
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _write_new(path: Path, content: bytes, *, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
