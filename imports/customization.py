"""
What a host sets for one customer, checked against a catalog: its context and its overlay.

The context says what "here" means and fills empty cells (``tabular.model.catalog.Given``). The
overlay changes and adds fields (``catalogs.overlays``) and fixes how the rows are applied. Both are
stored with the import, so that a catalog published later changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from catalogs.models import CatalogVersion
from catalogs.overlays import Fault, Overlay, checked_with, read_overlay, widenings
from catalogs.selectors import choose
from common.errors import Conflict, InvalidRequest, NotFound
from common.http.pointers import escaped
from common.wording.messages import Message, english_message
from imports.models import ImportRecord, Profile
from licensing.caller import Caller
from licensing.models import PageSession, Tenant
from licensing.refusals import EntitlementRequired
from licensing.sessions import Wanted
from licensing.tokens.keys import CATALOG_OVERLAYS, readable_label
from tabular.model.catalog import Catalog, Given, Guarded, SecondPerson
from tabular.model.catalog_findings import first_errors, model_findings, validated

Json = dict[str, Any]
Faults = list[dict[str, Any]]

FIELDS, EXTRA = "fields", "extraFields"  # of an overlay, for the catalog
AT_APPLY = ("emptyCells", "openQuestions")  # of an overlay, for the apply
PROFILE = "profileId"  # of an overlay, for the mapping
SECOND_PERSON = "secondPerson"  # of an overlay, for the approval
KEPT = (*AT_APPLY, PROFILE, SECOND_PERSON)
ALONE: tuple[Guarded, ...] = ("apply", "revert")  # what has a limit of rows
ADD, REPLACE = "add", "replace"  # how options of a context count
CURRENCY = "currency"
CURRENCY_TYPE = "currency_code"


class ContextOfOtherCatalog(Conflict):
    """The context names fields that this catalog does not have."""

    code = "unknown_fields"


class UnknownProfile(NotFound):
    """There is no such profile."""

    code = "unknown_profile"


@dataclass(frozen=True, slots=True)
class Customization:
    """What holds for one customer. context: options in full. overlay: None without one."""

    context: Json = field(default_factory=dict)
    overlay: Json | None = None


def needs_catalog(wished: Mapping[str, Any]) -> bool:
    """Return whether what a host requests for one customer has to be checked against a catalog."""
    return any(wished.get(name) for name in ("context", FIELDS, EXTRA, PROFILE))


def customization(
    wished: Mapping[str, Any],
    version: CatalogVersion | None,
    *,
    tenant: Tenant,
    scope: str = "",
    entitlements: Collection[str],
    for_session: bool = False,
) -> Customization:
    """
    Return what a host requests for one customer, checked against a catalog version.

    wished: any of ``context``, ``fields``, ``extraFields``, ``emptyCells``, ``openQuestions``,
    ``profileId`` and ``secondPerson``, as sent. version: None if nothing needs it. for_session:
    options beyond the catalog's need the entitlement, too; a server that sends them with one import
    needs none. Raise InvalidRequest or ContextOfOtherCatalog with the place of every error,
    UnknownProfile, or EntitlementRequired for what goes beyond the catalog.
    """
    parts = {name: wished[name] for name in (FIELDS, EXTRA) if wished.get(name)}
    kept = parts | {name: wished[name] for name in KEPT if wished.get(name)}
    if version is None:
        return Customization(overlay=kept or None)
    overlay = read_overlay(parts)
    if not isinstance(overlay, Overlay):
        raise _refused(overlay)
    context, catalog = dict(wished.get("context") or {}), version.as_catalog()
    defaults = context.get("defaults")
    filled = defaults if isinstance(defaults, Mapping) else ()
    whole = checked_with(version.document, catalog, overlay, parts, filled)
    if not isinstance(whole, Catalog):
        raise _refused(whole)
    beyond = widenings(catalog, overlay)
    if for_session:
        beyond += _options_beyond(context, catalog)
    _refuse_wider_second_person(wished, catalog)
    if beyond and CATALOG_OVERLAYS not in entitlements:
        raise EntitlementRequired(CATALOG_OVERLAYS, beyond)
    context = _with_currency(_with_options(context, whole), whole)
    check_context(context, whole)
    if profile_id := kept.get(PROFILE):
        check_profile(profile_id, tenant, version.catalog.key, scope)
    return Customization(context, kept or None)


def session_settings(caller: Caller, wished: Mapping[str, Any]) -> Wanted:
    """
    Return the settings of a session, as a host requests them, checked against the catalog.

    wished: the members of ``POST sessions``. Raise UnknownCatalog, and what ``customization`` does.
    """
    actor, key = wished.get("actor", {}), wished.get("catalogKey", "")
    version, is_special = None, needs_catalog(wished)
    if key or is_special:  # otherwise the page would find no catalog, without an explanation
        version = choose(caller.tenant, key).version
    scope = wished.get("scope", "")
    special = customization(
        wished,
        version,
        tenant=caller.tenant,
        scope=scope,
        entitlements=caller.entitlements,
        for_session=True,
    )
    context = dict(special.context)
    region = context.pop("region", None) or wished.get("region", "")
    return Wanted(
        scope=scope,
        meta=wished.get("meta"),
        catalog_key=version.catalog.key if version else "",
        catalog_number=version.number if version and is_special else None,
        region=region,
        context=context or None,
        overlay=special.overlay,
        keep_unmapped=wished.get("keepUnmapped"),
        apply_mode=wished.get("applyMode", PageSession.ApplyMode.WEBHOOK),
        invalid_rows=frozenset(wished["invalidRows"]),
        rights=frozenset(wished["rights"]),
        origin=wished.get("origin", ""),
        actor_id=readable_label(actor.get("id", "")),
        actor_label=readable_label(actor.get("label", "")),
        expires_at=wished.get("expiresAt"),
    )


def _refuse_wider_second_person(wished: Mapping[str, Any], catalog: Catalog) -> None:
    """Raise InvalidRequest if one person may apply or revert more than the catalog lets them."""
    own, given = catalog.second_person, wished.get(SECOND_PERSON)
    if own is None or given is None or given["above"] <= own.above:
        return
    rule = validated(SecondPerson, given)
    both = (doing for doing in ALONE if rule.most_alone(doing) is not None)
    if all(own.most_alone(doing) is None for doing in both):
        return  # the catalog asks for no second person there
    wider = Message("invalid_overlay.second_person", most=own.above)
    errors = [{"pointer": f"/{SECOND_PERSON}/above", "code": "invalid_overlay", "detail": wider}]
    raise InvalidRequest("invalid_overlay", errors=errors)


def read_only_fields(record: ImportRecord) -> frozenset[str]:
    """Return the paths of the fields whose values people may see but not change."""
    changed: Mapping[str, Json] = (record.overlay or {}).get(FIELDS) or {}
    return frozenset(
        path
        for path, item in record.target.live_fields.items()
        if changed.get(path, {}).get("readOnly", item.read_only)
    )


def merged_contexts(host: Json | None, page: Json | None) -> Json:
    """Return a host's context with what its page adds, path by path."""
    host, page = host or {}, page or {}
    merged = {**host, **page}
    for name in ("defaults", "options"):
        if isinstance(host.get(name), dict) and isinstance(page.get(name), dict):
            merged[name] = {**host[name], **page[name]}
    return merged


