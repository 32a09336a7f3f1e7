"""``imports``, and the calls on one import."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, parser_classes
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.json_body import JsonBody
from api.v1.http.multipart import FILE, SeveralStored, StoredUpload, packed, stored
from api.v1.http.pages import Page
from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from changesets import services as changesets
from common import clock
from common.errors import Conflict, InvalidRequest, TooLarge, Unprocessable
from common.http.addresses import below
from common.storage import StoredFile
from common.wording.messages import Message
from contracts import selectors as contracts
from contracts.customer import Customer, customer_of
from deliveries.selectors import is_under_way
from imports import services, transitions
from imports.customization import (
    EXTRA,
    FIELDS,
    Customization,
    customization,
    merged_contexts,
)
from imports.models import ImportRecord
from imports.page_policy import PAGE, merged_with_session, require_started
from imports.previews.unlocking import unlock
from imports.selectors import import_for, listed_for
from imports.services.new_import import Announced, FileOf, StartImport
from licensing.authentication import caller_of
from licensing.caller import Caller
from licensing.rights.checker import check_members, declares, operation_of
from licensing.tokens.keys import CATALOG_OVERLAYS
from links import services as links
from pipeline.terms import Terms
from schemas.import_views import shown
from schemas.shapes.imports import CreatedOut, ImportFilters, ImportOut
from schemas.shapes.new_imports import ImportIn, ImportUpload, PasswordIn
from schemas.wait import MOST_SECONDS, seconds_to_wait, wait_for

WAIT = OpenApiParameter(
    "wait",
    {"type": "number", "minimum": 0, "maximum": MOST_SECONDS},
    description="Seconds to wait for the work to end.",
)
WAYS = ("file", "text", "rows", "size", "from")
FORM_BYTES = 1024**2  # how many bytes the other members of a multipart form may add to the file


class NoFile(Unprocessable):
    """No file was sent. Send `file`, `text`, `rows`, `size` or `from`."""

    code = "file_missing"


class OtherCatalogAgreed(Conflict):
    """The contract belongs to a different catalog than the import."""

    code = "contract_other_catalog"


class OtherCustomerAgreed(Conflict):
    """The contract is for another customer than the import. Send no overlay, or the contract's."""

    code = "contract_other_customer"


@extend_schema(
    methods=["GET"],
    parameters=[ImportFilters],
    responses=ImportOut(many=True),
    operation_id="imports_list",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request={"application/json": ImportIn, "multipart/form-data": ImportUpload},
    responses={202: CreatedOut},
    operation_id="imports_create",
)
@declares(GET="imports_list", POST="imports_create")
@api_view(["GET", "POST"])
@parser_classes([JsonBody, SeveralStored])
def imports(request: Request) -> Response:
    """List imports, or start one from files, text or rows, or announce one by its size."""
    if request.method == "POST":
        return _create(request)
    page = Page(ImportFilters)
    records = page.paginate_queryset(listed_for(caller_of(request)), request)
    return page.get_paginated_response(shown(records, caller_of(request)))


def _create(request: Request) -> Response:
    refuse_large(request)
    shape = ImportUpload if isinstance(request.data, QueryDict) else ImportIn
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    given = body.validated_data
    sent = request.data.getlist(FILE) if isinstance(request.data, QueryDict) else []
    upload = packed(sent) if len(sent) > 1 else _upload(given)
    try:
        return once(request, lambda: _start(request, given, upload), hide={"importToken"})
    finally:
        if upload is not None:
            upload.close()


