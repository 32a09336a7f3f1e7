"""What a file must be before its rows are looked at. Spec: contract > policy."""

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabular.model.noun import Noun, Omittable, Positive


class Policy(Noun):
    """The columns a file must have, how many rows, and in which encodings text may come."""

    required_columns: tuple[str, ...]
    max_rows: Omittable[Positive] = None
    encodings: Omittable[tuple[str, ...]] = None


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a file does not keep a policy."""

    code: str  # missing_column, too_many_rows, encoding_refused
    sentence: str
    column: str | None = None


def breaches(
    policy: Policy, *, columns: Sequence[str], rows: int, encoding: str | None
) -> Iterator[Breach]:
    """
    Find how a file breaks a policy.

    columns: the names of its header, compared without regard to case and blanks. encoding: None
    for a workbook, which has none.

    >>> policy = Policy(required_columns=("Order No",), max_rows=1)
    >>> [b.code for b in breaches(policy, columns=["order  no"], rows=2, encoding="utf-8")]
    ['too_many_rows']
    """
    present = {folded(column) for column in columns}
    for column in policy.required_columns:
        if folded(column) not in present:
            yield Breach("missing_column", f"The column “{column}” is missing.", column)
    if policy.max_rows is not None and rows > policy.max_rows:
        sentence = f"The file has {rows:,} rows; at most {policy.max_rows:,} are accepted."
        yield Breach("too_many_rows", sentence)
    if policy.encodings is not None and encoding is not None:
        accepted = policy.encodings
        if codec_name(encoding) not in {codec_name(one) for one in accepted}:
            named = " or ".join(accepted) or "none"
            sentence = f"The file is encoded as {encoding}; accepted: {named}."
            yield Breach("encoding_refused", sentence)


def folded(column: str) -> str:
    """
    Give a column's name without regard to case and blanks.

    >>> folded(" Order  No ")
    'order no'
    """
    return " ".join(column.casefold().split())


def codec_name(encoding: str) -> str:
    """
    Give the one name of an encoding; a name nobody knows stays as it is.

    >>> codec_name("UTF8"), codec_name("windows-1252"), codec_name("utf-8-sig")
    ('utf-8', 'cp1252', 'utf-8')
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return encoding.casefold()
    return "utf-8" if name == "utf-8-sig" else name  # a byte order mark is no other encoding


def is_encoding(name: str) -> bool:
    """Whether a name is that of an encoding of text."""
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False
