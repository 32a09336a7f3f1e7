"""What the standard library raises for a package or part with broken bytes."""

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
    LookupError,  # a missing part, an unknown encoding
    ValueError,  # UnicodeError among them: a part's name that is not text
    OSError,
    NotImplementedError,  # an unknown compression method
    ParseError,
)
