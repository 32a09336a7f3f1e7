"""IBAN (ISO 13616) and BIC (ISO 9362). Spec: columnType iban, bic."""

import re
from functools import cache
from importlib.resources import files

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.types.how import How
from tabular.types.matrices import Bytes, by_length
from tabular.types.parsed import Parsed, faults, refused
from tabular.values.arrays import replaced, where
from tabular.values.vocabularies import alpha_3_codes

_DECORATION = r"^IBAN:?|[-. \x{00a0}]"
_CLASSES = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}


@cache
def structures() -> dict[str, str]:
    """Give the pattern of each country's IBAN, from the SWIFT registry in python-stdnum."""
    registry = (files("stdnum") / "iban.dat").read_text("utf-8")
    found = re.findall(r'^([A-Z]{2}) .*bban="([^"]+)"', registry, re.MULTILINE)
    return {country: f"{country}[0-9]{{2}}{_pattern(bban)}" for country, bban in found}


@cache
def _form() -> str:
    return rf"^(?:{'|'.join(structures().values())})$"


def _pattern(bban: str) -> str:
    parts = re.findall(r"([1-9][0-9]*)!([nac])", bban)
    return "".join(f"{_CLASSES[kind]}{{{length}}}" for length, kind in parts)


def read_iban(texts: pa.Array, how: How) -> Parsed:
    """
    Read IBANs; spaces, hyphens, dots, case and a leading ``IBAN`` are ignored.

    texts: n tidy strings. Returns n compact IBANs. ``not_an_iban``: unknown country, length or
    characters. ``iban_check_digits``: the right form, but ISO 7064 mod 97-10 fails.
    """
    compact = pc.ascii_upper(pc.replace_substring(texts, " ", ""))
    formed = pc.match_substring_regex(compact, _form())
    if len(rest := refused(texts, pc.if_else(formed, compact, None))):
        bare = pc.replace_substring_regex(compact.take(pa.array(rest)), _DECORATION, "")
        compact = replaced(compact, rest, bare)
        formed = pc.match_substring_regex(compact, _form())
    sound = _mod_97_is_one(compact, where(formed))
    values = pc.if_else(pa.array(sound), compact, None)
    malformed = where(pc.and_(pc.is_valid(texts), pc.invert(pc.fill_null(formed, False))))
    unsound = where(pc.and_not(formed, pa.array(sound)))
    return Parsed(values, faults("not_an_iban", malformed) + faults("iban_check_digits", unsound))


def _mod_97_is_one(texts: pa.Array, rows: np.ndarray) -> np.ndarray:
    sound = np.zeros(len(texts), dtype=bool)
    for at, letters in by_length(texts, rows):
        sound[at] = _remainders(letters) == 1
    return sound


def _remainders(letters: Bytes) -> NDArray[np.int64]:
    """Take the text with its first four characters moved to the end as a number modulo 97."""
    plain = (letters[:, 4:] <= ord("9")).all(axis=1)
    total = np.zeros(len(letters), np.int64)
    total[plain] = _of_digits(letters[plain])
    total[~plain] = _one_by_one(letters[~plain])
    return total


def _of_digits(letters: Bytes) -> NDArray[np.int64]:
    """Weigh all characters at once where only the country is letters."""
    count = letters.shape[1] - 4
    powers = [pow(10, exponent, 97) for exponent in range(count + 5, 5, -1)]
    country, check = [pow(10, 4, 97), pow(10, 2, 97)], [10, 1]
    weights = np.array([*country, *check, *powers], np.int32)
    shifts = np.array([55, 55] + [48] * (count + 2), np.int32)  # A is 10, the digit 0 is 0
    # einsum and not @: BLAS would start threads that spin for longer than this takes.
    weighed = np.einsum("ij,j->i", letters.astype(np.int32), weights) - int(
        (shifts * weights).sum()
    )
    remainders: NDArray[np.int64] = (weighed % 97).astype(np.int64)
    return remainders


def _one_by_one(letters: Bytes) -> NDArray[np.int64]:
    total = np.zeros(len(letters), np.int64)
    for column in np.roll(np.arange(letters.shape[1]), -4):
        values = letters[:, column].astype(np.int64) - ord("0")
        is_letter = values > 9
        values[is_letter] -= 7
        total = (total * np.where(is_letter, 100, 10) + values) % 97
    return total


def read_bic(texts: pa.Array, how: How) -> Parsed:
    """Read BICs of 8 or 11 characters. texts: n tidy strings. Returns n upper-case BICs."""
    upper = pc.replace_substring(pc.ascii_upper(texts), " ", "")
    formed = pc.match_substring_regex(upper, r"^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$")
    countries = pa.array([*alpha_3_codes(), "XK"], pa.string())
    known = pc.is_in(pc.utf8_slice_codeunits(upper, 4, 6), value_set=countries)
    values = pc.if_else(pc.and_(formed, known), upper, None)
    return Parsed(values, faults("not_a_bic", refused(texts, values)))
