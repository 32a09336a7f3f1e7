"""Write a row as JSON Schema (2020-12)."""

import json
from typing import Any

from catalogs.row_types.row import Member, Row

Json = dict[str, Any]


def written(row: Row) -> str:
    """Return the schema of one row. Other members are allowed: overlays add some."""
    schema: Json = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": row.name,
        "description": row.title,
        "type": "object",
        "properties": {member.path: _property(member) for member in row.members},
        "required": [member.path for member in row.members],
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _property(member: Member) -> Json:
    about: Json = {"title": member.field.label} if member.field.label else {}
    if member.field.description:
        about["description"] = member.field.description
    values = _values(member)
    if member.is_list:
        values = {"type": "array", "items": values}
    if member.is_nullable:
        values = _or_null(values)
    return {**about, **values, "x-columnType": member.field.column_type}


def _values(member: Member) -> Json:
    if member.choices:
        return {"enum": list(member.choices)}
    kinds = list(member.kinds)
    return {"type": kinds[0] if len(kinds) == 1 else kinds, **_form(member)}


def _form(member: Member) -> Json:
    return {"format": "date"} if member.is_date else {}


def _or_null(values: Json) -> Json:
    if "enum" in values:
        return {"enum": [*values["enum"], None]}
    kinds = values["type"]
    return {**values, "type": [*(kinds if isinstance(kinds, list) else [kinds]), "null"]}
