"""Which settings of a customer alone changed the outcome of a row's cells. docs/embedding.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from catalogs.overlays import REQUIRED
from imports.customization import EXTRA, FIELDS
from imports.mapping.custom_fields import overlay_with
from imports.models import ImportRecord
from staging import arrays
from staging.columns import StagedTable
from tabular.model.catalog import Catalog, Field
from tabular.model.catalog_findings import pointer_of
from tabular.model.places import folded_name

if TYPE_CHECKING:
    from tabular.protocol.plan import TransformPlan
    from tabular.rechecking.explaining import Outcome

Json = dict[str, Any]
RULES = "validations"
UNIQUE = "unique"  # the one rule that looks at other rows
HIDDEN, LABEL, ALTERNATIVES = "hidden", "label", "alternativeMatches"
CHANGE_OUTCOMES = (REQUIRED, RULES)  # of the members of an overlay's field


@dataclass(frozen=True, slots=True)
class CustomerSetting:
    """
    A setting that changed what a cell comes to.

    setting: a JSON pointer into what the import was sent with. without: what the cell would come to
    without it; None where it decides whether the field exists, is offered or recognised.
    """

    setting: str
    without: Outcome | None = None


@dataclass(frozen=True, slots=True)
class _Kind:
    """Settings of one kind: their pointers by field path, and the plan without them."""

    pointers: Mapping[str, str]
    without: Callable[[], TransformPlan]


def settings_behind(
    record: ImportRecord, table: StagedTable, row: int
) -> dict[str, list[CustomerSetting]]:
    """
    Return the settings that changed the outcome of a row's cells, by field path.

    1. Name the fields that exist, are hidden or are recognised only for this customer.
    2. Run the row again without each kind of setting, and compare value and issues.
    """
    behind: dict[str, list[CustomerSetting]] = defaultdict(list)
    if record.catalog_version is None or not (record.overlay or record.context):
        return behind
    plan = table.files.plan
    for path, pointer in _decided_by_form(record, plan):
        behind[path].append(CustomerSetting(pointer))
    kinds = [kind for kind in _kinds(record, plan) if kind.pointers]
    if not kinds:
        return behind
    now = _outcomes(table, row, plan)
    for kind in kinds:
        other = _outcomes(table, row, kind.without())
        for path, pointer in kind.pointers.items():
            if path in other and other[path] != now[path]:
                behind[path].append(CustomerSetting(pointer, other[path]))
    return behind


def _outcomes(table: StagedTable, row: int, plan: TransformPlan) -> dict[str, Outcome]:
    """Return what the cells of a row come to under a plan, repeated values included."""
    import numpy as np

    from tabular.rechecking.explaining import outcomes
    from tabular.transforming.inferred import inferred_of

    files, patch = table.files, table.patch(row)
    at = np.array([row], np.int64)
    place = tuple(arrays.take(files.rows.column(n), at)[0].as_py() for n in ("source", "ordinal"))
    made = outcomes(
        files.source,
        (place[0], place[1]),
        plan=plan,
        inferred=inferred_of(plan, files.manifest.inferred),
        edits=patch.texts,
    )
    for issue in patch.issues:
        path = issue["field"]
        if issue["code"] == UNIQUE and path in made and _is_unique(plan.fields[path]):
            made[path] = replace(made[path], issues=(*made[path].issues, UNIQUE))
    return made


def _is_unique(field: Field) -> bool:
    return any(rule.validate_ == UNIQUE for rule in field.validations or ())


def _kinds(record: ImportRecord, plan: TransformPlan) -> Iterator[_Kind]:
    """Yield each kind of setting that the rows may differ by."""
    context = plan.context

    def with_context(**members: Any) -> Callable[[], TransformPlan]:
        return lambda: replace(plan, context=context.model_copy(update=members))

    def without_member(name: str) -> Callable[[], TransformPlan]:
        return lambda: replace(plan, catalog=_lacking(record, name))

    defaults = {path: pointer_of(["context", "defaults", path]) for path in context.defaults}
    options = {path: pointer_of(["context", "options", path]) for path in context.options}
    phones = [path for path, field in plan.fields.items() if field.column_type == "phone"]
    region = dict.fromkeys(phones if context.region else (), pointer_of(["context", "region"]))
    yield _Kind(_live(defaults, plan), with_context(defaults={}))
    yield _Kind(_live(options, plan), with_context(options={}))
    yield _Kind(region, with_context(region=None))
    changed: Mapping[str, Json] = (record.overlay or {}).get(FIELDS) or {}
    for name in CHANGE_OUTCOMES:
        own = {path: pointer_of([FIELDS, path, name]) for path in changed if name in changed[path]}
        yield _Kind(_live(own, plan), without_member(name))


def _live(pointers: Mapping[str, str], plan: TransformPlan) -> dict[str, str]:
    return {path: pointer for path, pointer in pointers.items() if path in plan.fields}


def _lacking(record: ImportRecord, name: str) -> Catalog:
    """Return the catalog of an import as if no field of its overlay had a member."""
    overlay = record.overlay or {}
    fields = {
        path: {member: value for member, value in field.items() if member != name}
        for path, field in overlay[FIELDS].items()
    }
    assert record.catalog_version is not None  # noqa: S101 - the caller has looked
    whole = overlay_with({**overlay, FIELDS: fields}, record.decided.custom_fields)
    return record.catalog_version.as_catalog(whole)


def _decided_by_form(record: ImportRecord, plan: TransformPlan) -> Iterator[tuple[str, str]]:
    """Yield fields that exist, are hidden or are recognised only for this customer."""
    overlay, version = record.overlay or {}, record.catalog_version
    changed: Mapping[str, Json] = overlay.get(FIELDS) or {}
    separator = plan.catalog.key_separator
    for place, extra in enumerate(overlay.get(EXTRA) or ()):
        path = f"{extra['entity']}{separator}{extra['key']}"
        if path in plan.fields:
            yield path, pointer_of([EXTRA, place])
    known = version.as_catalog().fields_by_path if version and changed else {}
    for path, members in changed.items():
        field, column = known.get(path), plan.columns_by_path.get(path)
        if field is None or path not in plan.fields:
            continue
        if column is None and members.get(HIDDEN) and not field.hidden:
            yield path, pointer_of([FIELDS, path, HIDDEN])
        if column is not None and record.proposed_mapping.get(column) == path:
            yield from ((path, pointer_of(at)) for at in _names_of(column, path, members, field))


def _names_of(column: str, path: str, members: Json, field: Field) -> Iterator[list[str | int]]:
    """Yield the members of an overlay's field that name a column which the catalog does not."""
    own = (field.key, field.label or "", *(field.alternative_matches or ()))
    name = folded_name(column)
    if name in map(folded_name, own):
        return
    if name == folded_name(members.get(LABEL) or ""):
        yield [FIELDS, path, LABEL]
    if name in map(folded_name, members.get(ALTERNATIVES) or ()):
        yield [FIELDS, path, ALTERNATIVES]
