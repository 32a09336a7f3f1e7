"""Parts that the results of several tools share."""

from typing import Any

from changesets.lookups.state import problem_for_page
from common.http.language import localized_problem
from imports.answers.questions import open_questions_of
from imports.models import ImportRecord
from licensing.caller import Caller
from schemas.shapes.review.questions import QuestionOut

Json = dict[str, Any]
State = ImportRecord.State
FIRST_QUESTIONS = 20


def open_questions_shown(record: ImportRecord) -> list[Json]:
    """Return the first open questions of an import."""
    questions = open_questions_of(record)[:FIRST_QUESTIONS]
    return list(QuestionOut(questions, many=True).data)


def problem_shown(record: ImportRecord, caller: Caller) -> Json | None:
    """Return why a file cannot be used, in the language of the call."""
    problem = problem_for_page(record.problem) if caller.is_page else record.problem
    return None if problem is None else localized_problem(problem)


def next_step(record: ImportRecord, *, asks: bool) -> str:
    """Return the next step for an import in its current state."""
    match record.state:
        case State.FAILED:
            return "The file cannot be used; problem says why. Send a corrected file."
        case State.CANCELLED:
            return "The import was cancelled. Send the file again with analyze_file."
        case State.APPLIED:
            return "It is applied. get_changeset shows its rows and deliveries."
        case State.REVERTED:
            return "It is reverted. The changeset's notes name the hosts that were not notified."
        case State.RECEIVED:
            return "Upload its bytes with PUT imports/{recordId}/file over HTTP."
        case State.MAPPING | State.REVIEW if asks:
            return (
                "Answer what is open: show the person the evidence and candidates of each "
                "question, then call answer_question or dismiss_question."
            )
        case State.MAPPING if record.catalog_version is None:
            return "Call list_catalogs, choose one, and call propose_mapping with this recordId."
        case State.MAPPING:
            return "No column fits. Call dry_run_transform with a mapping of your own."
        case State.STAGED:
            return "It waits for approval by a person. Call get_changeset to see who prepared it."
        case State.REVIEW:
            return "Call dry_run_transform to look at rows and issues, then execute_import."
    return "A worker is processing it. Call the same tool again in a moment."
