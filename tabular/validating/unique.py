"""``unique``, alone or over several columns. Spec: validation > unique."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from tabular.model.catalog import Catalog
from tabular.model.issue import Severity
from tabular.types.hashing import Hashes, hash_rows
from tabular.types.rows import TypedRows
from tabular.validating.groups import group_rules
from tabular.validating.rule import params_json, path_of, severity_of
from tabular.validating.rule_findings import is_without_effect
from tabular.values.arrays import Rows

_PART = 1 << 17  # rows


@dataclass(frozen=True, slots=True)
class UniqueGroup:
    """Fields whose values together may occur in one row only; the first of them has the rule."""

    fields: tuple[str, ...]
    severity: Severity
    message: str | None = None

    def hashes(self, rows: TypedRows) -> Hashes:
        """Hash the group's values. Returns n uint64, 0 for a row that need not be unique."""
        return hash_rows([rows.values[path] for path in self.fields])

    def params(self, first_row: int) -> str:
        """Return what the message needs: the row that has the value first."""
        message = {"message": self.message} if self.message else {}
        return params_json(None, firstRow=first_row, **message) or ""


def unique_groups(catalog: Catalog, *, paths: Collection[str]) -> tuple[UniqueGroup, ...]:
    """
    Compile the ``unique`` rules of the fields that take part.

    Rows of one parent repeat its values; what must be unique among parents is checked with their
    groups (``groups``).
    """
    grouped = group_rules(catalog, paths=paths)
    every = (
        UniqueGroup(
            fields=_parts(path, validation.columns or (), catalog),
            severity=severity_of(validation),
            message=validation.error_message,
        )
        for path, field in catalog.live_fields.items()
        if path in paths
        for validation in field.validations or ()
        if validation.validate_ == "unique" and not is_without_effect(path, validation, catalog)
    )
    return tuple(
        group
        for group in every
        if not any(set(group.fields) <= set(rules.nesting.fields) for rules in grouped)
    )


def _parts(path: str, columns: tuple[str, ...], catalog: Catalog) -> tuple[str, ...]:
    others = (path_of(name, beside=path, catalog=catalog) for name in columns)
    live = [other for other in others if other in catalog.live_fields and other]
    return tuple(dict.fromkeys([path, *live]))


def duplicates(hashes: Hashes, same: Callable[[Rows], Sequence[Hashable]]) -> tuple[Rows, Rows]:
    """
    Return rows whose value an earlier row has.

    hashes: n uint64. same: returns the exact values of m rows, to distinguish equal values from
    equal hashes. Returns the later rows, ascending, and for each the first row.
    """
    suspects = _suspects(hashes)
    if not len(suspects):
        return suspects, suspects
    known: dict[Hashable, int] = {}
    firsts = [
        known.setdefault(value, row)
        for row, value in zip(suspects.tolist(), same(suspects), strict=True)
    ]
    first_rows = np.array(firsts, np.int64)
    again = first_rows != suspects
    return suspects[again], first_rows[again]


def _suspects(hashes: Hashes) -> Rows:
    ordered = np.sort(hashes)
    twice = np.unique(ordered[1:][(ordered[1:] == ordered[:-1]) & (ordered[1:] != 0)])
    del ordered
    if not len(twice):
        return np.zeros(0, np.int64)
    # In parts: three more arrays as long as the table would be its peak of memory.
    starts = range(0, len(hashes), _PART)
    return np.concatenate([_among(twice, hashes[at : at + _PART]) + at for at in starts])


def _among(known: Hashes, hashes: Hashes) -> Rows:
    at = np.searchsorted(known, hashes).clip(max=len(known) - 1)
    return np.flatnonzero(known[at] == hashes).astype(np.int64)
