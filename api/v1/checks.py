"""``contracts/check``: check a file against a contract, as the offline program does."""

from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, parser_classes
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.json_body import JsonBody
from api.v1.http.multipart import StoredMultiPart, StoredUpload, stored
from api.v1.http.problem import problems
from api.v1.imports import WAIT, NoFile, refuse_large
from common import clock
from common.http.addresses import below
from common.wording.messages import Message
from contracts import selectors, services
from contracts.errors import NotProven, UnusableKeys
from contracts.signing import Opened
from imports.models import ImportRecord
from imports.selectors import check_of
from imports.services import receive_file
from licensing.authentication import caller_of
from licensing.caller import Caller
from licensing.rights.checker import declares
from schemas.shapes.targets.contracts import CheckIn, CheckOut, CheckUpload
from schemas.wait import seconds_to_wait, wait_for
from signatures.keysets import NamedKeys, UnusableKeySet, read_named_keys


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request={"multipart/form-data": CheckUpload, "application/json": CheckIn},
    responses={202: CheckOut, **problems(404, 409, 422)},
    operation_id="contracts_check",
)
@declares(POST="contracts_check")
@api_view(["POST"])
@parser_classes([JsonBody, StoredMultiPart])
def check(request: Request) -> Response:
    """Have a file checked against a contract of this tenant, or against a bundle."""
    refuse_large(request)
    shape = CheckUpload if isinstance(request.data, QueryDict) else CheckIn
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    given = body.validated_data
    with _upload(given) as upload:
        return once(request, lambda: _start(request, given, upload))


def _upload(given: dict[str, Any]) -> StoredUpload:
    if ("file" in given) == ("text" in given):
        raise NoFile("file_missing.form")
    if "file" in given:
        return stored(given["file"])
    return StoredUpload(receive_file([given["text"].encode()]), "text.csv")


def _start(request: Request, given: dict[str, Any], upload: StoredUpload) -> Response:
    caller = caller_of(request)
    record = services.create_check(
        tenant=caller.tenant,
        opened=_opened(caller, given),
        filename=given.get("filename") or upload.name or "file",
        stored=upload.stored,
        actor=caller.actor,
        at=clock.now(),
        license_id=caller.license_id,
    )
    upload.take()
    headers = {"Location": below(f"/api/import/v1/contracts/check/{record.public_id}")}
    return Response(CheckOut(record).data, status=202, headers=headers)


def _opened(caller: Caller, given: dict[str, Any]) -> Opened:
    """Open the contract that was named or sent; it must be authentic and in force."""
    at, any_pin = clock.now(), given["allowPinMismatch"]
    if "bundle" in given:
        keys = _keys(given)
        sent = selectors.verified(given["bundle"], caller.tenant, at, keys=keys, any_pin=any_pin)
        if given.get("contractId", sent.contract.id) != sent.contract.id:
            raise NotProven("contract_id_mismatch.named")
        return sent
    issued = selectors.contract_of(caller.tenant, given["contractId"])
    return selectors.verified(issued.bundle.encode(), caller.tenant, at, any_pin=any_pin)


def _keys(given: dict[str, Any]) -> NamedKeys | None:
    """Parse the JWKS sent with a bundle; None means the tenant's own keys."""
    if "keys" not in given:
        return None
    try:
        return read_named_keys(given["keys"])
    except UnusableKeySet as error:
        at = [{"pointer": "/keys", "detail": Message("unusable_keys.why", why=str(error))}]
        raise UnusableKeys(errors=at) from error


@extend_schema(
    parameters=[WAIT],
    responses={200: CheckOut, **problems(404)},
    operation_id="contracts_check_read",
)
@declares(GET="contracts_check_read")
@api_view(["GET"])
def outcome(request: Request, check_id: str) -> Response:
    """Return the report of a check, which is kept for a day; ``wait`` waits for it."""
    tenant = caller_of(request).tenant
    record: ImportRecord = wait_for(
        lambda: check_of(tenant, check_id),
        is_done=lambda check: not check.is_worked_on,
        seconds=seconds_to_wait(request),
    )
    return Response(CheckOut(record).data)
