"""Catalogs and contracts: create a draft from a bundle."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.contracts import BundleText
from api.v1.http.problem import problems
from api.v1.targets.catalogs import IF_MATCH, IF_NONE_MATCH, KEY, expected_draft
from catalogs import services
from common import clock
from contracts import selectors
from contracts.bundle import Bundle
from contracts.errors import as_service_error
from contracts.refusals import ContractRefused
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.targets.catalogs import CheckedVersionOut


@declares(PUT="saveDraftFromContract")
class DraftFromContract(APIView):
    """``PUT catalogs/{key}/draft/contract``."""

    parser_classes = (BundleText,)

    @extend_schema(
        operation_id="saveDraftFromContract",
        tags=["catalogs"],
        parameters=[KEY, IF_MATCH, IF_NONE_MATCH],
        request=Bundle,
        responses={200: CheckedVersionOut, **problems(400, 409, 413, 415, 422)},
    )
    def put(self, request: Request, key: str) -> Response:
        """Save the catalog of a bundle as the draft; its id is checked, not who signed it."""
        caller = caller_of(request)
        body = request.data
        try:
            text = selectors.catalog_in(body.get("text", b"") if isinstance(body, dict) else b"")
        except ContractRefused as refusal:
            raise as_service_error(refusal) from refusal
        draft = services.save_draft(
            tenant=caller.tenant,
            key=key,
            text=text,
            at=clock.now(),
            actor=caller.actor,
            expected=expected_draft(request),
            note="From a contract",
        )
        return Response(CheckedVersionOut(draft).data, headers={"ETag": f'"{draft.etag}"'})
