"""The matcher with the interface of the test sets."""

import json
from typing import Any

from tabular.matching import candidate_fields, propose
from tabular.model.catalog import Catalog


def as_catalog(document: dict[str, Any]) -> Catalog:
    """Parse a catalog, or a single entry of one."""
    if "entries" not in document:
        document = {"key": document["id"], "entries": [document]}
    return Catalog.model_validate_json(json.dumps(document))


def match(catalog: dict[str, Any], header: list[str], rows: list[list[str]]) -> dict[str, Any]:
    """Propose a mapping for a header and its rows."""
    width = len(header)
    cells = [[row[i] if i < len(row) else None for row in rows] for i in range(width)]
    proposal = propose(tuple(header), cells, catalog=as_catalog(catalog))
    return {
        "mapping": {column.column: column.field for column in proposal.columns},
        "questions": [
            {"columns": list(question.columns), "candidates": list(candidate_fields(question))}
            for question in proposal.questions
        ],
    }