def check_context(context: Json, catalog: Catalog) -> None:
    """Reject unknown members, values of the wrong kind, and fields the catalog does not have."""
    if wrong := _misshapen(context) or _unknown_region(context):
        raise InvalidRequest("invalid_context", errors=wrong)
    if unknown := _unknown_fields(context, catalog):
        raise ContextOfOtherCatalog(errors=unknown)


def check_profile(profile_id: str, tenant: Tenant, catalog_key: str, scope: str) -> None:
    """Raise UnknownProfile for a saved mapping of another tenant, catalog or customer."""
    mine = Profile.objects.filter(tenant=tenant, catalog_key=catalog_key)
    if not mine.filter(public_id=profile_id, scope__in=["", scope]).exists():
        raise UnknownProfile


def _refused(faults: Iterable[Fault]) -> InvalidRequest:
    return InvalidRequest(
        "invalid_overlay",
        errors=[
            {"pointer": fault.pointer, "code": fault.code, "detail": fault.message}
            for fault in faults
        ],
    )


def _with_options(context: Json, catalog: Catalog) -> Json:
    """Return a context whose options are whole lists; what is misshapen stays for the check."""
    options = context.get("options")
    if not isinstance(options, dict):
        return context
    whole = {}
    for path, wanted in options.items():
        own = catalog.live_fields.get(path)
        match wanted:
            case {"replace": list() as given, **rest} if not rest:
                whole[path] = given
            case {"add": list() as given, **rest} if not rest:
                present = (own and own.dropdown_options) or ()
                listed = [item.model_dump(mode="json", exclude_none=True) for item in present]
                whole[path] = [*listed, *given]
            case _:
                whole[path] = wanted
    return {**context, "options": whole}


