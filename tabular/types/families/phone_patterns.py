"""libphonenumber's own patterns as array kernels, for notations that need no parsing."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import phonenumbers
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from phonenumbers import PhoneMetadata

from tabular.values.arrays import Rows, replaced, where


def without(texts: pa.Array, characters: bytes) -> pa.Array:
    """
    Remove some ASCII characters; twice as fast as a regular expression.

    texts: n strings. Returns n strings.

    >>> without(pa.array(["a b-c", None, ""]), b" -").to_pylist()
    ['abc', None, '']
    """
    _, offsets, payload = texts.buffers()
    if payload is None or not len(texts):
        return texts
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(payload, np.uint8)[bounds[0] : bounds[-1]]
    kept = _kept(characters)[letters]
    before = np.zeros(len(letters) + 1, np.int32)
    np.cumsum(kept, dtype=np.int32, out=before[1:])
    shorter = before[bounds - bounds[0]]
    return pa.StringArray.from_buffers(
        len(texts), pa.py_buffer(shorter), pa.py_buffer(letters[kept]), _validity(texts)
    )


@cache
def _kept(characters: bytes) -> NDArray[np.bool_]:
    kept = np.ones(256, dtype=bool)
    kept[list(characters)] = False
    return kept


def _validity(texts: pa.Array) -> pa.Buffer | None:
    return pc.is_valid(texts).buffers()[1] if texts.null_count else None


Mask = NDArray[np.bool_]

_KINDS = (
    "fixed_line",
    "mobile",
    "toll_free",
    "premium_rate",
    "shared_cost",
    "personal_number",
    "voip",
    "pager",
    "uan",
    "voicemail",
)
_PLAIN = r"^\(?[+]?[0-9][0-9 ()/.\-]{3,24}$"


@dataclass(frozen=True, slots=True)
class Written:
    """
    Numbers as they are written.

    texts: n strings. digits: n strings, ``+`` and digits of the plain notations, null for others.
    """

    texts: pa.Array
    digits: pa.Array


def written(texts: pa.Array) -> Written:
    """Remove the punctuation of plain notations. texts: n strings."""
    plain = pc.and_not(pc.match_substring_regex(texts, _PLAIN), pc.match_substring(texts, "(0)"))
    return Written(texts, without(pc.if_else(plain, texts, None), b" ()/.-"))


@dataclass(frozen=True)
class Regions:
    """The country of each row. names: k ISO alpha-2 codes. codes: n numbers into them."""

    names: tuple[str | None, ...]
    codes: NDArray[np.int64]
    default: int = 0

    @cached_property
    def dial_00(self) -> Mask:
        """Which rows' countries dial ``00`` before another country's code."""
        by_region = [
            PhoneMetadata.metadata_for_region(name) if name else None for name in self.names
        ]
        dial = [
            metadata is not None and metadata.international_prefix == "00" for metadata in by_region
        ]
        return np.array(dial, dtype=bool)[self.codes]


def with_plus(numbers: Written, regions: Regions) -> Written:
    """Replace ``00`` with ``+`` if the row's country dials abroad that way."""
    rows = where(pc.and_(pc.starts_with(numbers.digits, "00"), pa.array(regions.dial_00)))
    rest = pc.utf8_slice_codeunits(numbers.digits.take(pa.array(rows)), 2)
    plus = pc.binary_join_element_wise("+", rest, "")
    return Written(numbers.texts, replaced(numbers.digits, rows, plus))


def international(numbers: Written) -> tuple[pa.Array, Rows]:
    """
    Read the numbers that begin with ``+`` and their country.

    Returns n strings as E.164, null for an invalid number, and the rows that remain to be read in a
    country.
    """
    begins = pc.fill_null(pc.starts_with(numbers.digits, "+"), False)
    rows = where(begins)
    numbers_read, undecided = _abroad(numbers.digits.take(pa.array(rows)))
    values = replaced(pa.nulls(len(begins), pa.string()), rows, numbers_read)
    decided = np.zeros(len(begins), dtype=bool)
    decided[rows] = ~undecided
    missing = numbers.texts.is_null().to_numpy(zero_copy_only=False)
    return values, np.flatnonzero(~decided & ~missing).astype(np.int64)


