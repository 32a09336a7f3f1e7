"""The rows of an apply for an export: all, or those that a receiver refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from changesets.bodies import delivered
from changesets.comparison.outcome import Prepared, prepared_of
from changesets.models import Changeset
from changesets.proof.answers import refusals
from changesets.results import changeset_of
from common.http.language import localized
from deliveries.models import Delivery
from imports.exports.rows import CHOICES, Choose, Chosen, Remarks
from imports.models import ImportRecord
from staging import arrays
from staging.pages import Remark
from tabular.model.sentences import Sentence

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from staging.columns import StagedTable

KINDS = {  # remarks about a row that concern no single field
    "new": "It is new.",
    "unchanged": "It is unchanged.",
    "unclear": "It is unclear which record it means.",
}


def refused_rows(record: ImportRecord, table: StagedTable) -> Chosen:
    """
    Return the rows of an applied import that a receiver refused, with its messages.

    table: unused, because the changeset has its own. Raise NotApplied before the apply.
    """
    import numpy as np

    changeset = changeset_of(record)
    numbers = delivered(changeset).numbers
    refusals = _refusals(changeset, numbers)
    rows = np.array(sorted(refusals), numbers.dtype)
    return Chosen(rows, lambda some: _of(some, refusals))


def applied_rows(record: ImportRecord, table: StagedTable, *, sees_known: bool = True) -> Chosen:
    """
    Return all rows that an applied import delivered, with what is needed to revert them by hand.

    That is the former values of each row, if known and if the caller may see them (sees_known), and
    which receivers refused it. table: unused, because the changeset has its own. Raise NotApplied
    before the apply.
    """
    import numpy as np

    changeset = changeset_of(record)
    numbers, prepared = delivered(changeset).numbers, prepared_of(changeset.prepared)
    refusals = _refusals(changeset, numbers)
    if (
        prepared is None
        or not sees_known
        or not any(kind in changeset.counts for kind in (*KINDS, "changed"))
    ):
        return Chosen(np.sort(numbers), lambda some: _of(some, refusals))
    before = _Before(prepared)
    kept = {path: (rows, _shown(known)) for path, (rows, known) in prepared.kept.items()}
    ascending = np.sort(numbers)
    return Chosen(ascending, lambda some: _joined(before.of(some), _of(some, refusals)), kept)


class _Before:
    """The former values of rows, as known at the time of an apply."""

    def __init__(self, prepared: Prepared) -> None:
        self._numbers = prepared.numbers
        self._words = prepared.table("rows")["status"]
        self._differences = prepared.table("differences")
        self._about = self._differences["row"].to_numpy()  # ascending

    def of(self, some: Rows) -> Remarks:
        """Return which fields of some ascending rows differed; one sentence for all other rows."""
        import numpy as np

        places = arrays.places_in(self._numbers, some)
        remarks: dict[int, list[Remark]] = {
            row: [_remark(KINDS[word])]
            for row, word in zip(some.tolist(), self._words.take(places).to_pylist(), strict=True)
            if word in KINDS
        }
        ordered = np.sort(places)
        first = np.searchsorted(self._about, ordered[:1]).sum()
        end = np.searchsorted(self._about, ordered[-1:], side="right").sum()
        row_of = dict(zip(places.tolist(), some.tolist(), strict=True))
        for item in self._differences.slice(first, end - first).to_pylist():
            if (row := row_of.get(item["row"])) is not None:
                remarks.setdefault(row, []).append(_remark(_was(item["before"]), item["field"]))
        return remarks


def _shown(known: pa.Array) -> pa.Array:
    """Return what cells with known values show. known: n JSON texts, null for none."""
    import pyarrow as pa

    values = [None if text is None else orjson.loads(text) for text in known.to_pylist()]
    texts = [
        value if isinstance(value, str) or value is None else orjson.dumps(value).decode()
        for value in values
    ]
    return pa.array(texts, pa.string())


def _was(before: str | None) -> str:
    value = None if before is None else orjson.loads(before)
    if value is None or value == "":
        return "It was empty."
    return Sentence("It was “{value}”.", value=value if isinstance(value, str) else before)


def _of(some: Rows, refusals: Mapping[int, list[str]]) -> Remarks:
    """Return what receivers reported about some rows, untranslated."""
    return {
        row: [Remark(field="", message="; ".join(refusals[row]), hint="")]
        for row in some.tolist()
        if row in refusals
    }


def _joined(first: Remarks, second: Remarks) -> Remarks:
    return {row: [*first.get(row, ()), *second.get(row, ())] for row in {**first, **second}}


def _remark(sentence: str, field: str = "") -> Remark:
    return Remark(field=field, message=localized(sentence), hint="")


def _refusals(changeset: Changeset, numbers: Rows) -> dict[int, list[str]]:
    """Return what receivers reported about the rows they refused, by the row of the revision."""
    messages: dict[int, dict[str, None]] = {}
    for place, delivery, result in refusals(changeset):
        messages.setdefault(int(numbers[place]), {})[_sentence(delivery, result)] = None
    return {row: list(sentences) for row, sentences in messages.items()}


def _sentence(delivery: Delivery, result: dict[str, Any]) -> str:
    remark = result.get("message") or result["status"]
    label = delivery.registration.label
    return f"{label}: {remark}" if label else str(remark)


def choice_of(rows: str, *, sees_known: bool) -> Choose:
    """Return what chooses the rows to export, by the requested word."""
    if rows == "applied":
        return partial(applied_rows, sees_known=sees_known)
    return refused_rows if rows == "refused" else CHOICES[rows]
