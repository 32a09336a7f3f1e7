"""Values that hosts set in the rows they check: applied once, where the catalog takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from common.actors import Actor
from imports.host_checks.model import HostCheck
from imports.host_checks.rows import contents_of, hashes_at, rounds_of, rows_checked, still_so
from imports.models import ImportRecord
from imports.services.review import Changed, carry_out, rows_of
from staging.changes import Cell, Prepared
from staging.columns import StagedTable
from staging.edits.host_values import HostValues, prepare_values, shown
from staging.exports.host_findings import DECLINED, REPEATED

MOST_ROUNDS = 2  # times in a row that hosts may change a row; then a value is only reported
AT_ONCE = 10_000  # values that become one revision, if one answer does not have more
VALUE = "value"  # the member that tells a set value from a finding

Item = tuple[HostCheck, int]  # a check, and the number of an item of its answer


class _NothingSet(Exception):
    """No value of a host changes a cell."""


def findings_in(check: HostCheck) -> Iterator[Mapping[str, Any]]:
    """Yield what an answer says about rows: its findings, and its values that were not set."""
    declined = check.declined or {}
    for number, item in enumerate(check.delivery.host_results or ()):
        if VALUE not in item:
            yield item
        elif code := declined.get(str(number)):
            about = {"row": item["row"], "field": item["field"], "severity": "warning"}
            yield {**about, "code": code, "other": shown(item[VALUE])}


def set_values(record: ImportRecord, answered: Sequence[HostCheck], *, at: datetime) -> None:
    """
    Set the values of finished checks, in one revision for each host and some thousand values.

    A row that was changed since it was sent keeps its values: its host is asked again.
    """
    for group in _groups(answered):
        _Setting(record, group, at).carry_out()


def _groups(answered: Sequence[HostCheck]) -> Iterator[list[HostCheck]]:
    """Yield the checks that set values, by host, few enough for one revision."""
    group: list[HostCheck] = []
    size = 0
    for check in answered:
        count = sum(VALUE in item for item in check.delivery.host_results or ())
        if not count or check.declined is not None:  # set before, and not noted as finished
            continue
        host = check.delivery.registration_id
        if group and (group[0].delivery.registration_id != host or size + count > AT_ONCE):
            yield group
            group, size = [], 0
        group.append(check)
        size += count
    if group:
        yield group


@dataclass
class _Setting:
    """One revision of values that one host set."""

    record: ImportRecord
    checks: list[HostCheck]
    at: datetime
    _items: dict[Cell, Item] = field(default_factory=dict)
    _repeated: list[Item] = field(default_factory=list)
    _made: HostValues = field(default_factory=lambda: HostValues(None))

    def carry_out(self) -> None:
        """Set the values, and note in the same transaction what became of each."""
        webhook = self.checks[0].delivery.registration.public_id
        try:
            carry_out(
                record=self.record,
                prepare=self._prepare,
                actor=Actor(kind="system", id=webhook),
                at=self.at,
                end=self._note,
            )
        except _NothingSet:
            self._note(None)

    def _prepare(self, table: StagedTable) -> Prepared:
        self._items, self._repeated = {}, []
        values = self._chosen(table)
        webhook = self.checks[0].delivery.registration.public_id
        actor = Actor(kind="system", id=webhook)
        self._made = prepare_values(table, values, actor=actor, at=self.at)
        if self._made.prepared is None:
            raise _NothingSet
        return self._made.prepared

    def _chosen(self, table: StagedTable) -> dict[Cell, Any]:
        """Return the values for rows that are as they were sent, and not changed too often."""
        contents = contents_of(table)
        values: dict[Cell, Any] = {}
        for check in self.checks:
            rows, same, rounds = rows_checked(check), still_so(check, contents), rounds_of(check)
            for number, item in enumerate(check.delivery.host_results or ()):
                place = item["row"]
                if VALUE not in item or not same[place]:
                    continue
                if rounds[place] >= MOST_ROUNDS:
                    self._repeated.append((check, number))
                    continue
                cell = (int(rows[place]), item["field"])
                values[cell] = item[VALUE]
                self._items[cell] = (check, number)
        return values

    def _note(self, changed: Changed | None) -> None:
        """Note what was set and what was not. changed: the new revision, if there is one."""
        table = rows_of(self.record) if changed else None
        for check in self.checks:
            declined = {str(n): REPEATED for owner, n in self._repeated if owner is check}
            for refused in self._made.refused:
                owner, number = self._items[refused.row, refused.field]
                if owner is check:
                    declined[str(number)] = DECLINED
            check.declined = declined
            if table is not None:
                self._note_places(check, table)
            check.save(update_fields=["declined", "set_places", "set_contents"])

    def _note_places(self, check: HostCheck, table: StagedTable) -> None:
        import numpy as np

        mine = {cell[0] for cell in self._made.cells if self._items[cell][0] is check}
        places = np.flatnonzero(np.isin(rows_checked(check), np.array(sorted(mine), np.int64)))
        check.set_places = places.astype(np.int64).tobytes()
        check.set_contents = hashes_at(table, rows_checked(check)[places]).tobytes()
