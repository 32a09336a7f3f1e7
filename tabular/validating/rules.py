"""From a catalog to compiled rules."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog, Field, Validation
from tabular.types.rows import TypedRows
from tabular.types.searching import Pattern
from tabular.validating.compare import compare
from tabular.validating.conditions import option_rules
from tabular.validating.required import conditional, plainly_required
from tabular.validating.rule import RowRule, canonical_texts, params_json, severity_of
from tabular.validating.rule_findings import is_without_effect

Compile = Callable[[str, Validation, Catalog], RowRule]


def row_rules(
    catalog: Catalog, *, paths: Collection[str], fed: Collection[str] = ()
) -> tuple[RowRule, ...]:
    """
    Compile every rule that looks at one row.

    paths: the live fields that take part; rules of other fields are left out. fed: the fields that
    a column feeds. Where they are of several entries, a row in which one of these has no text at
    all, and another has, says nothing of it, and is not checked for it.
    """
    entries = fed_entries(catalog, fed)
    whole = {path: live for live in fed_entries(catalog, catalog.live_fields) for path in live}
    return tuple(
        rule if len(entries) < 2 else _where_present(rule, whole[path], entries)
        for path, field in catalog.live_fields.items()
        if path in paths
        for rule in _of_field(path, field, catalog)
    )


def fed_entries(catalog: Catalog, fed: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Group the fields that a column feeds by their entry."""
    separator = catalog.key_separator
    found = (
        tuple(path for f in entry.fields if (path := f"{entry.id}{separator}{f.key}") in fed)
        for entry in catalog.entries
    )
    return tuple(paths for paths in found if paths)


def _where_present(
    rule: RowRule, whole: tuple[str, ...], entries: tuple[tuple[str, ...], ...]
) -> RowRule:
    """Have a rule hold where its entry is said. whole: the live fields of that entry."""
    mine = next((paths for paths in entries if not set(paths).isdisjoint(whole)), ())
    others = [path for paths in entries if paths != mine for path in paths]

    def breaks(rows: TypedRows) -> pa.Array:
        said = pc.or_(_any_text(rows, mine), pc.invert(_any_text(rows, others)))
        return pc.and_kleene(rule.breaks(rows), said)

    return replace(rule, breaks=breaks, reads=rule.reads.union(mine, others))


def _any_text(rows: TypedRows, paths: Collection[str]) -> pa.Array:
    found = pa.repeat(pa.scalar(False), len(rows))
    for path in paths:
        found = pc.or_(found, rows.filled(path))
    return found


def _of_field(path: str, field: Field, catalog: Catalog) -> Iterator[RowRule]:
    validations = field.validations or ()
    if field.required and not any(v.validate_ == "required" for v in validations):
        yield plainly_required(path, None, catalog)
    if field.column_size:
        yield _too_long(path, field.column_size)
    for validation in validations:
        if is_without_effect(path, validation, catalog):
            continue
        if validation.validate_ == "regex":
            yield from _regex(path, validation)
        elif validation.validate_ in COMPILERS:
            yield COMPILERS[validation.validate_](path, validation, catalog)
    yield from option_rules(path, field, catalog)


def _too_long(path: str, size: int) -> RowRule:
    def breaks(rows: TypedRows) -> pa.Array:
        return pc.greater(pc.utf8_length(canonical_texts(rows.values[path])), size)

    return RowRule(
        path, "too_long", "error", breaks, params_json(None, max=size), frozenset({path})
    )


def _regex(path: str, validation: Validation) -> Iterator[RowRule]:
    """Compile ``regex``: texts without the pattern, and texts that took too long to say."""
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
