"""Whether a mapping and a recipe fit a file and a catalog, with the location of every error."""

from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from common.errors import Conflict, InvalidRequest
from common.http.pointers import escaped
from common.wording.messages import Message, english_message
from imports.mapping.custom_fields import Added
from imports.models import ImportRecord
from tabular.model.catalog_findings import first_errors, model_findings

Faults = list[dict[str, Any]]


def check_mapping(
    record: ImportRecord,
    mapping: dict[str, str],
    recipe: dict[str, Any] | None,
    added: Added | None = None,
) -> None:
    """
    Raise with every error of the recipe (``invalid_recipe``) or ``invalid_mapping``.

    added: the custom fields that the mapping names, if a call adds some.
    """
    read = record.file_read
    columns = _columns_after(recipe, set(read.columns if read else ()))
    target = record.target if added is None else record.with_custom_fields(added.fields)
    fields, pointers = set(target.live_fields), added.pointers if added else {}
    wrong = [
        {
            "pointer": pointers.get(column) or f"/mapping/{escaped(column)}",
            "code": code,
            "detail": fault,
        }
        for column, field in mapping.items()
        for code, fault in _faults(column, field, columns, fields)
    ]
    wrong += _taken_twice(mapping)
    if wrong:
        raise Conflict(
            "invalid_mapping",
            errors=wrong,
        )


def _faults(
    column: str, field: str, columns: set[str], fields: set[str]
) -> list[tuple[str, Message]]:
    faults = []
    if column not in columns:
        faults.append(("unknown_column", Message("invalid_request.no_column", column=column)))
    if field not in fields:
        faults.append(("unknown_field", Message("invalid_mapping.field", field=field)))
    return faults


def _taken_twice(mapping: dict[str, str]) -> Faults:
    taken: dict[str, str] = {}
    wrong: Faults = []
    for column, field in mapping.items():
        if field in taken:
            fault = Message("invalid_mapping.taken", field=field, column=taken[field])
            pointer = f"/mapping/{escaped(column)}"
            wrong.append({"pointer": pointer, "code": "field_taken", "detail": fault})
        taken.setdefault(field, column)
    return wrong


def _columns_after(recipe: dict[str, Any] | None, columns: set[str]) -> set[str]:
    """Return the columns that exist after the recipe."""
    if recipe is None:
        return columns
    from tabular.model.recipe import MAX_STEPS, Recipe

    # It loads pyarrow, so only if a recipe is sent.
    from tabular.transforming.executing import recipe_findings

    steps = recipe.get("steps")
    if isinstance(steps, list) and len(steps) > MAX_STEPS:
        fault = Message("invalid_recipe.steps", most=MAX_STEPS)
        raise _refused([{"pointer": "/recipe/steps", "code": "invalid_recipe", "detail": fault}])
    try:
        steps = Recipe.model_validate(recipe, strict=False).steps
    except ValidationError as error:
        raise _refused(_recipe_faults(recipe, error)) from error
    findings = recipe_findings(steps, columns)
    if findings:
        faults = [
            (f"/recipe{finding.pointer}", finding.code, english_message(finding.sentence))
            for finding in findings
        ]
        raise _refused([dict(zip(("pointer", "code", "detail"), f, strict=True)) for f in faults])
    for step in steps:
        columns = columns - set(step.removes) | set(step.makes)
    return columns


def _recipe_faults(recipe: dict[str, Any], error: ValidationError) -> Faults:
    faults = [{**fault, "loc": ("recipe", *fault["loc"])} for fault in first_errors(error)]
    return [
        {
            "pointer": finding.pointer,
            "code": "invalid_recipe",
            "detail": english_message(finding.sentence),
        }
        for finding in model_findings({"recipe": recipe}, cast(list[ErrorDetails], faults))
    ]


def _refused(faults: Faults) -> InvalidRequest:
    return InvalidRequest("invalid_recipe", errors=faults)
