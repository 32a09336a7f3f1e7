"""``changesets``: what each apply froze, its approval, and its revert."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.pages import Page
from api.v1.http.problem import problems
from api.v1.http.whole import page_of
from changesets import follow_up, reversal, selectors, staged
from changesets import results as applied
from changesets.models import Changeset
from changesets.proof import answers
from common import clock
from common.response_size import fitting
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import check_members, declares, operation_of, require
from licensing.rights.model import DELETE_KNOWN, RELEASE, REVERT
from schemas.parameters import parameters_of
from schemas.shapes.changesets import (
    ChangedRowOut,
    ChangedRowsOut,
    ChangesetDetails,
    ChangesetFilters,
    ChangesetOut,
    GraphIn,
    GraphOut,
    RevertIn,
    RowsIn,
)
from schemas.shapes.proofs import ProofIn, ProofOut, ProvenRowOut, ReceiverProofOut
from workflow.receipts import receipt_of


@extend_schema(
    parameters=[ChangesetFilters],
    responses=ChangesetOut(many=True),
    operation_id="changesets_list",
)
@declares(GET="changesets_list")
@api_view(["GET"])
def changesets(request: Request) -> Response:
    """List changesets, newest first, narrowed by any of the filters."""
    page = Page(ChangesetFilters)
    items = page.paginate_queryset(selectors.changesets_of(caller_of(request).tenant), request)
    return page.get_paginated_response(ChangesetOut(items, many=True).data)


@extend_schema(responses=ChangesetDetails, operation_id="changesets_read")
@declares(GET="changesets_read")
@api_view(["GET"])
def changeset(request: Request, changeset_id: str) -> Response:
    """Read a changeset: how many rows are what, and what taking it back does, or did."""
    return Response(_shown(request, _mine(request, changeset_id)))


@extend_schema(parameters=[RowsIn], responses=ChangedRowsOut, operation_id="changesets_rows")
@declares(GET="changesets_rows")
@api_view(["GET"])
def rows(request: Request, changeset_id: str) -> Response:
    """Say of each row whether it is new, changed or as it was, and which fields differ."""
    registration = _mine(request, changeset_id)
    params = parameters_of(request, RowsIn)
    offset, limit = params["cursor"], params["limit"]
    shown, total = selectors.rows_of(
        registration,
        status=params["status"],
        offset=offset,
        limit=limit,
        sees_known=caller_of(request).sees_known,
    )
    items = fitting(ChangedRowOut(shown, many=True).data)
    after = offset + len(items)
    return page_of(
        items,
        {
            "items": items,
            "total": total,
            "next": str(after) if after < total else None,
        },
    )


@extend_schema(
    parameters=[ProofIn],
    responses={200: ProofOut, **problems(400, 404, 409)},
    operation_id="changesets_proof",
)
@declares(GET="changesets_proof")
@api_view(["GET"])
def proof(request: Request, changeset_id: str) -> Response:
    """Compare what receivers reported about each row with what was delivered."""
    changeset, params = _mine(request, changeset_id), parameters_of(request, ProofIn)
    offset, limit = params["cursor"], params["limit"]
    rows, after = answers.page(
        changeset,
        outcome=params["outcome"],
        webhook_id=params["webhookId"],
        offset=offset,
        limit=limit,
    )
    receivers = ReceiverProofOut(answers.receivers_of(changeset), many=True).data
    items = ProvenRowOut(rows, many=True).data
    page = {"receivers": receivers, "items": items, "next": None if after is None else str(after)}
    return page_of(list(items), page)


@extend_schema(
    responses={(200, "application/json"): OpenApiTypes.OBJECT, **problems(404, 409)},
    operation_id="imports_receipt",
)
@declares(GET="imports_receipt")
@api_view(["GET"])
def receipt(request: Request, record_id: str) -> HttpResponse:
    """Download the signed receipt of an import; it contains no data of its rows."""
    record = import_for(caller_of(request), record_id)
    text = receipt_of(record, at=clock.now())
    name = f'attachment; filename="receipt-{record.public_id}.json"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return HttpResponse(text, content_type="application/json", headers=headers)


@extend_schema(parameters=[GraphIn], responses=GraphOut, operation_id="changesets_references")
@declares(GET="changesets_references")
@api_view(["GET"])
def references(request: Request, changeset_id: str) -> Response:
    """Return the entities and links of some delivered rows."""
    registration = _mine(request, changeset_id)
    params = parameters_of(request, GraphIn)
    return Response(
        selectors.references_of(
            registration,
            offset=params["cursor"],
            limit=params["limit"],
            sees_known=caller_of(request).sees_known,
        )
    )


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=None, responses={202: ChangesetDetails})
@declares(POST="changesets_apply_create")
@api_view(["POST"])
def apply(request: Request, changeset_id: str) -> Response:
    """
    Deliver a staged changeset; 409 `not_staged` for any other.

    403 `second_person_needed` for a person who prepared more rows than one person may apply. A page
    needs the right `deleteKnown`, too, for a full sync.
    """
    registration = _mine(request, changeset_id)
    caller = caller_of(request)
    if registration.is_full:
        require(caller, DELETE_KNOWN)

    def make() -> Response:
        done = staged.apply_staged(
            changeset=registration, actor=caller.actor, is_page=caller.is_page, at=clock.now()
        )
        return Response(_shown(request, done), status=202)

    return once(request, make)


@extend_schema(request=None, responses={200: ChangesetDetails})
@declares(POST="changesets_discard_create")
@api_view(["POST"])
def discard(request: Request, changeset_id: str) -> Response:
    """
    Send a staged changeset back to review; nothing of it leaves the engine.

    One whose revert waits for a second person stays applied.
    """
    changeset, caller = _mine(request, changeset_id), caller_of(request)
    require(caller, REVERT if changeset.awaits == "revert" else RELEASE)
    done = staged.discard(changeset=changeset, actor=caller.actor, at=clock.now())
    return Response(_shown(request, done))


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=RevertIn, responses={202: ChangesetDetails})
@declares(POST="changesets_revert_create")
@api_view(["POST"])
def revert(request: Request, changeset_id: str) -> Response:
    """
    Take a changeset back: discard a staged one, tell the hosts of an applied one.

    More rows than one person may revert wait until another person calls this, too.
    """
    registration = _mine(request, changeset_id)
    body = RevertIn(data=request.data)
    body.is_valid(raise_exception=True)
    caller, force = caller_of(request), body.validated_data["force"]
    check_members(caller, operation_of(request), body.validated_data)
    if registration.state == Changeset.State.STAGED:
        require(caller, RELEASE)
    actor = caller.actor

    def make() -> Response:
        at = clock.now()
        if registration.state == Changeset.State.STAGED:
            done = staged.discard(changeset=registration, actor=actor, at=at)
        else:
            done = reversal.revert(
                changeset=registration,
                force=force,
                actor=actor,
                is_page=caller.is_page,
                overlay=caller.overlay,
                at=at,
            )
        return Response(_shown(request, done), status=202)

    return once(request, make)


@extend_schema(request=None, responses={200: ChangesetDetails})
@declares(POST="imports_results_ack_create")
@api_view(["POST"])
def acknowledge(request: Request, record_id: str) -> Response:
    """Say that the results are in your hands: what they say of entities is known from then on."""
    changeset = applied.changeset_of(import_for(caller_of(request), record_id))
    done = follow_up.acknowledge(changeset=changeset, at=clock.now())
    return Response(_shown(request, done))


def _mine(request: Request, changeset_id: str) -> Changeset:
    return selectors.changeset_for(caller_of(request), changeset_id)


def _shown(request: Request, changeset: Changeset) -> dict[str, Any]:
    caller = caller_of(request)
    about = {"is_page": caller.is_page, "caller": caller}
    return dict(ChangesetDetails(changeset, context=about).data)
