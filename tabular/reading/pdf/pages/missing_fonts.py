"""
Recognise texts that pdfium drops because nothing on this machine can draw them.

A PDF may leave a font out (ISO 32000-1, 9.9). pdfium then takes one of the machine's; if none has
the letter, the letter has no size, and a text of one such letter is not among the page's texts.
"""

from __future__ import annotations

import ctypes

import pypdfium2.raw as pdfium

PROBES = "一のㄱ"  # each East Asian font has at least one of them, as wide as the font is high
FULL_WIDTH = 0.9
PROBE_SIZE = 10.0
NO_SIZE = 0.01  # points


def is_dropped(text: pdfium.FPDF_PAGEOBJECT) -> bool:
    """Return whether a text object has no size because its East Asian font is missing."""
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(text, *sides):
        return False
    left, bottom, right, top = (side.value for side in sides)
    if right - left > NO_SIZE or top - bottom > NO_SIZE:
        return False
    font = pdfium.FPDFTextObj_GetFont(text)
    if not font or pdfium.FPDFFont_GetIsEmbedded(font):
        return False
    return any(_promises(font, probe) and not _draws(font, probe) for probe in PROBES)


def _promises(font: pdfium.FPDF_FONT, letter: str) -> bool:
    width = ctypes.c_float()
    is_measured = pdfium.FPDFFont_GetGlyphWidth(font, ord(letter), PROBE_SIZE, width)
    return bool(is_measured) and width.value >= FULL_WIDTH * PROBE_SIZE


def _draws(font: pdfium.FPDF_FONT, letter: str) -> bool:
    return bool(pdfium.FPDFFont_GetGlyphPath(font, ord(letter), PROBE_SIZE))
