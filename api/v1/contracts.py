"""``contracts``: export, fetch and verify what the tenant accepts. Spec: Portable contract."""

from datetime import datetime
from typing import IO, Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import (
    api_view,
    authentication_classes,
    parser_classes,
    permission_classes,
)
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.pages import Page
from api.v1.http.problem import problems
from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from common import clock
from common.errors import TooLarge
from common.http.addresses import below
from common.wording.messages import Message
from contracts import selectors, services
from contracts.bundle import Bundle, contract_schema
from contracts.canonical import BOUNDS
from contracts.comparison import compare
from contracts.errors import DraftNotExported, NeverInForce, ProfileOfOtherCatalog
from contracts.models import IssuedContract
from contracts.services import ExportOptions
from imports.customization import AT_APPLY, EXTRA, FIELDS, Customization, customization
from imports.models import Profile
from imports.selectors import profile_of
from licensing.authentication import caller_of
from licensing.caller import Caller
from licensing.rights.checker import declares
from schemas.parameters import refuse_others, wrong_parameter
from schemas.shapes.targets.contracts import (
    ContractOut,
    DiffOut,
    ExportIn,
    SigningKeyOut,
    VerifiedOut,
)

CUSTOMER = ("context", FIELDS, EXTRA, *AT_APPLY)  # members of a contract for one customer
SCHEMA_TYPE, KEYS_TYPE = "application/schema+json", "application/jwk-set+json"
BUNDLE = {(200, "application/json"): OpenApiTypes.OBJECT}
TENANT = OpenApiParameter(
    "tenant", required=True, description="Whose keys, `tnt_...`; the answer names the tenant too."
)


class NewestFirst(Page):
    """A page ordered by creation time, newest first."""

    ordering = "-id"
    position = r"[0-9]{1,18}"


