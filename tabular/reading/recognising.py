"""Recognise a file's format by its bytes, never by its name."""

import re
import zipfile
from pathlib import Path
from typing import Literal

from tabular.model.problem import UnreadableFile
from tabular.model.sentences import Sentence
from tabular.reading.broken import BROKEN
from tabular.reading.opc import Package, plain_name

FileFormat = Literal[
    "text",
    "json",
    "xlsx",
    "xlsb",
    "xls",
    "ods",
    "spreadsheetml",
    "html",
    "docx",
    "xml",  # records by their elements
    "parquet",
    "feather",
    "dta",  # Stata
    "sas7bdat",
    "xpt",  # SAS transport, versions 5 and 8
    "sav",  # SPSS, compressed (zsav) or not
    "pdf",
    "image",  # PNG, JPEG or TIFF: read where text recognition is on
    "gz",
    "zip",
]  # "text" covers every delimited, fixed width and one-column file, and NDJSON until it is opened

_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
HEAD_BYTES = 4096
_PDF_WITHIN = 1024  # ISO 32000 readers accept the marker anywhere in the first kilobyte
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_SAS = (
    b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c\x18\x1f\x10\x11"
)
_SAS_CATALOG = _SAS.replace(b"\x81\x60", b"\x81\x63")
_STATISTICAL: dict[re.Pattern[bytes], FileFormat] = {
    re.compile(rb"<stata_dta><header>|[\x68-\x73][\x01\x02]\x01\0"): "dta",  # since 13, and before
    re.compile(re.escape(_SAS)): "sas7bdat",
    re.compile(rb"HEADER RECORD\*{7}(?:LIBRARY|LIBV8  ) HEADER RECORD!{7}"): "xpt",
    re.compile(rb"\$FL[23](?:@\(#\)|[ -~]{4})"): "sav",
}
_SPSS_ENCRYPTED = b"ENCRYPTEDSAV"
_XML = (b"<?xml", b"<workbook", b"<ss:workbook", b"<?mso")
_PAGE = re.compile(
    rb"(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!doctype\s+html[^>]*>\s*)*"
    rb"(?:<!doctype\s+html|<(?:html|head|body|meta|table|title|style|center|div)\b)",
    re.DOTALL,
)
_ELEMENT = re.compile(rb"(?:<!--.*?-->\s*)*<([a-z_][a-z0-9_.:-]*)(?:\s[^<>]*)?>", re.DOTALL)
_SHEETS = re.compile(r"spreadsheetml|ms-excel\.(?:sheet|template|addin)")
_FOREIGN = {  # what users upload by mistake, and its name in the message
    b"GIF8": "a picture",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"PARE": "an encrypted Parquet file",
    b"FEA1": "a Feather file of the first version",
    b"SQLite format 3": "an SQLite database",
    b"ASCII SPSS PORT FILE": "an SPSS portable file",
    b"**COMPRESSED** **COMPRESSED**": "a SAS file of PROC CPORT",
    _SAS_CATALOG: "a SAS catalog of formats",
    b"{\\rtf": "a rich text document",
    b"\x7fELF": "a program",
    b"MZ": "a program",
}


def recognise(path: Path) -> FileFormat:
    """
    Return the format of the file.

    Raises UnreadableFile: empty_file, unsupported_format, password_protected, damaged_file.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise UnreadableFile("empty_file", "This file is empty.")
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _recognise_zip(path)
    if head.startswith(_OLE):
        return _recognise_ole(path)
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    if head.startswith((b"PAR1", b"ARROW1")):
        return "parquet" if head.startswith(b"PAR1") else "feather"
    if head.startswith(_IMAGES):
        return "image"
    if (statistical := _recognise_statistical(head)) is not None:
        return statistical
    _refuse_foreign(head)
    if (markup := _recognise_markup(path, head)) is not None:
        return markup
    return "json" if _opens_like_json(head) else "text"


def _recognise_zip(path: Path) -> FileFormat:
    from defusedxml import DefusedXmlException

    try:
        with zipfile.ZipFile(path) as file:
            package = Package(file)
            names = {plain_name(name) for name in file.namelist()}
            mimetype = package.small("mimetype")[:64]
            main_type = package.main_type if package.has_types else ""
    except DefusedXmlException as error:
        raise UnreadableFile(
            "unsafe_file", "The workbook declares XML entities, which no spreadsheet program does."
        ) from error
    except (*BROKEN, RuntimeError) as error:
        raise UnreadableFile(
            "damaged_file", "The file is incomplete or damaged. Export or send it again."
        ) from error
    if "sheet.binary" in main_type or "xl/workbook.bin" in names:
        return "xlsb"
    if _SHEETS.search(main_type) or any(name.startswith("xl/") for name in names):
        return "xlsx"
    if b"opendocument.spreadsheet" in mimetype:
        return "ods"
    if "wordprocessingml" in main_type or "word/document.xml" in names:
        return "docx"
    if main_type or any(name.startswith(("word/", "ppt/")) for name in names):
        raise _unsupported("a text document or a presentation")
    return "zip"


def _recognise_ole(path: Path) -> FileFormat:
    with path.open("rb") as file:
        directory = file.read(1 << 20)
    if _ENCRYPTED in directory:
        raise UnreadableFile(
            "password_protected",
            "The file is protected by a password. Enter it, or send an unprotected file.",
        )
    return "xls"


def _recognise_statistical(head: bytes) -> FileFormat | None:
    if head[8 : 8 + len(_SPSS_ENCRYPTED)] == _SPSS_ENCRYPTED:
        raise _unsupported("an encrypted SPSS file")
    return next((name for start, name in _STATISTICAL.items() if start.match(head)), None)


def _refuse_foreign(head: bytes) -> None:
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise _unsupported(what)


def _recognise_markup(path: Path, head: bytes) -> FileFormat | None:
    text = head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head.decode("utf-16", "replace").encode()
    start = text.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not start.startswith(b"<"):
        return None
    if b"urn:schemas-microsoft-com:office:spreadsheet" in start and start.startswith(_XML):
        return "spreadsheetml"
    if _PAGE.match(start):
        return "html"
    if start.startswith(b"<?xml") or _is_element(path, start):
        return "xml"
    return None


def _is_element(path: Path, start: bytes) -> bool:
    """Return whether a file is one XML element: its end, and nothing before, closes its start."""
    if (opened := _ELEMENT.match(start)) is None:
        return False
    closing = b"</" + opened[1] + b">"
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - HEAD_BYTES))
        end = file.read().rstrip().lower()
    return end.endswith(closing) and start.count(closing) == (size <= HEAD_BYTES)


def picture_refused() -> UnreadableFile:
    """Return the error for a picture where text recognition is off."""
    return _unsupported("a picture")


def _unsupported(what: str) -> UnreadableFile:
    return UnreadableFile(
        "unsupported_format",
        Sentence("The file is {WHAT}, not a table. Export it as CSV, Excel or PDF.", WHAT=what),
    )


def _opens_like_json(head: bytes) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"[":
        inner = start[1:].lstrip()[:1]
        return inner in {b"{", b"[", b"]", b'"'}
    return start[:1] == b"{" and start[1:].lstrip()[:1] in {b'"', b"}"}
