"""What the standard library raises on a package or part whose bytes are broken."""

import struct
import zipfile
import zlib
from xml.etree.ElementTree import ParseError

BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,  # a part that is missing, an encoding nobody has
    ValueError,  # UnicodeError among them: a name of a part that is not text
    OSError,
    NotImplementedError,  # a compression method nobody has
    ParseError,
)
