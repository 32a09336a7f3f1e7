"""Errors an agent can act on: what is wrong, and which tool to call next."""

from typing import Any

from common.errors import ServiceError
from common.http.language import current_language, localized, localized_problem

ARGUMENTS = "Correct the arguments that are named and call again."
NEXT_STEPS = {
    "unknown_import": "Call analyze_file to import a file; it returns a recordId.",
    "unknown_question": "Call list_questions to see the questions.",
    "unknown_changeset": "Call list_changesets to see the changesets.",
    "unknown_catalog": "Call list_catalogs to see the keys.",
    "catalog_key_required": "Call list_catalogs and name one of its keys as catalogKey.",
    "no_catalog_published": "Ask a person to publish a catalog in the catalog editor first.",
    "catalog_settled": "Call analyze_file with the file again, then propose_mapping.",
    "not_read_yet": "Call analyze_file with the recordId and wait until the file is read.",
    "no_rows_yet": "Call resolved_mapping to see what the import waits for.",
    "nothing_mapped": "Call list_questions and answer them, or send a mapping.",
    "needs_look": "Ask your user to look at the import and to answer the question.",
    "not_ready": "Call resolved_mapping to see what the import waits for.",
    "not_waiting": "Call resolved_mapping to see what the import waits for.",
    "illegal_move": "Call list_questions: another answer came first.",
    "invalid_answer": "Send one of the question's candidates as value.",
    "invalid_mapping": "Call resolved_mapping for the columns, list_catalogs for the fields.",
    "invalid_recipe": "Send no recipe, or correct the step that is named.",
    "required_unmapped": "Map the fields in missing; send allowMissing only if the person says so.",
    "open_questions": "Call list_questions, then answer_question or dismiss_question for each.",
    "invalid_rows": "Call dry_run_transform with onlyErrors to see them; then ask the person "
    "whether to exclude them (invalidRows: exclude).",
    "still_delivering": "Call get_changeset until no delivery is pending, then revert.",
    "not_revertable": "Call get_changeset for the state of the changeset.",
    "full_sync_refused": "Tell the person what `reason` says; without `mode`, nothing is deleted.",
    "full_sync_under_way": "Wait until the changesets that it names are delivered.",
    "second_person_needed": "Tell the person: a person who did not prepare it has to approve it.",
    "built_on": "Revert the later changesets first, or ask the person about force.",
    "dangling_references": "Call dry_run_transform with onlyErrors; ask what to correct.",
    "nothing_to_apply": "Call dry_run_transform to see why no row is left.",
    "no_webhook_registered": "Ask a person to register a webhook, or use applyMode browser.",
    "entitlement_required": "Tell the person: only people, or a license key with agentAccess, "
    "can answer questions and apply imports. You can still read.",
    "unknown_fields": "Call list_catalogs for the fields and correct the members that are named.",
    "unknown_profile": "Leave out profileId, or ask the person for the id of a saved mapping.",
    "idempotency_key_reused": "Use a new idempotencyKey for a new request.",
    "too_large": "Send the file by PUT imports/{recordId}/file over HTTP and name its recordId.",
    "invalid_request": ARGUMENTS,
    "invalid_overlay": ARGUMENTS,
    "invalid_context": ARGUMENTS,
}
OF_ENTITLEMENTS = {
    "catalogOverlays": "Leave out the members that are named, or ask the person for a license key "
    "with catalogOverlays.",
}
RETRY = "Wait a moment and call again."


class FileNotAllowed(ServiceError):
    """The path is not below the folder this process may read files from."""

    code = "file_not_allowed"
    status = 403
    title = "title.not_allowed"


class NoPathsHere(ServiceError):
    """This process may not read a folder. Send text or base64 instead of a path."""

    code = "no_paths_here"


def refusal(error: ServiceError) -> dict[str, Any]:
    """Return an error for an agent, in the language of the call."""
    problem = localized_problem(error.localized(current_language()))
    missing = str(problem.get("entitlement", ""))  # not each one is that of agents
    step = OF_ENTITLEMENTS.get(missing) or NEXT_STEPS.get(error.code, "")
    step = step or (RETRY if error.status in {429, 503} else "")
    return {**problem, "nextStep": localized(step)} if step else problem


def failure() -> dict[str, Any]:
    """Return an internal error for an agent."""
    detail = "The engine failed and logged the error. If it persists, contact the operator."
    return {"code": "internal_error", "detail": localized(detail), "nextStep": localized(RETRY)}
