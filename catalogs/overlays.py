"""
What one customer of a host has of its own: fields changed and added over a published catalog. Pure.

An overlay lies over the document of a version, and the result is a document of the same form, so
that matching, validation, review, delivery and replay know nothing about overlays.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import Field as Constraint
from pydantic import ValidationError

from catalogs.documents import usable_catalog
from common.errors import MOST_LISTED
from common.wording.messages import Message, english_message
from tabular.model import i_json
from tabular.model.catalog import Catalog, EmptyCells, Field, OnKnown, Validation
from tabular.model.catalog_findings import (
    Finding,
    first_errors,
    model_findings,
    pointer_of,
    validated,
)
from tabular.model.i_json import Noun, Omittable, Text1
from tabular.resolving.known_values import overwrites_more

Json = dict[str, Any]

MOST_EXTRA = 100  # fields that only one customer has
ADDED = ("alternativeMatches", "validations")  # lists that an overlay adds to
REQUIRED = "required"  # also a rule, which goes where an overlay says false
OPTIONS = "dropdownOptions"  # of a field; a context replaces them
REVIEW_ONLY = "readOnly"  # changes no row, so the catalog that a plan keeps has only its own


class FieldOverlay(Noun):
    """What is different about one field of the catalog."""

    required: Omittable[bool] = None
    hidden: Omittable[bool] = None
    disabled: Omittable[bool] = None
    read_only: Omittable[bool] = None
    label: Omittable[str] = None
    description: Omittable[str] = None
    example: Omittable[str] = None
    alternative_matches: Omittable[tuple[str, ...]] = None
    validations: Omittable[tuple[Validation, ...]] = None
    on_known: Omittable[OnKnown] = None
    empty_cells: Omittable[EmptyCells] = None


class ExtraField(Field):
    """A field that the catalog does not have; entity: the id of its entry."""

    entity: Text1


class Overlay(Noun):
    """Fields that differ, by path, and fields that only this customer has."""

    fields: dict[str, FieldOverlay] = Constraint(default_factory=dict)
    extra_fields: tuple[ExtraField, ...] = Constraint(default=(), max_length=MOST_EXTRA)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an overlay, and where."""

    pointer: str  # RFC 6901, from the object that holds ``fields`` and ``extraFields``
    code: str
    message: Message


def laid_over(document: Json, overlay: Json, options: Mapping[str, Any] | None = None) -> Json:
    """
    Return the document of a catalog as one customer has it.

    Names and rules of an overlay are added to the field's own; other members replace them. options:
    of a context, by field path; they replace those of the field.

    >>> order = {"id": "order", "fields": [{"key": "number", "alternativeMatches": ["No."]}]}
    >>> changed = {"order.number": {"label": "Nummer", "alternativeMatches": ["Nr."]}}
    >>> laid_over({"entries": [order]}, {"fields": changed})["entries"][0]["fields"]
    [{'key': 'number', 'alternativeMatches': ['No.', 'Nr.'], 'label': 'Nummer'}]
    """
    separator = document.get("keySeparator", ".")
    changed: Mapping[str, Json] = overlay.get("fields") or {}
    entries = []
    for entry in document["entries"]:
        own = [
            {name: value for name, value in extra.items() if name != "entity"}
            for extra in overlay.get("extraFields") or ()
            if extra["entity"] == entry["id"]
        ]
        fields = []
        for field in (*entry.get("fields", ()), *own):
            path = f"{entry['id']}{separator}{field['key']}"
            other = {OPTIONS: options[path]} if options and path in options else {}
            fields.append(_changed(field, {**changed.get(path, {}), **other}))
        entries.append({**entry, "fields": fields})
    return {**document, "entries": entries}


def _changed(field: Json, overlay: Json) -> Json:
    members = {name: value for name, value in overlay.items() if name != REVIEW_ONLY}
    for name in ADDED:
        if name in members:
            members[name] = [*(field.get(name) or ()), *members[name]]
    changed = {**field, **members}
    if overlay.get("required") is False and changed.get("validations"):
        rules = changed["validations"]
        changed["validations"] = [rule for rule in rules if rule["validate"] != REQUIRED]
    return changed


def laid_over_text(text: str, overlay: Json, options: Mapping[str, Any] | None = None) -> str:
    """Return the text of a catalog's document as one customer has it."""
    return i_json.write(laid_over(i_json.read(text), overlay, options))


def digest_of(overlay: Json) -> str:
    """Return the SHA-256 of an overlay, in hex: equal overlays have the same."""
    return i_json.digest(overlay)


def read_overlay(given: Json) -> Overlay | list[Fault]:
    """Return an overlay as a host sends it, or what is wrong with its form."""
    try:
        return validated(Overlay, given)
    except ValidationError as error:
        return [
            Fault(finding.pointer, "invalid_overlay", english_message(finding.sentence))
            for finding in model_findings(given, first_errors(error))[:MOST_LISTED]
        ]


