"""Fix one group of issues at once, and offer fixes with the number of rows each would fix."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from common.errors import Conflict
from common.wording.messages import Message
from staging import arrays
from staging.changes import UNLIMITED, Effort, refuse_larger
from staging.columns import StagedTable
from staging.edits.rewrite import BulkChanges
from staging.edits.texts import Texts, batches_of_texts, joined
from staging.issues import IssueGroup, issues_now, summarised

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from tabular.types.parse_options import ParseOptions


Reading = Literal["dmy", "mdy", "ymd", "eu", "us"]
READINGS: tuple[Reading, ...] = ("dmy", "mdy", "ymd", "eu", "us")
ORDERS = frozenset({"dmy", "mdy", "ymd"})
DATES = frozenset({"date", "datetime"})
NUMBERS = frozenset({"int", "float", "percentage", "currency_eur", "currency_usd"})


class UnfitFix(Conflict):
    """The fix does not apply to this field."""

    code = "unfit_fix"


@dataclass(frozen=True, slots=True)
class Fix:
    """One of: read the texts as ``read_as`` says, set ``text``, or exclude the rows."""

    read_as: Reading | None = None
    text: str | None = None
    exclude: bool = False

    @property
    def details(self) -> dict[str, Any]:
        """Which of them it is, as a revision stores it."""
        if self.exclude:
            return {"exclude": True}
        return {"text": self.text} if self.read_as is None else {"readAs": self.read_as}


@dataclass(frozen=True, slots=True)
class Fixable:
    """The effect of a fix: how many of how many cells get a value, and the changes."""

    of: int
    fixes: int
    changes: BulkChanges


def fix_group(
    table: StagedTable, *, field: str, code: str, fix: Fix, effort: Effort = UNLIMITED
) -> BulkChanges:
    """
    Prepare a fix of the rows, without excluded ones, that have an issue of a code at a field.

    Raise BeyondEffort if there are more rows than the effort allows.
    """
    rows = _rows(table, field, code)
    if fix.read_as is not None:
        _refuse_unfit(table, field, fix.read_as)
    effort.refuse_changing(len(rows))
    if fix.exclude:
        return _changes({}, exclude=rows)
    if fix.read_as is None:
        return _changes({field: _same_text(fix.text, rows)} if len(rows) else {})
    parts = [part for part in _read_again(table, field, fix.read_as, rows, effort) if len(part)]
    return _changes({field: joined(parts)} if parts else {})


def count_fix(table: StagedTable, *, field: str, code: str, fix: Fix, samples: int) -> Fixable:
    """Count what ``fix_group`` would change, and prepare the first of these changes."""
    rows = _rows(table, field, code)
    if fix.exclude:
        return Fixable(len(rows), len(rows), _changes({}, exclude=rows))
    if fix.read_as is None:
        refuse_larger(len(fix.text or "") * len(rows))
        first = _same_text(fix.text, rows[:samples])
        return Fixable(len(rows), len(rows), _changes({field: first} if len(rows) else {}))
    fixes, first_parts = 0, []
    for part in _read_again(table, field, fix.read_as, rows, UNLIMITED):
        if len(part) and fixes < samples:
            first_parts.append(part)
        fixes += len(part)
    return Fixable(len(rows), fixes, _changes({field: joined(first_parts)} if fixes else {}))


def _changes(texts: dict[str, Texts], *, exclude: Rows | None = None) -> BulkChanges:
    import numpy as np

    nothing = np.zeros(0, np.int64)
    return BulkChanges(texts, exclude=nothing if exclude is None else exclude, include=nothing)


def _same_text(text: str | None, rows: Rows) -> Texts:
    import pyarrow as pa

    refuse_larger(len(text or "") * len(rows))
    return Texts(rows, pa.repeat(pa.scalar(text, pa.string()), len(rows)))


def read_as(inferred: ParseOptions, reading: Reading) -> ParseOptions:
    """Return how a field is read, with another date order or number format."""
    match reading:
        case "eu" | "us":
            return replace(inferred, number_format=reading)
        case "dmy" | "mdy" | "ymd":
            return replace(inferred, date_order=reading)


def _rows(table: StagedTable, field: str, code: str) -> Rows:
    import pyarrow.compute as pc

    issues = issues_now(table)
    wanted = pc.and_(pc.equal(issues.column("field"), field), pc.equal(issues.column("code"), code))
    rows = arrays.ascending(issues.column("row").to_numpy()[wanted.to_numpy()])
    return rows[~table.is_excluded[rows]]


def _refuse_unfit(table: StagedTable, path: str, reading: Reading) -> None:
    """Raise UnfitFix if the field does not support the reading."""
    files = table.files
    column_type = files.plan.fields[path].column_type
    if files.inferred.parse_options[path].options or column_type not in (
        DATES if reading in ORDERS else NUMBERS
    ):
        unfit = Message("unfit_fix.type", type=str(column_type), reading=reading)
        raise UnfitFix(unfit, errors=[{"pointer": "/readAs", "detail": unfit}])


def _read_again(
    table: StagedTable, path: str, reading: Reading, rows: Rows, effort: Effort
) -> Iterator[Texts]:
    """Read the texts with another order or separator, and yield those that then have a value."""
    from tabular.types.canonical import canonical_texts
    from tabular.types.registry import read_column
    from tabular.values.arrays import where

    _refuse_unfit(table, path, reading)
    files = table.files
    column_type = files.plan.fields[path].column_type
    inferred = files.inferred.parse_options[path]
    parse_options = read_as(inferred, reading)
    for batch in batches_of_texts(table, [path], rows):
        for _, texts in batch.columns():
            values = read_column(texts, column_type, parse_options).values
            at = where(values.is_valid())
            yield Texts(batch.rows[at], canonical_texts(values.take(at), column_type, inferred))
        effort.note("finding", batch.end, table.row_count)


EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Offer:
    """One fix. how: the members of ``rows/fix`` that apply it; mends: rows it fixes."""

    how: dict[str, Any]
    mends: int
    examples: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Offered:
    """A group of issues and the fixes for it, the most effective first."""

    group: IssueGroup
    fixes: list[Offer]


def offers(table: StagedTable, locked: Collection[str] = ()) -> list[Offered]:
    """Return the fixes for every group of issues at a field; locked: fields that keep values."""
    issues = issues_now(table)
    return [
        Offered(group, _fixes(table, issues, group, is_locked=group.field in locked))
        for group in summarised(table)
    ]


def _fixes(
    table: StagedTable, issues: pa.Table, group: IssueGroup, *, is_locked: bool
) -> list[Offer]:
    rows, texts = _cells(table, issues, group)
    meanings = [] if is_locked else list(_readings(table, group, rows, texts))
    if not is_locked and group.severity == "error" and _may_be_empty(table, group.field):
        shown = [_example(row, text, None) for row, text in _first(rows, texts)]
        meanings.append(Offer({"text": None}, len(rows), shown))
    left_out = [_example(row, text, None) for row, text in _first(rows, texts)]
    meanings.append(Offer({"exclude": True}, len(rows), left_out))
    return sorted(
        meanings, key=lambda offer: (len(offer.how) and "exclude" in offer.how, -offer.mends)
    )


def _cells(table: StagedTable, issues: pa.Table, group: IssueGroup) -> tuple[Rows, pa.Array]:
    """Return the distinct rows of a group, without excluded ones, and the text at issue in each."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pc.and_(
        pc.equal(issues.column("field"), group.field), pc.equal(issues.column("code"), group.code)
    )
    mine = issues.filter(wanted)
    rows, first = np.unique(mine.column("row").to_numpy(), return_index=True)
    kept = ~table.is_excluded[rows]
    texts = mine.column("value").take(pa.array(first[kept])).combine_chunks()
    return rows[kept], texts.cast(pa.string())