def refuse_large(request: Request) -> None:
    """Raise TooLarge if the file exceeds the limit, before reading any of it."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if length > settings.MAX_FILE_BYTES + FORM_BYTES:
        raise TooLarge("too_large.file", size=settings.MAX_FILE_BYTES)


def _start(request: Request, params: dict[str, Any], upload: StoredUpload | None) -> Response:
    caller = caller_of(request)
    former = import_for(caller, params["from"]) if params.get("from") else None
    before = _as_before(former, caller) if former is not None else {}
    if former is not None:
        params = {**before, **{name: params[name] for name in request.data}}
    check_members(caller, operation_of(request), params, before)
    given = merged_with_session(caller, params)
    version, constraints, customer = _target(caller, given)
    special = _special(caller, given, version, customer)
    wanted = StartImport(
        caller=caller,
        source=_source(given, upload, former),
        filename=given.get("filename") or (upload and upload.name) or "file",
        catalog_version=version,
        constraints=constraints,
        meta=given.get("meta"),
        context=special.context,
        overlay=special.overlay,
        scope=given.get("scope", ""),
        auto_map=given["autoMap"],
        keep_unmapped=given["keepUnmapped"],
    )
    at = clock.now()
    started = links.start_import(
        caller=caller, start=lambda: services.start_import(wanted, at=at), at=at
    )
    if upload is not None:
        upload.take()
    record = started.record
    headers = {"Location": below(f"/api/import/v1/imports/{record.public_id}")}
    return Response(
        shown([record], caller)[0] | {"importToken": started.token}, status=202, headers=headers
    )


def _special(
    caller: Caller, given: dict[str, Any], version: CatalogVersion, customer: Customer
) -> Customization:
    """
    Return what holds for one customer: what the session fixed, or what a server requests.

    customer: what the contract says, which counts more. It was checked when it was signed, as were
    the entitlements for it. Raise OtherCustomerAgreed if another overlay is requested.
    """
    overlay = (given.get("overlay") or {}) if caller.is_page else given
    if customer.overlay and any(
        overlay.get(name) not in (None, {}, [], customer.overlay.get(name))
        for name in (FIELDS, EXTRA)
    ):
        raise OtherCustomerAgreed
    context = merged_contexts(given.get("context"), customer.context)
    if caller.is_page:
        return Customization(context, {**overlay, **customer.overlay} or None)
    entitlements = caller.entitlements | ({CATALOG_OVERLAYS} if customer.overlay else set())
    wished = {**given, **customer.overlay, "context": context}
    scope = given.get("scope", "")
    return customization(
        wished, version, tenant=caller.tenant, scope=scope, entitlements=entitlements
    )


def _source(
    given: dict[str, Any], upload: StoredUpload | None, former: ImportRecord | None
) -> StoredFile | Announced | FileOf:
    if former is not None:
        return FileOf(former, with_mapping=given.get("withMapping", True))
    return Announced(given["size"]) if upload is None else upload.stored


def _as_before(former: ImportRecord, caller: Caller) -> dict[str, Any]:
    """Return the members of an import that is started again, as they were sent for it."""
    params = {
        "filename": former.filename,
        "meta": (former.meta or {}).get(PAGE) if caller.is_page else former.meta,
        "context": former.context,
        "scope": former.scope,
        "autoMap": former.auto_map,
        "keepUnmapped": former.keep_unmapped,
    }
    if not caller.is_page:
        params |= former.overlay or {}
    if former.contract_id:
        return {**params, "contractId": former.contract_id}
    return {**params, "catalogKey": former.catalog_key}


def _target(caller: Caller, given: dict[str, Any]) -> tuple[CatalogVersion, Terms | None, Customer]:
    """Return the catalog version, what a contract sets, and what it says of a customer."""
    key, contract_id = given.get("catalogKey"), given.get("contractId")
    if contract_id is None and caller.session and caller.session.catalog_number is not None:
        return catalogs.version_for(caller, caller.session.catalog_key), None, Customer()
    if contract_id is None:
        return catalogs.choose(caller.tenant, key).version, None, Customer()
    contract = contracts.contract_in_force(caller.tenant, contract_id, clock.now()).contract
    version = contracts.contract_of(caller.tenant, contract_id).catalog_version
    if key not in {None, version.catalog.key}:
        raise OtherCatalogAgreed("contract_other_catalog.named", catalog=version.catalog.key)
    if caller.session and caller.session.catalog_number not in (None, version.number):
        raise OtherCatalogAgreed("contract_other_catalog.version", version=version.number)
    terms = Terms(
        contract_id=contract_id,
        policy=contract.policy,
        header_row=contract.profile.header_row,
        mapping=contract.profile.mapping,
        steps=tuple((contract.profile.recipe or {}).get("steps", ())),
    )
    return version, terms, customer_of(contract.profile.recipe)


def _upload(given: dict[str, Any]) -> StoredUpload | None:
    """Return the stored upload; None for a file that is only announced."""
    sent = [name for name in WAYS if given.get(name) is not None]
    if not sent:
        raise NoFile
    if len(sent) > 1:
        refused = Message("invalid_request.one_way", sent=" and ".join(sent))
        wrong = [{"pointer": f"/{name}", "detail": refused} for name in sent[1:]]
        raise InvalidRequest(refused, errors=wrong)
    if sent in (["size"], ["from"]):
        return None
    if sent == ["file"]:
        return stored(given["file"])
    if sent == ["text"]:
        return _stored([given["text"].encode()], "text.csv")
    return _stored([json.dumps(given["rows"]).encode()], "rows.json")


def _stored(chunks: Iterable[bytes], name: str) -> StoredUpload:
    return StoredUpload(services.receive_file(chunks), name)


@extend_schema(methods=["GET"], responses=ImportOut, parameters=[WAIT])
@extend_schema(methods=["DELETE"], responses={204: None})
@declares(GET="imports_retrieve", DELETE="imports_destroy")
@api_view(["GET", "DELETE"])
def import_detail(request: Request, record_id: str) -> Response:
    """Read an import, waiting for running work if asked, or purge it and what it alone taught."""
    caller = caller_of(request)
    if request.method == "DELETE":
        record = import_for(caller, record_id)
        services.forget_taught(record=record)
        changesets.delete(record=record, actor=caller.actor, at=clock.now())
        return Response(status=204)
    seconds = seconds_to_wait(request)
    until = clock.now() + timedelta(seconds=seconds)
    record = wait_for(
        lambda: import_for(caller, record_id),
        is_done=lambda record: (
            not (record.is_worked_on or is_under_way(caller.tenant, record_id, until=until))
        ),
        seconds=seconds,
    )
    return Response(shown([record], caller_of(request))[0])


@extend_schema(request=None, responses=ImportOut)
@declares(POST="imports_cancel_create")
@api_view(["POST"])
def cancel(request: Request, record_id: str) -> Response:
    """Cancel an unfinished import."""
    record = import_for(caller_of(request), record_id)
    require_started(caller_of(request), record)
    changesets.cancel(record=record, actor=caller_of(request).actor, at=clock.now())
    return Response(shown([record], caller_of(request))[0])


@extend_schema(request=None, responses={202: ImportOut})
@declares(POST="imports_retry_create")
@api_view(["POST"])
def retry(request: Request, record_id: str) -> Response:
    """Try a failed import again, from the state it failed in."""
    record = import_for(caller_of(request), record_id)
    transitions.retry(record, actor=caller_of(request).actor, at=clock.now())
    return Response(shown([record], caller_of(request))[0], status=202)


@extend_schema(request=PasswordIn, responses={202: ImportOut})
@declares(POST="imports_password_create")
@api_view(["POST"])
def password(request: Request, record_id: str) -> Response:
    """Open a protected file with its password, which is stored nowhere, and read it."""
    caller = caller_of(request)
    record = import_for(caller, record_id)
    body = PasswordIn(data=request.data)
    body.is_valid(raise_exception=True)
    given = body.validated_data["password"]
    record = unlock(record, given, actor=caller.actor, at=clock.now())
    return Response(shown([record], caller)[0], status=202)
