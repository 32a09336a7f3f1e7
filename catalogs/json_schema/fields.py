"""Convert one property of a JSON Schema to a field."""

from typing import Any, Protocol, get_args

from pydantic import ValidationError

from tabular.model.catalog import ColumnType, Reference
from tabular.model.i_json import MAX_SAFE_INTEGER, write
from tabular.model.sentences import Sentence

Json = dict[str, Any]
TYPES = {"integer": "int", "number": "float", "boolean": "boolean", "string": "string"}
FORMATS = {
    "date": "date_iso",
    "date-time": "datetime",
    "time": "time_hms",
    "email": "email",
    "idn-email": "email",
    "uri": "url",
    "iri": "url",
}
BOUNDS = {"minimum": "gte", "maximum": "lte", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
READ = frozenset(
    {
        "type", "format", "enum", "const", "oneOf", "anyOf", "title", "description", "examples",
        "default", "maxLength", "pattern", "items", "properties", "required", "allOf",
        "additionalProperties", "nullable", "readOnly", "writeOnly", "deprecated", "definitions",
    }
) | BOUNDS.keys()  # fmt: skip
MOST_OPTIONS = 5_000


class Note(Protocol):
    """Reports an unsupported part of a property; ``of``: the keyword it is about."""

    def __call__(self, code: str, sentence: str, *, of: str = "") -> None:
        """Report it."""
        ...


def field_of(key: str, schema: Json, *, items: Json | None, required: bool, note: Note) -> Json:
    """Return a property as a field."""
    schema = _without_null(schema)
    made: Json = {"key": key, "columnType": _type(schema, items, note)}
    if isinstance(title := schema.get("title"), str) and title.strip():
        made["label"] = title.strip()
    if isinstance(description := schema.get("description"), str) and description.strip():
        made["description"] = description.strip()
    if required:
        made["required"] = True
    if (example := _example(schema)) is not None:
        made["example"] = example
    written = schema.get("x-outputFormat")
    if written is None and made["columnType"] == "float":
        written = schema.get("x-currency")
    if isinstance(written, str):
        made["outputFormat"] = written
    _size(schema, made)
    _options(schema, items, made)
    if rules := list(_rules(schema, made)):
        made["validations"] = rules
    _reference(schema, made, note)
    for name in schema:
        if not name.startswith(("x-", "$")) and name not in READ:
            sentence = Sentence(
                "The keyword {name} has no counterpart in a catalog; it is ignored.",
                name=repr(name[:60]),
            )
            note("unknown_keyword", sentence, of=name)
    return made


def _without_null(schema: Json) -> Json:
    """Simplify ``anyOf: [X, null]`` to X: every field that is not required may be empty."""
    for name in ("anyOf", "oneOf"):
        parts = schema.get(name)
        if isinstance(parts, list):
            rest = [part for part in parts if isinstance(part, dict) and part.get("type") != "null"]
            if len(rest) == 1 and len(parts) == 2:
                return {**{k: v for k, v in schema.items() if k != name}, **rest[0]}
    return schema


def _type(schema: Json, items: Json | None, note: Note) -> str:
    known = schema.get("x-columnType")
    if isinstance(known, str) and known in get_args(ColumnType):
        return known
    if _chosen(schema) or (items is not None and _chosen(items)):
        return "category"
    kinds = schema.get("type")
    named = [item for item in (kinds if isinstance(kinds, list) else [kinds]) if item != "null"]
    kind = named[0] if len(named) == 1 else None
    if kind == "string":
        return FORMATS.get(str(schema.get("format")), "string")
    if isinstance(kind, str) and kind in TYPES:
        return TYPES[kind]
    if kind is not None or len(named) > 1:
        sentence = "A field cannot have this type; it becomes a text field."
        note("unknown_value", sentence, of="type")
    return "string"


def _chosen(schema: Json) -> list[tuple[Any, str]]:
    """Return the possible values, each with its label."""
    options: list[tuple[Any, str]] = []
    if isinstance(values := schema.get("enum"), list):
        options = [(item, str(item)) for item in values]
    elif "const" in schema:
        options = [(schema["const"], str(schema["const"]))]
    else:
        parts = schema.get("oneOf", schema.get("anyOf"))
        parts = parts if isinstance(parts, list) else []
        rest = [part for part in parts if isinstance(part, dict) and part.get("type") != "null"]
        if rest and all("const" in part for part in rest):
            options = [(part["const"], str(part.get("title") or part["const"])) for part in rest]
    return [
        (value, label) for value, label in options[:MOST_OPTIONS] if _is_option(value) and label
    ]


def _is_option(value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    return isinstance(value, str | float) or (
        isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER
    )


def _options(schema: Json, items: Json | None, made: Json) -> None:
    chosen = _chosen(schema)
    if not chosen and items is not None and (chosen := _chosen(items)):
        made["isMultiSelect"] = True
    options: dict[tuple[str, Any], Json] = {}
    for value, label in chosen:
        kind = {str: "string", int: "int", float: "float"}[type(value)]
        options.setdefault((kind, value), {"label": label, "type": kind, "value": value})
    if options:
        made["dropdownOptions"] = list(options.values())


def _example(schema: Json) -> str | None:
    given = schema.get("examples")
    first = given[0] if isinstance(given, list) and given else schema.get("default")
    is_plain = isinstance(first, str | int | float) and not isinstance(first, bool)
    return str(first) if is_plain else None


def _size(schema: Json, made: Json) -> None:
    most = schema.get("maxLength")
    if isinstance(most, int) and not isinstance(most, bool) and 0 < most <= MAX_SAFE_INTEGER:
        made["columnSize"] = most


def _rules(schema: Json, made: Json) -> Any:
    if schema.get("x-unique") is True:
        yield {"validate": "unique"}
    patterns = [schema.get("pattern"), *(schema.get("x-patterns") or ())]
    for pattern in patterns:
        if isinstance(pattern, str) and pattern:
            yield {"validate": "regex", "regex": pattern}
    for name, op in BOUNDS.items():
        value = schema.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield {"validate": "compare", "op": op, "value": value}


def _reference(schema: Json, made: Json, note: Note) -> None:
    given = schema.get("x-reference")
    if not isinstance(given, dict):
        return
    try:
        Reference.model_validate_json(write(given), by_alias=True, by_name=False)
    except ValidationError:
        note(
            "invalid_value", "This is not a reference of a field; it is ignored.", of="x-reference"
        )
    else:
        made["reference"] = given
