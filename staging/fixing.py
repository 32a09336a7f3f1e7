"""Fix one group of issues at once: read the texts another way, set them, or leave the rows out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from common.errors import InvalidRequest
from staging import arrays
from staging.columns import StagedTable
from staging.issues import issues_now
from staging.rewriting import BulkChanges
from staging.texts import Texts, whole_texts

if TYPE_CHECKING:
    from staging.arrays import Rows

Reading = Literal["dmy", "mdy", "ymd", "eu", "us"]
READINGS: tuple[Reading, ...] = ("dmy", "mdy", "ymd", "eu", "us")
_ORDERS = frozenset({"dmy", "mdy", "ymd"})
_DATES = frozenset({"date", "datetime"})
_NUMBERS = frozenset({"int", "float", "percentage", "currency_eur", "currency_usd"})


class UnfitFix(InvalidRequest):
    """The fix does not go with the field."""

    code = "unfit_fix"


@dataclass(frozen=True, slots=True)
class Fix:
    """One of: read the texts as ``read_as`` says, set ``text``, or leave the rows out."""

    read_as: Reading | None = None
    text: str | None = None
    exclude: bool = False


@dataclass(frozen=True, slots=True)
class Fixable:
    """What a fix would do: how many cells of how many it gives a value, and the changes."""

    of: int
    fixes: int
    changes: BulkChanges


def fix_group(table: StagedTable, *, field: str, code: str, fix: Fix) -> Fixable:
    """Work out a fix of the rows, not left out, that have an issue of a code at a field."""
    import numpy as np
    import pyarrow as pa

    rows = _rows(table, field, code)
    nothing = np.zeros(0, np.int64)
    if fix.exclude:
        return Fixable(len(rows), len(rows), BulkChanges({}, exclude=rows, include=nothing))
    if fix.read_as is None:
        found = Texts(rows, pa.array([fix.text] * len(rows), pa.string()))
    else:
        found = _read_again(table, field, fix.read_as, rows)
    texts = {field: found} if len(found) else {}
    return Fixable(len(rows), len(found), BulkChanges(texts, exclude=nothing, include=nothing))


def _rows(table: StagedTable, field: str, code: str) -> Rows:
    import numpy as np
    import pyarrow.compute as pc

    issues = issues_now(table)
    wanted = pc.and_(pc.equal(issues.column("field"), field), pc.equal(issues.column("code"), code))
    rows: Rows = np.unique(issues.column("row").to_numpy()[wanted.to_numpy()])
    return rows[~table.is_excluded[rows]]


def _read_again(table: StagedTable, path: str, read_as: Reading, rows: Rows) -> Texts:
    """Read the texts with another order or separator; keep what that gives a value for."""
    from tabular.types.canonical import canonical_texts
    from tabular.types.registry import read_column
    from tabular.values.arrays import where

    origin = table.files.origin
    column_type = origin.plan.fields[path].column_type
    if origin.settled.hows[path].options or column_type not in (
        _DATES if read_as in _ORDERS else _NUMBERS
    ):
        sentence = f"A field of type {column_type} cannot be read as {read_as}."
        raise UnfitFix(sentence, errors=[{"pointer": "/readAs", "detail": sentence}])
    settled = origin.settled.hows[path]
    match read_as:
        case "eu" | "us":
            how = replace(settled, number_format=read_as)
        case "dmy" | "mdy" | "ymd":
            how = replace(settled, date_order=read_as)
    values = read_column(arrays.take(whole_texts(table, path), rows), column_type, how).values
    at = where(values.is_valid())
    return Texts(rows[at], canonical_texts(values.take(at), column_type, settled))
