"""VAT numbers of the European Union, with each country's check (VIES). Spec: columnType vat_eu."""

from contextlib import suppress

import pyarrow as pa
import pyarrow.compute as pc
from stdnum.eu import vat
from stdnum.exceptions import ValidationError

from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, per_distinct, refused


def read_vat_eu(texts: pa.Array, how: How) -> Parsed:
    """
    Read VAT numbers with their country prefix; blanks, dots, hyphens and case are ignored.

    texts: n tidy strings. Returns n compact numbers, upper case, Greece as ``EL``.
    """
    formed = pc.match_substring_regex(texts, r"^\s*[A-Za-z]{2}[A-Za-z0-9+*.\- /]{2,25}$")
    values = per_distinct(pc.if_else(formed, texts, None), _one, pa.string())
    return Parsed(values, faults("not_an_eu_vat_number", refused(texts, values)))


def _one(text: str) -> str | None:
    """
    Read one number.

    >>> _one("de 136 695 976"), _one("ATU13585627"), _one("DE136695978"), _one("XX1")
    ('DE136695976', 'ATU13585627', None, None)
    """
    with suppress(ValidationError):
        number = str(vat.validate(text.upper().replace("/", "")))
        return "EL" + number[2:] if number.startswith("GR") else number
    return None
