"""Pages of a plan: rows by status, and what is known but missing from the file."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from changesets.plans.current import CurrentPlan
from changesets.plans.missing import missing_of
from common.errors import InvalidRequest
from common.wording.messages import Message
from imports.models import ImportRecord

MISSING = "missing"
LONGEST_ROW = 18  # digits of a row number in a cursor


@dataclass(frozen=True, slots=True)
class PlanItem:
    """
    A row and what it changes; or, without a row, a known entity that no row names.

    refs: the known entities, by name. changes: {field, before, after}. values: of a missing entity.
    held: {field, why, known, file, delivered}.
    """

    row: int | None
    status: str
    refs: dict[str, str]
    changes: list[dict[str, Any]]
    values: dict[str, Any] | None = None
    held: list[dict[str, Any]] = field(default_factory=list)


def items_of(
    record: ImportRecord,
    plan: CurrentPlan,
    *,
    status: str | None,
    cursor: str,
    limit: int,
    sees_known: bool,
) -> list[PlanItem]:
    """
    Return the next items of a plan.

    sees_known: whether the caller may list what is known; without, no missing entity is shown.
    Raise InvalidRequest for a cursor that no page of this status gave.
    """
    if status == MISSING:
        return list(islice(_missing(record, plan, cursor), limit)) if sees_known else []
    rows = plan.rows.numbers(status, _first(cursor), limit)
    return [PlanItem(**item) for item in plan.rows.shown(rows)]


def cursor_after(item: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the cursor that continues after a shown item. names: the compared entities."""
    if item["row"] is not None:
        return str(item["row"] + 1)
    ((entity, ref),) = item["refs"].items()
    return f"{list(names).index(entity)}.{ref}"


def _first(cursor: str) -> int:
    if not cursor:
        return 0
    if not re.fullmatch(rf"[0-9]{{1,{LONGEST_ROW}}}", cursor):
        raise _wrong_cursor()
    return int(cursor)


def _missing(record: ImportRecord, plan: CurrentPlan, cursor: str) -> Iterator[PlanItem]:
    """Yield the known entities of exactly this scope that no row names, by name and ref."""
    place, ref = _place(cursor)
    entities = list(plan.known)[place:]
    after = (entities[0] if entities else "", ref)
    for entity, missing, values in missing_of(record, plan, entities, after=after):
        yield PlanItem(None, MISSING, {entity: missing}, [], values)


def _place(cursor: str) -> tuple[int, str]:
    if not cursor:
        return 0, ""
    given = re.fullmatch(r"([0-9]{1,4})\.(.+)", cursor, re.DOTALL)
    if given is None:
        raise _wrong_cursor()
    return int(given[1]), given[2]


def _wrong_cursor() -> InvalidRequest:
    wrong = [{"parameter": "cursor", "detail": Message("invalid_request.cursor")}]
    return InvalidRequest("invalid_request.cursor", errors=wrong)
