"""
What a page may set for an import, besides the settings of its session, and which moves it may make.

docs/embedding.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common.actors import is_host
from common.errors import MOST_LISTED, InvalidRequest, NotAllowed
from common.ids import PREFIXES
from common.wording.messages import Message
from imports.answers.reading_choices import skipped_again
from imports.customization import AT_APPLY, merged_contexts
from imports.mapping.value_lists import names_list
from imports.models import ImportRecord
from ledger.models import Question
from ledger.selectors import questions_about
from licensing.caller import Caller
from licensing.refusals import FixedBySession, PageKeyNotAllowed
from licensing.rights.checker import may_call, require
from licensing.rights.model import (
    CANCEL,
    CLEAR,
    CONTEXT,
    EXCLUDE,
    FIX,
    INCLUDE,
    RELEASE,
    SERVER,
    UNDO_OTHERS,
)
from pipeline.kinds import COLUMN_KINDS, FILE_KINDS, TEXT_KINDS, cancels, chosen_by, followed
from staging import services as staging
from staging.models import Revision
from tabular.model.catalog_findings import pointer_of
from tabular.resolving.known_values import overwrites_more

PAGE = "page"  # the member of `meta` with what a browser sent
State = ImportRecord.State
DONE_AT_APPLY = {"exclude": EXCLUDE, "include": INCLUDE}


@dataclass(frozen=True, slots=True)
class Moves:
    """Which calls the engine would accept: cancel the import, undo or redo a change of it."""

    cancel: bool
    undo: bool
    redo: bool


def merged_with_session(caller: Caller, requested: dict[str, Any]) -> dict[str, Any]:
    """
    Merge the settings of a caller's session with what it requests for a new import.

    A page's ``meta`` becomes the member ``page`` of the host's. Raise FixedBySession with each
    member that a session sets differently, and PageKeyNotAllowed for a scope that a page chooses.
    """
    if not caller.is_page:
        return requested
    if caller.session is None:
        if requested.get("scope"):
            raise PageKeyNotAllowed
        return requested | {"meta": _merged(None, requested.get("meta"))}
    session = caller.session
    fixed: dict[str, Any] = {"scope": session.scope}
    if session.catalog_key:
        fixed["catalogKey"] = session.catalog_key
    if session.keep_unmapped is not None:
        fixed["keepUnmapped"] = session.keep_unmapped
    _refuse_other(fixed, requested)
    whole = requested | fixed | {"meta": _merged(session.meta, requested.get("meta"))}
    whole["overlay"] = session.overlay
    # A page that may send a context may choose another region, and other options. Another page has
    # none of its own: at most that of the import it takes again, which an older session set.
    context = dict(requested.get("context") or {})
    if not caller.lacks(CONTEXT):
        context = merged_contexts(session.context, context)
    elif session.catalog_number is not None:
        context = dict(session.context or {})
    if session.region:
        context["region"] = context.get("region") or session.region
    return whole | ({"context": context} if context else {})


def is_unknown_page(caller: Caller) -> bool:
    """Return whether any visitor may use a page: nothing is learned from what it does."""
    return caller.is_page and not (caller.session and caller.session.scope)


def as_applied(
    caller: Caller, record: ImportRecord, requested: dict[str, Any], *, named: Collection[str]
) -> dict[str, Any]:
    """
    Merge what is fixed for an import with how a caller applies it; named: the members it sent.

    A server may choose differently than the import's overlay. Raise FixedBySession for a page that
    does, for another mode, and for a forbidden treatment of invalid rows.
    """
    session, fixed = caller.session, fixed_at_apply(record)
    check_fields(caller, record, requested.get("fields") or {})
    if not caller.is_page:
        return requested | {name: value for name, value in fixed.items() if name not in named}
    fixed_now = fixed | ({"applyMode": session.apply_mode} if session is not None else {})
    _refuse_other(fixed_now, {name: requested[name] for name in fixed_now if name in named})
    if session is not None and (needed := DONE_AT_APPLY.get(requested["invalidRows"])):
        require(caller, needed, pointer="/invalidRows")
    return requested | fixed_now


def check_fields(caller: Caller, record: ImportRecord, chosen: Mapping[str, Any]) -> None:
    """
    Raise for field policies that name no field, or that a page may not set.

    A page may change less of what is known than the catalog and the session let it, and decides
    where they ask. InvalidRequest, FixedBySession, or a refusal for a right that it lacks.
    """
    fields, clears = record.target.live_fields, fixed_at_apply(record).get("emptyCells")
    if strange := sorted(chosen.keys() - fields.keys()):
        raise InvalidRequest(
            errors=[
                {
                    "pointer": pointer_of(["fields", path]),
                    "code": "unknown_field",
                    "detail": Message("invalid_overlay.field", path=path),
                }
                for path in strange[:MOST_LISTED]
            ]
        )
    if not caller.is_page:
        return
    wider = []
    for path, wished in chosen.items():
        own = fields[path]
        if own.on_known != "ask" and overwrites_more(wished.get("onKnown"), own.on_known):
            wider.append(pointer_of(["fields", path, "onKnown"]))
        fixed = own.empty_cells or clears
        if wished.get("emptyCells") == "clear" and fixed != "clear":
            pointer = pointer_of(["fields", path, "emptyCells"])
            require(caller, CLEAR, pointer=pointer)
            wider += [pointer] if fixed == "keep" else []
    if wider:
        settled = Message("fixed_by_session.settled")
        raise FixedBySession(errors=[{"pointer": at, "detail": settled} for at in wider])


def fixed_at_apply(record: ImportRecord) -> dict[str, Any]:
    """Return the members of an apply that are fixed for an import."""
    overlay = record.overlay or {}
    return {name: overlay[name] for name in AT_APPLY if name in overlay}


def require_own(caller: Caller, by: Mapping[str, Any]) -> None:
    """
    Raise if a page would undo or redo another person's change without the right to.

    by: the actor of that change. Pages whose host names no person cannot be told apart: they access
    an import by its scope or token alone. Any page may undo values that its host set in a check.
    """
    if not caller.is_page or by.get("id") == caller.actor.id or is_host(by):
        return
    is_unnamed = caller.session is not None and caller.actor.id == caller.session.session_id
    if not (is_unnamed and str(by.get("id", "")).startswith(PREFIXES["page session"])):
        require(caller, UNDO_OTHERS)


def require_started(caller: Caller, record: ImportRecord) -> None:
    """Raise if a page would cancel what the host's server started without the right to."""
    if caller.session is not None and not record.session_id:
        require(caller, CANCEL)
    if record.state == State.STAGED:
        require(caller, RELEASE)


