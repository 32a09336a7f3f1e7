"""Which columns of a file are new, gone or renamed, and which ones its predecessors had."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feeds.drift.finding import Finding
from feeds.drift.picture import ColumnPicture, Picture
from feeds.drift.sizes import overlap
from feeds.drift.sketch import share_known
from tabular.types.similarity import similar

RECENT = 3  # predecessors that all have a column before its absence is a finding
LEAST_EVIDENCE = 2  # of PLACE, VALUES and NAME, for a rename
ALIKE = 0.5  # the least share of known values, or of equal letters in a name


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file with the same column of its predecessors, and what is not usual."""

    earlier: Mapping[str, tuple[ColumnPicture, ...]]  # by header, the oldest first
    findings: tuple[Finding, ...]


def folded(header: str) -> str:
    """
    Return a header without what makes no difference: case, and blanks around and between words.

    >>> folded("  Unit  Price ") == folded("unit price")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", header).casefold().split())


def columns_of(current: Picture, previous: Sequence[Picture]) -> Columns:
    """Pair a file's columns with those of its predecessors, the oldest first."""
    seen = [{folded(column.header): column for column in picture.columns} for picture in previous]
    ever = {name for names in seen for name in names}
    recent = seen[-RECENT:]
    always = [name for name in recent[-1] if all(name in names for names in recent)]
    now = {folded(column.header): column for column in current.columns}
    gone = [recent[-1][name] for name in always if name not in now]
    new = [column for name, column in now.items() if name not in ever]
    renamed = _renamed(gone, new, (previous[-1], current))
    names = {folded(after.header): folded(before.header) for before, after, _ in renamed}
    earlier = {
        column.header: tuple(
            names_[key] for names_ in seen if (key := names.get(name, name)) in names_
        )
        for name, column in now.items()
    }
    return Columns(earlier, tuple(_findings(gone, new, renamed)))


Renamed = tuple[ColumnPicture, ColumnPicture, tuple[str, ...]]


def _findings(
    gone: Sequence[ColumnPicture], new: Sequence[ColumnPicture], renamed: Sequence[Renamed]
) -> list[Finding]:
    paired = {before.header for before, _, _ in renamed} | {after.header for _, after, _ in renamed}
    findings = [
        Finding(
            "column_renamed",
            column=after.header,
            before=_shown(before),
            after=_shown(after),
            params={"from": before.header, "to": after.header, "evidence": list(evidence)},
        )
        for before, after, evidence in renamed
    ]
    for column in gone:
        if column.header not in paired:
            findings.append(Finding("column_removed", column=column.header, before=_shown(column)))
    for column in new:
        if column.header not in paired:
            findings.append(Finding("column_added", column=column.header, after=_shown(column)))
    return findings


def _shown(column: ColumnPicture) -> dict[str, object]:
    return {"header": column.header, "place": column.place, "kind": column.kind}


def _renamed(
    gone: Sequence[ColumnPicture], new: Sequence[ColumnPicture], tables: tuple[Picture, Picture]
) -> list[Renamed]:
    """Pair the columns with the most evidence first."""
    pairs = [(_evidence(before, after, tables), before, after) for before in gone for after in new]
    pairs.sort(key=lambda pair: (-len(pair[0]), pair[1].place, pair[2].place))
    renamed: list[Renamed] = []
    for evidence, before, after in pairs:
        taken = any(before is pair[0] or after is pair[1] for pair in renamed)
        if not taken and len(evidence) >= LEAST_EVIDENCE:
            renamed.append((before, after, evidence))
    return renamed


def _evidence(
    before: ColumnPicture, after: ColumnPicture, tables: tuple[Picture, Picture]
) -> tuple[str, ...]:
    evidence = []
    if _neighbors(before, tables[0]) & _neighbors(after, tables[1]) or before.place == after.place:
        evidence.append("place")
    if _has_like_values(before, after):
        evidence.append("values")
    if _is_like_name(before.header, after.header):
        evidence.append("name")
    return tuple(evidence)


def _neighbors(column: ColumnPicture, table: Picture) -> set[tuple[int, str]]:
    """Return the columns before and after one, with the side they are on."""
    by_place = {other.place: folded(other.header) for other in table.columns}
    sides = ((side, by_place.get(column.place + side)) for side in (-1, 1))
    return {(side, name) for side, name in sides if name is not None}


def _is_like_name(before: str, after: str) -> bool:
    ranked = similar(folded(after), [folded(before)], limit=1)
    return bool(ranked) and ranked[0][1] >= 100 * ALIKE


def _has_like_values(before: ColumnPicture, after: ColumnPicture) -> bool:
    """Return whether two columns hold the same kind of values, and no clearly different ones."""
    if not before.filled or not after.filled:
        return not before.filled and not after.filled
    if (share_known(after.sample, [before.sample]) or 0.0) >= ALIKE:
        return True
    if before.dates and after.dates:
        return True
    if before.numbers and after.numbers:
        return overlap(before.numbers, after.numbers) >= ALIKE
    return (
        bool(before.kind)
        and before.kind == after.kind
        and abs(before.uniqueness - after.uniqueness) < ALIKE
        and abs(before.empty_share - after.empty_share) < ALIKE
        and max(before.length, after.length) <= 2 * min(before.length, after.length)
    )
