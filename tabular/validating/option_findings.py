"""Settings of a field's options that have no effect. Spec: dropdown option."""

from collections.abc import Iterator, Mapping
from typing import Any

from tabular.model.catalog import Catalog, Field
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import escaped
from tabular.model.recipe import GROUPS, TESTS
from tabular.model.sentences import Sentence
from tabular.types.patterns import search_problem
from tabular.types.registry import takes_options
from tabular.validating.compare import constant_of
from tabular.validating.rule import path_of


def option_findings(path: str, field: Field, catalog: Catalog, pointer: str) -> Iterator[Finding]:
    """Yield what is wrong with a field's options. pointer: that of the field."""
    options = field.dropdown_options or ()
    at = f"{pointer}/dropdownOptions"
    if len({option.type == "string" for option in options}) > 1:
        sentence = (
            "A field delivers one type: with texts among the options, numbers "
            "are delivered as texts."
        )
        yield Finding(at, "mixed_option_types", sentence)
    yield from _spelling_findings(field, at)
    for o, option in enumerate(options):
        for v, validation in enumerate(option.validations or ()):
            place = f"{at}/{o}/validations/{v}/validate"
            yield from condition_findings(validation.validate_, path, catalog, place)


def _spelling_findings(field: Field, at: str) -> Iterator[Finding]:
    owners: dict[str, int] = {}
    for o, option in enumerate(field.dropdown_options or ()):
        for spelling in {str(option.value), option.label, *(option.alternative_matches or ())}:
            if owners.setdefault(spelling, o) != o:
                sentence = Sentence(
                    "Option {n1} also has the name “{text}”.",
                    n1=str(owners[spelling] + 1),
                    text=spelling,
                )
                yield Finding(f"{at}/{o}", "ambiguous_option", sentence)


def condition_findings(
    tree: Mapping[str, Any], path: str, catalog: Catalog, at: str
) -> Iterator[Finding]:
    """Yield what prevents a condition from being checked. at: its pointer."""
    if not tree:
        yield Finding(at, "unknown_condition", "A condition needs at least one member.")
    for key, value in tree.items():
        place = f"{at}/{escaped(key)}"
        other = path_of(key, beside=path, catalog=catalog)
        if key in GROUPS:
            yield from _group_findings(key, value, other, path, catalog, place)
        elif other is None or other not in catalog.live_fields:
            sentence = Sentence("“{key}” is neither all, any, not nor an active field.", key=key)
            yield Finding(place, "unknown_condition", sentence)
        else:
            yield from _test_findings(value, catalog.fields_by_path[other], place)


def _group_findings(
    key: str, value: Any, other: str | None, path: str, catalog: Catalog, at: str
) -> Iterator[Finding]:
    if other is not None:
        sentence = Sentence(
            "“{key}” is a field here, so it cannot group conditions as well.", key=key
        )
        yield Finding(at, "unknown_condition", sentence)
    elif not isinstance(value, Mapping):
        yield Finding(
            at, "unknown_condition", Sentence("“{key}” needs an object of conditions.", key=key)
        )
    else:
        yield from condition_findings(value, path, catalog, at)


def _test_findings(value: Any, field: Field, at: str) -> Iterator[Finding]:
    tests = value if isinstance(value, Mapping) else {"eq": value}
    for name, wanted in tests.items():
        place = f"{at}/{escaped(name)}" if isinstance(value, Mapping) else at
        if problem := _test_problem(name, wanted, field):
            yield Finding(place, "unknown_condition", problem)


def _test_problem(name: str, wanted: Any, field: Field) -> str | None:
    if name not in TESTS or isinstance(wanted, Mapping):
        return Sentence(
            "“{key}” is not a test. Use {named}.", key=name, named=", ".join(sorted(TESTS))
        )
    if name == "filled":
        return None if isinstance(wanted, bool) else "filled must be true or false."
    if name == "regex":
        return search_problem(str(wanted))
    if takes_options(field):
        return None if name in {"eq", "ne"} else "Options are compared by eq and ne only."
    if constant_of(field, wanted)[0].as_py() is None:
        return Sentence(
            "“{value}” is not a value of a {type} field.", value=wanted, type=field.column_type
        )
    return None
