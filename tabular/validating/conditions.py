"""The condition tree of an option's validations. Spec: dropdown option > validations.

Grammar (docs/validations.md):
    condition := {member: ...}, all members hold
    member    := "all" | "any" | "not": condition
               | field key: scalar                       the field equals it
               | field key: {test: scalar, ...}          all tests hold
    test      := "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "regex" | "filled"
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog, Field, OptionValidation
from tabular.types.registry import takes_options
from tabular.types.rows import TypedRows
from tabular.types.searching import Pattern
from tabular.validating.compare import comparable, constant_of, kind_of, ordered
from tabular.validating.grammar import GROUPS
from tabular.validating.option_findings import condition_findings
from tabular.validating.required import is_one_of
from tabular.validating.rule import RowRule, canonical_texts, params_json, path_of

Holds = Callable[[TypedRows], pa.Array]


def option_rules(path: str, field: Field, catalog: Catalog) -> Iterator[RowRule]:
    """Compile the conditions of a field's options, each applied where its option is chosen."""
    for option in field.dropdown_options or ():
        for validation in option.validations or ():
            if not any(condition_findings(validation.validate_, path, catalog, "")):
                yield _rule(path, option.value, option.label, validation, catalog)


def _rule(
    path: str, value: Any, label: str, validation: OptionValidation, catalog: Catalog
) -> RowRule:
    reads: set[str] = {path}
    holds = _condition(validation.validate_, path, catalog, reads)

    def breaks(rows: TypedRows) -> pa.Array:
        chosen = is_one_of(rows.values[path], (value,))
        return pc.and_(chosen, pc.invert(pc.fill_null(holds(rows), False)))

    message = {"message": validation.error_message} if validation.error_message else {}
    params = params_json(None, option=label, **message)
    return RowRule(path, "option_condition", "error", breaks, params, frozenset(reads))


def _condition(tree: Mapping[str, Any], path: str, catalog: Catalog, reads: set[str]) -> Holds:
    members = [_member(key, value, path, catalog, reads) for key, value in tree.items()]
    return lambda rows: reduce(pc.and_, [holds(rows) for holds in members])


def _member(key: str, value: Any, path: str, catalog: Catalog, reads: set[str]) -> Holds:
    if key in GROUPS and isinstance(value, Mapping):
        return _group(key, value, path, catalog, reads)
    other = path_of(key, beside=path, catalog=catalog)
    if other is None:
        raise KeyError(key)
    reads.add(other)
    tests = value if isinstance(value, Mapping) else {"eq": value}
    compiled = [_test(name, wanted, other, catalog) for name, wanted in tests.items()]
    return lambda rows: reduce(pc.and_, [holds(rows) for holds in compiled])


def _group(
    key: str, tree: Mapping[str, Any], path: str, catalog: Catalog, reads: set[str]
) -> Holds:
    members = [_member(name, value, path, catalog, reads) for name, value in tree.items()]
    join = pc.or_ if key == "any" else pc.and_

    def holds(rows: TypedRows) -> pa.Array:
        joined = reduce(join, [pc.fill_null(member(rows), False) for member in members])
        return pc.invert(joined) if key == "not" else joined

    return holds


def _test(name: str, wanted: Any, path: str, catalog: Catalog) -> Holds:
    field = catalog.fields_by_path[path]
    if name == "filled":
        return lambda rows: rows.filled(path) if wanted else pc.invert(rows.filled(path))
    if name == "regex":
        pattern = Pattern(str(wanted))
        return lambda rows: pattern.search(canonical_texts(rows.values[path]))
    if name in {"eq", "ne"} and takes_options(field):
        return partial(_is_chosen, path=path, wanted=wanted, chosen=name == "eq")
    kind = kind_of(field)
    constant = comparable(constant_of(field, wanted), kind)[0]
    return lambda rows: ordered(comparable(rows.values[path], kind), constant, name)


def _is_chosen(rows: TypedRows, *, path: str, wanted: Any, chosen: bool) -> pa.Array:
    found = is_one_of(rows.values[path], (wanted,))
    return found if chosen else pc.invert(found)