def require_steps(caller: Caller, record: ImportRecord, recipe: Mapping[str, Any] | None) -> None:
    """
    Raise if a page sent recipe steps of its own that its session does not allow.

    Steps that the engine proposed for this import, in its proposal or by a question, are always
    allowed, and so are confirmed ones. A step that drops rows needs ``exclude``, any other ``fix``;
    a page names no value list, which would show it all that the list has.
    """
    steps = (recipe or {}).get("steps")
    if not caller.is_page or not isinstance(steps, list) or not steps:
        return
    known = proposed_steps(record)
    for place, step in enumerate(steps):
        if step not in known:
            drops = isinstance(step, dict) and step.get("do") == "drop_rows"
            right = EXCLUDE if drops else FIX
            require(caller, SERVER if names_list(step) else right, pointer=f"/recipe/steps/{place}")


def proposed_steps(record: ImportRecord) -> list[dict[str, Any]]:
    """Return the recipe steps in an import's proposal, questions or confirmed mapping."""
    draft, samples = record.proposed, record.proposes.samples
    steps = [*draft.steps, *(record.recipe or {}).get("steps", ())]
    about_columns = questions_about(record.tenant, record.public_id).filter(kind__in=COLUMN_KINDS)
    for question in about_columns:
        for candidate in question.candidates:
            steps += followed(draft, question, candidate["value"], samples=samples).steps
    return steps


