"""Read two columns of texts from JSON or CSV, and say what is wrong with them."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import orjson

from common.wording.messages import Message
from references.value_lists.errors import InvalidValueList
from tabular.protocol.plan import ValueList as Columns

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS = 100_000
MOST_CHARACTERS = 1_000  # of a text, as in the rows of a recipe
MOST_BYTES = 8 * 1024**2  # of a body
NAMED = 100  # rows that one problem lists


def read_json(body: bytes) -> Columns:
    """Read ``{"rows": [["DE", "Germany"]]}``. Raise InvalidValueList."""
    import pyarrow as pa

    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InvalidValueList from error
    rows = given.get("rows") if isinstance(given, dict) and len(given) == 1 else None
    if not isinstance(rows, list):
        raise InvalidValueList
    _refuse_more(len(rows))
    wrong = [n for n, row in enumerate(rows) if not isinstance(row, list) or len(row) != 2]
    if wrong:
        raise _refused((n, Message("invalid_value_list")) for n in wrong[:NAMED])
    try:
        keys, values = (pa.array([row[n] for row in rows], pa.string()) for n in (0, 1))
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:  # a number, a list
        raise InvalidValueList from error
    return _checked(keys, values)


def read_csv(body: bytes) -> Columns:
    """Read lines with a key and a value each, without a header. Raise InvalidValueList."""
    import pyarrow as pa
    from pyarrow import csv

    names = ["key", "value"]
    try:
        table = csv.read_csv(
            BytesIO(body),
            read_options=csv.ReadOptions(column_names=names, use_threads=False),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        ).combine_chunks()
    except pa.ArrowInvalid as error:
        raise InvalidValueList from error
    _refuse_more(len(table))
    keys, values = (column.combine_chunks() for column in table.columns)
    return _checked(keys, values)


def _refuse_more(rows: int) -> None:
    if not 0 < rows <= MOST_ROWS:
        raise InvalidValueList("invalid_value_list.rows", most=MOST_ROWS)


def _checked(keys: pa.Array, values: pa.Array) -> Columns:
    """Return the columns with keys as a lookup compares them: without outer blanks."""
    import pyarrow.compute as pc

    from tabular.types.parsed import tidy  # loads pyarrow

    for texts in (keys, values):
        _refuse_texts(texts)
    keys = tidy(keys)
    _refuse_where(pc.is_null(keys), Message("invalid_value_list.key"))
    seen: dict[str, int] = {}
    twice = [n for n, key in enumerate(keys.to_pylist()) if seen.setdefault(key, n) != n]
    if twice:
        raise _refused(
            (n, Message("invalid_value_list.twice", key=keys[n].as_py())) for n in twice[:NAMED]
        )
    return Columns(tuple(seen), tuple(values.fill_null("").to_pylist()))


def _refuse_texts(texts: pa.Array) -> None:
    import pyarrow.compute as pc

    too_long = pc.fill_null(pc.greater(pc.utf8_length(texts), MOST_CHARACTERS), False)
    _refuse_where(too_long, Message("invalid_value_list.long", most=MOST_CHARACTERS))
    _refuse_where(
        pc.fill_null(pc.match_substring(texts, "\0"), False), Message("invalid_value_list")
    )


def _refuse_where(wrong: Any, message: Message) -> None:
    from tabular.values.arrays import where

    if places := where(wrong)[:NAMED].tolist():
        raise _refused((n, message) for n in places)


def _refused(faults: Any) -> InvalidValueList:
    return InvalidValueList(
        errors=[{"pointer": f"/rows/{n}", "detail": message} for n, message in faults]
    )