class BundleText(BaseParser):
    """Passes a bundle on exactly as sent, because the signature covers its text."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None
    ) -> dict[str, bytes]:
        """Return the bytes. Raise TooLarge if they exceed the size limit of a bundle."""
        text = stream.read(BOUNDS.max_bytes + 1)
        if len(text) > BOUNDS.max_bytes:
            raise TooLarge("too_large.bundle", size=BOUNDS.max_bytes)
        return {"text": text}


@extend_schema(methods=["GET"], responses=ContractOut(many=True), operation_id="contracts_list")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=ExportIn,
    responses={201: ContractOut, **problems(404, 409)},
    operation_id="contracts_create",
)
@declares(GET="contracts_list", POST="contracts_create")
@api_view(["GET", "POST"])
def contracts(request: Request) -> Response:
    """List the contracts, or sign one; its bundle is at `Location`."""
    if request.method == "POST":
        return _export(request)
    page = NewestFirst()
    mine = selectors.contracts_of(caller_of(request).tenant)
    items: Any = page.paginate_queryset(mine, request) or []
    return page.get_paginated_response(ContractOut(items, many=True).data)


def _export(request: Request) -> Response:
    params = ExportIn(data=request.data)
    params.is_valid(raise_exception=True)
    given, caller = params.validated_data, caller_of(request)

    def make() -> Response:
        _refuse_past(given.get("expiresAt"))
        version, profile = _source(caller, given)
        special = _special(caller, version, given)
        issued = services.export(
            tenant=caller.tenant,
            version=version,
            profile=profile,
            options=_export_options(given),
            special=special,
            actor=caller.actor,
            at=clock.now(),
        )
        headers = {"Location": _address(issued)}
        return Response(ContractOut(issued).data, status=201, headers=headers)

    return once(request, make)


def _refuse_past(expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= clock.now():
        raise NeverInForce(
            errors=[{"pointer": "/expiresAt", "detail": Message("never_in_force.past")}]
        )


def _source(caller: Caller, given: dict[str, Any]) -> tuple[CatalogVersion, Profile | None]:
    """Return the catalog version and the saved mapping; a saved mapping names its catalog."""
    profile = profile_of(caller.tenant, given["profileId"]) if "profileId" in given else None
    key = given.get("catalogKey") or (profile.catalog_key if profile else None)
    if profile is not None and key != profile.catalog_key:
        raise ProfileOfOtherCatalog("profile_other_catalog.named", catalog=profile.catalog_key)
    if "catalogVersion" in given:
        key = key or catalogs.choose(caller.tenant, None).version.catalog.key
        return catalogs.version(caller.tenant, key, given["catalogVersion"]), profile
    return catalogs.choose(caller.tenant, key).version, profile


def _special(caller: Caller, version: CatalogVersion, given: dict[str, Any]) -> Customization:
    """Return what holds for the customer of a contract, checked as when a session is opened."""
    if version.state == CatalogVersion.State.DRAFT:
        raise DraftNotExported  # a draft may be invalid, so that nothing can be checked against it
    wished = {name: given[name] for name in CUSTOMER if name in given}
    entitlements = caller.entitlements
    return customization(
        wished, version, tenant=caller.tenant, entitlements=entitlements, for_session=True
    )


def _export_options(given: dict[str, Any]) -> ExportOptions:
    policy = given.get("policy", {})
    return ExportOptions(
        title=given.get("title"),
        required_columns=policy.get("requiredColumns"),
        max_rows=policy.get("maxRows"),
        encodings=policy.get("encodings"),
        expires_at=given.get("expiresAt"),
        allow_values=given["allowValues"],
    )


def _address(issued: IssuedContract) -> str:
    return below(f"/api/import/v1/contracts/{issued.contract_id}")


@extend_schema(responses={**BUNDLE, 304: None, **problems(404)}, operation_id="contracts_read")
@declares(GET="contracts_read")
@api_view(["GET"])
def contract(request: Request, contract_id: str) -> HttpResponseBase:
    """Return a bundle, byte for byte as it was signed."""
    issued = selectors.contract_of(caller_of(request).tenant, contract_id)
    etag = f'"{issued.contract_id.removeprefix("sha256:")}"'
    response = HttpResponse(issued.bundle, content_type="application/json", headers={"ETag": etag})
    return get_conditional_response(request._request, etag=etag, response=response) or response


@extend_schema(responses={200: DiffOut, **problems(404)}, operation_id="contracts_diff")
@declares(GET="contracts_diff")
@api_view(["GET"])
def diff(request: Request, contract_id: str, other_id: str) -> Response:
    """Return how the second contract differs from the first, and what may refuse files."""
    tenant = caller_of(request).tenant
    old, new = (selectors.contract_of(tenant, item) for item in (contract_id, other_id))
    changes = compare(selectors.opened(old).contract, selectors.opened(new).contract)
    return Response(DiffOut({"changes": changes}).data)


@extend_schema(
    request=Bundle,
    responses={200: VerifiedOut, **problems(409, 422)},
    operation_id="contracts_verify",
)
@declares(POST="contracts_verify")
@api_view(["POST"])
@parser_classes([BundleText])
def verify(request: Request) -> Response:
    """Verify a bundle of this tenant, and that this engine can honour it now."""
    body = request.data
    text = body.get("text", b"") if isinstance(body, dict) else b""
    opened = selectors.verified(text, caller_of(request).tenant, clock.now())
    return Response(VerifiedOut(opened).data)


@extend_schema(
    responses={(200, SCHEMA_TYPE): OpenApiTypes.OBJECT}, auth=[], operation_id="contracts_schema"
)
@declares(GET="contracts_schema")
@api_view(["GET"])
@authentication_classes([])
@permission_classes([AllowAny])
def schema(request: Request) -> Response:
    """Return the JSON Schema of a bundle; it needs no key."""
    return Response(contract_schema(), content_type=SCHEMA_TYPE)


@extend_schema(
    parameters=[TENANT],
    responses={(200, KEYS_TYPE): OpenApiTypes.OBJECT},
    auth=[],
    operation_id="contracts_keys",
)
@declares(GET="contracts_keys")
@api_view(["GET"])
@authentication_classes([])
@permission_classes([AllowAny])
def keys(request: Request) -> Response:
    """Return the public keys that a tenant's contracts are verified with, as a JWKS."""
    refuse_others(request, {"tenant"})
    tenant_id = request.query_params.get("tenant", "")
    if not tenant_id:
        raise wrong_parameter("tenant", "Name the tenant whose keys you want: tnt_...")
    key_set = {"tenant": tenant_id, **selectors.key_set(tenant_id)}
    headers = {"Cache-Control": "public, max-age=300"}
    return Response(key_set, content_type=KEYS_TYPE, headers=headers)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=None,
    responses={201: SigningKeyOut},
    operation_id="contracts_keys_rotate",
)
@declares(POST="contracts_keys_rotate")
@api_view(["POST"])
def rotate(request: Request) -> Response:
    """Sign with a new key from now on; what the former one signed stays good."""
    caller = caller_of(request)

    def make() -> Response:
        made = services.rotate_key(tenant=caller.tenant, actor=caller.actor, at=clock.now())
        return Response(SigningKeyOut(made).data, status=201)

    return once(request, make)


@extend_schema(
    request=None,
    responses={200: SigningKeyOut, **problems(404)},
    operation_id="contracts_keys_revoke",
)
@declares(POST="contracts_keys_revoke")
@api_view(["POST"])
def revoke(request: Request, key_id: str) -> Response:
    """Accept nothing any more that a key signed."""
    caller = caller_of(request)
    key = selectors.key_of(caller.tenant, key_id)
    revoked = services.revoke_key(key=key, actor=caller.actor, at=clock.now())
    return Response(SigningKeyOut(revoked).data)
