"""GTIN-8, -12, -13 and -14 (GS1 General Specifications, 7.9). Spec: columnType gtin."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.types.how import How
from tabular.types.matrices import Bytes, by_length
from tabular.types.parsed import Parsed, faults
from tabular.values.arrays import where


def read_gtin(texts: pa.Array, how: How) -> Parsed:
    """
    Read GTINs; blanks and hyphens are ignored, leading zeros kept.

    texts: n tidy strings. Returns n strings of 8, 12, 13 or 14 digits. ``not_a_gtin``: another
    length or other characters. ``gtin_check_digit``: the last digit does not fit.
    """
    digits = pc.replace_substring_regex(texts, r"[ \-\x{00a0}]", "")
    formed = pc.match_substring_regex(digits, r"^(?:[0-9]{8}|[0-9]{12,14})$")
    sound = np.zeros(len(texts), dtype=bool)
    for at, letters in by_length(digits, where(formed)):
        sound[at] = _weighted(letters) % 10 == 0
    values = pc.if_else(pa.array(sound), digits, None)
    malformed = where(pc.and_(pc.is_valid(texts), pc.invert(pc.fill_null(formed, False))))
    unsound = where(pc.and_not(formed, pa.array(sound)))
    return Parsed(values, faults("not_a_gtin", malformed) + faults("gtin_check_digit", unsound))


def _weighted(letters: Bytes) -> NDArray[np.int64]:
    digits = letters.astype(np.int64) - ord("0")
    backwards = digits[:, ::-1]
    total: NDArray[np.int64] = backwards[:, ::2].sum(axis=1) + 3 * backwards[:, 1::2].sum(axis=1)
    return total
