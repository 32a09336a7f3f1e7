"""Number formats that change what a person reads: leading zeros."""

from __future__ import annotations

import re

_ZEROS = re.compile(r"0{2,20}")


def padded_styles(styles: bytes) -> dict[int, int]:
    """
    Give the cell styles whose format only adds leading zeros, with the number of digits.

    styles: the part ``xl/styles.xml``. A number 1234 in the format ``00000`` reads 01234.
    """
    if not styles:
        return {}
    from defusedxml import ElementTree

    root = ElementTree.fromstring(styles)
    digits = {
        node.get("numFmtId"): len(node.get("formatCode", ""))
        for node in root.iter()
        if node.tag.endswith("}numFmt") and _ZEROS.fullmatch(node.get("formatCode", ""))
    }
    padded = {}
    for table in root:
        if table.tag.endswith("}cellXfs"):
            for number, style in enumerate(table):
                if style.get("numFmtId") in digits:
                    padded[number] = digits[style.get("numFmtId")]
    return padded
