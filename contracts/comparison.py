"""Differences between two contracts, and whether an accepted file may now be rejected."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from contracts.bundle import Contract
from contracts.content import written_out
from contracts.customer import CONTEXT, DIGEST, OVERLAY, without_customer
from tabular.model.amounts import amount_format
from tabular.model.catalog import Catalog, Field

Json = dict[str, Any]
ABSENT = object()


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``place``: a field path, or a member of the contract."""

    place: str
    member: str
    kind: str  # added, removed, changed
    breaking: bool
    before: Any = None
    after: Any = None


def compare(old: Contract, new: Contract) -> tuple[Change, ...]:
    """Return the differences of a new contract, catalog first; ids, dates and keys are ignored."""
    return (
        *_compare_fields(old.target, new.target),  # the region is a member of the profile's recipe
        *_members("profile", _profile(old), _profile(new), PROFILE_RULES),
        *_members("customer", _customer(old), _customer(new), CUSTOMER_RULES),
        *_members("policy", _given_members(old.policy), _given_members(new.policy), POLICY_RULES),
        *_members("engine", _given_members(old.engine), _given_members(new.engine), ENGINE_RULES),
        *_members("contract", _head(old), _head(new), HEAD_RULES),
    )


def compare_catalogs(old: Catalog, new: Catalog) -> Iterator[Change]:
    """Yield what a new version of a catalog changes: its region, and its fields."""
    yield from _members("catalog", _region(old), _region(new), CATALOG_RULES)
    yield from _compare_fields(old, new)


def _region(catalog: Catalog) -> Json:
    return {} if catalog.region is None else {"region": catalog.region}


def _compare_fields(old: Catalog, new: Catalog) -> Iterator[Change]:
    """Yield the fields that a new version of a catalog adds, drops or changes."""
    before, after = old.fields_by_path, new.fields_by_path
    for path, field in before.items():
        if path not in after:
            yield Change(path, "", "removed", breaking=not field.disabled)
        else:
            yield from _members(
                path, _given_members(field), _given_members(after[path]), FIELD_RULES
            )
    for path, field in after.items():
        if path not in before:
            yield Change(path, "", "added", breaking=_demands(field))


def is_breaking(changes: tuple[Change, ...]) -> bool:
    """Return whether any of the changes may reject what was accepted."""
    return any(change.breaking for change in changes)


def _demands(field: Field) -> bool:
    return field.is_required and not field.disabled


def _given_members(noun: Any) -> Json:
    return {
        n: item for n, item in written_out(noun).items() if item is not None and item is not False
    }


def _profile(contract: Contract) -> Json:
    """Return the members of a profile; what its recipe says of a customer is compared apart."""
    members = _given_members(contract.profile)
    recipe = without_customer(members.pop("recipe", None))
    return members if recipe is None else {**members, "recipe": recipe}


def _customer(contract: Contract) -> Json:
    """Return what a contract says of a customer, as far as its catalog does not show it."""
    recipe = contract.profile.recipe if isinstance(contract.profile.recipe, dict) else {}
    parts = (recipe.get(name) for name in (OVERLAY, CONTEXT))
    overlay, context = (part if isinstance(part, dict) else {} for part in parts)
    members = {"overlay": overlay.get(DIGEST), "defaults": context.get("defaults")}
    return {name: value for name, value in members.items() if value}


def _head(contract: Contract) -> Json:
    head = {"title": contract.title, "expiresAt": contract.expires_at}
    return {name: value for name, value in head.items() if value is not None}


def _members(
    place: str, old: Json, new: Json, rules: Mapping[str, Callable[[Any, Any], bool]]
) -> Iterator[Change]:
    for member in dict.fromkeys([*old, *new]):
        before, after = old.get(member, ABSENT), new.get(member, ABSENT)
        if before == after or member in UNREMARKED:
            continue
        kind = "added" if before is ABSENT else "removed" if after is ABSENT else "changed"
        before, after = (None if item is ABSENT else item for item in (before, after))
        breaking = rules.get(member, _never)(before, after)
        yield Change(place, member, kind, breaking, before, after)


UNREMARKED = frozenset({"key", "version"})


def _never(before: Any, after: Any) -> bool:
    return False


def _always(before: Any, after: Any) -> bool:
    return True


def _set(before: Any, after: Any) -> bool:
    """Return whether a value is now fixed that was free or different before."""
    return after is not None


def _lifted(before: Any, after: Any) -> bool:
    """Return whether something is no longer allowed."""
    return not after


def _lowered(before: Any, after: Any) -> bool:
    """Return whether a limit is new or lower."""
    return after is not None and (before is None or after < before)


def _narrowed(before: Any, after: Any) -> bool:
    """Return whether a list of accepted values is new or lacks a value."""
    return after is not None and (before is None or not set(before) <= set(after))


def _demands_more(before: Any, after: Any) -> bool:
    """Return whether a list of requirements has a new item."""
    return not set(after or ()) <= set(before or ())


def _lacks_options(before: Any, after: Any) -> bool:
    if not after:
        return False
    kept = [(option["type"], option["value"]) for option in after]
    return not before or any((item["type"], item["value"]) not in kept for item in before)


def _lacks_rules(before: Any, after: Any) -> bool:
    """Return whether a rule that causes errors is new or changed."""
    former = before or []
    return any(rule not in former and rule.get("severity") != "warning" for rule in after or ())


def _not_text(before: Any, after: Any) -> bool:
    """Return whether the new type is not text: text accepts any value."""
    return bool(after != "string")


def _lacks_columns(before: Any, after: Any) -> bool:
    """Return whether a column is no longer accepted or feeds another field."""
    if before is None or after is None:
        return True
    return any(after.get(column) != path for column, path in before.items())


def _lacks_defaults(before: Any, after: Any) -> bool:
    """Return whether a default is gone or another text, which may be refused."""
    return any((after or {}).get(path) != text for path, text in (before or {}).items())


def _earlier(before: Any, after: Any) -> bool:
    from contracts.bundle import moment

    return after is not None and (before is None or moment(after) < moment(before))


def _exact(before: Any, after: Any) -> bool:
    return bool(after == "exact")


def _refuses_currencies(before: str | None, after: str | None) -> bool:
    """Return whether amounts in an accepted currency are now rejected."""
    former, present = (amount_format(item) if item else None for item in (before, after))
    return present is not None and (former is None or former.currency != present.currency)


CATALOG_RULES: Mapping[str, Callable[[Any, Any], bool]] = {"region": _always}
FIELD_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "columnType": _not_text,
    "required": _set,
    "columnSize": _lowered,
    "validations": _lacks_rules,
    "dropdownOptions": _lacks_options,
    "reference": _set,
    "isMultiSelect": _lifted,
    "allowCustomOptions": _lifted,
    "numberFormat": _set,
    "outputFormat": _refuses_currencies,
    "optionMappingMode": _exact,
    "disabled": _set,
    "scope": _always,
}
PROFILE_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "headerRow": _set,
    "mapping": _lacks_columns,
    "recipe": _always,
}
CUSTOMER_RULES: Mapping[str, Callable[[Any, Any], bool]] = {"defaults": _lacks_defaults}
POLICY_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "requiredColumns": _demands_more,
    "maxRows": _lowered,
    "encodings": _narrowed,
}
ENGINE_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "matcher": _always,
    "transform": _always,
}
HEAD_RULES: Mapping[str, Callable[[Any, Any], bool]] = {"expiresAt": _earlier}
