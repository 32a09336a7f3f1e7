"""
Headers that people mapped otherwise than the engine proposed, counted for each applied import.

A header is kept with its catalog, tenant and scope, and never with a cell. What was learned from
a scope is deleted with it.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from analytics.models import CorrectedHeader
from imports.models import ImportRecord
from pipeline.proposal import ProposedColumn
from tabular.model.recipe import Recipe

logger = logging.getLogger(__name__)

LONGEST = 200  # characters of a header that is counted; longer ones are prose
MOST = 1_000  # rows that are read, the newest
AT_ONCE = 50  # imports whose proposals are in memory
UNNAMED = re.compile(r"Column \d+")  # how a reader names a column without a header
# What reading a stored record raises: of another form, a later version, or with other members.
UNREADABLE = (ValueError, TypeError, KeyError)

Key = tuple[str, str, str, str, str]  # tenant, scope, catalog, header, field


@dataclass(frozen=True, slots=True)
class HeaderCount:
    """A header, the field that people mapped it to (empty: none), and in how many imports."""

    header: str  # empty: the column had none
    field: str
    imports: int


def corrected(
    columns: Iterable[ProposedColumn],
    mapping: Mapping[str, str],
    changed: Collection[str] = frozenset(),
) -> Iterator[tuple[str, str]]:
    """
    Yield each header that a person decided about, with its field; empty if it feeds none.

    mapping: as it was confirmed. changed: columns that a recipe makes others of: what these feed
    is not a matter of their header. What the engine remembered is not a decision of this import.

    >>> columns = [ProposedColumn(column="Kd-Nr", field=None, score=0.0, reason="")]
    >>> list(corrected(columns, {"Kd-Nr": "order.customer"}))
    [('Kd-Nr', 'order.customer')]
    """
    for column in columns:
        if column.column in changed:
            continue
        field = mapping.get(column.column, "")
        answered = column.decided_by is not None and column.decided_by.kind == "question"
        if field == (column.field or "") and not (answered and field):
            continue
        header = " ".join(column.column.split())
        if len(header) <= LONGEST and header.isprintable():
            yield "" if UNNAMED.fullmatch(header) else header, field


def count(subjects: Iterable[str]) -> None:
    """Count the corrections of imports that were applied."""
    added: Counter[Key] = Counter()
    moment: dict[Key, datetime] = {}
    ordered = sorted(subjects)
    for first in range(0, len(ordered), AT_ONCE):
        for key, at in _corrections(ordered[first : first + AT_ONCE]):
            added[key] += 1
            moment[key] = at
    _add(added, moment)


def _corrections(names: Sequence[str]) -> list[tuple[Key, datetime]]:
    """Return the corrections of imports; those of an import that cannot be read are left out."""
    try:
        return list(_read(names))
    except UNREADABLE as error:
        if len(names) == 1:  # without the message, which may quote the record
            logger.warning("cannot count corrections of %s: %s", names[0], type(error).__name__)
            return []
    return [item for name in names for item in _corrections([name])]


def _read(names: Sequence[str]) -> Iterator[tuple[Key, datetime]]:
    records = ImportRecord.objects.filter(public_id__in=names).select_related(
        "tenant", "catalog_version__catalog"
    )
    for record in records.defer("context", "report", "overlay", "catalog_version__document"):
        whose = (record.tenant.public_id, record.scope, record.catalog_key)
        pairs = corrected(record.proposes.columns, record.mapping or {}, _changed(record))
        for pair in set(pairs):
            yield (*whose, *pair), record.applied_at or record.created_at


def _changed(record: ImportRecord) -> set[str]:
    """Return the columns that steps of the recipe make others of."""
    if not record.recipe:
        return set()
    steps = Recipe.model_validate(record.recipe, strict=False).steps
    return {name for step in steps if set(step.makes) - set(step.reads) for name in step.reads}


def newest(tenant: str, catalog: str) -> list[HeaderCount]:
    """Return the newest corrections of a catalog, the most frequent first."""
    rows = CorrectedHeader.objects.filter(tenant=tenant, catalog=catalog).order_by("-last_at")
    counted: Counter[tuple[str, str]] = Counter()
    spelled: dict[tuple[str, str], str] = {}
    for header, field, imports in rows.values_list("header", "field", "imports")[:MOST]:
        key = (header.casefold(), field)
        spelled.setdefault(key, header)
        counted[key] += imports
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [HeaderCount(spelled[key], key[1], imports) for key, imports in ordered]


def forget(before: datetime) -> None:
    """Delete corrections that were not repeated since a moment."""
    CorrectedHeader.objects.filter(last_at__lt=before).delete()


def _digest(key: Key) -> str:
    return hashlib.sha256("\0".join(key).encode()).hexdigest()


def _add(added: Counter[Key], moment: Mapping[Key, datetime]) -> None:
    if not added:
        return
    by_digest = {_digest(key): key for key in added}
    with transaction.atomic():
        CorrectedHeader.objects.bulk_create(
            [_row(digest, key, moment[key]) for digest, key in by_digest.items()],
            ignore_conflicts=True,
        )
        # In the order of their keys, as counts of days are added.
        rows = CorrectedHeader.objects.select_for_update().filter(digest__in=by_digest)
        changed = list(rows.order_by("pk"))
        for row in changed:
            key = by_digest[row.digest]
            row.imports += added[key]
            row.last_at = max(row.last_at, moment[key])
        CorrectedHeader.objects.bulk_update(changed, ["imports", "last_at"])


def _row(digest: str, key: Key, at: datetime) -> CorrectedHeader:
    tenant, scope, catalog, header, field = key
    return CorrectedHeader(
        digest=digest, tenant=tenant, scope=scope, catalog=catalog, header=header, field=field,
        last_at=at,
    )  # fmt: skip