def _options_beyond(context: Json, catalog: Catalog) -> list[str]:
    """Return the pointers of options with values that the catalog's field does not deliver."""
    beyond = []
    options = context.get("options")
    for path, wanted in options.items() if isinstance(options, dict) else ():
        known = catalog.live_fields.get(path)
        given = next(iter(wanted.values()), []) if isinstance(wanted, dict) else wanted
        sent = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
        values = [item.value for item in (known and known.dropdown_options) or ()]
        if known is not None and any(item.get("value") not in values for item in sent):
            beyond.append(_pointer(("options", path)))
    return beyond


def _with_currency(context: Json, catalog: Catalog) -> Json:
    """Return a context whose currency is the default of every field that holds a currency code."""
    if CURRENCY not in context:
        return context
    rest = {name: value for name, value in context.items() if name != CURRENCY}
    code = context[CURRENCY]
    if not is_currency(code):
        wrong = Message("invalid_context.currency", currency=str(code))
        errors = [{"pointer": "/context/currency", "code": "unknown_currency", "detail": wrong}]
        raise InvalidRequest("invalid_context", errors=errors)
    codes = {
        path: code
        for path, item in catalog.live_fields.items()
        if item.column_type == CURRENCY_TYPE
    }
    return {**rest, "defaults": {**codes, **(rest.get("defaults") or {})}}


def is_currency(code: Any) -> bool:
    """Return whether a value is a currency code of ISO 4217."""
    from tabular.model.amounts import ISO_CODES

    return isinstance(code, str) and code in ISO_CODES


def _misshapen(context: Json) -> Faults:
    try:
        Given.model_validate(context, strict=False)
    except ValidationError as error:
        faults = [{**fault, "loc": ("context", *fault["loc"])} for fault in first_errors(error)]
        return [
            {
                "pointer": finding.pointer,
                "code": "invalid_context",
                "detail": english_message(finding.sentence),
            }
            for finding in model_findings({"context": context}, cast(list[ErrorDetails], faults))
        ]
    return []


def _unknown_fields(context: Json, catalog: Catalog) -> Faults:
    return [
        {
            "pointer": _pointer((member, path)),
            "code": "unknown_field",
            "detail": Message("invalid_context.field", path=path),
        }
        for member in ("defaults", "options")
        for path in context.get(member) or {}
        if path not in catalog.live_fields
    ]


def _unknown_region(context: Json) -> Faults:
    region = context.get("region")
    if region is None or not (fault := region_fault(region)):
        return []
    return [{"pointer": "/context/region", "code": "unknown_region", "detail": fault}]


def region_fault(region: str) -> Message | None:
    """Return why phone numbers cannot be read for a country, or None if they can."""
    from tabular.types.families.phones import is_region  # loads the library of phone numbers

    if is_region(region):
        return None
    return Message("invalid_context.region", region=region)


def _pointer(places: tuple[int | str, ...]) -> str:
    return "".join(f"/{escaped(str(place))}" for place in ("context", *places))
