"""Values of any type of the protocol, made from its annotations."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tabular.model.catalog import Catalog, Context
from tabular.model.recipe import Recipe
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import FileRead
from tests.jobs import catalog_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WHOLE = st.integers(-(2**53), 2**53)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | WHOLE | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
PLAIN = {str: TEXT, int: WHOLE, float: NUMBERS, bool: st.booleans(), Any: JSON}
FIELDS = [{"key": "a", "columnType": "float", "numberFormat": "eu"}, {"key": "b", "label": "B"}]
NOUNS = {
    Catalog: st.just(catalog_of({"key": "k", "entries": [{"id": "e", "fields": FIELDS}]})),
    Context: st.builds(Context, today=st.dates(date(1990, 1, 1))),
    Recipe: st.just(
        Recipe.model_validate_json(
            '{"version": 1, "steps": [{"do": "join", "columns": ["x", "y"],'
            ' "separator": " ", "into": "z"}]}'
        )
    ),
}
FILES = st.from_regex(r"[a-z]{1,8}(-[0-9]{3})?\.arrow", fullmatch=True)
MAPPINGS = st.sampled_from([{}, {"Nr": "e.a"}, {"Nr": "e.a", "Name": "e.b"}])
CODES = st.sampled_from(["malformed", "too_large"])
OF_FILES = {"file": FILES, "rows_file": FILES, "issues_file": FILES, "code": CODES}
NOT_EMPTY = {"excluded_file", "delimiter"}  # either there, or None


def values(kind):
    """Return values of a type."""
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in NOUNS:
        return NOUNS[kind]
    if is_dataclass(kind):
        return _of_dataclass(kind)
    return _of_generic(get_origin(kind), get_args(kind))


def _of_generic(origin, inside):
    if origin is Annotated:
        return values(inside[0])
    if origin is Literal:
        return st.sampled_from(inside)
    if origin in {Union, types.UnionType}:
        return st.one_of(*(st.none() if item is type(None) else values(item) for item in inside))
    if origin is tuple and inside[-1] is ...:
        return st.lists(values(inside[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, inside))
    if origin in {dict, Mapping}:
        return st.dictionaries(TEXT, values(inside[1]), max_size=2)
    raise TypeError(origin)


def _member(name, hint):
    if name in NOT_EMPTY:
        return st.none() | FILES
    is_text = hint is str or get_origin(hint) is Annotated
    return OF_FILES[name] if name in OF_FILES and is_text else values(hint)


def _of_dataclass(kind):
    hints = get_type_hints(kind, include_extras=True)
    members = {field.name: _member(field.name, hints[field.name]) for field in fields(kind)}
    if issubclass(kind, TransformPlan):
        members["mapping"] = MAPPINGS  # a plan names fields that are there
    if issubclass(kind, FileRead):
        members["tables"] = st.lists(values(get_args(hints["tables"])[0]), min_size=1, max_size=2)
        members["tables"] = members["tables"].map(tuple)
        members["chosen"] = st.just(0)
    return st.builds(kind, **members)
