"""Parts that the results of several tools share."""

from typing import Any

from common.language import said_problem
from imports.models import ImportRecord
from imports.recording import open_questions_of
from wire.shapes.questions import QuestionOut

Json = dict[str, Any]
State = ImportRecord.State
FIRST_QUESTIONS = 20


def open_questions_shown(record: ImportRecord) -> list[Json]:
    """Return the first open questions of an import."""
    found = open_questions_of(record)[:FIRST_QUESTIONS]
    return list(QuestionOut(found, many=True).data)


def problem_shown(record: ImportRecord) -> Json | None:
    """Return why a file cannot be used, in the language of the call."""
    return None if record.problem is None else said_problem(record.problem)


def next_step(record: ImportRecord, *, asks: bool) -> str:
    """Return the next step for an import in its current state."""
    match record.state:
        case State.FAILED:
            return "The file cannot be used; problem says why. Take a corrected file in."
        case State.CANCELLED:
            return "The import was given up. Take the file in again with analyze_file."
        case State.APPLIED:
            return "It is applied. get_changeset shows its rows and deliveries."
        case State.REVERTED:
            return "It is taken back. Notes of the changeset say which hosts were not told."
        case State.RECEIVED:
            return "Its bytes are still to come, by PUT imports/{recordId}/file over HTTP."
        case State.MAPPING | State.REVIEW if asks:
            return (
                "Answer what is open: show the person the evidence and candidates of each "
                "question, then call answer_question or dismiss_question."
            )
        case State.MAPPING if record.catalog_version is None:
            return "Call list_catalogs, choose one, and call propose_mapping with this recordId."
        case State.MAPPING:
            return "No column fits. Call dry_run_transform with a mapping of your own."
        case State.REVIEW:
            return "Call dry_run_transform to look at rows and issues, then execute_import."
    return "A worker has it in hand. Call the same tool again in a moment."
