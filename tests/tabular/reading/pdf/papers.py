"""A very small PDF writer: what the tests read, they draw."""

import struct
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path

A4 = (595, 842)
HEBREW = (  # the characters of ISO 8859-8
    b"/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def\n"
    b"1 begincodespacerange <00> <FF> endcodespacerange\n"
    b"2 beginbfrange <20> <7E> <0020> <E0> <FA> <05D0> endbfrange\nendcmap end"
)
LETTER_WIDTH = 0.6  # Courier: every letter is 600/1000 wide


@dataclass
class Sheet:
    """One page; x from the left and y from the top, in points."""

    size: tuple[int, int] = A4
    turn: int = 0  # /Rotate
    image: bool = False
    drawn: list[str] = field(default_factory=list)

    def write(self, x: float, y: float, text: str, size: int = 9) -> None:
        shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        self.drawn.append(f"BT /F1 {size} Tf 1 0 0 1 {x} {self.size[1] - y} Tm ({shown}) Tj ET")

    def write_ending_at(self, x: float, y: float, text: str, size: int = 9) -> None:
        self.write(x - len(text) * size * LETTER_WIDTH, y, text, size)

    def write_hebrew(self, right: float, y: float, shown: str, size: int = 9) -> None:
        """Write letters as seen from the left, the last one ending at ``right``."""
        x = right - len(shown) * size * LETTER_WIDTH
        codes = shown.encode("iso-8859-8").hex()
        self.drawn.append(f"BT /F2 {size} Tf 1 0 0 1 {x} {self.size[1] - y} Tm <{codes}> Tj ET")

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        height = self.size[1]
        self.drawn.append(f"{x0} {height - y0} m {x1} {height - y1} l S")

    def fill(self, x0: float, y0: float, x1: float, y1: float, grey: float = 0.9) -> None:
        height = self.size[1]
        self.drawn.append(f"{grey} g {x0} {height - y1} {x1 - x0} {y1 - y0} re f 0 g")


def ruled(sheet: Sheet, rows: list[list[str]], *, xs: list[float], top: float, step=18) -> float:
    """Draw a table with every border; return where it ends."""
    bottom = top + step * len(rows)
    for index in range(len(rows) + 1):
        sheet.line(xs[0], top + step * index, xs[-1], top + step * index)
    for x in xs:
        sheet.line(x, top, x, bottom)
    columns(sheet, rows, xs=[x + 4 for x in xs], top=top + 12, step=step)
    return bottom


def columns(sheet: Sheet, rows: list[list[str]], *, xs: list[float], top: float, step=14) -> float:
    """Write a table without borders; return where it ends."""
    for index, row in enumerate(rows):
        for x, cell in zip(xs, row, strict=False):
            for number, part in enumerate(cell.split("\n")):
                sheet.write(x, top + step * index + 10 * number, part)
    return top + step * len(rows)


def document(*sheets: Sheet) -> bytes:
    """Return the sheets as a PDF."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(sheets)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for index, sheet in enumerate(sheets):
        drawn = "\n".join([*sheet.drawn, *(["q 500 0 0 700 40 40 cm /Im Do Q"] * sheet.image)])
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {sheet.size[0]} {sheet.size[1]}]"
            f" /Rotate {sheet.turn} /Contents {5 + 2 * index} 0 R"
            f" /Resources << /Font << /F1 3 0 R /F2 {5 + 2 * len(sheets)} 0 R >>"
            f" /XObject << /Im {4 + 2 * len(sheets)} 0 R >> >>"
            " >>".encode()
        )
        objects.append(stream(drawn.encode("cp1252")))
    objects.append(
        stream(
            b"\x80",
            "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"
            " /ColorSpace /DeviceGray",
        )
    )
    objects.append(
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding"
        b" /ToUnicode %d 0 R >>" % (len(objects) + 2)
    )
    objects.append(stream(HEBREW))
    return assembled(objects)


def stream(content: bytes, entries: str = "") -> bytes:
    """Return bytes as a stream object."""
    return f"<< /Length {len(content)} {entries} >>\nstream\n".encode() + content + b"\nendstream"


def assembled(objects: list[bytes], trailer: str = "") -> bytes:
    """Number the objects and add the cross-reference table."""
    written = b"%PDF-1.5\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return (
        written
        + (
            f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\n"
            f"startxref\n{len(written)}\n%%EOF\n"
        ).encode()
    )


def saved(folder: Path, content: bytes) -> Path:
    """Write the bytes into a folder."""
    path = folder / "paper.pdf"
    path.write_bytes(content)
    return path


PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def locked(content: bytes, *, password: str, permissions: int = -1) -> bytes:
    """
    Lock a document whose streams are empty with 40-bit RC4 (ISO 32000-1, algorithms 2 to 4).

    Only the entries that a reader checks before it opens a page are written.
    """
    user = (password.encode("latin-1") + PADDING)[:32]
    identity = b"0123456789abcdef"
    owner = rc4(md5(PADDING, usedforsecurity=False).digest()[:5], user)
    seed = user + owner + struct.pack("<i", permissions) + identity
    key = md5(seed, usedforsecurity=False).digest()[:5]
    entries = (
        f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{owner.hex()}>"
        f" /U <{rc4(key, PADDING).hex()}> /P {permissions} >> /ID [<{identity.hex()}>"
        f" <{identity.hex()}>] >>"
    )
    return content.replace(b" >>\nstartxref", f" {entries}\nstartxref".encode())


def rc4(key: bytes, text: bytes) -> bytes:
    """Encrypt or decrypt with RC4."""
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for letter in text:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(letter ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
