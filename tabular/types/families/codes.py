"""GTIN, IBAN and BIC, VAT numbers, ISO 3166-1 countries. Spec: columnType gtin, iban, vat_eu."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from stdnum.eu import vat
from stdnum.exceptions import ValidationError

from tabular.types.distinct import on_distinct
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.values.arrays import Rows, replaced, where
from tabular.values.vocabularies import alpha_3_codes, country

Bytes = NDArray[np.uint8]


def by_length(texts: pa.Array, rows: Rows) -> Iterator[tuple[Rows, Bytes]]:
    """
    Group ASCII texts by length.

    texts: n strings. rows: the m rows to use, none of them null. Yields rows and their characters,
    one matrix of (rows, length) bytes per length.
    """
    chosen = texts if len(rows) == len(texts) else texts.take(pa.array(rows))
    lengths = pc.binary_length(chosen).to_numpy(zero_copy_only=False)
    for length in np.unique(lengths):
        at = np.flatnonzero(lengths == length)
        fixed = pc.cast(chosen.take(pa.array(at)), pa.binary()).cast(pa.binary(int(length)))
        payload = np.frombuffer(fixed.buffers()[1], np.uint8)
        start = fixed.offset * length
        matrix = payload[start : start + len(at) * length].reshape(len(at), length)
        yield rows[at], matrix


def read_gtin(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read GTINs; blanks and hyphens are ignored, leading zeros kept.

    texts: n tidy strings. Returns n strings of 8, 12, 13 or 14 digits. ``not_a_gtin``: another
    length or other characters. ``gtin_check_digit``: the last digit is wrong.
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


_DECORATION = r"^IBAN:?|[-. \x{00a0}]"
_CLASSES = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}


@cache
def structures() -> dict[str, str]:
    """Return the pattern of each country's IBAN, from the SWIFT registry in python-stdnum."""
    registry = (files("stdnum") / "iban.dat").read_text("utf-8")
    pairs = re.findall(r'^([A-Z]{2}) .*bban="([^"]+)"', registry, re.MULTILINE)
    return {country: f"{country}[0-9]{{2}}{_pattern(bban)}" for country, bban in pairs}


@cache
def _form() -> str:
    return rf"^(?:{'|'.join(structures().values())})$"


def _pattern(bban: str) -> str:
    parts = re.findall(r"([1-9][0-9]*)!([nac])", bban)
    return "".join(f"{_CLASSES[kind]}{{{length}}}" for length, kind in parts)


def read_iban(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
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
    """Return each text, its first four characters moved to the end, as a number modulo 97."""
    plain = (letters[:, 4:] <= ord("9")).all(axis=1)
    total = np.zeros(len(letters), np.int64)
    total[plain] = _of_digits(letters[plain])
    total[~plain] = _one_by_one(letters[~plain])
    return total


def _of_digits(letters: Bytes) -> NDArray[np.int64]:
    """Weigh all characters at once if only the country is letters."""
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


def read_bic(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read BICs of 8 or 11 characters. texts: n tidy strings. Returns n upper-case BICs."""
    upper = pc.replace_substring(pc.ascii_upper(texts), " ", "")
    formed = pc.match_substring_regex(upper, r"^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$")
    countries = pa.array([*alpha_3_codes(), "XK"], pa.string())
    known = pc.is_in(pc.utf8_slice_codeunits(upper, 4, 6), value_set=countries)
    values = pc.if_else(pc.and_(formed, known), upper, None)
    return Parsed(values, faults("not_a_bic", refused(texts, values)))


def read_vat_eu(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
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


def alpha_2(countries: pa.Array) -> pa.Array:
    """
    Return the alpha-2 codes of the values of a country field.

    countries: n alpha-2 or alpha-3 codes, or values of the field's options, which may be of any
    type. Returns n strings, null for what is not the code of exactly one country.
    """
    if pa.types.is_list(countries.type):
        alone = pc.equal(pc.list_value_length(countries), 1)
        rows = where(alone)
        values = pc.list_element(countries.take(pa.array(rows)), 0)
        return replaced(pa.nulls(len(countries), pa.string()), rows, alpha_2(values))
    if not pa.types.is_string(countries.type):
        return pa.nulls(len(countries), pa.string())
    known = pa.array(list(alpha_3_codes().values()), pa.string())
    short = pa.array(list(alpha_3_codes()), pa.string())
    two = pc.if_else(pc.match_substring_regex(countries, "^[A-Z]{2}$"), countries, None)
    return pc.coalesce(short.take(pc.index_in(countries, value_set=known)), two)


def read_alpha_2(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read countries. texts: n tidy strings. Returns n alpha-2 codes."""
    return on_distinct(texts, lambda distinct: _read(distinct, alpha_3=False), parse_options.memory)


def read_alpha_3(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read countries. texts: n tidy strings. Returns n alpha-3 codes."""
    return on_distinct(texts, lambda distinct: _read(distinct, alpha_3=True), parse_options.memory)


def _read(texts: pa.Array, *, alpha_3: bool) -> Parsed:
    def code_of(text: str) -> str | None:
        code = country(text)
        return alpha_3_codes()[code] if code and alpha_3 else code

    values = per_distinct(texts, code_of, pa.string())
    return Parsed(values, faults("not_a_country", refused(texts, values)))