def require_header(
    caller: Caller,
    record: ImportRecord,
    rows: Any,
    *,
    table: int | None = None,
    pointer: str = "/headerRows",
) -> None:
    """Raise if a page chooses a header below the detected one: rows above it would be skipped."""
    read = record.file_read
    named = [row for row in (rows if isinstance(rows, list) else [rows]) if type(row) is int]
    if not caller.is_page or read is None or not named:
        return
    number = read.chosen if table is None else table
    header = read.tables[number].header_rows if number < len(read.tables) else ()
    if max(named) > max(header, default=-1):
        require(caller, EXCLUDE, pointer=pointer)


def require_taken(caller: Caller, record: ImportRecord, rows: Collection[int]) -> None:
    """Raise if a page would skip restored rows again."""
    if set(record.chosen.restored) - set(rows):
        require(caller, EXCLUDE, pointer="/takeBack")


def require_answer(caller: Caller, record: ImportRecord, question: Question, value: Any) -> None:
    """Raise for a page's answer that cancels or skips rows, or for one of its own about values."""
    if cancels(question.kind, value):
        require_started(caller, record)
    if question.kind in FILE_KINDS:
        chosen = chosen_by(question.kind, value, record.chosen, record.file_read)
        if skipped_again(chosen, record.chosen):
            require(caller, EXCLUDE, pointer="/value")
    if value in [question.default, *(candidate["value"] for candidate in question.candidates)]:
        return
    if question.kind in TEXT_KINDS:
        require(caller, FIX, pointer="/value")
    if question.kind == "header_row":
        require_header(caller, record, value, pointer="/value")


def moves_of(
    caller: Caller, records: Sequence[ImportRecord], *, changing: Collection[int] = ()
) -> dict[int, Moves]:
    """
    Return which moves a caller may make now, by the key of each import.

    changing: keys of imports whose rows a worker changes now: nothing is undone meanwhile.
    """
    travels = may_call(caller, "imports_undo_create")
    currents = {
        record.public_id: record.revision
        for record in records
        if travels and _may_travel(record) and record.pk not in changing
    }
    around = staging.changes_around(currents)

    def moves(record: ImportRecord) -> Moves:
        there = around.get(record.public_id)
        return Moves(
            cancel=_may_cancel(caller, record),
            undo=there is not None and _is_theirs(caller, there.undoable),
            redo=there is not None and _is_theirs(caller, there.undone),
        )

    return {record.pk: moves(record) for record in records}


def _may_travel(record: ImportRecord) -> bool:
    return record.state == State.REVIEW and record.revision > 0


def _may_cancel(caller: Caller, record: ImportRecord) -> bool:
    return (
        record.may_move_to(State.CANCELLED)
        and may_call(caller, "imports_cancel_create")
        and _is_let(lambda: require_started(caller, record))
    )


def _is_theirs(caller: Caller, change: Revision | None) -> bool:
    return change is not None and _is_let(lambda: require_own(caller, change.actor))


def _is_let(check: Callable[[], None]) -> bool:
    try:
        check()
    except NotAllowed:
        return False
    return True


def _merged(host: dict[str, Any] | None, page: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the host's and the browser's data, kept apart."""
    return host if page is None else {**(host or {}), PAGE: page}


def _refuse_other(fixed: dict[str, Any], requested: dict[str, Any]) -> None:
    wrong = [
        {"pointer": f"/{name}", "detail": Message("fixed_by_session.settled")}
        for name, value in fixed.items()
        if requested.get(name) and requested[name] != value
    ]
    if wrong:
        raise FixedBySession(errors=wrong)