def checked_with(
    text: str, catalog: Catalog, overlay: Overlay, given: Json, filled: Collection[str]
) -> Catalog | list[Fault]:
    """
    Return the catalog with an overlay, or the first hundred faults of what does not fit.

    text: the document of the catalog. given: the overlay as it was sent. filled: the paths of
    fields that have a default, which a hidden field may be required with.
    """
    strange = list(islice(_strange(catalog, overlay), MOST_LISTED))
    if strange:
        return strange
    opposed = list(islice(_contradictions(catalog, overlay, filled), MOST_LISTED))
    if opposed or not given:
        return opposed or catalog
    whole = usable_catalog(laid_over(i_json.read(text), given))
    if isinstance(whole, Catalog):
        return whole
    return list(islice(_at_members(whole, catalog, given), MOST_LISTED))


def _strange(catalog: Catalog, overlay: Overlay) -> Iterator[Fault]:
    """Yield what the catalog does not have."""
    for path in overlay.fields:
        if path not in catalog.fields_by_path:
            message = Message("invalid_overlay.field", path=path)
            yield Fault(pointer_of(["fields", path]), "unknown_field", message)
    entities = {entry.id for entry in catalog.entries}
    for place, extra in enumerate(overlay.extra_fields):
        if extra.entity not in entities:
            message = Message("invalid_overlay.entity", entity=extra.entity)
            yield Fault(pointer_of(["extraFields", place, "entity"]), "unknown_entry", message)


def _contradictions(catalog: Catalog, overlay: Overlay, filled: Collection[str]) -> Iterator[Fault]:
    """Yield fields that must have a value and cannot get one."""
    for path, changed in overlay.fields.items():
        field = catalog.fields_by_path[path]
        is_required = changed.required if changed.required is not None else field.is_required
        is_disabled = field.disabled if changed.disabled is None else changed.disabled
        is_hidden = field.hidden if changed.hidden is None else changed.hidden
        if is_required and is_disabled:
            name = "disabled" if changed.disabled else "required"
            message = Message("invalid_overlay.disabled", path=path)
            yield Fault(pointer_of(["fields", path, name]), "required_field", message)
        elif is_required and is_hidden and path not in filled:
            name = "hidden" if changed.hidden else "required"
            message = Message("invalid_overlay.hidden", path=path)
            yield Fault(pointer_of(["fields", path, name]), "required_field", message)


def _at_members(findings: Iterable[Finding], catalog: Catalog, given: Json) -> Iterator[Fault]:
    """Yield what the catalog as a whole does not allow, at the members of the overlay."""
    places = _places(catalog, given)
    for finding in findings:
        here = next((at for at in places if finding.pointer.startswith(f"{at}/")), None)
        rest = finding.pointer.removeprefix(here) if here else ""
        pointer = f"{places[here]}{rest}" if here else ""
        yield Fault(pointer, finding.code, english_message(finding.sentence))


def _places(catalog: Catalog, given: Json) -> dict[str, str]:
    """Return the pointers into an overlay by those into the catalog that it makes."""
    changed, separator = given.get("fields") or {}, catalog.key_separator
    extras = list(enumerate(given.get("extraFields") or ()))
    places = {}
    for e, entry in enumerate(catalog.entries):
        for f, field in enumerate(entry.fields):
            path = f"{entry.id}{separator}{field.key}"
            if path in changed:
                places[f"/entries/{e}/fields/{f}"] = pointer_of(["fields", path])
        mine = (place for place, extra in extras if extra["entity"] == entry.id)
        for f, place in enumerate(mine, start=len(entry.fields)):
            places[f"/entries/{e}/fields/{f}"] = pointer_of(["extraFields", place])
    return places


def widenings(catalog: Catalog, overlay: Overlay) -> list[str]:
    """Return the pointers to what accepts or delivers more than the catalog does."""
    wider = [pointer_of(["extraFields", place]) for place in range(len(overlay.extra_fields))]
    for path, changed in overlay.fields.items():
        field = catalog.fields_by_path[path]
        opened = {
            REQUIRED: changed.required is False and field.is_required,
            "hidden": changed.hidden is False and bool(field.hidden),
            "disabled": changed.disabled is False and bool(field.disabled),
            REVIEW_ONLY: changed.read_only is False and bool(field.read_only),
            "onKnown": overwrites_more(changed.on_known, field.on_known),
            "emptyCells": changed.empty_cells == "clear" and field.empty_cells == "keep",
        }
        wider += [
            pointer_of(["fields", path, name]) for name, is_wider in opened.items() if is_wider
        ]
    return wider
