"""``python -m tabular match FILE... --catalog C.json``: which column feeds which field."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from sandbox.commands.runner import EXIT_PROBLEM, existing, run_jobs
from tabular.matching import candidate_fields
from tabular.model.catalog import Catalog
from tabular.model.mapping import MappingProposal
from tabular.model.problem import TabularProblem
from tabular.protocol.requests import ReadRequest

Json = dict[str, Any]


def run(arguments: list[str]) -> int:
    """Match the files. Return 0 if each was matched, 3 if any of them has a problem."""
    parser = _parser()
    options = parser.parse_args(arguments)
    existing((*options.files, options.catalog), parser)
    try:
        catalog = load_catalog(options.catalog)
    except ValueError as problem:
        parser.error(f"{options.catalog} is not a catalog: {problem}")
    code = 0
    with run_jobs(len(options.files)) as run_one:
        for path in options.files:
            try:
                result, _ = run_one(ReadRequest(input=str(path.resolve()), catalog=catalog))
                document = proposal_as_json(result.proposal or MappingProposal((), ()))
            except TabularProblem as problem:
                document, code = {"problem": problem.as_dict()}, EXIT_PROBLEM
            _show(path, document, options)
    return code


def load_catalog(path: Path) -> Catalog:
    """Read a catalog or a single entry. Raise ValueError, with the reason, if it is invalid."""
    document = json.loads(path.read_text("utf-8"))
    if isinstance(document, dict) and "entries" not in document:
        document = {"key": document.get("id", path.stem), "entries": [document]}
    return Catalog.model_validate_json(json.dumps(document))


def proposal_as_json(proposal: MappingProposal) -> Json:
    """Return a proposal in the format of the command line."""
    return {
        "mapping": {column.column: column.field for column in proposal.columns},
        "questions": [
            {
                "kind": question.kind,
                "columns": list(question.columns),
                "candidates": list(candidate_fields(question)),
                "scores": {c.label: c.score for c in question.candidates},
            }
            for question in proposal.questions
        ],
        "reasons": {column.column: column.reason for column in proposal.columns},
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tabular match", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--catalog", required=True, type=Path, metavar="C.json")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="one JSON document a file")
    shape.add_argument("--jsonl", action="store_true", help="one line of JSON a file")
    return parser


def _show(path: Path, document: Json, options: argparse.Namespace) -> None:
    if options.jsonl:
        sys.stdout.write(json.dumps({"file": str(path), **document}, ensure_ascii=False) + "\n")
    elif options.json:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(_for_people(path, document))


def _for_people(path: Path, document: Json) -> str:
    if "problem" in document:
        return f"{path}: {document['problem']['detail']}\n"
    lines = [str(path)]
    width = max(map(len, document["mapping"]), default=0)
    asked_columns = {name for question in document["questions"] for name in question["columns"]}
    for column, field in document["mapping"].items():
        goal = "?" if column in asked_columns else field or "-"
        lines.append(f"  {column:{width}}  {goal:30}  {document['reasons'][column]}")
    lines += [
        f"  ? {', '.join(q['columns'])}: {' or '.join(q['scores'])}" for q in document["questions"]
    ]
    return "\n".join(lines) + "\n"
