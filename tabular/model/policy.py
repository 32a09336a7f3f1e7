"""Conditions that a file must meet before its rows are read. Spec: contract > policy."""

import codecs
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from encodings.aliases import aliases

from tabular.model.i_json import Noun, Omittable, Positive
from tabular.model.issue import Question
from tabular.model.places import folded_name
from tabular.model.sentences import Sentence, counted


class Policy(Noun):
    """The columns a file must have, how many rows, and in which encodings text may come."""

    required_columns: tuple[str, ...]
    max_rows: Omittable[Positive] = None
    encodings: Omittable[tuple[str, ...]] = None


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a file breaks a policy."""

    code: str  # missing_column, too_many_rows, encoding_refused
    sentence: str
    column: str | None = None


def breaches(
    policy: Policy, *, columns: Sequence[str], rows: int | None, encoding: str | None
) -> Iterator[Breach]:
    """
    Yield how a file breaks a policy.

    columns: the names of its header, compared without regard to case and blanks. rows: None if
    reading ended because there are more than the policy allows. encoding: None for a workbook,
    which has none.

    >>> policy = Policy(required_columns=("Order No",), max_rows=1)
    >>> [b.code for b in breaches(policy, columns=["order  no"], rows=2, encoding="utf-8")]
    ['too_many_rows']
    """
    present = {folded_name(column) for column in columns}
    for column in policy.required_columns:
        if folded_name(column) not in present:
            yield Breach(
                "missing_column",
                Sentence("The column “{column}” is missing.", column=column),
                column,
            )
    if policy.max_rows is not None and (rows is None or rows > policy.max_rows):
        sentence = Sentence(
            "The file has more than the {ROWS} that may be sent.",
            ROWS=counted(policy.max_rows, "row"),
        )
        yield Breach("too_many_rows", sentence)
    if policy.encodings is not None and encoding is not None:
        accepted = policy.encodings
        if codec_name(encoding) not in {codec_name(item) for item in accepted}:
            named = " or ".join(accepted) or "none"
            sentence = Sentence(
                "The file is encoded as {encoding}; accepted: {named}.",
                encoding=encoding,
                named=named,
            )
            yield Breach("encoding_refused", sentence)


def agreed_encoding(
    policy: Policy, *, encoding: str | None, questions: Iterable[Question]
) -> str | None:
    """
    Return the encoding that the policy requires instead, if reading asks and offers a fitting one.

    encoding: the file's current encoding. Returns None if there is nothing to change.
    """
    agreed = {codec_name(item) for item in policy.encodings or ()}
    if not agreed or encoding is None or codec_name(encoding) in agreed:
        return None
    offered = (c.value for q in questions if q.kind == "encoding" for c in q.candidates)
    return next((value for value in offered if codec_name(value) in agreed), None)


def header_breach(expected: int | None, actual: int | None) -> Breach | None:
    """Return a breach if a header is not in the agreed row; rows count from 0 here."""
    if expected is None or actual == expected:
        return None
    row = str(expected + 1)
    if actual is None:
        template = "The file has no header row; it is expected in row {n1}."
        return Breach("header_row_differs", Sentence(template, n1=row))
    template = "The header is in row {n1}; it is expected in row {n2}."
    return Breach("header_row_differs", Sentence(template, n1=str(actual + 1), n2=row))


def named_columns(
    mapping: Mapping[str, str], columns: Sequence[str], *, made: Collection[str] = ()
) -> tuple[dict[str, str], list[str]]:
    """
    Adapt a mapping to a header that may differ in case and blanks.

    made: columns that a recipe makes, which no header has. Returns the mapping in the words of the
    header, and the missing names.

    >>> named_columns({"Order No": "o.no", "Mail": "o.mail"}, ["order no"])
    ({'order no': 'o.no'}, ['Mail'])
    """
    by_fold = {folded_name(column): column for column in reversed(columns)}
    exact = {*columns, *made}
    path_by_column: dict[str, str] = {}
    missing: list[str] = []
    for column, path in mapping.items():
        name = column if column in exact else by_fold.get(folded_name(column))
        if name is None:
            missing.append(column)
        else:
            path_by_column[name] = path
    return path_by_column, missing


def codec_name(encoding: str) -> str:
    """
    Return the canonical name of an encoding; an unknown name stays as it is.

    >>> codec_name("UTF8"), codec_name("windows-1252"), codec_name("utf-8-sig")
    ('utf-8', 'cp1252', 'utf-8')
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return encoding.casefold()
    return "utf-8" if name == "utf-8-sig" else name  # a byte order mark changes nothing


def encoding_names() -> list[str]:
    """
    Return the canonical names of all text encodings, in order.

    >>> names = encoding_names()
    >>> "utf-8" in names, "cp1252" in names, "hex" in names
    (True, True, False)
    """
    known = {codec_name(alias) for alias in aliases.values() if is_encoding(alias)}
    return sorted(known)


def is_encoding(name: str) -> bool:
    """Return whether a name is that of a text encoding."""
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False
