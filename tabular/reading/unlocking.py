"""Write a copy of a protected file without its password: workbooks, PDF files and zip archives."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any
from xml.parsers.expat import ExpatError

from tabular.model.problem import Limits, UnreadableFile
from tabular.reading.aes_zip import WrongKey
from tabular.reading.archive import opened as opened_entry
from tabular.reading.broken import BROKEN
from tabular.reading.limiting import too_much

_CHUNK = 1 << 20
_ENCRYPTED = 1  # a flag of a zip's entry


def unlock(path: Path, target: Path, *, password: str, limits: Limits) -> None:
    """
    Write the file to ``target`` as it is without its password.

    Raises UnreadableFile (wrong_password, damaged_file, unsupported_format, extraction_forbidden)
    and LimitExceeded.
    """
    with path.open("rb") as file:
        head = file.read(1024)
    if b"%PDF-" in head:
        _unlock_pdf(path, target, password, limits)
    elif head.startswith(b"PK"):
        _unlock_zip(path, target, password, limits)
    else:
        _unlock_workbook(path, target, password, limits)


def _wrong() -> UnreadableFile:
    return UnreadableFile("wrong_password", "The password is wrong. Enter it again.")


def _damaged() -> UnreadableFile:
    return UnreadableFile(
        "damaged_file", "The file is incomplete or damaged. Export or send it again."
    )


class _Bounded(io.RawIOBase):
    """A file that refuses more bytes than the limit of what a file unpacks to."""

    def __init__(self, file: IO[bytes], limits: Limits) -> None:
        self._file = file
        self._most = limits.expanded_bytes

    def writable(self) -> bool:
        return True

    def write(self, chunk: Any, /) -> int:
        count = self._file.write(chunk)
        if self._file.tell() > self._most:
            raise too_much("expanded_bytes", self._most, "The unpacked file is larger")
        return count


def _unlock_workbook(path: Path, target: Path, password: str, limits: Limits) -> None:
    from msoffcrypto import OfficeFile
    from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

    try:
        with path.open("rb") as file, target.open("wb") as plain:
            workbook = OfficeFile(file)
            workbook.load_key(password=password, verify_password=True)
            workbook.decrypt(_Bounded(plain, limits))
    except InvalidKeyError as error:
        raise _wrong() from error
    except (DecryptionError, FileFormatError, ParseError, ExpatError, *BROKEN) as error:
        raise _damaged() from error
    except (AttributeError, TypeError) as error:  # it trusts what a damaged header says
        raise _damaged() from error


def _unlock_pdf(path: Path, target: Path, password: str, limits: Limits) -> None:
    import pypdfium2.raw as pdfium

    from tabular.reading.pdf.pages.document import opened

    try:
        document = opened(path, password, limits)
    except UnreadableFile as problem:
        raise _wrong() if problem.code == "password_protected" else problem from problem
    with document:
        document.save(target, flags=pdfium.FPDF_REMOVE_SECURITY)


def _unlock_zip(path: Path, target: Path, password: str, limits: Limits) -> None:
    left = limits.expanded_bytes
    try:
        with (
            zipfile.ZipFile(path) as package,
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as plain,
        ):
            for entry in package.infolist():
                with (
                    opened_entry(package, entry, password) as source,
                    plain.open(entry.filename, "w", force_zip64=True) as copy,
                ):
                    while chunk := source.read(_CHUNK):
                        left -= len(chunk)
                        if left < 0:
                            what = "The unpacked file is larger"
                            raise too_much("expanded_bytes", limits.expanded_bytes, what)
                        copy.write(chunk)
    except WrongKey as error:
        raise _wrong() from error
    except (RuntimeError, zlib.error, zipfile.BadZipFile) as error:
        # "Bad password", or a wrong one that the one byte of the old scheme let pass.
        raise _wrong() if _is_locked(path) else _damaged() from error
    except BROKEN as error:
        raise _damaged() from error


def _is_locked(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as package:
            return any(entry.flag_bits & _ENCRYPTED for entry in package.infolist())
    except BROKEN:
        return False
