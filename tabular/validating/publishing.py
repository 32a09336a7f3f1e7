"""Settings of a valid catalog that have no effect. Spec: field, validation.

The field model decides what can be published; a setting without effect gets a warning at its place.
"""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any

from tabular.model.amounts import CURRENCY_OF, ISO_CODES, STATING, amount_format
from tabular.model.catalog import Catalog, Field
from tabular.model.catalog_findings import (
    MAX_FINDINGS,
    Finding,
    check_catalog,
    check_document,
)
from tabular.model.nesting import children_of, nesting_errors
from tabular.model.sentences import Sentence
from tabular.types.families.phones import is_region
from tabular.types.output_formats import has_effect
from tabular.types.patterns import ACTING, search_problem
from tabular.types.registry import takes_options
from tabular.validating.option_findings import option_findings
from tabular.validating.rule_findings import rule_findings

SLIP = 0.8  # as similar as “custmer” and “customer”; “order” and “orders” are, too


def findings_of(text: str | bytes) -> tuple[Finding, ...]:
    """
    Return all findings about the catalog in a JSON text.

    Errors of the field model, or else currencies that do not exist or contradict their type and
    entries that cannot be nested (errors), and warnings: rules that name unknown columns,
    comparisons of what cannot be compared, invalid patterns, spellings of two options, unknown
    conditions and formats.
    """
    checked = check_catalog(text)
    if not isinstance(checked, Catalog):
        return checked
    all_findings = chain(content_errors(checked), catalog_warnings(checked))
    return tuple(islice(all_findings, MAX_FINDINGS))


def usable_catalog(document: Any) -> Catalog | tuple[Finding, ...]:
    """Return the catalog in a parsed document, or the errors that keep it from being published."""
    checked = check_document(document)
    if not isinstance(checked, Catalog):
        return checked
    return tuple(islice(content_errors(checked), MAX_FINDINGS)) or checked


def content_errors(catalog: Catalog) -> Iterator[Finding]:
    """Yield what keeps a catalog that has the form of the field model from being published."""
    yield from currency_errors(catalog)
    yield from nesting_errors(catalog)


def currency_errors(catalog: Catalog) -> Iterator[Finding]:
    """
    Yield amounts that state no ISO 4217 currency, or another than their type names.

    Errors: amounts would be read without a currency that the author asked for.
    """
    for e, entry in enumerate(catalog.entries):
        for f, field in enumerate(entry.fields):
            yield from _currency_errors(field, f"/entries/{e}/fields/{f}")


def _currency_errors(field: Field, pointer: str) -> Iterator[Finding]:
    named = amount_format(field.output_format or "")
    if named is None or field.column_type not in STATING or field.dropdown_options:
        return
    at, code = f"{pointer}/outputFormat", named.currency
    own = CURRENCY_OF.get(field.column_type, code)
    if code not in ISO_CODES:
        sentence = Sentence(
            "“{code}” is not an ISO 4217 currency code; use one such as CHF.", code=code
        )
        yield Finding(at, "unknown_currency", sentence)
    elif code != own:
        sentence = Sentence(
            "The type {type} holds {own}; use the type float for {code}.",
            type=field.column_type,
            own=own,
            code=code,
        )
        yield Finding(at, "other_currency", sentence)


def catalog_warnings(catalog: Catalog) -> Iterator[Finding]:
    """Yield settings without effect, in the order of the catalog."""
    for finding in _vain(catalog):
        yield replace(finding, severity="warning")


def _vain(catalog: Catalog) -> Iterator[Finding]:
    if catalog.region is not None and not is_region(catalog.region):
        sentence = Sentence(
            "“{code}” is not a country code with telephone numbers.", code=catalog.region
        )
        yield Finding("/region", "unknown_region", sentence)
    if not catalog.entries:
        yield Finding("/entries", "no_entries", "Nothing can be imported without an entry.")
    for e, entry in enumerate(catalog.entries):
        if not entry.fields:
            sentence = Sentence(
                "The entry {name} has no fields, so nothing can be imported into it.",
                name=repr(entry.id),
            )
            yield Finding(f"/entries/{e}/fields", "no_fields", sentence)
        if entry.group_by is not None and not children_of(entry.id, catalog):
            sentence = Sentence(
                "No entry is a child of “{entry}”, so its rows are not grouped.", entry=entry.id
            )
            yield Finding(f"/entries/{e}/groupBy", "no_children", sentence)
        for f, field in enumerate(entry.fields):
            path = f"{entry.id}{catalog.key_separator}{field.key}"
            pointer = f"/entries/{e}/fields/{f}"
            yield from rule_findings(path, field, catalog, pointer)
            yield from option_findings(path, field, catalog, pointer)
            yield from _form_findings(field, pointer)
            yield from _detector_findings(field, pointer)
            yield from _reference_findings(field, catalog, pointer)


def _form_findings(field: Field, pointer: str) -> Iterator[Finding]:
    is_wrong = any(_currency_errors(field, pointer))
    if field.output_format is not None and not has_effect(field) and not is_wrong:
        what = "option" if takes_options(field) else field.column_type
        sentence: str = Sentence(
            "A value of the type {type} cannot be written as “{format}”.",
            type=what,
            format=field.output_format,
        )
        yield Finding(f"{pointer}/outputFormat", "unknown_output_format", sentence)
    if field.is_multi_select and not takes_options(field):
        sentence = "A field without options holds one value."
        yield Finding(f"{pointer}/isMultiSelect", "needs_options", sentence)


def _detector_findings(field: Field, pointer: str) -> Iterator[Finding]:
    for d, detector in enumerate(field.value_detectors or ()):
        if detector.kind != "regex":
            continue
        at = f"{pointer}/valueDetectors/{d}"
        if unknown := sorted(set(detector.flags or "") - ACTING - {"u"}):
            sentence = Sentence(
                "The flags {flags} have no effect. Use i, m or s.", flags=", ".join(unknown)
            )
            yield Finding(f"{at}/flags", "unknown_flags", sentence)
        if problem := search_problem(detector.pattern):
            yield Finding(f"{at}/pattern", "refused_pattern", problem)


def _reference_findings(field: Field, catalog: Catalog, pointer: str) -> Iterator[Finding]:
    reference = field.reference
    if reference is None:
        return
    entry = next((entry for entry in catalog.entries if entry.id == reference.entity), None)
    if entry is None:  # the host makes its entities known; only a typing error is reported
        ids = [entry.id for entry in catalog.entries]
        if near := get_close_matches(reference.entity, ids, 1, SLIP):
            sentence = Sentence(
                "The catalog has no entry “{name}”; did you mean “{near}”?",
                name=reference.entity,
                near=near[0],
            )
            yield Finding(f"{pointer}/reference/entity", "unknown_entity", sentence)
        return
    keys = {other.key for other in entry.fields if not other.disabled}
    for m, key in enumerate(reference.match_on):
        if key not in keys:
            sentence = Sentence(
                "The entry “{name}” has no active field “{key}”.", name=entry.id, key=key
            )
            yield Finding(f"{pointer}/reference/matchOn/{m}", "unknown_column", sentence)
