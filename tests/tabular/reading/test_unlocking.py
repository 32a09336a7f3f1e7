"""Files with a password, written again without it."""

import hashlib
import hmac
import io
import struct
import zlib

import msoffcrypto.format.ooxml
import openpyxl
import pypdfium2
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read
from tabular.reading.unlocking import unlock
from tests.tabular.reading.test_structured import rows_of

CSV = b"id,name\n" + b"".join(b"%d,Ada\n" % number for number in range(50_000))
PASSWORD = "open sesame ü"


def workbook():
    return locked_workbook(("id", "name"), (1, "Ada"))


def locked_workbook(*rows):
    book, plain, locked = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(plain)
    plain.seek(0)
    msoffcrypto.format.ooxml.OOXMLFile(plain).encrypt(PASSWORD, locked)
    return locked.getvalue()


def pdf(**options):
    target = io.BytesIO()
    page = Canvas(target, encrypt=StandardEncryption(PASSWORD, **options))
    page.drawString(100, 700, "id name")
    page.save()
    return target.getvalue()


def old_zip():
    """Return an archive of the scheme of PKZIP (APPNOTE 6.1)."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte):
        keys[0] = crc(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = crc(keys[2], keys[1] >> 24)

    def crc(key, byte):
        return (key >> 8) ^ CRCS[(key ^ byte) & 0xFF]

    for byte in PASSWORD.encode():
        update(byte)

    def encrypted(content):
        out = bytearray()
        for byte in content:
            key = keys[2] | 2
            out.append(byte ^ (((key * (key ^ 1)) >> 8) & 0xFF))
            update(byte)
        return bytes(out)

    head = bytes(11) + bytes([zlib.crc32(CSV) >> 24])
    packed = deflated(CSV)
    return one_entry(encrypted(head + packed), method=8, extra=b"", crc=zlib.crc32(CSV))


def _crc(number):
    for _ in range(8):
        number = (number >> 1) ^ (0xEDB88320 if number & 1 else 0)
    return number


CRCS = [_crc(number) for number in range(256)]


def aes_zip(strength=3):
    """Return an archive of the scheme of WinZip."""
    size = 8 + 8 * strength
    salt = bytes(range(4 + 4 * strength))
    made = hashlib.pbkdf2_hmac("sha1", PASSWORD.encode(), salt, 1000, 2 * size + 2)
    packed = deflated(CSV)
    blocks = Cipher(algorithms.AES(made[:size]), modes.ECB()).encryptor()
    stream = b"".join(
        blocks.update(number.to_bytes(16, "little")) for number in range(1, len(packed) // 16 + 2)
    )
    sealed = bytes(a ^ b for a, b in zip(packed, stream, strict=False))
    seal = hmac.new(made[size : 2 * size], sealed, "sha1").digest()[:10]
    extra = struct.pack("<HHH2sBH", 0x9901, 7, 2, b"AE", strength, 8)
    return one_entry(salt + made[2 * size :] + sealed + seal, method=99, extra=extra, crc=0)


def deflated(content):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


def one_entry(content, *, method, extra, crc):
    name = b"list.csv"
    about = (1, method, 0, 0, crc, len(content), len(CSV), len(name), len(extra))
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, *about) + name + extra
    central = b"PK\1\2" + struct.pack("<HHHHHHIIIHH", 20, 20, *about)
    central += struct.pack("<HHHII", 0, 0, 0, 0, 0) + name + extra
    where = len(local) + len(content)
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), where, 0)
    return local + content + central + end


PROTECTED = {
    "xlsx": workbook,
    "old zip": old_zip,
    "zip": aes_zip,
    "zip of 128 bits": lambda: aes_zip(1),
}


@pytest.fixture
def files(tmp_path):
    """Return where the protected file is, and where it is written without its password."""
    return tmp_path / "protected", tmp_path / "plain"


@pytest.mark.parametrize("kind", PROTECTED)
def test_a_file_is_read_without_its_password_once_unlocked(files, kind):
    protected, plain = files
    protected.write_bytes(PROTECTED[kind]())
    with pytest.raises(UnreadableFile) as refused:
        read(protected)

    unlock(protected, plain, password=PASSWORD, limits=Limits())

    assert refused.value.code == "password_protected"
    assert "Enter it" in refused.value.sentence
    (body,) = read(plain).bodies
    rows = rows_of(body)
    assert rows[0] == (["1", "Ada"] if kind == "xlsx" else ["0", "Ada"])
    assert len(rows) == (1 if kind == "xlsx" else 50_000)


@pytest.mark.parametrize("kind", ["old zip", "zip"])
def test_an_archive_is_read_with_its_password(files, kind):
    files[0].write_bytes(PROTECTED[kind]())

    reading = read(files[0], choices=ReadingChoices(password=PASSWORD))

    assert len(rows_of(reading.bodies[0])) == 50_000


@pytest.mark.parametrize("strength", [40, 128])
def test_a_pdf_is_written_without_its_password(files, strength):
    protected, plain = files
    protected.write_bytes(pdf(strength=strength))

    unlock(protected, plain, password=PASSWORD, limits=Limits())

    with pypdfium2.PdfDocument(plain) as document:
        assert document[0].get_textpage().get_text_bounded() == "id name"


def test_a_pdf_that_forbids_copying_stays_locked(files):
    protected, plain = files
    protected.write_bytes(pdf(ownerPassword="owner", canCopy=0))

    with pytest.raises(UnreadableFile) as refused:
        unlock(protected, plain, password=PASSWORD, limits=Limits())

    assert refused.value.code == "extraction_forbidden"
    assert not plain.exists()


@pytest.mark.parametrize("kind", [*PROTECTED, "pdf"])
@pytest.mark.parametrize("password", ["wrong", "x" * 255])
def test_a_wrong_password_is_a_wrong_password(files, kind, password):
    protected, plain = files
    protected.write_bytes((PROTECTED | {"pdf": pdf})[kind]())

    with pytest.raises(UnreadableFile) as refused:
        unlock(protected, plain, password=password, limits=Limits())

    assert refused.value.code == "wrong_password"


@pytest.mark.parametrize("kind", PROTECTED)
def test_a_damaged_file_is_a_problem(files, kind):
    protected, plain = files
    content = PROTECTED[kind]()
    middle = len(content) // 2
    protected.write_bytes(content[: middle - 200] + content[middle:])

    def unlocked():
        unlock(protected, plain, password=PASSWORD, limits=Limits())
        return read(plain)

    with pytest.raises(UnreadableFile) as refused:
        unlocked()

    assert refused.value.code in {"damaged_file", "wrong_password"}


@pytest.mark.parametrize("kind", PROTECTED)
def test_what_unpacks_to_too_much_is_refused(files, kind):
    protected, plain = files
    protected.write_bytes(PROTECTED[kind]())

    with pytest.raises(LimitExceeded) as refused:
        unlock(protected, plain, password=PASSWORD, limits=Limits(expanded_bytes=1_000))

    assert refused.value.details["limit"] == "expanded_bytes"
