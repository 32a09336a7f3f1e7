"""The outcome of a test as a summary. Pure."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from previews.tried_file import Tried

Json = dict[str, Any]


def of_tried(tried: "Tried") -> Json:
    """Return a summary of the result of a catalog on a file."""
    return {
        "problem": None,
        "columns": {column.column: column.field for column in tried.columns},
        "missing": sorted(tried.missing),
        "issues": [
            {
                "field": issue.field,
                "code": issue.code,
                "severity": issue.severity,
                "count": issue.count,
            }
            for issue in sorted(
                tried.issues, key=lambda issue: (issue.field, issue.code, issue.severity)
            )
        ],
        "questions": len(tried.questions),
    }


def of_problem(code: str) -> Json:
    """Return the summary of a file that could not be read."""
    return {"problem": code, "columns": {}, "missing": [], "issues": [], "questions": 0}