def _abroad(digits: pa.Array) -> tuple[pa.Array, Mask]:
    valid, undecided = np.zeros(len(digits), dtype=bool), np.zeros(len(digits), dtype=bool)
    heads = pc.utf8_slice_codeunits(digits, 1, 4).dictionary_encode()
    calling = [_calling_code(head) for head in heads.dictionary.to_pylist()]
    codes = np.array([code or 0 for code in calling], np.int64)[heads.indices.to_numpy()]
    for code in sorted({code for code in calling if code}):
        rows = np.flatnonzero(codes == code).astype(np.int64)
        chosen = digits.take(pa.array(rows))
        good = pc.match_substring_regex(chosen, rf"^\+{code}(?:{valid_pattern(code)})$")
        rest = where(pc.invert(good))
        prefixed = rf"^\+{code}(?:{_prefixes(code)})"
        again = where(pc.match_substring_regex(chosen.take(pa.array(rest)), prefixed))
        valid[rows[where(good)]] = True
        undecided[rows[rest[again]]] = True
    return pc.if_else(pa.array(valid), digits, None), undecided


def in_country(digits: pa.Array, region: str | None) -> tuple[pa.Array, pa.Array]:
    """
    Read numbers of one country, as they are dialled there.

    digits: n strings, null for what is not plain. region: ISO alpha-2. Returns n strings as E.164,
    null for an invalid number, and n booleans: the library must decide.
    """
    metadata = PhoneMetadata.metadata_for_region(region) if region else None
    odd = pc.or_kleene(pc.is_null(digits), pc.starts_with(digits, "+"))
    if metadata is None or not _has_plain_prefix(metadata):
        decided = pc.invert(odd) if metadata is None else pa.array(np.zeros(len(digits), bool))
        return pa.nulls(len(digits), pa.string()), pc.invert(decided)
    code, prefix = metadata.country_code, metadata.national_prefix or ""
    begins = pc.starts_with(digits, prefix) if prefix else pa.scalar(False)
    bare = pc.if_else(begins, pc.utf8_slice_codeunits(digits, len(prefix)), digits)
    good = pc.match_substring_regex(bare, rf"^(?:{valid_pattern(code)})$")
    values = pc.binary_join_element_wise(f"+{code}", pc.if_else(good, bare, None), "")
    others = [code, metadata.international_prefix, *_other_prefixes(metadata)]
    begins = "|".join(str(other) for other in others if other)
    ways = rf"^(?:\+|{begins})|^(?:{valid_pattern(code)})$"
    rest = where(pc.is_null(values))
    maybe = pc.match_substring_regex(digits.take(pa.array(rest)), ways)
    undecided = pa.array(np.zeros(len(digits), dtype=bool))
    undecided = replaced(undecided, rest, pc.fill_null(maybe, True))
    return values, undecided


def _has_plain_prefix(metadata: PhoneMetadata) -> bool:
    """Return whether a national number is its prefix, written or not, and the number as it is."""
    known = (metadata.national_prefix_for_parsing or "").split("|")
    plain = metadata.national_prefix_for_parsing is None or metadata.national_prefix in known
    return plain and not metadata.national_prefix_transform_rule


def _other_prefixes(metadata: PhoneMetadata) -> list[str]:
    known = (metadata.national_prefix_for_parsing or "").split("|")
    return [prefix for prefix in known if prefix and prefix != metadata.national_prefix]


def _calling_code(head: str) -> int | None:
    codes = phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    starts = [int(head[:n]) for n in range(1, len(head) + 1)]
    return next((start for start in starts if start in codes), None)


def _metadata(calling_code: int) -> list[PhoneMetadata]:
    regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE[calling_code]
    if regions[0] == "001":
        known = [PhoneMetadata.metadata_for_nongeo_region(calling_code)]
    else:
        known = [PhoneMetadata.metadata_for_region(region) for region in regions]
    return [metadata for metadata in known if metadata]


@cache
def valid_pattern(calling_code: int) -> str:
    """Join the library's patterns of valid numbers for one calling code."""
    kinds = [getattr(region, kind) for region in _metadata(calling_code) for kind in _KINDS]
    return _any_of([kind.national_number_pattern for kind in kinds if kind])


@cache
def _prefixes(calling_code: int) -> str:
    return _any_of([region.national_prefix_for_parsing for region in _metadata(calling_code)])


def _any_of(patterns: list[str | None]) -> str:
    return "|".join(dict.fromkeys(f"(?:{p})" for p in patterns if p)) or r"[^\s\S]"
