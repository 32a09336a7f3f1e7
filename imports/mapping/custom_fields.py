"""
Fields that a person adds to one import, for columns that no field of the catalog takes. Pure.

They lie over the catalog like the extra fields of a customer, so that matching, validation, review,
delivery and replay take them as any others. docs/catalogs.md, Custom fields.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from common.errors import Conflict, InvalidRequest
from common.wording.messages import Message
from tabular.model.catalog import Catalog, ColumnType
from tabular.model.catalog_findings import pointer_of

Json = dict[str, Any]

PREFIX = "custom"  # of their keys: catalogs name no other field so
MOST_CUSTOM = 50
LONGEST_KEY = 64
CUSTOM_TYPES = [name for name in get_args(ColumnType) if name != "category"]  # that has options
EXTRA = "extraFields"  # of an overlay
NOT_WORD = re.compile(r"[\W_]+")


class CustomFieldsNotAllowed(Conflict):
    """This catalog takes no custom fields."""

    code = "custom_fields_not_allowed"


@dataclass(frozen=True, slots=True)
class Wish:
    """A column that is kept as a field of its own."""

    column: str
    label: str
    column_type: ColumnType


@dataclass(frozen=True, slots=True)
class Added:
    """A mapping with the custom fields it needs. pointers: where its new columns were sent."""

    mapping: dict[str, str]
    fields: list[Json]
    pointers: Mapping[str, str]


def overlay_with(overlay: Json | None, custom: Sequence[Json] | None) -> Json | None:
    """
    Return an overlay with custom fields as further extra fields.

    >>> overlay_with(None, [{"entity": "order", "key": "custom.color", "label": "Color"}])
    {'extraFields': [{'entity': 'order', 'key': 'custom.color', 'label': 'Color'}]}
    """
    if not custom:
        return overlay
    return {**(overlay or {}), EXTRA: [*((overlay or {}).get(EXTRA) or ()), *custom]}


def may_have(catalog: Catalog, custom: Sequence[Json] | None) -> bool:
    """Return whether a catalog, without any of them, takes custom fields that exist."""
    entries, paths = _entries(catalog), catalog.fields_by_path
    return all(
        field["entity"] in entries and path_of(field, catalog.key_separator) not in paths
        for field in custom or ()
    )


def with_added(
    catalog: Catalog, present: Sequence[Json], mapping: Mapping[str, str], wishes: Sequence[Wish]
) -> Added:
    """
    Return a mapping with columns kept as fields of their own.

    catalog: with the custom fields that are ``present``; those that nothing feeds any more are
    gone. New fields belong to the first entry that takes them. Raise CustomFieldsNotAllowed, or
    InvalidRequest for columns that feed a field already, and for more than fifty.
    """
    separator, fed = catalog.key_separator, set(mapping.values())
    fields = [field for field in present if path_of(field, separator) in fed]
    entries = _entries(catalog)
    if wishes and not entries:
        raise CustomFieldsNotAllowed
    _refuse_wrong(mapping, wishes, len(fields))
    gone = {path_of(field, separator) for field in present} - fed
    taken = set(catalog.fields_by_path) - gone
    whole = dict(mapping)
    for wish in wishes:
        key = _free_key(wish.label, entries[0], separator, taken)
        field = {
            "entity": entries[0],
            "key": key,
            "label": wish.label,
            "columnType": wish.column_type,
        }
        path = path_of(field, separator)
        taken.add(path)
        fields.append(field)
        whole[wish.column] = path
    pointers = {
        wish.column: pointer_of(["customFields", place, "column"])
        for place, wish in enumerate(wishes)
    }
    return Added(whole, fields, pointers)


def path_of(field: Mapping[str, Any], separator: str) -> str:
    """Return the path of a custom field."""
    return f"{field['entity']}{separator}{field['key']}"


def shown_fields(custom: Sequence[Json] | None, separator: str) -> list[Json]:
    """
    Return the definitions of custom fields as callers and receivers see them.

    >>> color = {"entity": "order", "key": "custom.color", "label": "C", "columnType": "string"}
    >>> shown_fields([color], ".")
    [{'field': 'order.custom.color', 'key': 'color', 'label': 'C', 'columnType': 'string'}]
    """
    return [
        {
            "field": path_of(field, separator),
            "key": field["key"].removeprefix(f"{PREFIX}{separator}"),
            "label": field["label"],
            "columnType": field["columnType"],
        }
        for field in custom or ()
    ]


def _entries(catalog: Catalog) -> list[str]:
    return [entry.id for entry in catalog.entries if entry.allow_custom_fields]


def _refuse_wrong(mapping: Mapping[str, str], wishes: Sequence[Wish], present: int) -> None:
    if present + len(wishes) > MOST_CUSTOM:
        fault = Message("invalid_custom_fields.most", most=MOST_CUSTOM)
        raise _refused([(["customFields"], fault)])
    seen = set(mapping)
    faults: list[tuple[list[str | int], Message]] = []
    for place, wish in enumerate(wishes):
        if wish.column in seen:
            fault = Message("invalid_custom_fields.column", column=wish.column)
            faults.append((["customFields", place, "column"], fault))
        seen.add(wish.column)
    if faults:
        raise _refused(faults)


def _refused(faults: Sequence[tuple[list[str | int], Message]]) -> InvalidRequest:
    errors = [
        {"pointer": pointer_of(place), "code": "invalid_custom_fields", "detail": fault}
        for place, fault in faults
    ]
    return InvalidRequest("invalid_custom_fields", errors=errors)


def _free_key(label: str, entity: str, separator: str, taken: set[str]) -> str:
    """Return a key after a label whose path no field has."""
    name = NOT_WORD.sub("_", label.lower()).strip("_")[:LONGEST_KEY] or "field"
    number = 1
    while True:
        key = f"{PREFIX}{separator}{name}" + (f"_{number}" if number > 1 else "")
        if f"{entity}{separator}{key}" not in taken:
            return key
        number += 1
