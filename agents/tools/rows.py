"""dry_run_transform, resolved_references, get_plan."""

from dataclasses import asdict
from typing import Any

from agents.sessions import Session
from agents.tools.result_parts import next_step
from changesets.models import Changeset
from changesets.plans.current import plan_of
from changesets.plans.pages import items_of
from changesets.selectors import references_of
from common.errors import InvalidRequest
from common.wording.messages import Message
from imports.answers.questions import open_questions_of
from imports.models import ImportRecord
from imports.previews.dry_run import NotReadYet, Preview, dry_run
from imports.rows.references import texts_elsewhere
from imports.rows.while_kept import while_kept
from imports.selectors import import_for
from imports.services import rows_of
from references.selectors import seen_by
from schemas.shapes.plans import shown_plan
from schemas.shapes.review.questions import QuestionOut
from staging.issues import summarised
from tabular.model.catalog import Reference

Json = dict[str, Any]
MOST_GROUPS = 200


def dry_run_transform(session: Session, params: Json) -> Json:
    """Return a preview of the rows; nothing is stored."""
    record = session.wait_for(lambda: import_for(session.caller, params["recordId"]))

    def preview() -> Preview:
        return dry_run(
            record=record,
            mapping=mapping_of(params),
            recipe=params.get("recipe"),
            only_errors=params["onlyErrors"],
            offset=params["offset"],
            limit=params["limit"],
        )

    return _shown(record, while_kept(record.public_id, preview), params["offset"])


def mapping_of(params: Json) -> dict[str, str] | None:
    """Return the mapping that was sent; a recipe requires one."""
    if params.get("recipe") is not None and params.get("mapping") is None:
        wrong = [{"pointer": "/recipe", "detail": Message("invalid_request.mapping_missing")}]
        raise InvalidRequest("invalid_request.recipe_alone", errors=wrong)
    mapping: dict[str, str] | None = params.get("mapping")
    return mapping


def _shown(record: ImportRecord, preview: Preview, offset: int) -> Json:
    end = offset + len(preview.rows)
    asks = open_questions_of(record).exists()
    return {
        "recordId": record.public_id,
        "lookedAt": preview.looked_at,
        "sourceRows": preview.source_rows,
        "counts": preview.counts,
        "issues": [asdict(group) for group in preview.issues[:MOST_GROUPS]],
        "total": preview.total,
        "rows": preview.rows,
        "offset": offset,
        "questions": [
            {
                "kind": item.kind,
                "field": item.field or "",
                "columns": item.columns,
                "default": item.default,
            }
            for item in preview.questions[:MOST_GROUPS]
        ],
        "next": str(end) if preview.rows and end < preview.total else None,
        "nextStep": next_step(record, asks=asks),
    }


def get_plan(session: Session, params: Json) -> Json:
    """Return what the rows of an import would change of what is known."""
    record = session.wait_for(lambda: import_for(session.caller, params["recordId"]))

    def page() -> Json:
        plan = plan_of(record)
        items = items_of(
            record,
            plan,
            status=params.get("status"),
            cursor=params["cursor"],
            limit=params["limit"] + 1,
            sees_known=session.caller.sees_known,
        )
        return shown_plan(plan, items, params["limit"], sees_known=session.caller.sees_known)

    asks = open_questions_of(record).exists()
    planned = while_kept(record.public_id, page)
    return {"recordId": record.public_id, **planned, "nextStep": next_step(record, asks=asks)}


def resolved_references(session: Session, params: Json) -> Json:
    """Return the fields that name other entities, and what is wrong with their values."""
    record = session.wait_for(lambda: import_for(session.caller, params["recordId"]))
    if record.catalog_version is None:
        raise NotReadYet
    return while_kept(record.public_id, lambda: _resolved(session, record, params))


def _resolved(session: Session, record: ImportRecord, params: Json) -> Json:
    groups = summarised(rows_of(record)) if record.revision else []
    fields = record.target.live_fields.items()
    named = {path: field.reference for path, field in fields if field.reference is not None}
    questions = open_questions_of(record).filter(kind="reference")[:MOST_GROUPS]
    return {
        "recordId": record.public_id,
        "items": [
            {
                "field": path,
                **_reference(record, reference),
                "elsewhere": 0 if session.caller.is_page else texts_elsewhere(record, path),
                "issues": [asdict(group) for group in groups if group.field == path],
            }
            for path, reference in named.items()
        ],
        "questions": QuestionOut(questions, many=True).data,
        **_graph(session, record, params),
        "nextStep": next_step(record, asks=open_questions_of(record).exists()),
    }


def _graph(session: Session, record: ImportRecord, params: Json) -> Json:
    """Return the entities and links of some applied rows; empty before an apply."""
    changeset = record.changesets.exclude(state=Changeset.State.DISCARDED).order_by("-pk").first()
    if changeset is None or record.purged_at is not None:
        return {"entities": {}, "links": []}
    return references_of(
        changeset,
        offset=params["offset"],
        limit=params["limit"],
        sees_known=session.caller.sees_known,
    )


def _reference(record: ImportRecord, reference: Reference) -> Json:
    known = seen_by(record.tenant, record.scope, reference.entity).values("ref").distinct()
    return {
        "entity": reference.entity,
        "matchOn": list(reference.match_on),
        "cardinality": reference.cardinality,
        "onMissing": reference.on_missing,
        "known": known.count(),
    }
