"""Free text and postcodes. Spec: columnType string, zip_code_de."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, refused


def read_string(texts: pa.Array, how: How) -> Parsed:
    """Keep the text, without outer white space. texts: n tidy strings. Returns the same."""
    return Parsed(texts)


def read_zip_code_de(texts: pa.Array, how: How) -> Parsed:
    """
    Read German postcodes: five digits, from 01001 on.

    texts: n tidy strings, with or without ``D-`` or ``DE-`` in front; a lost leading zero (a
    spreadsheet's doing) is put back. Returns n strings of five digits.
    """
    bare = pc.replace_substring_regex(texts, r"(?i)^DE?[- ]+", "")
    padded = pc.if_else(pc.match_substring_regex(bare, r"^[1-9][0-9]{3}$"), _zero(bare), bare)
    good = pc.match_substring_regex(padded, r"^(0[1-9]|[1-9][0-9])[0-9]{3}$")
    values = pc.if_else(good, padded, None)
    return Parsed(values, faults("not_a_german_postcode", refused(texts, values)))


def _zero(texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise("0", texts, "")