def _readings(
    table: StagedTable, group: IssueGroup, rows: Rows, texts: pa.Array
) -> Iterator[Offer]:
    """Try the field's other readings on the distinct texts that have the issue."""
    import pyarrow.compute as pc

    from tabular.types.canonical import canonical_texts
    from tabular.types.registry import read_column

    files = table.files
    column_type = files.plan.fields[group.field].column_type
    inferred = files.inferred.parse_options[group.field]
    if inferred.options or column_type not in DATES | NUMBERS:
        return
    distinct = texts.dictionary_encode()
    for reading in READINGS:
        if (reading in ORDERS) != (column_type in DATES):
            continue
        parse_options = read_as(inferred, reading)
        values = read_column(distinct.dictionary, column_type, parse_options).values
        is_mended = pc.fill_null(values.is_valid().take(distinct.indices), False)
        mends = pc.sum(is_mended).as_py() or 0
        if not mends:
            continue
        shown = [
            _example(
                row,
                text,
                canonical_texts(_one(text, column_type, parse_options), column_type, inferred),
            )
            for row, text in _first(rows[is_mended.to_numpy(False)], texts.filter(is_mended))
        ]
        yield Offer({"readAs": reading}, mends, shown)


def _one(text: str | None, column_type: Any, parse_options: Any) -> pa.Array:
    import pyarrow as pa

    from tabular.types.registry import read_column

    return read_column(pa.array([text], pa.string()), column_type, parse_options).values


def _may_be_empty(table: StagedTable, path: str) -> bool:
    """Return whether no rule of the field requires a value."""
    spec = table.files.plan.fields[path]
    rules = {validation.validate_ for validation in spec.validations or ()}
    return not spec.is_required and not any(rule.startswith("required") for rule in rules)


def _first(rows: Rows, texts: pa.Array) -> list[tuple[int, str | None]]:
    return list(zip(rows[:EXAMPLES].tolist(), texts[:EXAMPLES].to_pylist(), strict=True))


def _example(row: int, before: str | None, after: pa.Array | None) -> dict[str, Any]:
    return {"row": row, "before": before, "after": None if after is None else after[0].as_py()}
