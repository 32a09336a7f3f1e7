"""Validation of the context that a host sends for an import, with the location of every error."""

from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from common.errors import Conflict, InvalidRequest
from common.http.pointers import escaped
from tabular.model.catalog import Catalog, Given
from tabular.model.catalog_findings import first_errors, model_findings

Faults = list[dict[str, str]]


class ContextOfOtherCatalog(Conflict):
    """The context names fields that this catalog does not have."""

    code = "unknown_fields"


def check_context(context: dict[str, Any], catalog: Catalog) -> None:
    """Reject unknown members, values of the wrong kind, and fields the catalog does not have."""
    if wrong := _misshapen(context) or _unknown_region(context):
        raise InvalidRequest("The context cannot be used.", code="invalid_context", errors=wrong)
    if unknown := _unknown_fields(context, catalog):
        raise ContextOfOtherCatalog(errors=unknown)


def _misshapen(context: dict[str, Any]) -> Faults:
    try:
        Given.model_validate(context, strict=False)
    except ValidationError as error:
        told = [{**fault, "loc": ("context", *fault["loc"])} for fault in first_errors(error)]
        return [
            {"pointer": finding.pointer, "code": "invalid_context", "detail": finding.sentence}
            for finding in model_findings({"context": context}, cast(list[ErrorDetails], told))
        ]
    return []


def _unknown_fields(context: dict[str, Any], catalog: Catalog) -> Faults:
    return [
        {
            "pointer": _pointer((member, path)),
            "code": "unknown_field",
            "detail": f"The catalog has no field {path!r} that can be filled.",
        }
        for member in ("defaults", "options")
        for path in context.get(member) or {}
        if path not in catalog.live_fields
    ]


def _unknown_region(context: dict[str, Any]) -> Faults:
    region = context.get("region")
    if region is None or not (sentence := region_fault(region)):
        return []
    return [{"pointer": "/context/region", "code": "unknown_region", "detail": sentence}]


def region_fault(region: str) -> str:
    """Return why phone numbers cannot be read for a country; empty if they can."""
    from tabular.types.families.phones import is_region  # loads the library of phone numbers

    if is_region(region):
        return ""
    return f"{region!r} is not a country code: use two letters, such as DE."


def _pointer(places: tuple[int | str, ...]) -> str:
    return "".join(f"/{escaped(str(place))}" for place in ("context", *places))
