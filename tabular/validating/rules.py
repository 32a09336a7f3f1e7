"""Compile a catalog's rules, options' conditions among them. Spec: validation."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial, reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog, Field, OptionValidation, Validation
from tabular.model.defect import NO_DEFECTS
from tabular.model.recipe import GROUPS
from tabular.types.patterns import Pattern
from tabular.types.registry import takes_options
from tabular.types.rows import TypedRows
from tabular.validating.compare import comparable, compare, constant_of, kind_of, ordered
from tabular.validating.groups import group_rules
from tabular.validating.option_findings import condition_findings
from tabular.validating.required import conditional, is_one_of, plainly_required
from tabular.validating.rule import RowRule, canonical_texts, params_json, path_of, severity_of
from tabular.validating.rule_findings import is_without_effect

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
    is_chosen = is_one_of(rows.values[path], (wanted,))
    return is_chosen if chosen else pc.invert(is_chosen)


Compile = Callable[[str, Validation, Catalog], RowRule]


def row_rules(
    catalog: Catalog, *, paths: Collection[str], fed: Collection[str] = ()
) -> tuple[RowRule, ...]:
    """
    Compile every rule about one row.

    paths: the live fields that take part; rules of other fields are omitted. fed: the fields that a
    column feeds. If they belong to several entries, a row without text in one of these, but with
    text in another, does not describe the former and is not checked for it. What a parent with
    children needs is checked once for its group (``groups``).
    """
    entries = fed_entries(catalog, fed)
    grouped = group_rules(catalog, paths=paths)
    whole = {path: live for live in fed_entries(catalog, catalog.live_fields) for path in live}
    return tuple(
        rule if len(entries) < 2 else _where_present(rule, whole[path], entries)
        for path, field in catalog.live_fields.items()
        if path in paths
        for rule in _of_field(path, field, catalog)
        if not any(rules.reports(path, rule.code) for rules in grouped)
    )


def fed_entries(catalog: Catalog, fed: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Group the fields that a column feeds by their entry."""
    separator = catalog.key_separator
    entries = (
        tuple(path for f in entry.fields if (path := f"{entry.id}{separator}{f.key}") in fed)
        for entry in catalog.entries
    )
    return tuple(paths for paths in entries if paths)


def _where_present(
    rule: RowRule, whole: tuple[str, ...], entries: tuple[tuple[str, ...], ...]
) -> RowRule:
    """Apply a rule only where its entry has text. whole: the live fields of that entry."""
    mine = next((paths for paths in entries if not set(paths).isdisjoint(whole)), ())
    others = [path for paths in entries if paths != mine for path in paths]

    def breaks(rows: TypedRows) -> pa.Array:
        is_stated = pc.or_(_any_text(rows, mine), pc.invert(_any_text(rows, others)))
        return pc.and_kleene(rule.breaks(rows), is_stated)

    return replace(rule, breaks=breaks, reads=rule.reads.union(mine, others))


def _any_text(rows: TypedRows, paths: Collection[str]) -> pa.Array:
    has_text = pa.repeat(pa.scalar(False), len(rows))
    for path in paths:
        has_text = pc.or_(has_text, rows.filled(path))
    return has_text


def _of_field(path: str, field: Field, catalog: Catalog) -> Iterator[RowRule]:
    validations = field.validations or ()
    if field.required and not any(v.validate_ == "required" for v in validations):
        yield plainly_required(path, None, catalog)
    if field.column_size:
        yield _too_long(path, field.column_size)
    for validation in validations:
        compiled = partial(_compiled, path, validation, catalog)
        yield from _or_failing(path, validation.validate_, compiled)
    compiled = partial(option_rules, path, field, catalog)
    yield from _or_failing(path, "option_condition", compiled)


def _compiled(path: str, validation: Validation, catalog: Catalog) -> Iterator[RowRule]:
    if is_without_effect(path, validation, catalog):
        return
    if validation.validate_ == "regex":
        yield from _regex(path, validation)
    elif validation.validate_ in COMPILERS:
        yield COMPILERS[validation.validate_](path, validation, catalog)


def _or_failing(
    path: str, code: str, compiled: Callable[[], Iterator[RowRule]]
) -> Iterable[RowRule]:
    """Compile rules; if our own code fails on one, it is a rule that fails in each batch."""
    try:
        return list(compiled())
    except NO_DEFECTS:
        raise
    except Exception as error:  # noqa: BLE001  (it is raised again where rules are run)
        return [RowRule(path, code, "error", partial(_fail, error), reads=frozenset({path}))]


def _fail(error: Exception, rows: TypedRows) -> pa.Array:
    raise error


def _too_long(path: str, size: int) -> RowRule:
    def breaks(rows: TypedRows) -> pa.Array:
        return pc.greater(pc.utf8_length(canonical_texts(rows.values[path])), size)

    return RowRule(
        path, "too_long", "error", breaks, params_json(None, max=size), frozenset({path})
    )


def _regex(path: str, validation: Validation) -> Iterator[RowRule]:
    """Compile ``regex``: texts without the pattern, and texts that took too long to decide."""
    pattern = Pattern(validation.regex or "")
    severity, reads = severity_of(validation), frozenset({path})

    def breaks(rows: TypedRows) -> pa.Array:
        return pc.invert(pattern.search(canonical_texts(rows.values[path])))

    def undecided(rows: TypedRows) -> pa.Array:
        return pattern.undecided(canonical_texts(rows.values[path]))

    params = params_json(validation, pattern=validation.regex)
    yield RowRule(path, "regex", severity, breaks, params, reads)
    if not pattern.is_linear:
        params = params_json(None, pattern=validation.regex)
        yield RowRule(path, "regex_timeout", severity, undecided, params, reads)


COMPILERS: dict[str, Compile] = {
    "required": plainly_required,
    "compare": compare,
    "required_with": conditional,
    "required_without": conditional,
    "required_with_all": conditional,
    "required_without_all": conditional,
    "required_with_values": conditional,
    "required_without_values": conditional,
    "required_with_all_values": conditional,
    "required_without_all_values": conditional,
}
