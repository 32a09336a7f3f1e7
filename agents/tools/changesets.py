"""execute_import, list_changesets, get_changeset, get_proof, revert_changeset."""

from typing import Any

from agents.sessions import Session
from agents.tools.result_parts import next_step
from agents.tools.rows import mapping_of
from changesets import results, reversal, staged
from changesets.comparison.idempotency import apply_once
from changesets.models import Changeset
from changesets.proof import answers
from changesets.selectors import changeset_for, changesets_for
from common import clock
from common.errors import InvalidRequest
from common.wording.messages import Message
from feeds.applying.judging import refuse_unjudged
from imports import services
from imports.answers.questions import open_questions_of
from imports.models import ImportRecord
from imports.page_policy import check_fields, fixed_at_apply
from imports.selectors import import_for
from licensing.rights.checker import require
from licensing.rights.model import DELETE_KNOWN
from schemas.import_views import shown
from schemas.shapes.changesets import ChangesetDetails, ChangesetOut
from schemas.shapes.proofs import ProvenRowOut, ReceiverProofOut

Json = dict[str, Any]
State = ImportRecord.State
WAITS_TO_REVERT = "It stays applied until another person reverts it, too. Tell the person."
WITH_ROWS = frozenset({Changeset.State.APPLIED, Changeset.State.REVERTED})


def execute_import(session: Session, params: Json) -> Json:
    """Apply an import, once for each idempotency key."""
    caller = session.caller
    record = session.wait_for(lambda: import_for(caller, params["recordId"]))
    mapping = mapping_of(params)
    if mapping is not None and record.state in {State.MAPPING, State.REVIEW}:
        services.confirm_mapping(
            record=record,
            mapping=mapping,
            recipe=params.get("recipe"),
            allow_missing=params["allowMissing"],
            actor=caller.actor,
            at=clock.now(),
        )
        record = session.wait_for(lambda: import_for(caller, params["recordId"]))
    if record.is_worked_on and record.state != State.APPLYING:
        return _executed(session, record, None)
    if mode := params.get("mode", ""):
        require(caller, DELETE_KNOWN, pointer="/mode")
    check_fields(caller, record, params["fields"])
    fixed = fixed_at_apply(record)
    if record.origin is not None:
        refuse_unjudged(record)
    changeset = apply_once(
        record=record,
        apply_mode=params["applyMode"],
        invalid_rows=params["invalidRows"],
        open_questions=params.get("openQuestions") or fixed.get("openQuestions", "block"),
        empty_cells=fixed.get("emptyCells", "keep"),
        field_policies=params["fields"],
        mode=mode,
        staged=bool(mode),  # an agent sees no count that a person confirms
        overlay=caller.overlay,
        request_key=params.get("idempotencyKey", ""),
        actor=caller.actor,
        at=clock.now(),
    )
    record = session.wait_for(lambda: import_for(caller, params["recordId"]))
    return _executed(session, record, changeset_for(caller, changeset.public_id))


def list_changesets(session: Session, params: Json) -> Json:
    """Return changesets, newest first."""
    mine = changesets_for(session.caller).order_by("-pk")
    if record_id := params.get("recordId"):
        mine = mine.filter(record=import_for(session.caller, record_id))
    if cursor := params.get("cursor"):
        last = changesets_for(session.caller).filter(public_id=cursor).first()
        if last is None:
            raise InvalidRequest(
                errors=[{"pointer": "/cursor", "detail": Message("invalid_request.unknown_cursor")}]
            )
        mine = mine.filter(pk__lt=last.pk)
    listed = list(mine[: params["limit"] + 1])
    about = {"is_page": session.caller.is_page}
    items = [dict(ChangesetOut(item, context=about).data) for item in listed[: params["limit"]]]
    return {"items": items, "next": items[-1]["id"] if len(listed) > len(items) else None}


def get_changeset(session: Session, params: Json) -> Json:
    """Return a changeset, its deliveries, and some of its rows."""
    changeset = changeset_for(session.caller, params["changesetId"])
    record = import_for(session.caller, changeset.record.public_id)
    page = None
    if changeset.state in WITH_ROWS and record.purged_at is None:
        offset, limit = params["offset"], params["limit"]
        page = results.page(changeset=changeset, offset=offset, limit=limit)
    return {
        "changeset": _shown(session, changeset),
        "deliveries": shown([record], session.caller)[0]["deliveries"],
        "rows": page.rows if page else [],
        "rowIssues": page.row_issues if page else [],
        "customOptions": page.custom_options if page else [],
        "offset": params["offset"],
        "next": str(page.next) if page and page.rows and page.next is not None else None,
        "nextStep": "A delivery that is pending is on its way; call again to see it arrive.",
    }


def get_proof(session: Session, params: Json) -> Json:
    """Return what receivers reported about rows, compared with what was delivered."""
    changeset = changeset_for(session.caller, params["changesetId"])
    rows, after = answers.page(
        changeset,
        outcome=params["outcome"],
        webhook_id=params["webhookId"],
        offset=params["cursor"],
        limit=params["limit"],
    )
    return {
        "receivers": ReceiverProofOut(answers.receivers_of(changeset), many=True).data,
        "items": ProvenRowOut(rows, many=True).data,
        "next": None if after is None else str(after),
        "nextStep": "Tell the person which rows differ; their receiver knows why.",
    }


def revert_changeset(session: Session, params: Json) -> Json:
    """Revert a changeset: discard a staged one, notify the hosts of an applied one."""
    caller, at = session.caller, clock.now()
    changeset = changeset_for(caller, params["changesetId"])
    if changeset.state == Changeset.State.STAGED:
        staged.discard(changeset=changeset, actor=caller.actor, at=at)
    else:
        reversal.revert(
            changeset=changeset,
            force=params["force"],
            actor=caller.actor,
            is_page=caller.is_page,
            overlay=caller.overlay,
            at=at,
        )
    record_id = changeset.record.public_id
    record = session.wait_for(lambda: import_for(session.caller, record_id))
    return _executed(session, record, changeset_for(session.caller, changeset.public_id))


def _executed(session: Session, record: ImportRecord, changeset: Changeset | None) -> Json:
    asks = open_questions_of(record).exists()
    return {
        "changeset": _shown(session, changeset) if changeset else None,
        "import": shown([record], session.caller)[0],
        "nextStep": WAITS_TO_REVERT
        if changeset and changeset.awaits == "revert"
        else next_step(record, asks=asks),
    }


def _shown(session: Session, changeset: Changeset) -> Json:
    about = {"is_page": session.caller.is_page, "caller": session.caller}
    return dict(ChangesetDetails(changeset, context=about).data)
