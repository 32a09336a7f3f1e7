"""What keeps a catalog of the right form from being published. Spec: field, validation."""

from collections.abc import Iterator
from itertools import islice

from tabular.model import checking
from tabular.model.catalog import Catalog, Field
from tabular.model.checking import MAX_FINDINGS, Finding
from tabular.types.output_formats import is_output_format
from tabular.types.patterns import pattern_problem
from tabular.validating.option_findings import option_findings
from tabular.validating.rule_findings import rule_findings

FLAGS = frozenset("imsu")


def check_catalog(text: str | bytes) -> Catalog | tuple[Finding, ...]:
    """
    Give the catalog a JSON text holds, or everything that keeps it from being published.

    Beyond the field model: rules that name unknown columns, comparisons of what cannot be compared,
    patterns RE2 refuses, options that contradict each other, unknown conditions and formats.
    """
    checked = checking.check_catalog(text)
    if not isinstance(checked, Catalog):
        return checked
    return tuple(islice(catalog_findings(checked), MAX_FINDINGS)) or checked


def catalog_findings(catalog: Catalog) -> Iterator[Finding]:
    """Find what an import could not use, field by field."""
    for e, entry in enumerate(catalog.entries):
        for f, field in enumerate(entry.fields):
            path = f"{entry.id}{catalog.key_separator}{field.key}"
            pointer = f"/entries/{e}/fields/{f}"
            yield from rule_findings(path, field, catalog, pointer)
            yield from option_findings(path, field, catalog, pointer)
            yield from _form_findings(field, pointer)
            yield from _detector_findings(field, pointer)
            yield from _reference_findings(field, catalog, pointer)


def _form_findings(field: Field, pointer: str) -> Iterator[Finding]:
    pattern, type_ = field.output_format, field.column_type
    if pattern is not None and not is_output_format(type_, pattern):
        sentence = f"A {type_} cannot be written as “{pattern}”."
        yield Finding(f"{pointer}/outputFormat", "unknown_output_format", sentence)
    if field.is_multi_select and type_ != "category":
        sentence = "Only a category can hold several options."
        yield Finding(f"{pointer}/isMultiSelect", "needs_category", sentence)


def _detector_findings(field: Field, pointer: str) -> Iterator[Finding]:
    for d, detector in enumerate(field.value_detectors or ()):
        if detector.kind != "regex":
            continue
        at = f"{pointer}/valueDetectors/{d}"
        if unknown := sorted(set(detector.flags or "") - FLAGS):
            sentence = f"The flags {', '.join(unknown)} are unknown; i, m, s and u are known."
            yield Finding(f"{at}/flags", "unknown_flags", sentence)
        if problem := pattern_problem(detector.pattern):
            yield Finding(f"{at}/pattern", "refused_pattern", problem)


def _reference_findings(field: Field, catalog: Catalog, pointer: str) -> Iterator[Finding]:
    reference = field.reference
    if reference is None:
        return
    entry = next((entry for entry in catalog.entries if entry.id == reference.entity), None)
    if entry is None:
        sentence = f"The catalog has no entry “{reference.entity}” to refer to."
        yield Finding(f"{pointer}/reference/entity", "unknown_entity", sentence)
        return
    keys = {other.key for other in entry.fields if not other.disabled}
    for m, key in enumerate(reference.match_on):
        if key not in keys:
            sentence = f"The entry “{entry.id}” has no live field “{key}”."
            yield Finding(f"{pointer}/reference/matchOn/{m}", "unknown_column", sentence)
