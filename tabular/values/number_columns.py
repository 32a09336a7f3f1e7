"""Numbers in columns of texts: the grammar of ``numbers`` as array kernels."""

from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.values.arrays import replaced, where
from tabular.values.numbers import BARE, GRAMMAR, GROUP, NumberFormat, form, is_stranger
from tabular.values.signs import any_currency

# Digits, and what is on either side of them without a digit of its own.
_SHELL = r"^(?P<left>[^0-9]*)(?P<digits>[0-9][0-9.,]*)(?P<right>(?:[^0-9.,][^0-9]*)?)$"
_LEAST_ALIKE = 4  # texts with the same shell, on average
_MOST_KNOWN = 10_000  # shells whose numbers are kept


def fits(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """Return which plain texts follow the grammar of a format. texts: n strings. Returns n bool."""
    return pc.match_substring_regex(texts, GRAMMAR[fmt])


def plain(
    texts: pa.Array, *, signs: str | None = None, whole: bool = False, currency: str = ""
) -> pa.Array:
    """
    Remove signs and decorations, leaving digits, separators, a leading sign and an exponent.

    texts: n tidy strings. signs: alternatives (RE2) of what may precede or follow a number; any
    currency if none are given. whole: a minus after the digits is refused (``12-`` is rather an
    unfinished range). currency: a code that counts, though it is a word as well (``ALL``). A text
    that is not a number is returned unchanged.
    """
    rest = where(pc.invert(pc.match_substring_regex(texts, BARE)))
    rest = rest[where(pc.match_substring_regex(texts.take(pa.array(rest)), "[0-9]"))]
    if not len(rest):
        return texts
    some = texts.take(pa.array(rest))
    bare = _by_shell(some, signs or any_currency(), currency, whole=whole)
    return replaced(texts, rest, pc.coalesce(bare, some))


def _by_shell(texts: pa.Array, signs: str, currency: str, *, whole: bool) -> pa.Array:
    """
    Return plain numbers, null for texts that are none. The pattern of all signs is slow.

    So it sees each distinct shell once, which is what is around the digits: ``1 €`` of ``12,50 €``.
    """
    parts = pc.extract_regex(texts, _SHELL)
    left, digits, right = (pc.struct_field(parts, name) for name in ("left", "digits", "right"))
    is_one = pc.invert(pc.fill_null(_ends_with_a_mark(left, digits), True))
    shells = pc.if_else(is_one, pc.binary_join_element_wise(left, "1", right, ""), None)
    encoded = shells.dictionary_encode()
    if encoded.null_count == len(texts) or len(encoded.dictionary) > len(texts) // _LEAST_ALIKE:
        return _undecorated(texts, signs, currency, whole=whole)
    plain_shells = _plain_shells(encoded.dictionary, signs, currency, whole=whole)
    before = pc.utf8_slice_codeunits(plain_shells, 0, stop=-1)  # without the digit
    joined = pc.binary_join_element_wise(before.take(encoded.indices), digits, "")
    others = where(pc.invert(is_one))
    if not len(others):
        return joined
    some = texts.take(pa.array(others))
    return replaced(joined, others, _undecorated(some, signs, currency, whole=whole))


def _plain_shells(shells: pa.Array, signs: str, currency: str, *, whole: bool) -> pa.Array:
    """Return plain numbers of shells; one batch of a column has those of the batch before."""
    known = _known_shells(signs, currency, whole)
    texts = shells.to_pylist()
    new = [text for text in texts if text not in known]
    if not new:
        return pa.array(map(known.get, texts), pa.string())
    bare = _undecorated(pa.array(new, pa.string()), signs, currency, whole=whole).to_pylist()
    fresh = dict(zip(new, bare, strict=True))
    if len(known) < _MOST_KNOWN:
        known.update(fresh)
    return pa.array([fresh.get(text) or known.get(text) for text in texts], pa.string())


@lru_cache(maxsize=64)
def _known_shells(signs: str, currency: str, whole: bool) -> dict[str, str | None]:
    return {}


def _ends_with_a_mark(left: pa.Array, digits: pa.Array) -> pa.Array:
    """Return where a mark may belong to the digits or to the sign next to them."""
    pattern = "[.,]$"
    return pc.or_(
        pc.match_substring_regex(left, pattern), pc.match_substring_regex(digits, pattern)
    )


def _undecorated(texts: pa.Array, signs: str, currency: str, *, whole: bool) -> pa.Array:
    """Return plain numbers, null for texts that are none."""
    parts = pc.extract_regex(texts, form(signs))
    before, inner, open_, close, behind, last = (
        pc.struct_field(parts, name)
        for name in ("before", "inner", "open", "close", "behind", "last")
    )
    trailing = pc.binary_join_element_wise(behind, last, "")
    marks = pc.binary_join_element_wise(before, inner, open_, trailing, "")
    good = pc.and_(
        pc.less_equal(pc.utf8_length(pc.utf8_trim(marks, " ")), 1),
        pc.equal(pc.binary_length(open_), pc.binary_length(close)),
    )
    if whole:
        good = pc.and_(good, pc.equal(pc.binary_length(trailing), 0))
    good = pc.and_(good, pc.invert(_with_a_stranger(parts, currency)))
    bare = pc.equal(pc.binary_length(marks), 0)
    minus = pc.if_else(bare, "", pc.if_else(pc.equal(marks, "+"), "+", "-"))
    digits = pc.replace_substring_regex(pc.struct_field(parts, "digits"), GROUP, "")
    joined = pc.binary_join_element_wise(minus, digits, pc.struct_field(parts, "exponent"), "")
    return pc.if_else(good, joined, None)


def _with_a_stranger(parts: pa.StructArray, known: str) -> pa.Array:
    """
    Return which numbers have a sign twice, or three adjacent capitals that are not a currency.
    """
    signs = [pc.struct_field(parts, name) for name in ("s1", "s2", "s3", "s4")]
    filled = [pc.greater(pc.binary_length(sign), 0) for sign in signs]
    strange = pc.or_(pc.and_(filled[0], filled[1]), pc.and_(filled[2], filled[3]))
    for sign in signs:
        texts = sign.unique().drop_null().to_pylist()
        unknown = [text for text in texts if is_stranger(text, known)]
        if unknown:
            strange = pc.or_(strange, pc.is_in(sign, value_set=pa.array(unknown, pa.string())))
    return strange


def decimal_texts(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """
    Normalise to ``-1234.56``.

    texts: n plain strings. Returns n strings, null if the grammar of ``fmt`` is broken.
    """
    good = pc.if_else(fits(texts, fmt), texts, None)
    group, mark = (".", ",") if fmt == "eu" else (",", ".")
    good = pc.replace_substring(good, group, "")
    if mark != ".":
        good = pc.replace_substring(good, mark, ".")
    if pc.any(pc.starts_with(good, "+")).as_py():
        good = pc.utf8_ltrim(good, characters="+")
    return good
