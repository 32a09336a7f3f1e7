"""
Entries of a zip that are encrypted by AES, as WinZip and 7-Zip write them.

The scheme is AE-1 and AE-2 of WinZip (https://www.winzip.com/en/support/aes-encryption/):
PBKDF2 makes two keys and a check of two bytes, AES counts from 1 in little endian, and HMAC-SHA1
seals the encrypted bytes. Python's ``zipfile`` knows the older scheme alone.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Any

AES = 99  # the compression method of such an entry
_EXTRA = 0x9901
_ROUNDS = 1000
_CHECK_BYTES, _SEAL_BYTES, _BLOCK = 2, 10, 16
_SALT_BYTES = {1: 8, 2: 12, 3: 16}
_LOCAL_HEADER = struct.Struct("<26xHH")  # the lengths of the name and of the extra field
_PIECE = 1 << 20


class WrongKey(Exception):
    """The password is wrong, or the bytes were changed."""


@dataclass(frozen=True, slots=True)
class AesEntry:
    """One entry: its encrypted bytes, and how they are encrypted and compressed."""

    file: IO[bytes]
    start: int
    size: int  # bytes of salt, check, content and seal
    strength: int
    method: int
    entry: zipfile.ZipInfo

    @classmethod
    def of(cls, package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> AesEntry:
        """Return an entry of a package. Raises ValueError for an unknown strength or method."""
        strength, method = _aes_extra(entry.extra)
        file: Any = package.fp
        file.seek(entry.header_offset)
        names = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
        start = entry.header_offset + _LOCAL_HEADER.size + sum(names)
        return cls(file, start, entry.compress_size, strength, method, entry)

    def opened(self, password: str) -> IO[bytes]:
        """Return the decrypted and unpacked content. Raises WrongKey."""
        salt_bytes, key_bytes = _SALT_BYTES[self.strength], 8 + 8 * self.strength
        self.file.seek(self.start)
        salt, check = self.file.read(salt_bytes), self.file.read(_CHECK_BYTES)
        made = hashlib.pbkdf2_hmac(
            "sha1", password.encode(), salt, _ROUNDS, 2 * key_bytes + _CHECK_BYTES
        )
        if not hmac.compare_digest(made[2 * key_bytes :], check):
            raise WrongKey
        self._check_seal(made[key_bytes : 2 * key_bytes], self.start + salt_bytes + _CHECK_BYTES)
        raw = _Decrypted(
            self.file, self.start + salt_bytes + _CHECK_BYTES, self._content, made[:key_bytes]
        )
        plain = io.BufferedReader(raw, _PIECE)
        return plain if self.method == zipfile.ZIP_STORED else io.BufferedReader(_Inflated(plain))

    @property
    def _content(self) -> int:
        return self.size - _SALT_BYTES[self.strength] - _CHECK_BYTES - _SEAL_BYTES

    def _check_seal(self, key: bytes, start: int) -> None:
        seal = hmac.new(key, digestmod="sha1")
        self.file.seek(start)
        left = self._content
        while left > 0 and (piece := self.file.read(min(_PIECE, left))):
            seal.update(piece)
            left -= len(piece)
        if not hmac.compare_digest(seal.digest()[:_SEAL_BYTES], self.file.read(_SEAL_BYTES)):
            raise WrongKey


def _aes_extra(extra: bytes) -> tuple[int, int]:
    place = 0
    while place + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, place)
        if kind == _EXTRA and size >= 7:
            strength, method = struct.unpack_from("<BH", extra, place + 8)
            if strength in _SALT_BYTES and method in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                return strength, method
        place += 4 + size
    raise ValueError("an entry without a known AES strength and method")


class _Decrypted(io.RawIOBase):
    """The decrypted bytes of an entry, a piece at a time."""

    def __init__(self, file: IO[bytes], start: int, size: int, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._blocks = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305 -- of a counter, which makes it CTR
        self._file, self._start, self._size = file, start, size
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        import numpy as np

        most = max(_BLOCK, len(buffer) // _BLOCK * _BLOCK)
        wanted = min(most, self._size - self._done)
        if wanted <= 0 or wanted > len(buffer):
            return 0
        self._file.seek(self._start + self._done)
        piece = self._file.read(wanted)
        count = -(-len(piece) // _BLOCK)
        counters = np.zeros((count, 2), "<u8")
        counters[:, 0] = np.arange(count, dtype="<u8") + np.uint64(self._done // _BLOCK + 1)
        stream = np.frombuffer(self._blocks.update(counters.tobytes()), np.uint8)[: len(piece)]
        buffer[: len(piece)] = (np.frombuffer(piece, np.uint8) ^ stream).tobytes()
        self._done += len(piece)
        return len(piece)


class _Inflated(io.RawIOBase):
    """The unpacked bytes of a deflated stream."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._inflate.eof:
            piece = self._inflate.unconsumed_tail or self._packed.read(_PIECE)
            if not piece:
                raise EOFError("the packed stream ends early")
            unpacked = self._inflate.decompress(piece, len(buffer))
            if unpacked:
                buffer[: len(unpacked)] = unpacked
                return len(unpacked)
        return 0
