"""
Write a catalog as JSON Schema (2020-12): the rows of each entity as delivered.

Parts that JSON Schema cannot express are written under ``x-``: the column type, unique fields,
references.
"""

from typing import Any

from tabular.model.amounts import currency_of_field, is_currency_alone
from tabular.model.catalog import Catalog, Entry, Field, Validation

Json = dict[str, Any]
NUMBERS = frozenset({"float", "percentage", "currency_eur", "currency_usd"})
DATES = frozenset({"date", "date_dmy", "date_mdy", "date_iso"})
FORMATS = {"datetime": "date-time", "email": "email", "url": "uri", "url_https": "uri"}
BOUNDS = {
    "gte": "minimum",
    "lte": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
}


def written_schema(catalog: Catalog) -> Json:
    """Return the schema, without disabled fields, which are never delivered."""
    lists = {
        entry.id: {"type": "array", "items": {"$ref": f"#/$defs/{_escaped(entry.id)}"}}
        for entry in catalog.entries
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": catalog.title or catalog.key,
        "type": "object",
        "properties": lists,
        "$defs": {entry.id: _entry(entry) for entry in catalog.entries},
    }


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").replace("%", "%25")


def _entry(entry: Entry) -> Json:
    live = [field for field in entry.fields if not field.disabled]
    schema: Json = {"title": entry.label} if entry.label else {}
    schema |= {"type": "object", "properties": {field.key: _field(field) for field in live}}
    required = [field.key for field in live if field.is_required]
    return {**schema, "required": required} if required else schema


def _field(field: Field) -> Json:
    schema: Json = {}
    for name, value in (("title", field.label), ("description", field.description)):
        if value:
            schema[name] = value
    if field.example:
        schema["examples"] = [field.example]
    schema |= _values(field)
    schema["x-columnType"] = field.column_type
    if any(rule.validate_ == "unique" for rule in _rules(field)):
        schema["x-unique"] = True
    if currency := currency_of_field(field):
        schema["x-currency"] = currency
    if field.output_format:
        schema["x-outputFormat"] = field.output_format
    if field.reference is not None:
        schema["x-reference"] = field.reference.model_dump(mode="json", exclude_none=True)
    return schema


def _values(field: Field) -> Json:
    if field.dropdown_options and not field.allow_custom_options:
        chosen = [
            {"const": option.value, "title": option.label} for option in field.dropdown_options
        ]
        if field.is_multi_select:
            return {"type": _nullable("array", field), "items": {"oneOf": chosen}}
        return {"oneOf": chosen if field.is_required else [*chosen, {"type": "null"}]}
    if field.output_format and not is_currency_alone(field):
        return {"type": _nullable("string", field)}
    return _plain(field)


def _plain(field: Field) -> Json:
    kind = field.column_type
    if kind == "int":
        return {"type": _nullable("integer", field), **_bounds(field)}
    if kind in NUMBERS:
        return {"type": _nullable("number", field), **_bounds(field)}
    if kind == "boolean":
        return {"type": _nullable("boolean", field)}
    schema: Json = {"type": _nullable("string", field)}
    if format_name := "date" if kind in DATES else FORMATS.get(kind):
        schema["format"] = format_name
    if field.column_size is not None:
        schema["maxLength"] = field.column_size
    patterns = [rule.regex for rule in _rules(field) if rule.validate_ == "regex" and rule.regex]
    if len(patterns) == 1:
        schema["pattern"] = patterns[0]
    elif patterns:
        schema["allOf"] = [{"pattern": pattern} for pattern in patterns]
    return schema


def _nullable(name: str, field: Field) -> str | list[str]:
    return name if field.is_required else [name, "null"]


def _bounds(field: Field) -> Json:
    return {
        BOUNDS[rule.op]: rule.value
        for rule in _rules(field)
        if rule.validate_ == "compare" and rule.op in BOUNDS and _is_number(rule)
    }


def _is_number(rule: Validation) -> bool:
    plain = rule.column is None and rule.columns is None
    return plain and isinstance(rule.value, int | float) and not isinstance(rule.value, bool)


def _rules(field: Field) -> list[Validation]:
    return [
        validation for validation in field.validations or () if validation.severity != "warning"
    ]
