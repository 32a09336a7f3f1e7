"""Check an ods package before calamine reads it: on XML that is cut off it may never return."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import InputSource

from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.reading.broken import BROKEN
from tabular.reading.limiting import too_much

_CHUNK = 1 << 18


def check_ods(path: Path, limits: Limits) -> None:
    """Raise UnreadableFile (damaged_file, unsafe_file) or LimitExceeded (expanded_bytes)."""
    from defusedxml import DefusedXmlException, sax

    try:
        with zipfile.ZipFile(path) as package:
            _check_size(package, limits)
            with package.open("content.xml") as part:
                source = InputSource()
                source.setByteStream(part)
                sax.parse(source, ContentHandler())
    except DefusedXmlException as error:
        raise UnreadableFile("unsafe_file", "The workbook declares XML entities.") from error
    except (SAXParseException, RuntimeError, *BROKEN) as error:
        raise UnreadableFile(
            "damaged_file", "The workbook is cut off or damaged. Please save or send it again."
        ) from error


def _check_size(package: zipfile.ZipFile, limits: Limits) -> None:
    left = limits.expanded_bytes
    for entry in package.infolist():
        with package.open(entry) as part:
            while chunk := part.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise too_much("expanded_bytes", limits.expanded_bytes, "The unpacked file")
