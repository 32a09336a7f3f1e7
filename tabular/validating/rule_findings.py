"""What makes a rule of a field ineffective. Spec: validation."""

from collections.abc import Iterator, Mapping

from tabular.model.catalog import Catalog, Field, Validation
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import escaped
from tabular.model.sentences import Sentence
from tabular.types.patterns import search_problem
from tabular.validating.compare import constant_of, kind_of, other_paths
from tabular.validating.rule import path_of


def rule_findings(path: str, field: Field, catalog: Catalog, pointer: str) -> Iterator[Finding]:
    """Yield the validations of a field that check nothing. pointer: that of the field."""
    for v, validation in enumerate(field.validations or ()):
        yield from _findings(path, validation, catalog, f"{pointer}/validations/{v}")


def is_without_effect(path: str, validation: Validation, catalog: Catalog) -> bool:
    """Return whether a rule cannot be checked as it is written, and so checks nothing."""
    return any(_findings(path, validation, catalog, ""))


def _findings(path: str, validation: Validation, catalog: Catalog, at: str) -> Iterator[Finding]:
    field, kind = catalog.fields_by_path[path], validation.validate_
    yield from _column_findings(path, validation, catalog, at)
    if kind == "regex":
        yield from _regex_findings(validation, at)
    elif kind == "compare":
        yield from _compare_findings(path, field, validation, catalog, at)
    elif kind.startswith("required_"):
        yield from _condition_findings(validation, at)
    elif kind.startswith("reference_") and field.reference is None:
        sentence = Sentence("{rule} needs a field with a reference.", rule=kind)
        yield Finding(f"{at}/validate", "needs_reference", sentence)


def _column_findings(
    path: str, validation: Validation, catalog: Catalog, at: str
) -> Iterator[Finding]:
    named: Mapping[str, str] = {
        **{f"columns/{i}": name for i, name in enumerate(validation.columns or ())},
        **({"column": validation.column} if validation.column is not None else {}),
        **{f"columnValues/{escaped(name)}": name for name in validation.column_values or {}},
    }
    for place, name in named.items():
        other = path_of(name, beside=path, catalog=catalog)
        if other is None:
            sentence = Sentence(
                "There is no field “{name}” in this entry or the catalog.", name=name
            )
            yield Finding(f"{at}/{place}", "unknown_column", sentence)
        elif other not in catalog.live_fields:
            sentence = Sentence(
                "The field “{name}” is disabled, so a rule cannot use it.", name=name
            )
            yield Finding(f"{at}/{place}", "disabled_column", sentence)
        elif other == path:
            sentence = Sentence("The rule of “{name}” names the field itself.", name=name)
            yield Finding(f"{at}/{place}", "names_itself", sentence)


def _regex_findings(validation: Validation, at: str) -> Iterator[Finding]:
    if not validation.regex:
        yield Finding(f"{at}/regex", "missing_member", "The rule regex needs a pattern.")
    elif problem := search_problem(validation.regex):
        yield Finding(f"{at}/regex", "refused_pattern", problem)


def _condition_findings(validation: Validation, at: str) -> Iterator[Finding]:
    kind = validation.validate_
    if kind.endswith("_values"):
        if not validation.column_values:
            yield Finding(
                f"{at}/columnValues",
                "missing_member",
                Sentence("{rule} needs columnValues.", rule=kind),
            )
    elif not validation.columns:
        yield Finding(
            f"{at}/columns", "missing_member", Sentence("{rule} needs columns.", rule=kind)
        )


def _compare_findings(
    path: str, field: Field, validation: Validation, catalog: Catalog, at: str
) -> Iterator[Finding]:
    if validation.op is None:
        yield Finding(f"{at}/op", "missing_member", "compare needs op.")
    sides = [validation.column is not None, validation.value is not None, bool(validation.columns)]
    if sum(sides) != 1:
        sentence = "compare needs exactly one of column, value and columns."
        yield Finding(at, "one_side", sentence)
        return
    if bool(validation.columns) != (validation.fn is not None):
        yield Finding(f"{at}/fn", "missing_member", "Set columns and fn together.")
    if field.is_multi_select:
        yield Finding(f"{at}/validate", "incomparable", "Several options cannot be compared.")
    yield from _kind_findings(path, field, validation, catalog, at)


def _kind_findings(
    path: str, field: Field, validation: Validation, catalog: Catalog, at: str
) -> Iterator[Finding]:
    kind = kind_of(field)
    if validation.value is not None:
        if constant_of(field, validation.value)[0].as_py() is None:
            sentence = Sentence(
                "“{value}” is not a value of a {type} field.",
                value=validation.value,
                type=field.column_type,
            )
            yield Finding(f"{at}/value", "wrong_value", sentence)
        return
    if validation.fn and kind != "number":
        sentence = Sentence(
            "A {fn} is a number, but this field does not hold numbers.", fn=validation.fn
        )
        yield Finding(f"{at}/fn", "incomparable", sentence)
    wanted = "number" if validation.fn else kind
    for other in other_paths(path, validation, catalog):
        if catalog.fields_by_path[other].is_multi_select:
            sentence = Sentence(
                "“{name}” holds several options, which cannot be compared.", name=other
            )
            yield Finding(at, "incomparable", sentence)
        if (other_kind := kind_of(catalog.fields_by_path[other])) != wanted:
            sentence = Sentence(
                "“{name}” holds a {type}, which cannot be compared with a {other}.",
                name=other,
                type=other_kind,
                other=wanted,
            )
            yield Finding(at, "incomparable", sentence)
